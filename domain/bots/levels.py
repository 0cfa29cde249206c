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
        Level("beginner", 1, "Looks at a few actions, and often misjudges them.", 6, 0.1),
        Level("novice", 2, "Looks at what each action leads to, and no further.", 30, 0.02),
        Level("club", 3, "Looks at what its rivals may answer.", 150),
        Level("strong", 4, "Follows what looks good for a few actions more.", 500),
        Level("master", 5, "Follows it as far as it can: full strength.", 1500),
    )
}
"""By name, the weakest first."""
