"""Migration of a log to another store: the same events under the same numbers.

Digests, receipts, checkpoints and the tree over the log stay valid. Encrypted data is re-encrypted
under the current key. An interrupted migration can be resumed. The data outside the log is migrated
too. Snapshots are not: they are taken again.
"""

import dataclasses
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from eventsourcing.persistence import Notification, PersistenceError, StoredEvent
from msgspec import Struct

from domain.log.merkle import EMPTY_ROOT, Frontier
from services.store.cipher_keys import NO_KEYS, CipherKeys
from services.store.errors import LogsDiffer
from services.store.faults import FAULTS, diagnose
from services.store.opened_log import OpenedLog
from services.store.side_store_copy import mirror

PAGE_SIZE: Final = 1000
"""Number of events that are written together."""


class MoveProgress(Struct, frozen=True):
    """The progress of a migration."""

    done: int
    total: int
    verified: bool
    """Whether the events are written, and are being read back and compared."""
    root: bytes = EMPTY_ROOT
    """Root of the Merkle tree over the compared events."""


def migrate_log(
    source: OpenedLog, target: OpenedLog, cipher: CipherKeys = NO_KEYS
) -> Iterator[MoveProgress]:
    """Copy missing events to the target, then compare all events; yield the progress. Blocks.

    Nobody else may write to either log meanwhile.

    Args:
        source: The log to read.
        target: The log to write.
        cipher: The keys of both logs.

    Raises:
        LogsDiffer: The target has other events; nothing was changed.
        LogUnavailable: A store failed; the migration can be resumed.
    """
    try:
        yield from _copy(source, target, cipher)
        mirror(source.side_store, target.side_store)
        yield from _compare(source, target, cipher)
    except FAULTS as error:
        if isinstance(error, PersistenceError):
            raise diagnose(error) from error
        raise


def copy_log(
    source: OpenedLog, target: OpenedLog, cipher: CipherKeys = NO_KEYS
) -> Iterator[MoveProgress]:
    """Copy missing events to the target without comparing them; others may write to the source.

    Raises as `migrate_log`.
    """
    try:
        yield from _copy(source, target, cipher)
        mirror(source.side_store, target.side_store)
    except FAULTS as error:
        if isinstance(error, PersistenceError):
            raise diagnose(error) from error
        raise


def _copy(source: OpenedLog, target: OpenedLog, cipher: CipherKeys) -> Iterator[MoveProgress]:
    total, done = _last(source), _last(target)
    if done > total or (
        done
        and _decrypted_page(source, done - 1, 1, cipher)
        != _decrypted_page(target, done - 1, 1, cipher)
    ):
        raise LogsDiffer(source.name, target.name, done)
    while done < total:
        page = _page(source, done, PAGE_SIZE)
        target.recorder.insert_events(
            [
                StoredEvent(
                    e.originator_id, e.originator_version, e.topic, _restored(e.state, cipher)
                )
                for e in page
            ]
        )
        done = page[-1].id
        yield MoveProgress(done, total, verified=False)


def _compare(source: OpenedLog, target: OpenedLog, cipher: CipherKeys) -> Iterator[MoveProgress]:
    total, tree = _last(source), Frontier(0, lambda level, index: EMPTY_ROOT)
    for start in range(0, max(total, _last(target)), PAGE_SIZE):
        pages = (
            _decrypted_page(source, start, PAGE_SIZE, cipher),
            _decrypted_page(target, start, PAGE_SIZE, cipher),
        )
        for number, (one, other) in enumerate(zip_longest(*pages), start + 1):
            if one is None or one != other:
                raise LogsDiffer(source.name, target.name, number)
            for _ in tree.add(source.mapper.leaf(one)):
                pass
        yield MoveProgress(tree.size, total, verified=True, root=tree.root())
    if not total:
        yield MoveProgress(0, 0, verified=True)


def _last(log: OpenedLog) -> int:
    return log.recorder.max_notification_id() or 0


def _page(log: OpenedLog, after: int, limit: int) -> Sequence[Notification]:
    return log.recorder.select_notifications(after, limit, inclusive_of_start=False)


def _decrypted_page(
    log: OpenedLog, after: int, limit: int, cipher: CipherKeys
) -> Sequence[Notification]:
    """Return decrypted events, which are the same under any key."""
    return [
        dataclasses.replace(each, state=_decrypted(each.state, cipher))
        for each in _page(log, after, limit)
    ]


def _restored(state: bytes, cipher: CipherKeys) -> bytes:
    """Return an event re-encrypted under the current key, or unchanged if it is unreadable."""
    try:
        return cipher.restored(state)
    except ValueError:
        return state


def _decrypted(state: bytes, cipher: CipherKeys) -> bytes:
    try:
        return cipher.decrypt(state)
    except ValueError:
        return state
