"""What a plan will do, in sentences: told from the positions that its conditions lead to.

Nobody knows what an action will meet that follows another: so it is tried in what its seat may know
now, and where that tells nothing, as after dice that are not rolled yet, nothing is told.
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
"""Actions that are tried to tell of one plan."""
MAX_POSITIONS: Final = 8
"""Positions that are looked at where a condition leaves open what others do."""


class MoveForecast(Struct, frozen=True):
    """A node in words; an empty sentence where it cannot be told."""

    on: str
    replies: tuple[str, ...]


class ConditionalMovesForecast(Struct, frozen=True):
    """A plan in words."""

    replies: tuple[str, ...]
    """What the seat does as soon as it is asked."""
    nodes: dict[int, MoveForecast]
    """Those that may still come, by their numbers."""


def forecast_moves(
    plan: ConditionalMoves, standing: ConditionalMovesProgress, match: AnyMatch
) -> ConditionalMovesForecast:
    """A plan in words, from the match as its seat may know it."""
    trial = _Trial(match.rules, plan.seat)
    positions: _Positions = (match.position,)
    replies, positions = trial.all_of(standing.replies, positions)
    nodes: dict[int, MoveForecast] = {}
    after: dict[int, _Positions] = {0: positions}
    coming = set(standing.awaiting)
    for number, node in enumerate(plan.nodes, 1):
        if number not in coming and node.parent not in nodes:
            continue
        before = positions if number in coming else after[node.parent]
        on, then = trial.condition(node, before)
        said, after[number] = trial.all_of(node.replies, then)
        nodes[number] = MoveForecast(on, said)
    return ConditionalMovesForecast(replies, nodes)


_Positions = tuple[Any, ...]
"""Positions any of which it may be."""


class _Trial:
    """Tries actions, so many at most, and says what they are."""

    def __init__(self, game: AnyGame, seat: str) -> None:
        self._game = game
        self._seat = seat
        self._left = MAX_TRIED_ACTIONS

    def all_of(
        self, texts: Iterable[str], positions: _Positions
    ) -> tuple[tuple[str, ...], _Positions]:
        """What the seat does one after the other, and where that leads."""
        said = []
        for text in texts:
            sentence, positions = self._taken(text, ((self._seat, each) for each in positions))
            said.append(sentence)
        return tuple(said), positions

    def condition(self, node: ConditionalMove, positions: _Positions) -> tuple[str, _Positions]:
        """What others do, and where that leads; anything leads to some of what it may."""
        asked = [(seat, each) for each in positions for seat in self._others(each, node.by)]
        if node.on:
            return self._taken(node.on, asked)
        return "", tuple(islice(self._ways(asked), MAX_POSITIONS))

    def _others(self, position: Any, by: str) -> Iterator[str]:
        for prompt in self._game.turn(position):
            if prompt.seat != self._seat and by in ("", prompt.seat):
                yield prompt.seat

    def _taken(self, text: str, asked: Iterable[tuple[str, Any]]) -> tuple[str, _Positions]:
        action = self._game.read_action(text)
        if isinstance(action, Refused):
            return "", ()
        sentences, reached = set(), []
        for seat, position in asked:
            after = self._tried(seat, position, action)
            if after is not None:
                sentences.add(self._game.parts(position, action).sentence)
                reached.append(after)
        return sentences.pop() if len(sentences) == 1 else "", tuple(reached)

    def _ways(self, asked: Iterable[tuple[str, Any]]) -> Iterator[Any]:
        for seat, position in asked:
            for action in self._game.legal(position, seat):
                if self._left <= 0:
                    return
                after = (
                    None
                    if self._game.is_administrative(action)
                    else self._tried(seat, position, action)
                )
                if after is not None and self._game.turn(after):
                    yield after

    def _tried(self, seat: str, position: Any, action: Any) -> Any:
        """The position after an action; None where it is forbidden, or enough was tried."""
        self._left -= 1
        if self._left < 0:
            return None
        return state_after_or_none(self._game, position, seat, action)
