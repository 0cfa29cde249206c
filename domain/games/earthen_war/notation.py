"""Positions and actions as one line of text each; reading positions is in `position_reading`."""

import re
from collections.abc import Iterator
from typing import Final, assert_never

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
from domain.games.earthen_war.battlefield import plan_of
from domain.games.earthen_war.state import (
    CELLS,
    Cell,
    Colour,
    Die,
    Grid,
    GridSquare,
    Initiative,
    Locating,
    Offering,
    Options,
    Outcome,
    Phase,
    Placing,
    Rolling,
    State,
    Turn,
    acting,
)
from domain.kernel.game import Refused
from domain.kernel.text import shortened

VERSION: Final = "ew1"

NOTATION: Final = """\
Position: ew1 board turn phase golems grid grid shells result
  ew1 6 w init c0,d7 .,W1,./.,.,./.,.,. .,W1,./.,.,./.,.,. - *
  Board is its size, then a if artillery is on, o if offboard_attacks is on, r if dice_axes is
  white-row, m if the trenches are mirrored (start=d0-c7). Turn w, b, or - after the end. Phase init
  (init:4 when White has rolled 4), improve, roll:white, place:W2, swap, use, hit:f (an attack from
  f asks for two dice), shell:c4 (place a shell there?), or - after the end. White's and Black's
  golems; c0 is a trench. White's and Black's grids, front row first, as their owners see them: W
  white die, B black die, its number, u if used, x if the square is damaged, . for no die. Shells as
  c4=3 with the turns left, or -. Result *, white, black or draw.
Action: one line; squares of a grid are fl f fr, l c r, bl b br
  dice 1 3       what two dice showed: for the initiative, or the white die, then the black
                 one, for the square that was hit
  dice 2         what the new die showed
  add white      take a new die of this colour (or black)
  place fr       place it
  up f, down f   turn a die to one dot more or less; down removes a 1
  swap fl f      swap the dice on two adjacent squares, in reading order
  skip           improve nothing, or swap nothing
  use f          move with the white die there, or attack with the black one
  shell          place a shell where the attack landed; no-shell places none
  end            end the turn
"""

_FORMS: Final = (
    "write dice 1 3 or dice 2 for what dice showed, add white, place fr, up f, down f, swap fl f"
    " (in reading order), skip, use f, shell, no-shell or end, with squares fl f fr l c r bl b br"
)
_NUMBER: Final = "(0|[1-9][0-9]{0,2})"
_DICE: Final = re.compile(f"dice {_NUMBER}(?: {_NUMBER})?")
_WORDS: Final[dict[str, Action]] = {
    "skip": Skip(),
    "shell": PlaceShell(),
    "no-shell": DeclineShell(),
    "end": EndTurn(),
    "add white": Add("white"),
    "add black": Add("black"),
}
_VERBS: Final[dict[str, type[Place | Upgrade | Downgrade | Use]]] = {
    "place": Place,
    "up": Upgrade,
    "down": Downgrade,
    "use": Use,
}


def _spellings() -> dict[str, Action]:
    """Every action but entries of dice, by its one spelling."""
    found = dict(_WORDS)
    for n, cell in enumerate(CELLS):
        found |= {f"{verb} {cell}": kind(cell) for verb, kind in _VERBS.items()}
        found |= {f"swap {cell} {second}": Swap(cell, second) for second in CELLS[n + 1 :]}
    return found


_SPELLINGS: Final = _spellings()


def read_action(text: str) -> Action | Refused:
    """The action that a text spells, legal or not."""
    if (action := _SPELLINGS.get(text)) is not None:
        return action
    if (found := _DICE.fullmatch(text)) is not None:
        return EnterDice(tuple(int(number) for number in found.groups() if number is not None))
    if (right := _SPELLINGS.get(" ".join(_turned_round(text)))) is not None:
        return Refused(
            "ew.action.syntax",
            f"the squares of a swap are named in reading order: write {write_action(right)}",
        )
    return Refused("ew.action.syntax", f"{shortened(text)} is not an action: {_FORMS}")


