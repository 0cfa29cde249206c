"""Perft: how many ways play can go from a state, every node made. A strict test of the rules."""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import filterfalse

from domain.kernel.game import A, Accepted, F, Game, O, S


def perft(game: Game[O, S, A, F], state: S, depth: int) -> int:
    """The number of sequences of `depth` actions, asides left out, finished games not continued.

    `depth` is at least 0; at 0 there is one sequence, the empty one.
    """
    if depth == 0:
        return 1
    count = 0
    for _, after in children(game, state):
        count += 1 if depth == 1 else perft(game, after, depth - 1)
    return count


def divide(game: Game[O, S, A, F], state: S, depth: int) -> dict[str, int]:
    """The same count, split by the first action in notation. `depth` is at least 1."""
    return {
        game.write_action(action): perft(game, after, depth - 1)
        for action, after in children(game, state)
    }


def children(game: Game[O, S, A, F], state: S) -> Iterator[tuple[A, S]]:
    """Every action of play and the state it leads to."""
    aside, evolve = game.aside, game.evolve
    for seat in dict.fromkeys(ask.seat for ask in game.turn(state)):
        facts: Callable[[S, A], tuple[F, ...]] = game.consequences or partial(_judged, game, seat)
        for action in filterfalse(aside, game.legal(state, seat)):
            yield action, reduce(evolve, facts(state, action), state)


def _judged(game: Game[O, S, A, F], seat: str, state: S, action: A) -> tuple[F, ...]:
    outcome = game.decide(state, seat, action)
    assert isinstance(outcome, Accepted), f"listed as legal, yet refused: {outcome}"
    return outcome.facts
