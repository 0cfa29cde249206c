"""What is read from the log is what was recorded: each event the next one, its bytes as hashed.

A digest is over an event's bytes and the digest before it, so one that fits vouches for all before.
What the chain cannot tell is that its end is missing: for that, the read models are asked how long
it was.
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
    """Which events are wanted."""

    kind: str
    """Of what they happened to: the first word of their topics."""
    identity: UUID
    after: int = 0
    until: int | None = None
    digest: str | None = None
    """What event `after` is known to have."""
    least: int = 0
    """There are known to be so many."""

    @property
    def first(self) -> int:
        """The version to read from: `after` itself, if there is one, since the next is chained to
        it."""
        return max(self.after, 1)


def verify_rows(
    stretch: EventRange,
    rows: Iterable[StoredEvent],
    link: Callable[[StoredEvent], tuple[str, bytes]],
) -> Iterator[StoredEvent]:
    """These rows, which begin with `stretch.first`, without the one that they are chained to.

    Raises RecordDamaged at the first that is not the event that was recorded, and at the end if
    events are missing there; LogUnavailable if the log cannot be read now.
    """
    due, previous = stretch.first, GENESIS
    try:
        for row in rows:
            previous = _check(stretch, row, due, previous, link)
            if due > stretch.after:
                yield row
            due += 1
    except (PersistenceError, ConnectionPoolClosedError) as error:
        fault = diagnose(error)
        if not isinstance(fault, LogFailed):
            raise fault from error
        raise record_damaged(stretch, due, f"cannot be read: {fault.why}") from error
    least = max(stretch.least, stretch.after if stretch.digest else 0)
    if due <= (least if stretch.until is None else min(least, stretch.until)):
        raise record_damaged(stretch, due, "is missing")


def decode_rows(
    stretch: EventRange, rows: Iterable[StoredEvent], decode: Callable[[StoredEvent], T]
) -> Iterator[T]:
    """What is in these rows. RecordDamaged for one that this version cannot read: most likely a
    service of a later one wrote it."""
    for row in rows:
        try:
            found = decode(row)
        except MapperDeserialisationError as error:
            why = f"cannot be read by this version of the service: {error.__cause__ or error}"
            raise record_damaged(stretch, row.originator_version, why) from error
        yield found


def record_damaged(stretch: EventRange, version: int, why: str) -> RecordDamaged:
    """The error for event `version` of these, which is logged."""
    kind, identity = stretch.kind, stretch.identity
    log.error("record_damaged", kind=kind, identity=str(identity), version=version, why=why)
    return RecordDamaged(kind, identity, version, why)


def _check(
    stretch: EventRange,
    row: StoredEvent,
    due: int,
    previous: str,
    link: Callable[[StoredEvent], tuple[str, bytes]],
) -> str:
    """The digest of a row that is event `due`, and follows the one with the digest `previous`."""
    if row.originator_version != due:
        raise record_damaged(stretch, due, "is missing")
    if kind_of(row) != stretch.kind:
        raise record_damaged(stretch, due, f"is stored as {row.topic!r}")
    try:
        digest, body = link(row)
        if due > stretch.after:
            check_link(previous, digest, body)
    except BrokenChainError as error:
        raise record_damaged(stretch, due, f"was changed: {error}") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise record_damaged(stretch, due, f"is not an event any more: {error}") from None
    if due == stretch.after and stretch.digest not in (None, digest):
        raise record_damaged(stretch, due, f"has the digest {digest}, and had {stretch.digest}")
    return digest
