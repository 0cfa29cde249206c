"""Playing strengths of bots: levels differ in search budget, evaluation noise and random moves."""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct


class Level(Struct, frozen=True):
    """A playing strength of bots."""

    name: str
    number: int
    """The rank, from 1 for the weakest."""
    about: str
    """A description in one sentence."""
    budget: Annotated[int, Meta(ge=1)]
    """The number of states that the search may create: a cost that is the same on any machine."""
    evaluation_noise: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """The largest error added to an evaluation, as a share of the range from lost to won."""
    random_move_rate: Annotated[float, Meta(ge=0, le=1)] = 0.0
    """The probability of playing a random legal action without a search."""


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
"""The levels by name, the weakest first."""
