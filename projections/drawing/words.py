"""Words and phrases that drawings add to a scene."""

import re
from typing import Final

from domain.kernel.scene import MarkKind, Scene

MARK_MEANINGS: Final[dict[MarkKind, str]] = {
    "last": "the last action",
    "legal": "can be chosen now",
    "danger": "under threat",
    "selected": "picked",
    "reachable": "can be reached",
}
"""Meanings of marks by kind, in the order of the legend."""
STATE_WORDS: Final = {
    "turned": "turned",
    "spent": "used up",
    "hidden": "face down",
    "marked": "singled out",
    "damaged": "damaged",
    "moved": "has moved",
    "out": "out of play",
}
_CLAUSE: Final = re.compile("[:,;(]")
_MAX_STATE_WORDS: Final = 28
"""The greatest length of the word for a state, in characters."""
EMPTY: Final = "empty"
FACE_DOWN: Final = "face-down card"
MANY_POINTS: Final = "{number} points"
ONE_POINT: Final = "1 point"
COSTS: Final = "costs {cost}"
NOTHING_SPECIAL: Final = "nothing special"
NOTHING_HERE: Final = "nobody and nothing is here"
LEGEND_TITLE: Final = "What the signs mean"


def points(number: int) -> str:
    """Return the points of a card in words."""
    return ONE_POINT if number == 1 else MANY_POINTS.format(number=number)


def state_words(scene: Scene) -> dict[str, str]:
    """Return a word for each state.

    The word is the first clause of the legend's meaning if it is short enough, or else a default.
    """
    found: dict[str, str] = dict(STATE_WORDS)
    for sign in scene.legend:
        if sign.kind == "state":
            words = _CLAUSE.split(sign.meaning, maxsplit=1)[0].strip()
            if words and len(words) <= _MAX_STATE_WORDS:
                found[sign.sign] = words
    return found


def icon_words(scene: Scene) -> dict[str, str]:
    """Return the meaning of each icon in the scene's legend."""
    return {sign.sign: sign.meaning for sign in scene.legend if sign.kind == "icon"}
