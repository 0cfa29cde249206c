"""What a process that thinks is asked and answers, as bytes: nothing else is shared with it."""

import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Final

import msgspec
from msgspec import Struct

from domain.bots.judge import win_chances
from domain.bots.levels import LEVELS
from domain.bots.player import Candidate, Choice, choose
from domain.kernel.game import AnyGame
from domain.kernel.packs import OWN, Library
from domain.match.known_states import read_known
from domain.registry import GAMES
from services.store import pack_folder

MOST_TOLD: Final = 5
"""Alternatives that are told of a choice."""
LONGEST_LINE: Final = 12
NICENESS: Final = 5


class Question(Struct, frozen=True):
    """What a seat should do."""

    game: str
    shape: str
    """As `domain.match.known_states` knows it."""
    state: bytes
    """As the seat may know it, in JSON."""
    seat: str
    level: str
    seed: bytes
    until: float | None = None
    """When to stop thinking, by the machine's own clock that all its processes share."""
    judging: bool = False
    """What is asked is only how the seat stands: it need not be its turn."""


class Considered(Struct, frozen=True):
    """An action that was thought about."""

    action: str
    """In notation."""
    win_chance: float
    visits: int


class Thought(Struct, frozen=True):
    """What a bot would do, and why."""

    action: str
    """In notation."""
    win_chance: float
    """From 0 to 1, of the seat that acts; a draw counts half."""
    line: tuple[str, ...]
    """What it expects, from this action on."""
    alternatives: tuple[Considered, ...]
    """The best first."""
    nodes: int


_library: Library = OWN


def prepare(packs: str) -> None:
    """Make a process ready: it yields to those that play, knows the packs of this folder, and ends
    with the process that started it."""
    global _library
    os.nice(NICENESS)
    Thread(target=_end_with_parent, daemon=True).start()
    if packs and Path(packs).is_dir():
        _library = pack_folder.recall_folder(Path(packs))


def _end_with_parent() -> None:
    """A service that was killed has told nobody to stop, and who waits for its questions would wait
    for ever: it has both ends of the pipe through which they come."""
    # Only here: a page, which has this module in it, has no processes.
    from multiprocessing import parent_process

    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)  # thinking holds nothing that would be lost


def library() -> Library:
    """The content packs that this process knows."""
    return _library


def think(question: bytes) -> bytes:
    """Answer a question."""
    asked = msgspec.msgpack.decode(question, type=Question)
    game = GAMES[asked.game]
    known = read_known(game, asked.state, asked.shape, _library)
    level = LEVELS[asked.level]
    if asked.judging:
        stop = stopping(asked.until)
        chances = win_chances(game, known, asked.seat, level.budget, asked.seed, stop)
        judged = Thought("", chances.get(asked.seat, 0.5), (), (), 0)
        return msgspec.msgpack.encode(judged)
    choice = choose(game, known, asked.seat, level, asked.seed, stop=stopping(asked.until))
    return msgspec.msgpack.encode(thought_of(game, choice))


def stopping(until: float | None) -> Callable[[], bool]:
    """Tells whether this time has come."""
    return lambda: until is not None and time.monotonic() >= until


def thought_of(game: AnyGame, choice: Choice) -> Thought:
    """A choice in notation, with as much of it as anybody reads."""
    return Thought(
        action=game.write_action(choice.action),
        win_chance=choice.win_chance,
        line=tuple(map(game.write_action, choice.line[:LONGEST_LINE])),
        alternatives=tuple(_considered(game, each) for each in choice.alternatives[:MOST_TOLD]),
        nodes=choice.nodes,
    )


def _considered(game: AnyGame, candidate: Candidate) -> Considered:
    action = game.write_action(candidate.action)
    return Considered(action, candidate.win_chance, candidate.visits)


def seed_of(*words: str) -> bytes:
    """A seed that follows from these words."""
    return sha256("\n".join(words).encode()).digest()
