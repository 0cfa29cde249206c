"""The runs of the service as events: how they are stored, and what becomes of them."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
from eventsourcing.persistence import JSONTranscoder
from msgspec.structs import replace

from domain.log.digests import canonical, digest
from domain.log.runs import Run
from domain.runs import RunBegun, Runs, begin_run
from domain.storage.mapper import EventMapper
from domain.storage.projector import project
from tests.stamps import stamp_at

SHAPES = sorted((Path(__file__).parents[1] / "stored_shapes").glob("service.*.json"))
STAMP = stamp_at(datetime(2026, 11, 22, 12, tzinfo=UTC), "start")
MAPPER = EventMapper(transcoder=JSONTranscoder())


def test_each_run_is_numbered_and_a_secret_that_was_changed_shows() -> None:
    runs: Runs | None = None
    events = []
    for number, secret in enumerate("aabba", 1):
        decided = begin_run(runs, digest(b"%d" % number), digest(secret.encode()), STAMP)
        runs, events = decided.state, [*events, *decided.events]
    assert runs is not None
    assert runs.run == Run(5, digest(b"5"), digest(b"a"))
    assert runs.secrets == ((1, digest(b"a")), (3, digest(b"b")), (5, digest(b"a")))
    stored = [MAPPER.to_stored_event(each) for each in events]
    assert project(None, map(MAPPER.to_domain_event, stored)) == runs


def test_what_was_ever_stored_of_it_can_be_read() -> None:
    (sealed,) = begin_run(None, "cd" * 32, "ef" * 32, stamp_at(STAMP.at, "start 1")).events
    assert [sample.stem for sample in SHAPES] == ["service.RunBegun", "service.RunBegun.salted"]
    for sample in SHAPES:
        body = sample.read_bytes().strip()
        read = msgspec.json.decode(body, type=RunBegun)
        assert canonical(read) == body
        assert replace(read, salt=sealed.event.salt) == sealed.event
