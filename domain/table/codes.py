"""The mapping from printed codes to targets.

Each table has its own tap map, which binds figures, cards and tiles. All tables also share the
default map. There, a code that is spelled like a target means that target, so one printed sheet
serves any game. The icons of the Control Card and the buttons have the same codes everywhere.
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
"""The codes that mean the same at every table."""

CONFIRM: Final = "button confirm"
PAGE: Final = "button page"
TARGET_PATTERN: Final = re.compile(
    r"(base|card|relic|region|power|piece|space|seat|cc|match|button) [!-~]+( [!-~]+)?"
)
"""The syntax of targets."""


def target_of(codes: Mapping[str, str], code: str) -> str:
    """Return the target of a code, or an empty string if no map has it.

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
    """Return whether a tap map may contain this target."""
    return len(text) <= 80 and TARGET_PATTERN.fullmatch(text) is not None
