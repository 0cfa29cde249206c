"""Actions as text."""

import re
from typing import Final

from domain.games.connect_four.actions import Drop
from domain.kernel.rulings import Refused
from domain.kernel.text import shortened

NOTATION: Final = """\
A position has each column from the left, its discs from below: -/-/r/ry/-/-/-
An action is the column, counted from 1: drop 4"""


def write_action(action: Drop) -> str:
    """As `drop 4`."""
    return f"drop {action.column}"


def read_action(text: str) -> Drop | Refused:
    """The action that a text means."""
    if not re.fullmatch(r"drop [1-9]", text, re.ASCII):
        return Refused("c4.notation", f"{shortened(text)} is not like `drop 4`")
    return Drop(int(text[-1]))
