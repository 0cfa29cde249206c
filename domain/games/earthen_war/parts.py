"""Actions taken apart, for frontends that build them from taps, each with a sentence."""

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
from domain.games.earthen_war.attacking import target
from domain.games.earthen_war.battlefield import compass
from domain.games.earthen_war.scene import NEW_DIE, cell_id, die_id, golem_id
from domain.games.earthen_war.state import (
    CELL_NAMES,
    OTHER,
    Cell,
    Offering,
    Seat,
    State,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.kernel.game import Parts


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    seat = acting(state.phase)
    assert seat is not None, "the game is over"
    who, phase = seat.title(), state.phase
    match action:
        case EnterDice(dice):
            shown = tuple(map(str, dice))
            return Parts("dice", f"{who} rolls {' and '.join(shown)}", choices=shown)
        case Add(colour):
            return Parts("add", f"{who} takes a new {colour} die", choices=(colour,))
        case Place(cell):
            sentence = f"{who} places the new die on {CELL_NAMES[cell]}"
            return Parts("place", sentence, (NEW_DIE,), (cell_id(seat, cell),))
        case Upgrade() | Downgrade() | Swap():
            return _rearranging(state, seat, action)
        case Skip():
            missed = "improves" if phase == Turn(seat, "improve") else "swaps"
            return Parts("skip", f"{who} {missed} nothing")
        case Use(cell):
            return _using(state, seat, cell)
        case PlaceShell() | DeclineShell():
            assert isinstance(phase, Offering)
            placing = isinstance(action, PlaceShell)
            return Parts(
                "shell" if placing else "no-shell",
                f"{who} places {'a' if placing else 'no'} shell on {phase.square}",
                spaces=(phase.square,),
            )
        case EndTurn():
            return Parts("end", f"{who} ends the turn")
        case unreachable:
            assert_never(unreachable)


def _rearranging(state: State, seat: Seat, action: Upgrade | Downgrade | Swap) -> Parts:
    cells: tuple[Cell, ...]
    match action:
        case Upgrade(cell):
            verb, cells, doing = "up", (cell,), f"upgrades {_named(state, seat, cell)}"
        case Downgrade(cell):
            verb, cells, doing = "down", (cell,), f"downgrades {_named(state, seat, cell)}"
        case Swap(first, second):
            verb, cells = "swap", (first, second)
            doing = f"swaps {CELL_NAMES[first]} with {CELL_NAMES[second]}"
        case unreachable:
            assert_never(unreachable)
    grid = golem_of(state, seat).grid
    return Parts(
        verb,
        f"{seat.title()} {doing}",
        tuple(die_id(seat, cell) for cell in cells if die_on(grid, cell) is not None),
        tuple(cell_id(seat, cell) for cell in cells),
    )


def _named(state: State, seat: Seat, cell: Cell) -> str:
    """A die as "the white 2 on front"."""
    die = die_on(golem_of(state, seat).grid, cell)
    assert die is not None, f"no die on {cell}"
    return f"the {die.colour} {die.dots} on {CELL_NAMES[cell]}"


def _using(state: State, seat: Seat, cell: Cell) -> Parts:
    die = die_on(golem_of(state, seat).grid, cell)
    assert die is not None, f"no die on {cell}"
    square = target(state, seat, cell, die.dots)
    enemy = golem_of(state, OTHER[seat]).square
    doing = "moves to" if die.colour == "white" else "attacks"
    what = square or "a place off the battlefield"
    if square == enemy:
        what = f"{OTHER[seat].title()}'s golem on {square}"
    return Parts(
        "use",
        f"{seat.title()}'s golem {doing} {what}, {die.dots} to the {compass(seat, cell)}, by"
        f" {_named(state, seat, cell)}",
        (
            golem_id(seat),
            die_id(seat, cell),
            *((golem_id(OTHER[seat]),) if square == enemy else ()),
        ),
        (cell_id(seat, cell), *((square,) if square else ())),
    )
