"""The few words that drawings have of their own."""

import re
from typing import Final

from domain.kernel.scene import MarkKind, Scene

MARK_MEANINGS: Final[dict[MarkKind, str]] = {
    "last": "the last action",
    "legal": "can be chosen now",
    "threatened": "under threat",
    "selected": "picked",
    "reachable": "can be reached",
}
"""By kind of mark, in the order in which they are explained."""
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
"""Characters of a word for a state, at most."""
EMPTY: Final = "empty"
FACE_DOWN: Final = "face-down card"
MANY_POINTS: Final = "{number} points"
ONE_POINT: Final = "1 point"
COSTS: Final = "costs {cost}"
NOTHING_SPECIAL: Final = "nothing special"
NOTHING_HERE: Final = "nobody and nothing is here"
LEGEND_TITLE: Final = "What the signs mean"


def points(number: int) -> str:
    """What a card is worth."""
    return ONE_POINT if number == 1 else MANY_POINTS.format(number=number)


def state_words(scene: Scene) -> dict[str, str]:
    """A word for each state: the beginning of what the scene's legend says of it, if that is short
    enough to stand behind a name."""
    found: dict[str, str] = dict(STATE_WORDS)
    for sign in scene.legend:
        if sign.kind == "state":
            words = _CLAUSE.split(sign.meaning, maxsplit=1)[0].strip()
            if words and len(words) <= _MAX_STATE_WORDS:
                found[sign.sign] = words
    return found


def icon_words(scene: Scene) -> dict[str, str]:
    """A word for each icon that the legend names."""
    return {sign.sign: sign.meaning for sign in scene.legend if sign.kind == "icon"}
