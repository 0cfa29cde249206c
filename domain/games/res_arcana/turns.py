"""Passing, and whose turn is next."""

from collections.abc import Iterator

from domain.games.res_arcana.actions import Pass
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    ItemSwapped,
    SeatPassed,
    StepsQueued,
    TokenTaken,
    TurnBegan,
    TurnsEnded,
)
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Area,
    Checking,
    Drawing,
    Seat,
    State,
    area_of,
    pack_of,
    playing,
    rivals,
)
from domain.kernel.rulings import Refused


def passes(state: State) -> Iterator[Pass]:
    """Every way to pass: one for each magic item in the supply."""
    return (Pass(item) for item in state.items)


def refuse_pass(state: State, action: Pass) -> Refused | None:
    """Why one cannot pass so."""
    if action.item in state.items:
        return None
    items = ENGLISH.join_or([named(state, item) for item in state.items])
    return refused("ra.pass.swap", "swap", card=named(state, action.item), items=items)


def pass_round(course: Resolution, seat: Seat, action: Pass) -> None:
    """Take the token if first to pass, swap the item, draw a card; no more actions this round."""
    state = course.state
    if not any(area.out for area in playing(state)):
        course.record(TokenTaken(seat), "ra.pass.token", seat=seat)
    course.record(SeatPassed(seat), "ra.pass.out", seat=seat)
    gave = item_of(state, area_of(state, seat))
    course.record(ItemSwapped(seat, gave, action.item), "ra.pass.swap", gave=gave)
    course.record(StepsQueued((Drawing(seat, 1, "keep"),)), "ra.pass.draw")


def item_of(state: State, area: Area) -> str:
    """The magic item on a seat's table."""
    items = pack_of(state).items
    return next(own.id for own in area.table if own.id in items)


def next_turn(course: Resolution) -> None:
    """The next seat clockwise that has not passed acts; if there is none, phase 2 is over."""
    state = course.state
    assert state.turn is not None, "somebody's action is finished"
    order = (*rivals(state, state.turn), area_of(state, state.turn))
    following = next((area.seat for area in order if not area.out), None)
    if following is not None:
        course.record(TurnBegan(following), "ra.turn.next", seat=following)
        return
    course.record(TurnsEnded(), "ra.pass.out")
    check = Checking("end", 0, (0,) * len(state.areas))
    course.record(StepsQueued((check,)))
