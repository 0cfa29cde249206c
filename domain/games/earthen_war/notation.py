"""Actions as one line of text each, and back."""

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
from domain.games.earthen_war.state import CELLS
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

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
    return Refused("ew.action.syntax", f"{short_quote(text)} is not an action: {_FORMS}")


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
