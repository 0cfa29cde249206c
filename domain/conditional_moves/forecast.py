"""Forecasts of conditional moves in sentences, from the positions that they lead to.

The result of an action that follows another is uncertain. So actions are tried in the seat's
information state. Where that shows nothing, such as after dice not rolled yet, the sentence is
empty.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from msgspec import Struct

from domain.conditional_moves.aggregate import ConditionalMove, ConditionalMoves
from domain.conditional_moves.progress import ConditionalMovesProgress
from domain.kernel.any_game import state_after_or_none
from domain.kernel.game import AnyGame
from domain.kernel.rulings import Refused
from domain.match import AnyMatch

MAX_TRIED_ACTIONS: Final = 240
"""The most actions tried for one forecast."""
MAX_POSITIONS: Final = 8
"""The most positions tried where a condition allows any action."""


class MoveForecast(Struct, frozen=True):
    """A conditional move in words. A sentence that cannot be told is empty."""

    on: str
    replies: tuple[str, ...]


class ConditionalMovesForecast(Struct, frozen=True):
    """A forecast of all conditional moves of a seat."""

    replies: tuple[str, ...]
    """Sentences of the responses that are due next."""
    nodes: dict[int, MoveForecast]
    """The moves that may still happen, by their numbers."""


def forecast_moves(
    plan: ConditionalMoves, progress: ConditionalMovesProgress, match: AnyMatch
) -> ConditionalMovesForecast:
    """Return the forecast of conditional moves, from the match as their seat may know it."""
    trial = _Trial(match.rules, plan.seat)
    positions: _Positions = (match.position,)
    replies, positions = trial.all_of(progress.replies, positions)
    nodes: dict[int, MoveForecast] = {}
    after: dict[int, _Positions] = {0: positions}
    coming = set(progress.awaiting)
    for number, node in enumerate(plan.nodes, 1):
        if number not in coming and node.parent not in nodes:
            continue
        before = positions if number in coming else after[node.parent]
        on, then = trial.condition(node, before)
        response_sentences, after[number] = trial.all_of(node.replies, then)
        nodes[number] = MoveForecast(on, response_sentences)
    return ConditionalMovesForecast(replies, nodes)


_Positions = tuple[Any, ...]
"""Possible positions, of which the true one is unknown."""


class _Trial:
    """A limited number of tries of actions, with their sentences."""

    def __init__(self, game: AnyGame, seat: str) -> None:
        self._game = game
        self._seat = seat
        self._left = MAX_TRIED_ACTIONS

    def all_of(
        self, texts: Iterable[str], positions: _Positions
    ) -> tuple[tuple[str, ...], _Positions]:
        """Return the sentences of the seat's actions in order, and the positions after them."""
        response_sentences = []
        for text in texts:
            sentence, positions = self._states_after(
                text, ((self._seat, each) for each in positions)
            )
            response_sentences.append(sentence)
        return tuple(response_sentences), positions

    def condition(self, node: ConditionalMove, positions: _Positions) -> tuple[str, _Positions]:
        """Return the sentence of a trigger, and the positions after it.

        An empty trigger, which allows any action, has no sentence and leads to a few
        positions.
        """
        asked = [(seat, each) for each in positions for seat in self._others(each, node.by)]
        if node.on:
            return self._states_after(node.on, asked)
        return "", tuple(islice(self._states_after_any(asked), MAX_POSITIONS))

    def _others(self, position: Any, by: str) -> Iterator[str]:
        for prompt in self._game.turn(position):
            if prompt.seat != self._seat and by in ("", prompt.seat):
                yield prompt.seat

    def _states_after(self, text: str, asked: Iterable[tuple[str, Any]]) -> tuple[str, _Positions]:
        action = self._game.read_action(text)
        if isinstance(action, Refused):
            return "", ()
        sentences, reached = set(), []
        for seat, position in asked:
            after = self._state_after(seat, position, action)
            if after is not None:
                sentences.add(self._game.parts(position, action).sentence)
                reached.append(after)
        return sentences.pop() if len(sentences) == 1 else "", tuple(reached)

    def _states_after_any(self, asked: Iterable[tuple[str, Any]]) -> Iterator[Any]:
        for seat, position in asked:
            for action in self._game.legal(position, seat):
                if self._left <= 0:
                    return
                after = (
                    None
                    if self._game.is_administrative(action)
                    else self._state_after(seat, position, action)
                )
                if after is not None and self._game.turn(after):
                    yield after

    def _state_after(self, seat: str, position: Any, action: Any) -> Any:
        """Return the position after an action; None if it is illegal or too many were tried."""
        self._left -= 1
        if self._left < 0:
            return None
        return state_after_or_none(self._game, position, seat, action)
