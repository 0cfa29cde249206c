"""How strong a bot plays: levels differ in how much they look at, and in how much they misjudge."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct


class Level(Struct, frozen=True):
    """How well a bot plays."""

    name: str
    number: int
    """Counted from 1, the weakest."""
    about: str
    """What it is, in a sentence."""
    budget: Annotated[int, Meta(ge=1)]
    """How many states it may make before it chooses: what it thinks costs, on any machine."""
    haze: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """By how much it misjudges a position, at most: a share of the whole way from lost to won."""


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("beginner", 1, "Looks at a few actions, and often misjudges them.", 8, 0.06),
        Level("novice", 2, "Looks at what most actions lead to, and no further.", 24, 0.015),
        Level("club", 3, "Looks at what may be answered to the best of them.", 72, 0.005),
        Level("strong", 4, "Follows what looks good for a few actions more.", 216, 0.003),
        Level("master", 5, "Follows it further: full strength.", 648, 0.003),
    )
}
"""By name, the weakest first."""
