"""Integrity checks of a log file, before it is used.

Digests protect the content of events, and are verified when events are read. These checks protect
the rest: SQLite's trees and indexes, the columns beside an event, and the write-ahead log, of which
SQLite silently skips everything after a damaged frame.
"""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import structlog
from eventsourcing.persistence import StoredEvent
from msgspec import Struct

from domain.storage.topics import kind_of
from services.store.errors import LogDamaged

log = structlog.get_logger(__name__)

TABLES: Final = {
    name: {
        "originator_id": "TEXT",
        "originator_version": "INTEGER",
        "topic": "TEXT",
        "state": "BLOB",
    }
    for name in ("stored_events", "stored_snapshots")
}
"""The tables of a log, with the types of their columns."""

_HEAD: Final = 32
_FRAME_HEAD: Final = 24
_MAGIC: Final = {0x377F0682: "little", 0x377F0683: "big"}
"""The first bytes of a write-ahead log, with the byte order of its checksums."""

NO_ID: Final = UUID(int=0)

Link = Callable[[StoredEvent], tuple[str, bytes]]


class WriteAheadLog:
    """The write-ahead log of a database that is not open."""

    def __init__(self, database: Path) -> None:
        self._path = database.resolve().with_name(f"{database.resolve().name}-wal")
        try:
            self._raw = self._path.read_bytes()
        except OSError:  # absent after a clean exit; SQLite reports other errors
            self._raw = b""

    def check_place(self, database: Path) -> None:
        """Raise LogDamaged unless the write-ahead log belongs to the database.

        Call it before SQLite opens the database. SQLite would apply the write-ahead log to whatever
        file has the name, and ruin it. A log only grows. Pages beyond the end of the file must
        therefore all be in the write-ahead log, and the file has no more pages than the last commit
        says.
        """
        if len(self._raw) <= _HEAD or not _head_is_whole(self._raw[:_HEAD]):
            return
        pages, has = self._pages()
        size = int.from_bytes(self._raw[8:12], "big")
        there = database.stat().st_size // size if database.exists() else 0
        missing = [page for page in range(there + 1, has + 1) if page not in pages]
        if has and (missing or there > has):
            raise LogDamaged(
                f"{self._path}: it belongs to another {database.name} than lies beside it, which"
                f" has {there} pages: nothing was changed. If that was put there from a backup,"
                f" move {self._path.name} and {database.name}-shm away; if not, put the right one"
                " back"
            )

    def _pages(self) -> tuple[set[int], int]:
        """Return the pages in committed frames, and the size of the database after them."""
        committed, pending, has = set[int](), set[int](), 0
        size = _FRAME_HEAD + int.from_bytes(self._raw[8:12], "big")
        for start in range(_HEAD, len(self._raw) - size + 1, size):
            head = self._raw[start : start + _FRAME_HEAD]
            if head[8:16] != self._raw[16:24]:
                break  # from an earlier generation
            pending.add(int.from_bytes(head[:4], "big"))
            if any(head[4:8]):
                committed |= pending
                pending, has = set(), int.from_bytes(head[4:8], "big")
        return committed, has

    def check(self, connection: sqlite3.Connection) -> bool:
        """Raise LogDamaged unless SQLite applied all commits; return whether one was torn.

        Call it after SQLite opened the database. Each commit waits for the disk, so a power cut can
        leave one incomplete commit at the end, which was not acknowledged. Two are damage.
        """
        if len(self._raw) <= _HEAD:
            return False
        if not _head_is_whole(self._raw[:_HEAD]):
            raise LogDamaged(f"{self._path}: its head was changed, so that no commit in it is seen")
        whole = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()[1]
        lost = sum(self._commits(whole))
        if lost > 1:
            raise LogDamaged(
                f"{self._path}: frame {whole + 1} was changed, so that {lost} commits are not seen"
            )
        return lost == 1

    def _commits(self, first: int) -> Iterator[bool]:
        """Yield for each frame after `first` whether it ends a commit."""
        size = _FRAME_HEAD + int.from_bytes(self._raw[8:12], "big")
        for start in range(_HEAD + first * size, len(self._raw) - size + 1, size):
            head = self._raw[start : start + _FRAME_HEAD]
            yield head[8:16] == self._raw[16:24] and any(head[4:8])


def _head_is_whole(head: bytes) -> bool:
    order = _MAGIC.get(int.from_bytes(head[:4], "big"))
    if order is None:
        return False
    one = two = 0
    for start in range(0, 24, 8):
        one += int.from_bytes(head[start : start + 4], order) + two  # type: ignore[arg-type]
        two += int.from_bytes(head[start + 4 : start + 8], order) + one  # type: ignore[arg-type]
        one, two = one & 0xFFFFFFFF, two & 0xFFFFFFFF
    return head[24:32] == one.to_bytes(4, "big") + two.to_bytes(4, "big")


