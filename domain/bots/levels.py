"""How strong a bot plays: levels differ in how much they look at, how much they misjudge, and how
often they do not look."""

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
    evaluation_noise: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """By how much it misjudges a position, at most: a share of the whole way from lost to won."""
    random_move_rate: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """How often it does anything that is legal, without a look."""


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("beginner", 1, "Often plays without a look, and misjudges much.", 16, 0.1, 0.25),
        Level("novice", 2, "Looks at what its actions lead to, and no further.", 40, 0.06, 0.06),
        Level("club", 3, "Looks at what may be answered, and seldom slips.", 150, 0.04, 0.04),
        Level("strong", 4, "Follows what looks good for a few actions more.", 250, 0.006),
        Level("master", 5, "Follows it further, and judges as well as it can: full strength.", 648),
    )
}
"""By name, the weakest first."""
