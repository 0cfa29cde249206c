"""Actions as text."""

import re
from typing import Final

from domain.games.connect_four.actions import Drop
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

NOTATION: Final = """\
A position has each column from the left, its discs from below: -/-/r/ry/-/-/-
An action is the column, counted from 1: drop 4"""


def write_action(action: Drop) -> str:
    """As `drop 4`."""
    return f"drop {action.column}"


def read_action(text: str) -> Drop | Refused:
    """The action that a text means."""
    if not re.fullmatch(r"drop [1-9]", text, re.ASCII):
        return Refused("c4.notation", f"{short_quote(text)} is not like `drop 4`")
    return Drop(int(text[-1]))
