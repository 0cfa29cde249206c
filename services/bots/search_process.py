"""The requests and results of search processes, as bytes: they share nothing else."""

import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Final

import msgspec
from msgspec import Struct

from domain.bots.evaluation import win_chances
from domain.bots.levels import LEVELS
from domain.bots.player import choose_action
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.match.information_states import read_information_state
from domain.registry import GAMES
from services.store import pack_folder

NICENESS: Final = 5


class SearchRequest(Struct, frozen=True):
    """A request to search the best action of a seat, or to evaluate its position."""

    game: str
    shape: str
    """Fingerprint of the state's JSON form, from `domain.match.information_states`."""
    state: bytes
    """The state as the seat may know it, in JSON."""
    seat: str
    level: str
    seed: bytes
    until: float | None = None
    """When to stop the search, by the monotonic clock that all processes of the machine share."""
    judging: bool = False
    """Whether only the seat's win probability is requested. It need not be the seat's turn then."""


class SearchResult(Struct, frozen=True):
    """The result of a search."""

    action: str
    """The best action, in notation; empty if only the win probability was requested."""
    win_chance: float
    """The win probability of the seat, from 0 to 1; a draw counts half."""


_library: Library = BUILT_IN_PACKS


def prepare(packs: str) -> None:
    """Initialize a search process.

    It runs at a lower priority, loads the packs of this folder, and exits with the service, even if
    the service is killed.
    """
    global _library
    os.nice(NICENESS)
    Thread(target=_exit_with_parent, name="end", daemon=True).start()
    if packs and Path(packs).is_dir():
        _library = pack_folder.load_stored_packs(Path(packs))


def _exit_with_parent() -> None:
    """Wait until the service ends, then exit.

    A search process holds both ends of its request pipe, so it would otherwise wait forever.
    """
    # Only here: a page, which has this module in it, has no processes.
    from multiprocessing import parent_process

    if (service := parent_process()) is not None:
        service.join()
        os._exit(0)


def library() -> Library:
    """Return the content packs of this process."""
    return _library


def search(question: bytes) -> bytes:
    """Return the result of a search request."""
    asked = msgspec.msgpack.decode(question, type=SearchRequest)
    game = GAMES[asked.game]
    known = read_information_state(game, asked.state, asked.shape, _library)
    level = LEVELS[asked.level]
    if asked.judging:
        stop = stop_condition(asked.until)
        chances = win_chances(game, known, asked.seat, level.budget, asked.seed, stop)
        return msgspec.msgpack.encode(SearchResult("", chances.get(asked.seat, 0.5)))
    choice = choose_action(
        game, known, asked.seat, level, asked.seed, stop=stop_condition(asked.until)
    )
    return msgspec.msgpack.encode(SearchResult(game.write_action(choice.action), choice.win_chance))


def stop_condition(until: float | None) -> Callable[[], bool]:
    """Return a function that reports whether this time has come."""
    return lambda: until is not None and time.monotonic() >= until


def seed_of(*words: str) -> bytes:
    """Return a random seed derived from these words."""
    return sha256("\n".join(words).encode()).digest()
