"""Judging an action: it is refused by the first rule against it, or accepted with its facts."""

from typing import Any, Final, assert_never

from domain.games.res_arcana import (
    artifacts,
    claims,
    collect,
    decks,
    losses,
    mixes,
    powers,
    reactions,
    setup,
    turns,
    victory,
)
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
from domain.games.res_arcana.consequences import settle, take
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.legal import asked, turn
from domain.games.res_arcana.prompts import asked_for, who
from domain.games.res_arcana.refusals import refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Checking,
    Dropping,
    Entering,
    Gaining,
    GainingSame,
    Losing,
    Ordering,
    Over,
    Placing,
    Putting,
    Shuffling,
    State,
    area_of,
)
from domain.kernel.rulings import Accepted, Refused

_ANSWERS: Final[dict[str, tuple[type[Any], ...]]] = {
    "first": (DrawFirst,),
    "sides": (Flip,),
    "monuments": (Next,),
    "mages": (Deal,),
    "artifacts": (Deal,),
    "deal": (Deal,),
    "shuffle": (Next,),
    "draft": (Pick,),
    "keep": (Keep,),
    "mage": (ChooseMage,),
    "item": (TakeItem,),
    "collect": (Collect, Take, Leave, Pay, Turn),
    "act": (Play, Claim, Discard, Use, Pass),
    "gain": (Gain,),
    "same": (Gain,),
    "put": (Put,),
    "place": (Place, Decline),
    "drop": (Drop,),
    "order": (Order,),
    "loss": (Lose, React, Ignore),
    "check": (React, Skip),
}
"""What answers each thing that is asked."""


def decide(state: State, seat: str, action: Action) -> Accepted[Fact] | Refused:
    """What follows when this seat takes this action, or why it may not."""
    refusal = refuse(state, seat, action)
    if refusal is not None:
        return refusal
    course = Resolution(state)
    take(course, seat, action)
    settle(course)
    return course.accepted()


def refuse(state: State, seat: str, action: Action) -> Refused | None:
    """The first rule against this action, in the order of the reference (8), or None."""
    if (refusal := over(state)) is not None:
        return refusal
    seats = asked(state)
    if seat not in seats:
        those = ENGLISH.join_and([who(each) for each in seats])
        return refused("ra.seat", "seat", who=who(seat), asked=those)
    want = turn(state)[0].expected_action
    if not isinstance(action, _ANSWERS[want]):
        return refused("ra.prompt", "prompt", asked=asked_for(state))
    return _refuse_answer(state, seat, action)


def over(state: State) -> Refused | None:
    """The refusal of everything once the game is over."""
    if not isinstance(state.queue[0], Over):
        return None
    return refused("ra.over", "over")


def _refuse_answer(state: State, seat: str, action: Action) -> Refused | None:
    match action:
        case DrawFirst() | Flip() | Next() | Deal():
            return _refuse_entry(state, action)
        case Pick():
            return setup.refuse_pick(state, area_of(state, seat), action)
        case Keep():
            return setup.refuse_keep(area_of(state, seat), action)
        case ChooseMage():
            return setup.refuse_mage(state, area_of(state, seat), action)
        case TakeItem():
            return setup.refuse_item(state, action)
        case Collect() | Take() | Leave() | Pay() | Turn():
            return collect.refuse(state, area_of(state, seat), action)
        case Play():
            return artifacts.refuse_play(state, area_of(state, seat), action)
        case Claim():
            return claims.refuse_claim(state, area_of(state, seat), action)
        case Discard():
            return artifacts.refuse_discard(state, area_of(state, seat), action)
        case Use():
            return powers.refuse_use(state, area_of(state, seat), action)
        case Pass():
            return turns.refuse_pass(state, action)
        case Gain() | Put() | Place() | Decline() | Drop() | Order():
            return _refuse_prompted(state, action)
        case Lose() | React() | Ignore() | Skip():
            return _refuse_reaction(state, action)
        case _:
            assert_never(action)


def _refuse_entry(state: State, entry: DrawFirst | Flip | Next | Deal) -> Refused | None:
    step = state.queue[0]
    if isinstance(step, Entering):
        return setup.refuse_entry(state, step.what, entry)
    assert isinstance(step, Shuffling), "entries are for the set-up and for shuffles"
    assert isinstance(entry, Next), "a shuffle is told card by card"
    return decks.refuse_next(state, step, entry)


def _refuse_prompted(
    state: State, action: Gain | Put | Place | Decline | Drop | Order
) -> Refused | None:
    match state.queue[0], action:
        case (Gaining() | GainingSame() as step, Gain(essences)):
            return mixes.refuse_gain(step, essences)
        case (Putting() as step, Put(essences)):
            return collect.refuse_mix(essences, step.n, step.of)
        case (Placing() as step, Place()):
            return artifacts.refuse_place(state, step, action)
        case (Dropping() as step, Drop()):
            return decks.refuse_drop(area_of(state, step.seat), step, action)
        case (Ordering() as step, Order()):
            return decks.refuse_order(state, step, action)
        case _:
            return None  # to decline is always possible


def _refuse_reaction(state: State, action: Lose | React | Ignore | Skip) -> Refused | None:
    match state.queue[0], action:
        case (Losing() as step, Lose() | React() | Ignore()):
            return losses.refuse(state, step, action)
        case (Checking() as step, React()):
            return reactions.refuse_react(state, step, victory.asked(state, step), action)
        case _:
            return None  # to skip is always possible
