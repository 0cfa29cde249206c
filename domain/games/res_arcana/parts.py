"""Actions taken apart, for frontends that build one from taps on cards and words.

`pieces` and `cards` name the same cards; `choices` hold what is no card: the number of a power,
a payment, a rival, a deck. The sentence says what the action does. Of a state only what lies open
goes into it, so a veiled action stays veiled.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import zip_longest
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
from domain.games.res_arcana.artifacts import placing_of
from domain.games.res_arcana.bundles import NOTHING, Bundle, by_name, is_bundle
from domain.games.res_arcana.card_faces import names_of, power_line
from domain.games.res_arcana.card_icons import cost_icons
from domain.games.res_arcana.claims import TOP
from domain.games.res_arcana.deeds import deed, deeds
from domain.games.res_arcana.effects import NOBODY
from domain.games.res_arcana.legal import asked
from domain.games.res_arcana.notation import verb_of
from domain.games.res_arcana.payments import discount_for, struck
from domain.games.res_arcana.powers import Slot, slots
from domain.games.res_arcana.prompts import who
from domain.games.res_arcana.scene import MONUMENTS, zone_of
from domain.games.res_arcana.state import HIDDEN, Placing, State, area_of, pack_of
from domain.games.res_arcana.vocabulary import Artifact, Card, LookAt, Mirror, Monument, Stored
from domain.games.res_arcana.vocabulary import Place as PlaceOfPower
from domain.kernel.amounts import Purpose
from domain.kernel.parts import Amounts, Parts, Role
from domain.kernel.parts import Pick as PartsPick

MONUMENT_DECK = "monument-deck-1"
"""The id of the piece that is the top of the monument deck."""


def parts(state: State, action: Action) -> Parts:
    """Return the parts of an action."""
    return replace(outline(state, action), sentence=_begun(deed(state, action)))


def outline(state: State, action: Action) -> Parts:
    """Return the parts without their sentence."""
    match action:
        case DrawFirst() | Flip() | Next() | Deal():
            return _of_an_entry(state, action)
        case Keep(cards) | Drop(cards) | Order(cards):
            return _of_cards(state, action, cards)
        case Pick(card) | ChooseMage(card) | Take(card) | React(card):
            line = "reaction" if isinstance(action, React) else ""
            return _about(verb_of(action), card, line=line)
        case Pay(card) | Turn(card):
            cost = card_cost(pack_of(state).cards.get(card)) if isinstance(action, Pay) else ""
            return _about(verb_of(action), card, line="upkeep", cost=cost)
        case TakeItem(card):
            return _about("item", card, picks=_to(state, "table"))
        case Pass(item):
            return replace(_about("pass", item), actor="", picks=(PartsPick(item, "target"),))
        case Claim():
            return _of_a_claim(state, action)
        case Use():
            return _of_use(action, state)
        case Decline() | Skip():
            return _button(verb_of(action), verb_of(action))
        case _:
            return _of_essences(state, action)


Entry = DrawFirst | Flip | Next | Deal
Choice = Keep | Drop | Order
WithEssences = Collect | Leave | Play | Discard | Gain | Put | Place | Lose | Ignore


def _of_an_entry(state: State, action: Entry) -> Parts:
    verb = verb_of(action)
    if isinstance(action, DrawFirst):
        pick = PartsPick(action.seat, "option", who(action.seat))
        return Parts(verb, "", choices=(action.seat,), picks=(pick,))
    known = _known(action.card)
    names = names_of(pack_of(state))
    picks = tuple([PartsPick(card, "option", names.the(card)) for card in known])
    return Parts(verb, "", cards=known, picks=picks)


def _of_cards(state: State, action: Choice, cards: tuple[str, ...]) -> Parts:
    """Return the parts of a choice of several cards, which are pointed at in the given order."""
    picks = tuple([PartsPick(card, "target") for card in _known(*cards)[1:]])
    if isinstance(action, Drop):
        picks += _to(state, "discard")
    return _about(verb_of(action), *cards, picks=picks)


def _of_essences(state: State, action: WithEssences) -> Parts:
    """Return the parts of an action that names essences, or a price."""
    verb = verb_of(action)
    match action:
        case Collect(card, essences):
            gained = amounts("gain", essences)
            return _about(verb, card, choices=(essences,), line="collect", amounts=gained)
        case Leave(card, essences):
            known = pack_of(state).cards.get(card)
            line = "left" if known and known.stored != Stored() else ""
            if essences is None:
                return _about(verb, card, line=line)
            gained = amounts("gain", essences)
            return _about(verb, card, choices=(essences,), line=line, amounts=gained)
        case Play(card, essences) | Place(card, essences):
            paid = amounts("pay", essences) if essences != NOTHING else None
            cost = _artifact_cost(state, action)
            to = _to(state, "table")
            return _about(verb, card, choices=(essences,), cost=cost, picks=to, amounts=paid)
        case Discard(card, essences):
            to, gained = _to(state, "discard"), amounts("gain", essences)
            return _about(verb, card, choices=(essences,), picks=to, amounts=gained)
        case Gain(essences):
            return _button(verb, essences, amounts("gain", essences))
        case Put(essences):
            parts = _button(verb, essences, amounts("put", essences))
            return replace(parts, actor=getattr(state.queue[0], "card", ""))
        case Lose(essences):
            paid = amounts("pay", essences) if essences != NOTHING else None
            return _button(verb, essences, paid)
        case Ignore(None):
            return _button(verb, verb)
        case Ignore(card):
            return _about(verb, card or HIDDEN)
        case _:
            assert_never(action)


def amounts(purpose: Purpose, essences: Bundle) -> Amounts:
    """Return a bundle as amounts."""
    return Amounts(purpose, dict(by_name(essences)))


def card_cost(card: Card | None) -> str:
    """Return what claiming a card or its upkeep costs, in symbols."""
    match card:
        case Monument(cost=cost) | PlaceOfPower(cost=cost):
            return cost_icons(cost)
        case None:
            return ""
        case _:
            return cost_icons(card.upkeep.pay) if card.upkeep else ""


def _artifact_cost(state: State, action: Play | Place) -> str:
    """Return what an artifact costs its player now, in symbols."""
    step, artifact = state.queue[0], pack_of(state).artifacts.get(action.card)
    seat = _seat(state)
    if artifact is None or not seat:
        return ""
    less = discount_for(state, area_of(state, seat), artifact)
    if isinstance(step, Placing) and isinstance(action, Place):
        effect = placing_of(state, step)
        if effect.free:
            return "0"
        less += effect.less
    return cost_now(artifact, less)


def cost_now(artifact: Artifact, less: int) -> str:
    """Return the cost of an artifact with a discount, in symbols."""
    cost = cost_icons(artifact.cost) or "0"
    less = struck(artifact.cost, less)
    return f"{cost} \N{MINUS SIGN}{less}" if less else cost


def _to(state: State, what: str) -> tuple[PartsPick, ...]:
    """Return the pick of a zone of the acting seat."""
    seat = _seat(state)
    return (PartsPick(zone_of(seat, what), "to"),) if seat else ()


def _seat(state: State) -> str:
    return next(iter(asked(state)), "")


def head(state: State, action: Action) -> Parts:
    """What an action shares with those that a person would see as one: the verb, the card and the
    power, but not the payment, the mix or the target. Without its sentence."""
    shared = _SHARED.get(type(action))
    return outline(state, action) if shared is None else shared(action)


@lru_cache(maxsize=4096)
def _shared(verb: str, card: str, power: int) -> Parts:
    """What actions share that do the same with a card, the same in every position."""
    return _about(verb, card, choices=(power_line(power),) if power else ())


def _of_a_card(action: Play | Discard | Collect | Leave | Place) -> Parts:
    return _shared(verb_of(action), action.card, 0)


def _head_of_a_claim(action: Claim) -> Parts:
    if action.card == TOP:
        return Parts("claim", "", (MONUMENT_DECK,), choices=(TOP,))
    return _shared("claim", action.card, 0)


def _of_a_claim(state: State, action: Claim) -> Parts:
    pack = pack_of(state)
    top = action.card == TOP
    cost = cost_icons(pack.monument_cost) if top else card_cost(pack.cards.get(action.card))
    shared = _head_of_a_claim(action)
    actor = MONUMENT_DECK if top else shared.actor
    return replace(shared, actor=actor, cost=cost, picks=_to(state, "table"))


def _of_a_power(action: Use) -> Parts:
    return _shared("use", action.card, action.power)


def _of_a_verb(action: Gain | Put | Lose | Keep | Drop | Order | Ignore) -> Parts:
    return Parts(verb_of(action), "")


_SHARED: Final[dict[type, Callable[[Any], Parts]]] = {
    **dict.fromkeys((Play, Discard, Collect, Leave, Place), _of_a_card),
    Claim: _head_of_a_claim,
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
    verb: str,
    *cards: str,
    choices: tuple[str, ...] = (),
    cost: str = "",
    line: str = "",
    picks: tuple[PartsPick, ...] = (),
    amounts: Amounts | None = None,
) -> Parts:
    """Return the parts of what is done with cards, of which the first acts."""
    known = _known(*cards)
    actor = known[0] if known else ""
    return Parts(verb, "", known, (), known, choices, cost, False, actor, line, picks, amounts)


def _button(verb: str, choice: str, amounts: Amounts | None = None) -> Parts:
    return Parts(verb, "", choices=(choice,), picks=(), amounts=amounts)


def _of_use(action: Use, state: State) -> Parts:
    """Return the parts of a use; without picks if the power does not want such arguments."""
    card = pack_of(state).cards.get(action.card)
    power = card.power[action.power - 1] if card and action.power <= len(card.power) else None
    line = power_line(action.power)
    cards, choices, paid = [action.card], [line], None
    picks: list[PartsPick] = []
    wanted = slots(power) if power else ()
    for slot, word in zip_longest(wanted[: len(action.arguments)], action.arguments):
        if word in pack_of(state).cards:
            cards.append(word)
        else:
            choices.append("none" if word == NOBODY else word)
        if slot and slot.sort == "payment" and is_bundle(word):
            paid = amounts("pay", word)
        elif word != NOBODY:
            # A power without a target needs no more pointing.
            picks += _argument(state, slot, word)
    cost = cost_icons(power.pay, power.pay_of) if power else ""
    return _about(
        "use",
        *cards,
        choices=tuple(choices),
        cost=cost,
        line=line,
        picks=tuple(picks),
        amounts=paid,
    )


def _argument(state: State, slot: Slot | None, word: str) -> Iterator[PartsPick]:
    if slot is None or word == HIDDEN:
        return
    role: Role = "target" if slot.sort == "target" else "with"
    match slot.effect:
        case Mirror():
            yield PartsPick(zone_of(word, "table"), role)
        case LookAt():
            where = MONUMENTS if word == "monuments" else zone_of(_seat(state), word)
            yield PartsPick(where, role)
        case _:
            yield PartsPick(word, role)
