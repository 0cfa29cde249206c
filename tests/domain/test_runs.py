"""The runs of the service as events: how they are stored, and what becomes of them."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from eventsourcing.persistence import JSONTranscoder
from msgspec.structs import replace

from domain.log.digests import canonical_bytes, digest
from domain.log.runs import Run
from domain.runs import RunBegun, Runs, start_run
from domain.storage.mapper import EventMapper
from domain.storage.projector import project
from tests.command_contexts import context_at

SHAPES = sorted((Path(__file__).parents[0] / "stored_shapes").glob("service.*.json"))
STAMP = context_at(datetime(2026, 11, 22, 12, tzinfo=UTC), "start")
MAPPER = EventMapper(transcoder=JSONTranscoder())


def test_each_run_is_numbered_and_a_secret_that_was_changed_shows() -> None:
    runs: Runs | None = None
    events = []
    for number, secret in enumerate("aabba", 1):
        changeset = start_run(runs, digest(b"%d" % number), digest(secret.encode()), STAMP)
        runs, events = changeset.state, [*events, *changeset.events]
    assert runs is not None
    assert runs.run == Run(5, digest(b"5"), digest(b"a"))
    assert runs.secrets == ((1, digest(b"a")), (3, digest(b"b")), (5, digest(b"a")))
    stored = [MAPPER.to_stored_event(each) for each in events]
    assert project(None, map(MAPPER.to_domain_event, stored)) == runs


def test_what_was_ever_stored_of_it_can_be_read() -> None:
    (sealed,) = start_run(None, "cd" * 32, "ef" * 32, context_at(STAMP.at, "start 1")).events
    assert [sample.stem for sample in SHAPES] == ["service.RunBegun", "service.RunBegun.salted"]
    for sample in SHAPES:
        body = sample.read_bytes().strip()
        read = msgspec.json.decode(body, type=RunBegun)
        assert canonical_bytes(read) == body
        assert replace(read, salt=sealed.event.salt) == sealed.event
