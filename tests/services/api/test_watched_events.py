"""Events that many watch are kept as messages: so many, and no more bytes than there is room."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from domain.match import MatchSetup, create, token_roles
from domain.match.details import Terms
from domain.registry import GAMES
from projections.views.transitions import Transition
from services.api import watched_events
from services.api.watched_events import RenderedEventCache, event_style
from services.wire.emeth.v1.play_pb2 import ListActionsResponse
from tests.command_contexts import context_at

DRAWN = event_style(FieldMask(paths=["event", "view.svg"]), "read_mask")


def first_step() -> Transition:
    game = GAMES["agog"]
    options = game.options()
    keys = dict.fromkeys(token_roles(game, options, Terms()), "0" * 64)
    created = create(
        MatchSetup(game, options, ""), uuid4(), keys, context_at(datetime.now(UTC), "")
    )
    return Transition(None, created.events[0], created.state)


def test_kept_events_are_bounded_by_their_number_and_by_their_bytes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rendered = RenderedEventCache(5, lambda *asked: ListActionsResponse())
    steps = [first_step() for _ in range(8)]
    shown = [rendered.get(step, "white", DRAWN) for step in steps]
    assert rendered.get(steps[-1], "white", DRAWN) is shown[-1], "it is made once"
    assert len(rendered._entries) == 5
    size = shown[0].ByteSize()
    assert size > 1_000
    monkeypatch.setattr(watched_events, "MAX_CACHED_BYTES", 3 * size + size // 2)
    for step in steps:
        rendered.get(step, "black", DRAWN)
    assert len(rendered._entries) == 3
    assert rendered._bytes == sum(kept.ByteSize() for kept, _ in rendered._entries.values())
    monkeypatch.setattr(watched_events, "MAX_CACHED_BYTES", size // 2)
    assert rendered.get(steps[0], "white", DRAWN).view.svg, "what is too large is shown as well"
    assert (len(rendered._entries), rendered._bytes) == (0, 0)
