"""Actions taken apart, for frontends that build them from taps, each with a sentence."""

from collections.abc import Iterator
from typing import assert_never

from msgspec.structs import replace

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
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.faces import USE_VERBS
from domain.games.earthen_war.outcomes import aimed, cell_of, colour_of, die_there, located_on
from domain.games.earthen_war.scene import NEW_DIE, cell_id, die_id, golem_id
from domain.games.earthen_war.state import (
    COLOURS,
    FUSE,
    OTHER,
    Cell,
    Die,
    Locating,
    Offering,
    Phase,
    Placing,
    Rolling,
    Seat,
    State,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.games.earthen_war.uses import direction, does, named, swapped
from domain.kernel.parts import Parts, Pick


def parts(state: State, action: Action) -> Parts:
    """Return an action taken apart, in the state before it."""
    return replace(outline(state, action), sentence=_sentence(state, action))


def outline(state: State, action: Action) -> Parts:
    """Return the same without its sentence."""
    seat = _acting(state)
    match action:
        case EnterDice(dice):
            return Parts(
                "dice", "", choices=tuple(map(str, dice)), picks=tuple(_rolls(state.phase, dice))
            )
        case Add(colour):
            pick = Pick(colour, "option", ENGLISH.format(f"option {colour}"))
            return Parts("add", "", choices=(colour,), picks=(pick,))
        case Place(cell):
            place = cell_id(seat, cell)
            return Parts(
                "place", "", (NEW_DIE,), (place,), actor=NEW_DIE, picks=(Pick(place, "to"),)
            )
        case Upgrade(cell):
            return _on_grid(state, seat, "up", (cell,))
        case Downgrade(cell):
            return _on_grid(state, seat, "down", (cell,))
        case Swap(first, second):
            return _on_grid(state, seat, "swap", (first, second))
        case Skip():
            return Parts("skip", "", picks=())
        case Use(cell):
            return _using(state, seat, cell)
        case PlaceShell() | DeclineShell():
            assert isinstance(state.phase, Offering)
            return Parts(_shell(action), "", spaces=(state.phase.square,), picks=())
        case EndTurn():
            return Parts("end", "", picks=())
        case unreachable:
            assert_never(unreachable)


def _acting(state: State) -> Seat:
    seat = acting(state.phase)
    assert seat is not None, "the game is over"
    return seat


def _shell(action: PlaceShell | DeclineShell) -> str:
    return "shell" if isinstance(action, PlaceShell) else "no-shell"


def _rolls(phase: Phase, dice: tuple[int, ...]) -> Iterator[Pick]:
    """Yield a pick for each die, with its colour where two dice mean different things."""
    located = isinstance(phase, Locating)
    for colour, dots in zip(COLOURS, dice, strict=False):
        label = ENGLISH.format(f"rolled {colour}", n=dots) if located else ""
        yield Pick(str(dots), "die", label)


def _on_grid(state: State, seat: Seat, verb: str, cells: tuple[Cell, ...]) -> Parts:
    """Return the parts of what turns or swaps dice of one's own grid. The first die acts."""
    grid = golem_of(state, seat).grid
    held = [cell for cell in cells if die_on(grid, cell) is not None]
    picks = [Pick(cell_id(seat, cell), "to") for cell in cells if cell != held[0]]
    dice = tuple([die_id(seat, cell) for cell in held])
    return Parts(
        verb,
        "",
        dice,
        tuple([cell_id(seat, cell) for cell in cells]),
        actor=dice[0],
        line=verb,
        picks=tuple(picks),
    )


def _using(state: State, seat: Seat, cell: Cell) -> Parts:
    die, other = die_there(state, seat, cell), OTHER[seat]
    square = target(state, seat, cell, die.dots)
    hit = (golem_id(other),) if square == golem_of(state, other).square else ()
    aimed_at = (Pick(square, "to" if die.colour == "white" else "target"),) if square else ()
    return Parts(
        USE_VERBS[die.colour],
        "",
        (golem_id(seat), die_id(seat, cell), *hit),
        (cell_id(seat, cell), *((square,) if square else ())),
        actor=die_id(seat, cell),
        line="use",
        picks=(*(Pick(golem, "hit") for golem in hit), *aimed_at),
    )


# --- sentences -----------------------------------------------------------------------------------


def _sentence(state: State, action: Action) -> str:
    seat, phase = _acting(state), state.phase
    match action:
        case EnterDice(dice):
            return _rolled(state, seat, dice)
        case Add(colour):
            return ENGLISH.format("do add", colour=colour_of(colour))
        case Place(cell):
            assert isinstance(phase, Placing)
            return _placing(seat, cell, Die(phase.colour, phase.dots))
        case Upgrade(cell):
            return _turning(state, seat, cell, +1)
        case Downgrade(cell):
            return _turning(state, seat, cell, -1)
        case Swap(first, second):
            return ENGLISH.format("do swap", **swapped(state, seat, (first, second)))
        case Skip():
            assert isinstance(phase, Turn)
            return ENGLISH.format(f"do skip {phase.step}")
        case Use(cell):
            return _used(state, seat, cell)
        case PlaceShell() | DeclineShell():
            assert isinstance(phase, Offering)
            return ENGLISH.format(f"do {_shell(action)}", square=phase.square, n=FUSE)
        case EndTurn():
            return ENGLISH.format("do end")
        case unreachable:
            assert_never(unreachable)


def _rolled(state: State, seat: Seat, dice: tuple[int, ...]) -> str:
    match state.phase:
        case Rolling(_, colour):
            return ENGLISH.format("do roll", dots=dice[0], colour=colour_of(colour))
        case Locating():
            white, black = dice
            where = located_on(state, seat, white, black)
            return ENGLISH.format("do locate", white=white, black=black, where=where)
        case _:
            shown = ENGLISH.join_and([str(dots) for dots in dice])
            return ENGLISH.format("do initiative", dice=shown, total=sum(dice))


def _placing(seat: Seat, cell: Cell, die: Die) -> str:
    return ENGLISH.format(
        "do place",
        colour=colour_of(die.colour),
        dots=die.dots,
        cell=cell_of(cell),
        does=does(seat, cell, die),
    )


def _turning(state: State, seat: Seat, cell: Cell, by: int) -> str:
    die = die_there(state, seat, cell)
    dots = die.dots + by
    key = "do remove" if dots == 0 else "do up" if by > 0 else "do down"
    return ENGLISH.format(key, die=named(die, cell), dots=dots)


def _used(state: State, seat: Seat, cell: Cell) -> str:
    die = die_there(state, seat, cell)
    square = target(state, seat, cell, die.dots)
    return ENGLISH.format(
        "do move" if die.colour == "white" else "do attack",
        die=named(die, cell),
        n=die.dots,
        way=direction(seat, cell),
        start=golem_of(state, seat).square,
        end=square,
        target=aimed(state, seat, square),
        spent=ENGLISH.format("returns" if die.dots == 1 else "becomes"),
    )
