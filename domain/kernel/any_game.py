"""Functions for any game, written against the `Game` contract."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import msgspec

from domain.kernel.game import A, AnyGame, F, Game, O, S
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.kernel.parts import Parts
from domain.kernel.rulings import Accepted, Refused


def fold(game: Game[O, S, A, F], state: S, facts: Iterable[F]) -> S:
    """Return the state after these facts."""
    return reduce(game.evolve, facts, state)


def state_after(game: Game[O, S, A, F], state: S, seat: str, action: A) -> S:
    """Return the state after a legal action, by the fastest function that the game has."""
    if game.consequences is not None:
        return fold(game, state, game.consequences(state, action))
    outcome = game.decide(state, seat, action)
    assert isinstance(outcome, Accepted), f"listed as legal, yet refused: {outcome}"
    return fold(game, state, outcome.facts)


def state_after_or_none(game: Game[O, S, A, F], state: S, seat: str, action: A) -> S | None:
    """Return the state after an action, or None if the rules refuse it."""
    outcome = game.decide(state, seat, action)
    return fold(game, state, outcome.facts) if isinstance(outcome, Accepted) else None


def previewable_fact_count(game: Game[O, S, A, F], options: O, facts: Sequence[F]) -> int | None:
    """Return how many of an action's facts a preview may show: those before hidden information.

    Returns:
        The number of leading facts to show, or None if the action reveals nothing hidden to
        anybody, neither by a fact nor by the absence of one.
    """
    shown = [index for index, fact in enumerate(facts) if game.reveals(fact)]
    probing = [index + 1 for index, fact in enumerate(facts) if game.probes(fact, options)]
    return min((*shown[:1], *probing[-1:]), default=None)


def action_outline(game: Game[O, S, A, F], state: S, action: A) -> Parts:
    """Return the parts of an action; their sentence may be empty, which is faster."""
    return (game.outline or game.parts)(state, action)


def read_options(game: Game[O, S, A, F], given: Any, library: Library = BUILT_IN_PACKS) -> O:
    """Decode and check a game's options, as submitted or stored.

    Raises:
        msgspec.ValidationError: A value is not allowed, or a content pack is not in the library.
    """
    return msgspec.convert(given, game.options, dec_hook=library.decode_hook(game.packs))


def read_constraints(game: AnyGame, given: Any, library: Library = BUILT_IN_PACKS) -> Any:
    """Decode and check the constraints of an army, in a game that has armies.

    Raises:
        msgspec.ValidationError: A value is not allowed, or a content pack is not in the library.
    """
    assert game.armies is not None
    return msgspec.convert(given, game.armies.constraints, dec_hook=library.decode_hook(game.packs))


def read_stored_position(game: Game[O, S, A, F], text: str, options: O) -> S:
    """Return the first position of a stored match.

    Raises:
        NotationError: The text is not a position.
    """
    return (game.read_stored_position or game.read_position)(text, options)


def parse_action(game: Game[O, S, A, F], state: S, text: str) -> A | Refused:
    """Return the action that a submitted text means in this state, or the first refusal.

    Use this function for submitted texts: `read_action` does not know whether the game is over.
    """
    refusal = game.over(state) if game.over is not None else None
    return game.read_action(text) if refusal is None else refusal
