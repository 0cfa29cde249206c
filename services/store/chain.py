"""Verification of the digest chain while events are read from the log.

A digest covers an event's bytes and the preceding digest, so a matching digest confirms all events
before it. The chain cannot reveal that its end is missing. For that, the read models supply
the number of events.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from uuid import UUID

import msgspec
import structlog
from eventsourcing.persistence import (
    ConnectionPoolClosedError,
    MapperDeserialisationError,
    PersistenceError,
    StoredEvent,
)
from msgspec import Struct

from domain.log.digests import GENESIS, BrokenChainError, check_link
from domain.storage.topics import kind_of
from services.store.errors import LogFailed, RecordDamaged
from services.store.faults import diagnose

T = TypeVar("T")
log = structlog.get_logger(__name__)


class EventRange(Struct, frozen=True):
    """A range of events of one aggregate."""

    kind: str
    """Kind of the aggregate: the first word of its topics."""
    identity: UUID
    after: int = 0
    until: int | None = None
    digest: str | None = None
    """Known digest of event `after`, if any."""
    least: int = 0
    """Known minimum number of events."""

    @property
    def first(self) -> int:
        """Return the version to read from: `after` itself if it exists, for its digest."""
        return max(self.after, 1)


def verify_rows(
    event_range: EventRange,
    rows: Iterable[StoredEvent],
    link: Callable[[StoredEvent], tuple[str, bytes]],
) -> Iterator[StoredEvent]:
    """Yield rows after verifying that they are the recorded events.

    Args:
        event_range: The events that are wanted.
        rows: The stored rows from `stretch.first` on.
        link: Returns the digest and the body of a row.

    Raises:
        RecordDamaged: A row is not the recorded event, or events are missing at the end.
        LogUnavailable: The log cannot be read now.
    """
    due, previous = event_range.first, GENESIS
    try:
        for row in rows:
            previous = _check(event_range, row, due, previous, link)
            if due > event_range.after:
                yield row
            due += 1
    except (PersistenceError, ConnectionPoolClosedError) as error:
        fault = diagnose(error)
        if not isinstance(fault, LogFailed):
            raise fault from error
        raise record_damaged(event_range, due, f"cannot be read: {fault.why}") from error
    least = max(event_range.least, event_range.after if event_range.digest else 0)
    if due <= (least if event_range.until is None else min(least, event_range.until)):
        raise record_damaged(event_range, due, "is missing")


def decode_rows(
    event_range: EventRange, rows: Iterable[StoredEvent], decode: Callable[[StoredEvent], T]
) -> Iterator[T]:
    """Yield the decoded rows.

    Raises:
        RecordDamaged: This version cannot read a row; most likely a newer version wrote it.
    """
    for row in rows:
        try:
            found = decode(row)
        except MapperDeserialisationError as error:
            why = f"cannot be read by this version of the service: {error.__cause__ or error}"
            raise record_damaged(event_range, row.originator_version, why) from error
        yield found


def record_damaged(event_range: EventRange, version: int, why: str) -> RecordDamaged:
    """Log and return the error for a damaged event."""
    kind, identity = event_range.kind, event_range.identity
    log.error("record_damaged", kind=kind, identity=str(identity), version=version, why=why)
    return RecordDamaged(kind, identity, version, why)


def _check(
    event_range: EventRange,
    row: StoredEvent,
    due: int,
    previous: str,
    link: Callable[[StoredEvent], tuple[str, bytes]],
) -> str:
    """Verify that a row is event `due` and follows the digest `previous`; return its digest."""
    if row.originator_version != due:
        raise record_damaged(event_range, due, "is missing")
    if kind_of(row) != event_range.kind:
        raise record_damaged(event_range, due, f"is stored as {row.topic!r}")
    try:
        digest, body = link(row)
        if due > event_range.after:
            check_link(previous, digest, body)
    except BrokenChainError as error:
        raise record_damaged(event_range, due, f"was changed: {error}") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise record_damaged(event_range, due, f"is not an event any more: {error}") from None
    if due == event_range.after and event_range.digest not in (None, digest):
        raise record_damaged(
            event_range, due, f"has the digest {digest}, and had {event_range.digest}"
        )
    return digest
