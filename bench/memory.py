"""A benchmark of the memory of a cached match, as `tracemalloc` counts it."""

import argparse
import gc
import tracemalloc
from datetime import UTC, datetime
from random import Random
from typing import Any
from uuid import uuid4

from play import any_kind, games

from domain.kernel.game import AnyGame
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext, Origin
from domain.match import MatchSetup, Terms, act, create, token_roles
from domain.storage.mapper import prepare_decoders
from services.store.match_cache import CachedMatch
from tests.command_contexts import context_at


def live_match(game: AnyGame, actions: int, random: Random, held: type[Any] = CachedMatch) -> Any:
    """Return a match played at random, for so many actions or to its end."""
    options = game.options()
    keys = dict.fromkeys(token_roles(game, options, Terms()), "0" * 64)
    created = create(MatchSetup(game, options, "A match"), uuid4(), keys, command_context())
    live = held(created.state, {})
    live.apply(created)
    for _ in range(actions):
        if not (prompts := live.state.prompts):
            break
        seat = random.choice(prompts).seat
        legal = [
            one for one in game.legal(live.state.position, seat) if not game.is_administrative(one)
        ]
        changeset = act(live.state, seat, any_kind(random, legal), command_context())
        assert isinstance(changeset, Changeset), changeset
        live.apply(changeset)
    return live


def command_context() -> CommandContext:
    """Return a context of the present time with a new request ID."""
    return context_at(datetime.now(UTC), str(uuid4()), Origin("bench"))


def kilobytes(game: AnyGame, matches: int, actions: int, seed: int = 1) -> float:
    """Return the kilobytes of a cached match, without what all matches of a game share."""
    random = Random(seed)
    live_match(game, actions, random)  # fills the caches of the rules
    gc.collect()
    tracemalloc.start()
    held = [live_match(game, actions, random) for _ in range(matches)]
    gc.collect()
    whole, _ = tracemalloc.get_traced_memory()
    held.clear()
    gc.collect()
    left, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (whole - left) / matches / 1000


def main() -> None:
    """Measure the games that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all games if none is named")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--actions", type=int, default=60)
    given = parser.parse_args()
    prepare_decoders()
    for game in games(given.games):
        taken = kilobytes(game, given.matches, given.actions)
        print(f"{game.slug:14} {taken:6.1f} KB a live match")


if __name__ == "__main__":
    main()
