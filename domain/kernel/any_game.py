"""What is done with any game, through the contract that it keeps."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

import msgspec

from domain.kernel.game import A, AnyGame, F, Game, O, S
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.kernel.parts import Parts
from domain.kernel.rulings import Accepted, Refused


def fold(game: Game[O, S, A, F], state: S, facts: Iterable[F]) -> S:
    """The state after these facts."""
    return reduce(game.evolve, facts, state)


def state_after(game: Game[O, S, A, F], state: S, seat: str, action: A) -> S:
    """The state after a legal action, by the quickest way that the game has."""
    if game.consequences is not None:
        return fold(game, state, game.consequences(state, action))
    outcome = game.decide(state, seat, action)
    assert isinstance(outcome, Accepted), f"listed as legal, yet refused: {outcome}"
    return fold(game, state, outcome.facts)


def state_after_or_none(game: Game[O, S, A, F], state: S, seat: str, action: A) -> S | None:
    """The state after an action; None if the rules forbid it."""
    outcome = game.decide(state, seat, action)
    return fold(game, state, outcome.facts) if isinstance(outcome, Accepted) else None


def previewable_fact_count(game: Game[O, S, A, F], options: O, facts: Sequence[F]) -> int | None:
    """Return how many of an action's facts may be told before the action is taken: those that come
    before anything hidden shows. None if nobody learns anything hidden from the action, by what
    follows or by what does not."""
    shown = [place for place, fact in enumerate(facts) if game.reveals(fact)]
    probing = [place + 1 for place, fact in enumerate(facts) if game.probes(fact, options)]
    return min((*shown[:1], *probing[-1:]), default=None)


def action_outline(game: Game[O, S, A, F], state: S, action: A) -> Parts:
    """An action taken apart, perhaps without its sentence."""
    return (game.outline or game.parts)(state, action)


def read_options(game: Game[O, S, A, F], given: Any, library: Library = BUILT_IN_PACKS) -> O:
    """Options of a game as they were given or stored. Raises msgspec.ValidationError for what they
    cannot be, as for a content pack that is not in the library."""
    return msgspec.convert(given, game.options, dec_hook=library.decode_hook(game.packs))


def read_constraints(game: AnyGame, given: Any, library: Library = BUILT_IN_PACKS) -> Any:
    """The same of what an army is built for, in a game that has armies."""
    assert game.armies is not None
    return msgspec.convert(given, game.armies.constraints, dec_hook=library.decode_hook(game.packs))


def read_stored_position(game: Game[O, S, A, F], text: str, options: O) -> S:
    """The first position of a stored match. Raises NotationError for a text that is none."""
    return (game.read_stored_position or game.read_position)(text, options)


def parse_action(game: Game[O, S, A, F], state: S, text: str) -> A | Refused:
    """The action that a submitted text means in this state, or the first rule against the text.

    Whoever judges what somebody wrote reads it here; `read_action` alone knows no state, and so not
    whether the game is over.
    """
    refusal = game.over(state) if game.over is not None else None
    return game.read_action(text) if refusal is None else refusal