def _turned_round(text: str) -> Iterator[str]:
    """The words of an action with its squares the other way round."""
    verb, *cells = text.split(" ")
    yield verb
    yield from reversed(cells)


def write_action(action: Action) -> str:
    """The one spelling of this action.

    >>> write_action(Swap("fl", "f"))
    'swap fl f'
    """
    match action:
        case EnterDice(dice):
            return " ".join(("dice", *map(str, dice)))
        case Add(colour):
            return f"add {colour}"
        case Place(cell):
            return f"place {cell}"
        case Upgrade(cell):
            return f"up {cell}"
        case Downgrade(cell):
            return f"down {cell}"
        case Skip():
            return "skip"
        case Swap(first, second):
            return f"swap {first} {second}"
        case Use(cell):
            return f"use {cell}"
        case PlaceShell():
            return "shell"
        case DeclineShell():
            return "no-shell"
        case EndTurn():
            return "end"
        case unreachable:
            assert_never(unreachable)


def write_position(state: State) -> str:
    """The state as one line of nine fields."""
    seat = acting(state.phase)
    shells = ",".join(f"{square}={turns}" for square, turns in sorted(state.shells.items()))
    fields = (
        VERSION,
        write_board(state.options),
        "-" if seat is None else seat[0],
        _write_phase(state.phase),
        f"{state.white.square},{state.black.square}",
        write_grid(state.white.grid),
        write_grid(state.black.grid),
        shells or "-",
        write_result(state.phase),
    )
    return " ".join(fields)


def write_board(options: Options) -> str:
    """The size of the battlefield and the variants, as `6ao`, `8rm`."""
    _, mirrored = plan_of(options)
    letters = {
        "a": options.artillery,
        "o": options.offboard_attacks,
        "r": options.dice_axes == "white-row",
        "m": mirrored,
    }
    return str(options.board) + "".join(letter for letter, on in letters.items() if on)


def _write_phase(phase: Phase) -> str:
    match phase:
        case Initiative(None):
            return "init"
        case Initiative(total):
            return f"init:{total}"
        case Turn(_, step):
            return step
        case Rolling(_, colour):
            return f"roll:{colour}"
        case Placing(_, colour, dots):
            return f"place:{write_die(Die(colour, dots))}"
        case Locating(_, cell):
            return f"hit:{cell}"
        case Offering(_, square):
            return f"shell:{square}"
        case Outcome():
            return "-"
        case unreachable:
            assert_never(unreachable)


def write_result(phase: Phase) -> str:
    """Who has won, `draw`, or `*` while the game goes on."""
    return (phase.winner or "draw") if isinstance(phase, Outcome) else "*"


def write_grid(grid: Grid) -> str:
    """A control grid as three rows, as `.,W1,./.,.,./.,.,.`."""
    rows = (grid[n : n + 3] for n in range(0, len(CELLS), 3))
    return "/".join(",".join(map(_write_square, row)) for row in rows)


def _write_square(square: GridSquare) -> str:
    return ("." if square.die is None else write_die(square.die)) + "x" * square.damaged


def write_die(die: Die) -> str:
    """A die as `W2`, or `W2u` if it has been used."""
    return f"{die.colour[0].upper()}{die.dots}" + "u" * die.used


_SQUARE: Final = re.compile(r"(?:\.|(W|B)([1-3])(u?))(x?)")


def read_square(text: str) -> GridSquare | None:
    """The square of a grid in a text such as `W2ux`; None if there is none."""
    found = _SQUARE.fullmatch(text)
    if found is None:
        return None
    letter, dots, used, damaged = found.groups()
    die = None if letter is None else Die(_COLOURS[letter], int(dots), used=bool(used))
    return GridSquare(die, damaged=bool(damaged))


_COLOURS: Final[dict[str, Colour]] = {"W": "white", "B": "black"}


def read_cell(text: str) -> Cell | None:
    """The square of a grid with this name, or None."""
    return next((cell for cell in CELLS if cell == text), None)
