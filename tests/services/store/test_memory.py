"""What a live match takes in memory is bounded, however long it is played."""

import gc
import tracemalloc
from datetime import UTC, datetime
from random import Random
from uuid import UUID

from domain.log.origin import Origin
from domain.match import Changeset, MatchSetup, act, create
from domain.registry import GAMES
from services.store.match_cache import CachedMatch
from tests.command_contexts import context_at

MOST = 60_000
"""Bytes; a match that kept its last 64 events took 260,000."""
AGOG = GAMES["agog"]


def played(number: int, actions: int) -> CachedMatch:
    keys = dict.fromkeys(("white", "black", "referee", "spectator"), "0" * 64)
    command_context, random = (
        context_at(datetime(2026, 1, 1, tzinfo=UTC), "", Origin()),
        Random(number),
    )
    created = create(MatchSetup(AGOG, AGOG.options(), ""), UUID(int=number), keys, command_context)
    live = CachedMatch(created.state, {})
    live.apply(created)
    while live.state.version < actions and (prompts := live.state.prompts):
        legal = [*AGOG.legal(live.state.position, prompts[0].seat)]
        moves = [action for action in legal if not AGOG.is_administrative(action)]
        changeset = act(live.state, prompts[0].seat, random.choice(moves), command_context)
        assert isinstance(changeset, Changeset)
        live.apply(changeset)
    return live


def test_a_live_match_takes_less_than_60_kilobytes() -> None:
    played(0, 80)  # what the rules keep for all matches
    tracemalloc.start()
    try:
        held = [played(number, 80) for number in range(1, 3)]
        gc.collect()
        whole, _ = tracemalloc.get_traced_memory()
        assert all(live.state.version > 60 for live in held)
        count = len(held)
        held.clear()
        gc.collect()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (whole - left) / count < MOST