def check_tables(connection: sqlite3.Connection, name: str) -> None:
    """Raise LogDamaged unless a log that is not empty has exactly the tables of a log.

    A renamed table would otherwise be created again, empty.
    """
    found = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE rootpage")]
    tables = {each for each in found if not each.startswith("sqlite_autoindex_")}
    if tables and tables != set(TABLES):
        raise LogDamaged(f"{name}: it has the tables {', '.join(sorted(tables))}")
    for table in tables:
        rows = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
        if dict(map(tuple, rows)) != TABLES[table]:
            raise LogDamaged(f"{name}: the columns of {table} are not those of a log")


class IntegrityReport(NamedTuple):
    """The result of SQLite's checks of a log file."""

    events: int
    last: int
    """Number of the last event."""
    fault: str | None


def check_file(connection: sqlite3.Connection) -> IntegrityReport:
    """Check the whole file. Blocks for as long as that takes; raises sqlite3.Error."""
    count, last = connection.execute(
        "SELECT count(*), coalesce(max(rowid), 0) FROM stored_events"
    ).fetchone()
    return IntegrityReport(count, last, _fault(connection))


def find_suspects(
    connection: sqlite3.Connection, name: str, link: Link, looked: Callable[[], IntegrityReport]
) -> dict[UUID, str]:
    """Return the aggregates that must not be trusted even if their digests match, with reasons.

    An event of these aggregates may be stored under another id. Empty for an undamaged log. A
    damaged index is rebuilt, and damaged snapshots are deleted.

    Args:
        connection: A connection for writing.
        name: Name of the log, for errors.
        link: Returns the digest and the body of a row.
        looked: Returns the report of `check_file`, or raises what it raised.

    Raises:
        LogDamaged: The repair failed: the file must not be written to.
    """
    try:
        count, last, why = looked()
        if why is None:
            if count < last:
                raise LogDamaged(f"{name}: {last - count} of {last} events are missing")
            return {}
        log.warning("log_not_whole", file=name, why=why)
        found = dict(_misplaced(connection, link))
        if found:
            for identity, what in found.items():
                log.error("record_damaged", identity=str(identity), why=what)
            return found
        connection.execute("REINDEX stored_events")
        if (why := _fault(connection)) is not None and _fault(connection, "stored_events") is None:
            connection.execute("DELETE FROM stored_snapshots")
            why = _fault(connection)
    except sqlite3.Error as error:
        why = str(error)
    if why is not None:
        raise LogDamaged(f"{name}: {why}")
    log.warning("log_mended", file=name)
    return {}


def _fault(connection: sqlite3.Connection, table: str = "1") -> str | None:
    """Return the first fault that SQLite finds in the file or a table; None if there is none.

    It takes about a second per gigabyte.
    """
    (found,) = connection.execute(f"PRAGMA integrity_check({table})").fetchone()
    return None if found == "ok" else str(found).splitlines()[-1]


class _Named(Struct):
    """The identifying fields of an event."""

    type: str
    version: int
    match: UUID | None = None
    army: UUID | None = None
    table: UUID | None = None
    frontend: UUID | None = None
    player: UUID | None = None
    plan: UUID | None = None
    service: UUID | None = None


def _misplaced(connection: sqlite3.Connection, link: Link) -> Iterator[tuple[UUID, str]]:
    """Yield the ids in each event whose row and content differ, with the reason.

    Raises LogDamaged if a row is missing, since its content is unknown.
    """
    rows = connection.execute(
        "SELECT rowid, originator_id, originator_version, topic, state"
        " FROM stored_events NOT INDEXED ORDER BY rowid"
    )
    for due, (number, *columns) in enumerate(rows, 1):
        if number != due:
            raise LogDamaged(f"event {due} of the log is missing")
        identity = _identity(columns[0])
        try:
            stored = StoredEvent(identity or NO_ID, columns[1], columns[2], columns[3])
            said = msgspec.json.decode(link(stored)[1], type=_Named)
            own = getattr(said, kind_of(stored))
            if (own, said.version, said.type) == (identity, columns[1], columns[2]):
                continue
            why = f"event {due} of the log is version {said.version} of it, stored as another's"
        except (msgspec.MsgspecError, ValueError, TypeError, AttributeError):
            own, why = None, f"event {due} of the log is not an event any more"
        for each in {identity, own} - {None}:
            yield each, why


def _identity(column: Any) -> UUID | None:
    try:
        return UUID(column)
    except (ValueError, TypeError, AttributeError):
        return None
