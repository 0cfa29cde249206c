"""Actions taken apart, for frontends that build one from taps on cards and words.

`pieces` and `cards` name the same cards; `choices` hold what is no card: the number of a power,
a payment, a rival, a deck. The sentence says what the action does. Of a state only what lies open
goes into it, so a veiled action stays veiled.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, assert_never

from msgspec.structs import replace

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
from domain.games.res_arcana.bundles import NOTHING, Bundle, in_words, is_bundle
from domain.games.res_arcana.claims import TOP
from domain.games.res_arcana.deeds import deed, deeds
from domain.games.res_arcana.effects import NOBODY
from domain.games.res_arcana.notation import verb_of
from domain.games.res_arcana.state import HIDDEN, State, pack_of
from domain.kernel.parts import Parts

MONUMENT_DECK = "monument-deck-1"
"""The id of the piece that is the top of the monument deck."""


def parts(state: State, action: Action) -> Parts:
    """An action taken apart."""
    return replace(outline(state, action), sentence=_begun(deed(state, action)))


def outline(state: State, action: Action) -> Parts:
    """The same without its sentence."""
    verb, text = verb_of(action), ""
    match action:
        case DrawFirst(seat):
            return Parts(verb, text, choices=(seat,))
        case Flip(card) | Next(card) | Deal(card):
            return Parts(verb, text, cards=_known(card))
        case Pick(card) | ChooseMage(card) | TakeItem(card) | Pass(card):
            return _about(verb, text, card)
        case Keep(cards) | Drop(cards) | Order(cards):
            return _about(verb, text, *cards)
        case Collect(card, essences) | Discard(card, essences):
            return _about(verb, text, card, choices=(essences,))
        case Take(card) | Pay(card) | Turn(card) | React(card):
            return _about(verb, text, card)
        case Leave(card, essences):
            return _about(verb, text, card, choices=(essences,) if essences else ())
        case Play(card, essences) | Place(card, essences):
            return _about(verb, text, card, choices=(essences,), cost=_price(essences))
        case Claim():
            return _of_a_claim(action)
        case Use():
            return _of_use(action, state, text)
        case Gain(essences) | Put(essences) | Lose(essences):
            return Parts(verb, text, choices=(essences,))
        case Ignore(card):
            return _about(verb, text, card) if card else Parts(verb, text, choices=(verb,))
        case Decline() | Skip():
            return Parts(verb, text, choices=(verb,))
        case _:
            assert_never(action)


def head(state: State, action: Action) -> Parts:
    """What an action shares with those that a person would see as one: the verb, the card and the
    power, but not the payment, the mix or the target. Without its sentence."""
    shared = _SHARED.get(type(action))
    return outline(state, action) if shared is None else shared(action)


@lru_cache(maxsize=4096)
def _shared(verb: str, card: str, power: int) -> Parts:
    """What actions share that do the same with a card, the same in every position."""
    return _about(verb, "", card, choices=(f"power-{power}",) if power else ())


def _of_a_card(action: Play | Discard | Collect | Leave | Place) -> Parts:
    return _shared(verb_of(action), action.card, 0)


def _of_a_claim(action: Claim) -> Parts:
    if action.card == TOP:
        return Parts("claim", "", (MONUMENT_DECK,), choices=(TOP,))
    return _shared("claim", action.card, 0)


def _of_a_power(action: Use) -> Parts:
    return _shared("use", action.card, action.power)


def _of_a_verb(action: Gain | Put | Lose | Keep | Drop | Order | Ignore) -> Parts:
    return Parts(verb_of(action), "")


_SHARED: Final[dict[type, Callable[[Any], Parts]]] = {
    **dict.fromkeys((Play, Discard, Collect, Leave, Place), _of_a_card),
    Claim: _of_a_claim,
    Use: _of_a_power,
    **dict.fromkeys((Gain, Put, Lose, Keep, Drop, Order, Ignore), _of_a_verb),
}


def head_sentence(state: State, seat: str, action: Action) -> str:
    """The sentence of that."""
    return _begun(deeds(state, seat, action))


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _known(*cards: str) -> tuple[str, ...]:
    return tuple(card for card in cards if card != HIDDEN)


def _about(
    verb: str, text: str, *cards: str, choices: tuple[str, ...] = (), cost: str = ""
) -> Parts:
    known = _known(*cards)
    return Parts(verb, text, known, (), known, choices, cost)


def _price(payment: Bundle) -> str:
    """What an action costs, in words; empty for nothing."""
    return in_words(payment) if payment not in ("", NOTHING) else ""


def _of_use(action: Use, state: State, text: str) -> Parts:
    known = pack_of(state).cards
    cards, choices, payment = [action.card], [f"power-{action.power}"], ""
    for word in action.arguments:
        if word in known:
            cards.append(word)
            continue
        choices.append("none" if word == NOBODY else word)
        if is_bundle(word):
            payment = word
    return _about("use", text, *cards, choices=tuple(choices), cost=_price(payment))
