"""The saved army as events: how it is stored, and what becomes of it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import JSONTranscoder, MapperDeserialisationError, StoredEvent

from domain.army import ArmyContent, Event, SavedArmy, delete, evolve, save
from domain.log.digests import GENESIS, canonical_bytes, chain_digest
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.storage.mapper import EventMapper, read_army_event
from domain.storage.topics import ARMY, kind_of
from tests.command_contexts import context_at

SHAPES = sorted((Path(__file__).parents[0] / "stored_shapes").glob("army.*.json"))
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
ID = UUID(int=7)
LIONS = ArmyContent(
    game="golem-arcana",
    name="Lions",
    occasion={"scenario": "twin-wells"},
    content={"faction": "gudanna", "golems": [{"type": "sand-lion"}]},
    points=70,
)
MAPPER = EventMapper(transcoder=JSONTranscoder())


def at(minute: int) -> CommandContext:
    return context_at(NOON + timedelta(minutes=minute), f"request {minute}")


def saved_twice_and_deleted() -> tuple[list[SealedEvent[Event]], list[SavedArmy]]:
    first = save(None, ID, "owner", LIONS, at(0))
    lions = evolve(None, *first.events)
    archers = ArmyContent("golem-arcana", "Archers", {}, {"faction": "durani"}, 0)
    second = save(lions, ID, "owner", archers, at(1))
    changed = evolve(lions, *second.events)
    last = delete(changed, at(2))
    events = [*first.events, *second.events, *last.events]
    return events, [lions, changed, evolve(changed, *last.events)]


def test_an_army_is_what_it_was_saved_as_last_until_it_is_deleted() -> None:
    _, (lions, archers, gone) = saved_twice_and_deleted()
    assert (lions.version, lions.saved, lions.owner) == (1, LIONS, "owner")
    assert (archers.version, archers.saved.name) == (2, "Archers")
    assert (archers.created, archers.updated) == (NOON, NOON + timedelta(minutes=1))
    assert (gone.version, gone.deleted, gone.saved) == (3, True, archers.saved)


def test_the_events_of_an_army_are_a_chain_of_digests() -> None:
    (first, second, last), _ = saved_twice_and_deleted()
    assert first.digest == chain_digest(GENESIS, canonical_bytes(first.event))
    assert second.digest == chain_digest(first.digest, canonical_bytes(second.event))
    assert last.digest == chain_digest(second.digest, canonical_bytes(last.event))


def test_stored_events_of_an_army_come_back_as_they_were() -> None:
    for sealed in saved_twice_and_deleted()[0]:
        stored = MAPPER.to_stored_event(sealed)
        assert (stored.originator_id, stored.originator_version) == (ID, sealed.event.version)
        assert kind_of(stored) == ARMY
        assert MAPPER.to_domain_event(stored) == sealed


def test_data_that_is_no_event_of_an_army_is_reported() -> None:
    body = b'{"digest":"","event":{"type":"match.SeatLeft"}}'
    with pytest.raises(MapperDeserialisationError, match="event 1 of army"):
        MAPPER.to_domain_event(StoredEvent(ID, 1, "army.Saved", body))


@pytest.mark.parametrize("sample", SHAPES, ids=lambda path: path.stem)
def test_every_shape_that_was_ever_stored_can_still_be_read(sample: Path) -> None:
    body = sample.read_bytes().strip()
    assert canonical_bytes(read_army_event(body)) == body


def test_there_is_a_frozen_sample_of_each_shape_stored_now() -> None:
    stored = {type(each.event).__struct_config__.tag for each in saved_twice_and_deleted()[0]}
    # A third word in the name of a sample names the fields that it shows.
    assert stored == {".".join(sample.stem.split(".")[:2]) for sample in SHAPES}
