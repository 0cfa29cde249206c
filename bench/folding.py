"""Folding: events a second of every game in memory, and loads of long matches from the log on disk.

The events of matches played at random are decoded as the service decodes them, and folded into the
state, over and over. Loads are of one match of Earthen-War without a snapshot, as a service does
that looks at it for the first time.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from memory import live_match
from play import games
from undo import story

from domain.kernel.game import AnyGame
from domain.log.sealed_events import SealedEvent
from domain.match import Changeset, replay
from domain.registry import GAMES
from domain.storage.mapper import prepare_decoders
from services.store.loading import load_match
from services.store.log import Log
from services.store.match_cache import CachedMatch


class RecordingMatch(CachedMatch):
    """A live match that forgets no event."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.events: list[SealedEvent[Any]] = []

    def apply(self, changeset: Changeset[Any]) -> None:
        super().apply(changeset)
        self.events += changeset.events


def events_a_second(game: AnyGame, seconds: float) -> float:
    """How many events are folded in a second."""
    random = Random(1)
    matches = [live_match(game, 60, random, RecordingMatch).events for _ in range(5)]
    folded, began = 0, process_time()
    while (spent := process_time() - began) < seconds:
        for events in matches:
            assert replay(None, events) is not None
            folded += len(events)
    return folded / spent


def loading(actions: int) -> float:
    """Seconds that it takes to load a match of so many actions from the log."""
    match, events = story(GAMES["earthen-war"], actions)
    with tempfile.TemporaryDirectory() as folder:
        log = Log(Path(folder), print)
        try:
            asyncio.run(log.write(events))
            began = perf_counter()
            assert load_match(log, match.id) is not None
            return perf_counter() - began
        finally:
            log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games if none is named")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--actions", type=int, nargs="*", default=[100, 1000, 10_000])
    given = parser.parse_args()
    prepare_decoders()
    for game in games(given.games):
        print(f"{game.slug:14} {events_a_second(game, given.seconds):9.0f} events/s")
    for actions in given.actions:
        print(f"load {actions:6} actions {loading(actions) * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
