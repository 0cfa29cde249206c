"""Actions taken apart, for frontends that build one from taps on cards and words.

`pieces` and `cards` name the same cards; `choices` hold what is no card: the number of a power,
a payment, a rival, a deck. Nothing here looks into a state, so a veiled action stays veiled.
"""

from typing import assert_never

from domain.games.res_arcana.actions import (
    Action,
    ChooseMage,
    Claim,
    Collect,
    Deal,
    Decline,
    Discard,
    DrawFirst,
    Drop,
    Flip,
    Gain,
    Ignore,
    Keep,
    Leave,
    Lose,
    Next,
    Order,
    Pass,
    Pay,
    Pick,
    Place,
    Play,
    Put,
    React,
    Skip,
    Take,
    TakeItem,
    Turn,
    Use,
)
from domain.games.res_arcana.bundles import in_words, is_bundle
from domain.games.res_arcana.card_words import the
from domain.games.res_arcana.claims import TOP
from domain.games.res_arcana.effects import NOBODY
from domain.games.res_arcana.notation import verb_of
from domain.games.res_arcana.state import HIDDEN, SEATS, State, pack_of
from domain.kernel.game import Parts

MONUMENT_DECK = "monument-deck-1"
"""The id of the piece that is the top of the monument deck."""


def parts(state: State, action: Action) -> Parts:
    """An action taken apart."""
    match action:
        case DrawFirst(seat):
            return Parts("first", f"{seat.title()} is the first player", choices=(seat,))
        case Flip() | Next() | Deal() | Pick() | ChooseMage() | TakeItem() | Pass():
            return _of_one_card(action)
        case Keep(cards) | Drop(cards) | Order(cards):
            return _of_cards(action, cards)
        case Collect() | Take() | Leave() | Pay() | Turn():
            return _of_phase_1(action)
        case Play() | Claim() | Discard() | Place() | Decline():
            return _of_phase_2(action)
        case Use():
            return _of_use(action, state)
        case Gain(essences) | Put(essences) | Lose(essences):
            verb = verb_of(action)
            sentence = f"{verb.title()} {in_words(essences)}"
            return Parts(verb, sentence, choices=(essences,))
        case React() | Ignore() | Skip():
            return _of_reaction(action)
        case _:
            assert_never(action)


def head(state: State, action: Action) -> Parts:
    """What an action shares with those that a person would see as one: the verb, the card and the
    power, but not the payment, the mix or the target."""
    whole = parts(state, action)
    verb = whole.verb
    match action:
        case Play() | Discard() | Collect() | Leave() | Place():
            return Parts(verb, f"{verb.title()} {the(action.card)}", whole.pieces, (), whole.cards)
        case Use(card, power):
            sentence = f"Use power {power} of {the(card)}"
            return Parts(verb, sentence, (card,), (), (card,), (f"power-{power}",))
        case Gain() | Put() | Lose() | Keep() | Drop() | Order() | Ignore():
            return Parts(verb, verb.title())
        case _:
            return whole


def _cards(*cards: str) -> tuple[str, ...]:
    return tuple(card for card in cards if card != HIDDEN)


def _of_one_card(action: Flip | Next | Deal | Pick | ChooseMage | TakeItem | Pass) -> Parts:
    match action:
        case Flip(card):
            return Parts("flip", f"{the(card)} is up", cards=_cards(card))
        case Next(card):
            return Parts("next", f"{the(card)} is next in the shuffle", cards=_cards(card))
        case Deal(card):
            return Parts("deal", f"{the(card)} is dealt", cards=_cards(card))
        case Pick(card):
            sentence = f"Keep {the(card)} of the draft pack"
        case ChooseMage(card):
            sentence = "Choose a mage" if card == HIDDEN else f"Choose to be the {the(card)}"
        case TakeItem(card):
            sentence = f"Take {the(card)}"
        case Pass(card):
            sentence = f"Pass, and swap the magic item for {the(card)}"
        case _:
            assert_never(action)
    return Parts(verb_of(action), sentence, _cards(card), (), _cards(card))


