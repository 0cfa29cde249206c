"""Judges matches of the log again, event by event."""

from collections.abc import Iterator
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError, PersistenceError

from domain.aggregates.upcasts import upcast
from domain.match import Audit, Finding
from services.store.log import Log


def audit_of(identity: UUID) -> Audit:
    """An audit of the stored match of this id."""
    return Audit(upcast, identity)


def judge(store: Log, identity: UUID, audit: Audit) -> Iterator[list[Finding]]:
    """Give the audit each event of the match, and tell what it found there. Blocks on the disk."""
    events = store.unchecked(identity)
    while True:
        try:
            sealed = next(events, None)
        except (MapperDeserialisationError, PersistenceError) as error:
            yield audit.unreadable(str(error))
            return
        if sealed is None:
            yield audit.end()
            return
        yield audit.take(sealed)
