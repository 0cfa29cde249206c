"""Win probabilities of a position, by search."""

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
    """Return each seat's win probability, with sum 1; a draw is shared equally.

    Args:
        game: The game.
        known: The information state of the viewer.
        viewer: A seat, `spectator` or `referee`.
        budget: The number of states that the search may create.
        seed: Determines all random choices.
        stop: Polled during the search; True ends it early.

    Returns:
        The win probabilities; in a finished game each seat's share of the result.
    """
    search = Search(game, known, viewer, Level("judge", 0, "Judges.", budget), seed)
    search.run(stop)
    return search.expected_shares()
