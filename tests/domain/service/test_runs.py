"""The runs of the service as events: how they are stored, and what becomes of them."""

from datetime import UTC, datetime
from pathlib import Path

from eventsourcing.persistence import JSONTranscoder

from domain.aggregates.mapper import EventMapper
from domain.aggregates.projector import project
from domain.log.digests import digest
from domain.log.runs import Run
from domain.log.stamps import Stamp
from domain.service.runs import Runs, begin_run

SHAPES = sorted((Path(__file__).parents[1] / "stored_shapes").glob("service.*.json"))
STAMP = Stamp(datetime(2026, 11, 22, 12, tzinfo=UTC), "start")
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
    (sample,) = SHAPES
    (sealed,) = begin_run(None, "cd" * 32, "ef" * 32, Stamp(STAMP.at, "start 1")).events
    assert sealed.body == sample.read_bytes().strip()
