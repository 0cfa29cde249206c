"""What a bot thinks when it thinks again, in words: told from the state as its seat knows it."""

from typing import Any

import msgspec
from msgspec import Struct

from domain.kernel.any_game import attempted
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Refused
from domain.match.known_states import read_known
from domain.registry import GAMES
from services.bots import thinking


class Expected(Struct, frozen=True):
    """An action that a bot expected."""

    action: str
    """In notation."""
    seat: str = ""
    """Who was to do it; empty where what is hidden leaves that open."""
    sentence: str = ""
    """Empty where what is hidden leaves that open."""


class Recounted(Struct, frozen=True):
    """A thought with what it is in words."""

    thought: thinking.Thought
    expected: tuple[Expected, ...]
    """Its line."""
    considered: tuple[str, ...]
    """A sentence for each of its alternatives."""


def recount(question: bytes) -> bytes:
    """Answer a question as `think` does, and in words, too."""
    thought = msgspec.msgpack.decode(thinking.think(question), type=thinking.Thought)
    asked = msgspec.msgpack.decode(question, type=thinking.Question)
    game = GAMES[asked.game]
    known = read_known(game, asked.state, asked.shape, thinking.library())
    considered = tuple(_sentence(game, known, each.action) for each in thought.alternatives)
    told = Recounted(thought, expected_in(game, known, thought.line), considered)
    return msgspec.msgpack.encode(told)


def expected_in(game: AnyGame, state: Any, line: tuple[str, ...]) -> tuple[Expected, ...]:
    """A line of actions in words, from a state.

    A bot that knows not everything expects what may happen in a world that it imagined. From where
    the rules forbid that in the state itself, there are no words for it.
    """
    told: list[Expected] = []
    for text in line:
        found = _taken(game, state, text)
        if found is None:
            break
        expected, state = found
        told.append(expected)
    return (*told, *map(Expected, line[len(told) :]))


def _taken(game: AnyGame, state: Any, text: str) -> tuple[Expected, Any] | None:
    action = game.read_action(text)
    if isinstance(action, Refused):
        return None
    for ask in game.turn(state):
        after = attempted(game, state, ask.seat, action)
        if after is not None:
            return Expected(text, ask.seat, game.parts(state, action).sentence), after
    return None


def _sentence(game: AnyGame, state: Any, text: str) -> str:
    action = game.read_action(text)
    return "" if isinstance(action, Refused) else game.parts(state, action).sentence
