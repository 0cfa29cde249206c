"""Judging a position: how likely each seat wins."""

from collections.abc import Callable, Mapping
from typing import Any

from domain.bots.levels import Level
from domain.bots.player import never_stop
from domain.bots.search import Search
from domain.kernel.game import AnyGame


def win_chances(
    game: AnyGame,
    known: Any,
    viewer: str,
    budget: int,
    seed: bytes,
    stop: Callable[[], bool] = never_stop,
) -> Mapping[str, float]:
    """For each seat how likely it wins, all together 1; a draw is shared.

    `known` is the state as the viewer may know it: a seat, `spectator` or `referee`. `budget` is in
    states, as a level's. Of a game that is over, what each seat got of it.
    """
    search = Search(game, known, viewer, Level("judge", 0, "Judges.", budget), seed)
    search.think(stop)
    return search.verdict()
