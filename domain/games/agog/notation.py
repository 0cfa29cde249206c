"""Actions as one line of text each, and back."""

import re
from typing import Final, assert_never

from domain.games.agog.actions import Action, Capture, Jump, Move, Resign
from domain.games.agog.state import SEATS
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

_ACTION: Final = re.compile(
    r"([a-h][1-8])(?:-([a-h][1-8])|((?:[x+][a-h][1-8])+))(?:=([a-h][1-8]|out))?"
)
_JUMP: Final = re.compile(r"([x+])(..)")

NOTATION: Final = """\
Position: board turn supply supply flag result
  2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *
  Rows from row 8 down, columns a to h; G golem, H hulk, C corrupted hulk, J journeyman, capitals
  White's; numbers are free squares. Turn w, b, or - after the end. White's and Black's golems
  removed from play. Flag fresh if option fresh_supply is on. Result * while the game goes on, or as
  1-0:capture (sanctum, immobile, resign).
Action: one line for a whole turn
  a6-b6          move
  c3xc5xe5       capture, each landing square in order
  a1xa3+c3       x captures what is jumped, + corrupts it
  h7-h8=c3       a unit on the enemy sanctum makes a hulk of the golem on c3
  h7-h8=out      or is removed from play
  resign white   on either player's turn
"""


def write_action(action: Action) -> str:
    """The one spelling of this action.

    >>> write_action(Capture("a1", (Jump("a3"), Jump("c3", corrupt=True))))
    'a1xa3+c3'
    """
    match action:
        case Move():
            text = f"{action.start}-{action.end}"
        case Capture():
            text = action.start + write_jumps(action.jumps)
        case Resign(seat):
            return f"resign {seat}"
        case unreachable:
            assert_never(unreachable)
    return text if action.leave is None else f"{text}={action.leave}"


def read_action(text: str) -> Action | Refused:
    """The action that a text spells, legal or not."""
    for seat in SEATS:
        if text == f"resign {seat}":
            return Resign(seat)
    found = _ACTION.fullmatch(text)
    if found is None:
        return Refused(
            "agog.action.syntax",
            f"{short_quote(text)} is not an action: write a6-b6 to move, c3xc5xe5 to capture, a1+a3"
            " to corrupt, h7-h8=c3 or h7-h8=out to leave the enemy sanctum, resign white or resign"
            " black",
        )
    start, end, jumps, leave = found.groups()
    if end is not None:
        return Move(start, end, leave)
    return Capture(start, read_jumps(jumps), leave)


def write_jumps(jumps: tuple[Jump, ...]) -> str:
    """Jumps as text, such as `xa3+c3`."""
    return "".join(("+" if jump.corrupt else "x") + jump.to for jump in jumps)


def read_jumps(text: str) -> tuple[Jump, ...]:
    """The jumps in a text such as `xa3+c3`."""
    return tuple(Jump(to, sign == "+") for sign, to in _JUMP.findall(text))
