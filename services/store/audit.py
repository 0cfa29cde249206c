"""Audits of stored matches, event by event."""

from collections.abc import Iterator
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError, PersistenceError

from domain.kernel.packs import Library
from domain.match import Audit, Finding
from domain.storage.upcasts import upcast
from services.store.log import Log


def new_audit(identity: UUID, library: Library) -> Audit:
    """Return an audit of the stored match with this id; its packs are in the library."""
    return Audit(upcast, identity, library)


def run_audit(store: Log, identity: UUID, audit: Audit) -> Iterator[list[Finding]]:
    """Pass each event of the match to the audit and yield the findings. Blocks on the disk."""
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