def _of_cards(action: Keep | Drop | Order, cards: tuple[str, ...]) -> Parts:
    known = _cards(*cards)
    named = ", ".join(the(card) for card in cards) if known else f"{len(cards)} cards"
    match action:
        case Keep():
            sentence = f"Keep {named} as the hand"
        case Drop():
            sentence = f"Discard {named}"
        case Order():
            sentence = f"Put back {named}{', the first on top' if known else ''}"
        case _:
            assert_never(action)
    return Parts(verb_of(action), sentence, known, (), known)


def _of_phase_1(action: Collect | Take | Leave | Pay | Turn) -> Parts:
    verb, card = verb_of(action), action.card
    choices: tuple[str, ...] = ()
    match action:
        case Collect(essences=essences):
            sentence, choices = f"Collect {in_words(essences)} from {the(card)}", (essences,)
        case Take():
            sentence = f"Take all essences off {the(card)}"
        case Leave(essences=None):
            sentence = f"Leave the essences on {the(card)}"
        case Leave(essences=essences):
            choices = (essences or "",)
            sentence = f"Leave the essences on {the(card)} and gain {in_words(choices[0])}"
        case Pay():
            sentence = f"Pay the upkeep of {the(card)}"
        case Turn():
            sentence = f"Turn {the(card)} for want of its upkeep"
        case _:
            assert_never(action)
    return Parts(verb, sentence, (card,), (), (card,), choices)


def _of_phase_2(action: Play | Claim | Discard | Place | Decline) -> Parts:
    match action:
        case Play(card, essences) | Place(card, essences):
            cost = f"pay {in_words(essences)}"
            sentence = f"{verb_of(action).title()} {the(card)}, {cost}"
            verb = verb_of(action)
            return Parts(verb, sentence, (card,), (), (card,), (essences,), essences)
        case Claim(card):
            if card == TOP:
                sentence = "Claim the top of the monument deck"
                return Parts("claim", sentence, (MONUMENT_DECK,), choices=(TOP,))
            return Parts("claim", f"Claim {the(card)}", (card,), (), (card,))
        case Discard(card, essences):
            sentence = f"Discard {the(card)} for {in_words(essences)}"
            return Parts("discard", sentence, (card,), (), (card,), (essences,))
        case Decline():
            return Parts("decline", "Place nothing", choices=("decline",))
        case _:
            assert_never(action)


def _of_use(action: Use, state: State) -> Parts:
    known = pack_of(state).cards
    cards = [action.card]
    choices = [f"power-{action.power}"]
    told: list[str] = []
    payment = ""
    for word in action.arguments:
        if word in known:
            cards.append(word)
            told.append(the(word))
            continue
        choices.append("none" if word == NOBODY else word)
        if is_bundle(word):
            payment = word
            told.append(f"pay {in_words(word)}")
        else:
            told.append("no component" if word == NOBODY else _word(word))
    sentence = ", ".join([f"Use power {action.power} of {the(action.card)}", *told])
    return Parts("use", sentence, tuple(cards), (), tuple(cards), tuple(choices), payment)


def _word(word: str) -> str:
    if word in SEATS:
        return word.title()
    return {"deck": "the own deck", "monuments": "the monument deck"}.get(word, word)


def _of_reaction(action: React | Ignore | Skip) -> Parts:
    match action:
        case React(card):
            return Parts("react", f"React with {the(card)}", (card,), (), (card,))
        case Ignore(None):
            return Parts("ignore", "Pay the price and ignore the loss", choices=("ignore",))
        case Ignore(card):
            named = card or ""
            sentence = f"Ignore the loss, giving up {the(named)}"
            return Parts("ignore", sentence, (named,), (), (named,))
        case Skip():
            return Parts("skip", "Do not react", choices=("skip",))
        case _:
            assert_never(action)
