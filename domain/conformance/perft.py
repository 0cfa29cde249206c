"""Perft: counts of action sequences from a state, a strict test of the rules."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial, reduce
from itertools import filterfalse

from domain.kernel.game import A, F, Game, O, S
from domain.kernel.rulings import Accepted


def perft(game: Game[O, S, A, F], state: S, depth: int) -> int:
    """Return the number of sequences of `depth` actions, without administrative ones.

    Finished games are not continued. At depth 0 there is one sequence, the empty one.
    """
    if depth == 0:
        return 1
    count, evolve = 0, game.evolve
    for facts, actions in _facts_and_actions(game, state):
        for action in actions:
            after = reduce(evolve, facts(state, action), state)
            count += 1 if depth == 1 else perft(game, after, depth - 1)
    return count


def divide(game: Game[O, S, A, F], state: S, depth: int) -> dict[str, int]:
    """Return the perft count for each first action, by its notation; `depth` is at least 1."""
    return {
        game.write_action(action): perft(game, after, depth - 1)
        for action, after in children(game, state)
    }


def children(game: Game[O, S, A, F], state: S) -> Iterator[tuple[A, S]]:
    """Yield every legal action, without administrative ones, and the state after it."""
    for facts, actions in _facts_and_actions(game, state):
        for action in actions:
            yield action, reduce(game.evolve, facts(state, action), state)


def _facts_and_actions(
    game: Game[O, S, A, F], state: S
) -> Iterator[tuple[Callable[[S, A], tuple[F, ...]], Iterable[A]]]:
    """Yield a function for the facts of an action, and the actions, for each prompted seat."""
    for seat in {prompt.seat: None for prompt in game.turn(state)}:
        facts = game.consequences or partial(_decided_facts, game, seat)
        yield facts, filterfalse(game.is_administrative, game.legal(state, seat))


def _decided_facts(game: Game[O, S, A, F], seat: str, state: S, action: A) -> tuple[F, ...]:
    outcome = game.decide(state, seat, action)
    assert isinstance(outcome, Accepted), f"listed as legal, yet refused: {outcome}"
    return outcome.facts
