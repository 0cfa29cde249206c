"""State and fact to state. Nothing is judged here: old matches replay the same for ever."""

from collections.abc import Callable
from typing import assert_never

from msgspec.structs import replace

from domain.games.earthen_war.facts import (
    DiceRefreshed,
    DiceSwapped,
    DieExtinguished,
    DiePlaced,
    DieReturned,
    DieRolled,
    DieTaken,
    DieTurned,
    Fact,
    GameEnded,
    GolemMoved,
    GridDamaged,
    InitiativeRolled,
    InitiativeTied,
    LocationAwaited,
    PhaseBegan,
    ShellExploded,
    ShellOffered,
    ShellPlaced,
    ShellsCountedDown,
    TurnBegan,
)
from domain.games.earthen_war.state import (
    CELLS,
    Cell,
    Die,
    Golem,
    Grid,
    GridSquare,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Phase,
    Placing,
    Rolling,
    Seat,
    Square,
    State,
    Turn,
    golem_of,
)


def evolve(state: State, fact: Fact) -> State:
    """The state after this fact."""
    match fact:
        case GolemMoved(seat, _, end):
            return _with_golem(state, seat, Golem(end, golem_of(state, seat).grid))
        case GridDamaged(seat, cell):
            return _with_square(state, seat, cell, _damaged)
        case (
            DiceRefreshed()
            | DiePlaced()
            | DieTurned()
            | DieReturned()
            | DiceSwapped()
            | DieExtinguished()
        ):
            return _with_dice(state, fact)
        case ShellPlaced(square, turns):
            return _with_shells(state, {**state.shells, square: turns})
        case ShellsCountedDown():
            return _with_shells(state, {at: left - 1 for at, left in state.shells.items()})
        case ShellExploded(square):
            others = {at: left for at, left in state.shells.items() if at != square}
            return _with_shells(state, others)
        case _:
            return _in_phase(state, _phase(state, fact))


PhaseFact = (
    InitiativeRolled
    | InitiativeTied
    | TurnBegan
    | PhaseBegan
    | DieTaken
    | DieRolled
    | LocationAwaited
    | ShellOffered
    | GameEnded
)


def _phase(state: State, fact: PhaseFact) -> Phase:
    match fact:
        case InitiativeRolled(seat, total):
            # Black's total needs no keeping: what follows from it is the next fact.
            return Initiative(total) if seat == "white" else state.phase
        case InitiativeTied():
            return Initiative()
        case TurnBegan(seat):
            return Turn(seat, "improve")
        case PhaseBegan(seat, step):
            return Turn(seat, step)
        case DieTaken(seat, colour):
            return Rolling(seat, colour)
        case DieRolled(seat, colour, dots):
            return Placing(seat, colour, dots)
        case LocationAwaited(seat, cell):
            return Locating(seat, cell)
        case ShellOffered(seat, square):
            return Offering(seat, square)
        case GameEnded(winner):
            return Outcome(winner)
        case unreachable:
            assert_never(unreachable)


DiceFact = DiceRefreshed | DiePlaced | DieTurned | DieReturned | DiceSwapped | DieExtinguished


def _with_dice(state: State, fact: DiceFact) -> State:
    match fact:
        case DiceRefreshed(seat):
            return _with_grid(state, seat, tuple(map(_refreshed, golem_of(state, seat).grid)))
        case DiePlaced(seat, cell, colour, dots):
            return _with_die(state, seat, cell, Die(colour, dots))
        case DieTurned(seat, cell, dots):
            turned = replace(_die(state, seat, cell), dots=dots)
            return _with_die(state, seat, cell, turned)
        case DieReturned(seat, cell):
            return _with_die(state, seat, cell, None)
        case DiceSwapped(seat, first, second):
            there = _die_or_none(state, seat, second)
            swapped = _with_die(state, seat, second, _die_or_none(state, seat, first))
            return _with_die(swapped, seat, first, there)
        case DieExtinguished(seat, cell, dots):
            used = Die(_die(state, seat, cell).colour, dots, used=True)
            return _with_die(state, seat, cell, used)
        case unreachable:
            assert_never(unreachable)


def _damaged(square: GridSquare) -> GridSquare:
    return GridSquare(square.die, damaged=True)


def _refreshed(square: GridSquare) -> GridSquare:
    if square.die is None or not square.die.used:
        return square
    return GridSquare(Die(square.die.colour, square.die.dots), square.damaged)


def _die_or_none(state: State, seat: Seat, cell: Cell) -> Die | None:
    return golem_of(state, seat).grid[CELLS.index(cell)].die


def _die(state: State, seat: Seat, cell: Cell) -> Die:
    die = _die_or_none(state, seat, cell)
    assert die is not None, f"no die on {cell}"
    return die


def _with_die(state: State, seat: Seat, cell: Cell, die: Die | None) -> State:
    return _with_square(state, seat, cell, lambda square: GridSquare(die, square.damaged))


def _with_square(
    state: State, seat: Seat, cell: Cell, change: Callable[[GridSquare], GridSquare]
) -> State:
    grid, n = golem_of(state, seat).grid, CELLS.index(cell)
    return _with_grid(state, seat, (*grid[:n], change(grid[n]), *grid[n + 1 :]))


def _with_grid(state: State, seat: Seat, grid: Grid) -> State:
    return _with_golem(state, seat, Golem(golem_of(state, seat).square, grid))


# States are built field by field, for `structs.replace` takes four times as long.


def _with_golem(state: State, seat: Seat, golem: Golem) -> State:
    if seat == "white":
        return State(state.options, state.phase, golem, state.black, state.shells)
    return State(state.options, state.phase, state.white, golem, state.shells)


def _with_shells(state: State, shells: dict[Square, int]) -> State:
    return State(state.options, state.phase, state.white, state.black, shells)


def _in_phase(state: State, phase: Phase) -> State:
    return State(state.options, phase, state.white, state.black, state.shells)
