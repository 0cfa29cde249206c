"""Which printed code is which target.

A table has its own tap map, which binds figures, cards and tiles. Beside it every table knows the
default map: a code that already is a target means itself, so that an ordinary board or a printed
sheet can bear the targets of any game as they stand; and the icons of the Control Card and the
buttons have the same codes everywhere.
"""

import re
from collections.abc import Mapping
from typing import Final

from domain.table.match_card import CARD_COMMANDS

DEFAULT_TAP_MAP: Final[Mapping[str, str]] = {
    **{f"control/{side}{arrow}": f"cc {side}{arrow}"
       for side in ("army", "ancients", "help") for arrow in ("", "<", ">")},
    "control/map": "cc map",
    **{f"control/rune/{number}": f"cc rune {number}" for number in range(1, 7)},
    **{f"control/digit/{digit}": f"cc digit {digit}" for digit in range(10)},
    **{f"control/match/{command}": f"match {command}" for command in CARD_COMMANDS},
    **{f"button/{name}": f"button {name}" for name in ("confirm", "page", "power")},
}  # fmt: skip
"""What is printed alike at every table."""

CONFIRM: Final = "button confirm"
PAGE: Final = "button page"
TARGET_PATTERN: Final = re.compile(
    r"(base|card|relic|region|power|piece|space|seat|cc|match|button) [!-~]+( [!-~]+)?"
)
"""How a target looks."""


def target_of(codes: Mapping[str, str], code: str) -> str:
    """The target of a code; empty if it is on no map.

    >>> target_of({"figure/12": "base s1"}, "figure/12")
    'base s1'
    >>> target_of({}, "space a6"), target_of({}, "control/rune/2"), target_of({}, "figure/12")
    ('space a6', 'cc rune 2', '')
    """
    found = codes.get(code) or DEFAULT_TAP_MAP.get(code)
    if found is not None:
        return found
    return code if TARGET_PATTERN.fullmatch(code) else ""


def is_target(text: str) -> bool:
    """May a tap map have this as a target?"""
    return len(text) <= 80 and TARGET_PATTERN.fullmatch(text) is not None
