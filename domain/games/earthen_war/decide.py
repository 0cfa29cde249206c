"""Judging an action: it is refused by the first rule against it, or accepted with its facts."""

from typing import assert_never

from domain.games.earthen_war.actions import (
    Action,
    Add,
    DeclineShell,
    Downgrade,
    EndTurn,
    EnterDice,
    Place,
    PlaceShell,
    Skip,
    Swap,
    Upgrade,
    Use,
)
from domain.games.earthen_war.artillery import decline, put
from domain.games.earthen_war.damage import locate
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.improve_dice import (
    downgrade,
    leave_unimproved,
    place,
    refuse_add,
    refuse_downgrade,
    refuse_place,
    refuse_upgrade,
    roll,
    take,
    upgrade,
)
from domain.games.earthen_war.phases import refuse_moment
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import (
    TOP,
    Cell,
    Die,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Placing,
    Rolling,
    Seat,
    State,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.games.earthen_war.swapping import leave_unswapped, refuse_swap, swap
from domain.games.earthen_war.turns import end_turn, roll_initiative
from domain.games.earthen_war.use_dice import refuse_use, use
from domain.kernel.rulings import Accepted, Refused


def decide(state: State, seat: str, action: Action) -> Accepted[Fact] | Refused:
    """What follows when this seat takes this action, or why it may not."""
    refusal = refuse_moment(state.phase, seat, action) or refuse(state, action)
    return follow(state, action) if refusal is None else refusal


def refuse(state: State, action: Action) -> Refused | None:
    """The first rule against this action at its moment, in the order of the reference, or None."""
    seat = _acting(state)
    match action:
        case EnterDice(dice):
            return _refuse_entry(1 if isinstance(state.phase, Rolling) else 2, dice)
        case Add(colour):
            return refuse_add(state, seat, colour)
        case Place(cell):
            return refuse_place(state, seat, cell)
        case Upgrade(cell):
            return refuse_upgrade(state, seat, cell)
        case Downgrade(cell):
            return refuse_downgrade(state, seat, cell)
        case Swap(first, second):
            return refuse_swap(state, seat, first, second)
        case Use(cell):
            return refuse_use(state, seat, cell)
        case Skip() | PlaceShell() | DeclineShell() | EndTurn():
            return None
        case unreachable:
            assert_never(unreachable)


def _refuse_entry(wanted: int, dice: tuple[int, ...]) -> Refused | None:
    if len(dice) == wanted and all(1 <= dots <= TOP for dots in dice):
        return None
    asked = "one die, as dice 2" if wanted == 1 else "two dice, as dice 1 3"
    return Refused(
        "ew.entry.range",
        f"dice {' '.join(map(str, dice))} is impossible: enter {asked}, each from 1 to {TOP}",
        {"dice_asked": wanted, "least": 1, "most": TOP},
    )


def follow(state: State, action: Action) -> Accepted[Fact]:
    """What follows from an action that nothing forbids."""
    course, seat, phase = Resolution(state), _acting(state), state.phase
    match action:
        case EnterDice(dice):
            _enter(course, dice)
        case Add(colour):
            take(course, seat, colour)
        case Place(cell):
            assert isinstance(phase, Placing)
            place(course, phase, cell)
        case Upgrade(cell):
            upgrade(course, seat, cell, _die(state, cell))
        case Downgrade(cell):
            downgrade(course, seat, cell, _die(state, cell))
        case Skip():
            assert isinstance(phase, Turn)
            leave = leave_unimproved if phase.step == "improve" else leave_unswapped
            leave(course, seat)
        case Swap(first, second):
            swap(course, seat, first, second)
        case Use(cell):
            use(course, seat, cell, _die(state, cell))
        case PlaceShell() | DeclineShell():
            assert isinstance(phase, Offering)
            answer = put if isinstance(action, PlaceShell) else decline
            answer(course, seat, phase.square)
        case EndTurn():
            end_turn(course, seat)
        case unreachable:
            assert_never(unreachable)
    return course.accepted()


def _enter(course: Resolution, dice: tuple[int, ...]) -> None:
    match course.state.phase:
        case Initiative() as waiting:
            roll_initiative(course, waiting, *dice)
        case Rolling(seat, colour):
            roll(course, seat, colour, *dice)
        case Locating(seat):
            locate(course, seat, *dice)
        case Turn() | Placing() | Offering() | Outcome() as phase:
            raise AssertionError(f"no dice are asked for: {phase}")
        case unreachable:
            assert_never(unreachable)


def _acting(state: State) -> Seat:
    seat = acting(state.phase)
    assert seat is not None, "the game is over"
    return seat


def _die(state: State, cell: Cell) -> Die:
    die = die_on(golem_of(state, _acting(state)).grid, cell)
    assert die is not None, f"no die on {cell}"
    return die
