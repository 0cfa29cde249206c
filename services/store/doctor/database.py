"""A log in PostgreSQL as `emeth doctor` checks it. Nothing is written."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import psycopg
from eventsourcing.persistence import StoredEvent

from services.store.cipher_keys import HEADER_BYTES
from services.store.doctor.report import HealthCheck, stored_event
from services.store.errors import StoreError
from services.store.postgres import faults
from services.store.postgres import format as formats
from services.store.postgres.address import parse_address
from services.store.postgres.heartbeats import LAST_HEARTBEAT
from services.store.postgres.leases import lease_name
from services.store.side_store import Table

FAULTS: Final = (psycopg.Error, StoreError)
CONNECT_SECONDS: Final = 5
MIN_SERVER_VERSION: Final = 140_000
"""Oldest supported version of PostgreSQL, in libpq's numbering."""
MAX_SILENCE: Final = timedelta(seconds=10)
"""Time after which a service counts as stopped; it sends a heartbeat every second."""
LEASES: Final = ("webhooks", "bots", "witnesses")
"""Tasks that only one of the services on a log may do."""
READY: Final = (
    "SET default_transaction_read_only = on; SET statement_timeout = 0; SET lock_timeout = '5s'"
)
HOLDERS: Final = (
    "SELECT a.application_name, host(a.client_addr), a.pid FROM pg_locks l"
    " JOIN pg_stat_activity a USING (pid), hashtextextended(%s, 0) AS key"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND l.classid::bigint = (key >> 32) & 4294967295 AND l.objid::bigint = key & 4294967295"
)
"""Selects the holder of an advisory session lock by its key."""


class DatabaseRows:
    """The rows of a log and its side store in a PostgreSQL database."""

    def __init__(self, connection: Any) -> None:
        """Make a psycopg connection in autocommit mode read-only, and read from it."""
        self._connection = connection
        connection.execute(READY)

    def size(self) -> tuple[int, int]:
        """Return how many events there are, and the number of the last."""
        query = "SELECT count(*), coalesce(max(notification_id), 0) FROM public.stored_events"
        count, last = self._ask(query)[0]
        return count, last

    def names(self) -> list[str]:
        """Return the ids of all aggregates."""
        query = "SELECT DISTINCT originator_id FROM public.stored_events"
        return [name.hex for (name,) in self._ask(query)]

    def rows(self, name: str) -> Iterator[StoredEvent]:
        """Yield the events of an aggregate in order."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM public.stored_events"
            " WHERE originator_id = %s ORDER BY originator_version"
        )
        return (stored_event(*row) for row in self._ask(query, UUID(name)))

    def in_order(self) -> Iterator[StoredEvent]:
        """Yield all events in the order of the log."""
        query = (
            "SELECT notification_id, originator_id, originator_version, topic, state"
            " FROM public.stored_events WHERE notification_id > %s ORDER BY 1 LIMIT 1000"
        )
        place = 0
        while rows := self._ask(query, place):
            yield from (stored_event(*row[1:]) for row in rows)
            place = rows[-1][0]

    def last(self) -> StoredEvent | None:
        """Return the last event; None if there is none."""
        query = (
            "SELECT originator_id, originator_version, topic, state FROM public.stored_events"
            " ORDER BY notification_id DESC LIMIT 1"
        )
        return next((stored_event(*row) for row in self._ask(query)), None)

    def heads(self) -> Mapping[bytes, int]:
        """Count the events by their first bytes, which tell how they are encrypted."""
        query = (
            "SELECT substring(state FROM 1 FOR %s), count(*) FROM public.stored_events GROUP BY 1"
        )
        return {bytes(head): count for head, count in self._ask(query, HEADER_BYTES)}

    @property
    def version(self) -> int:
        """Return the version of the server, in libpq's numbering."""
        return int(self._connection.info.server_version)

    def has_tables(self, name: str) -> bool:
        """Return whether the database has a log that this service can read.

        Raises LogTooNew, LogForeign or LogDamaged for an unreadable one.
        """
        return formats.check(self._connection, name)

    def setting(self, name: str) -> str:
        """Return a setting of the server."""
        return str(self._ask("SELECT current_setting(%s)", name)[0][0])

    def fact(self, name: str) -> str | None:
        """Return a recorded property of the log."""
        return formats.fact(self._connection, name)

    def holder(self, lease: str) -> str:
        """Return a description of a lease's holder; empty if there is none."""
        for program, host, pid in self._ask(HOLDERS, lease):
            return f"{program or 'a program'} at {host or 'a socket'} (process {pid} of the server)"
        return ""

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Query a table of the side store; a missing table has no rows."""
        if self._ask("SELECT to_regclass(%s)", f"public.{table}")[0][0] is None:
            return ()
        return self._ask(text.replace("?", "%s"), *values)

    def _ask(self, text: str, *values: object) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.execute(text, values).fetchall()
        return found


def check_server(name: str, rows: DatabaseRows) -> Iterator[HealthCheck]:
    """Check the server's version, and that its commits are durable."""
    version = rows.version
    server = f"{name} answers, PostgreSQL {version // 10_000}.{version % 10_000}"
    if version < MIN_SERVER_VERSION:
        yield HealthCheck("bad", "database", server, "PostgreSQL 14 or newer is needed")
    else:
        yield HealthCheck("fine", "database", server)
    for setting in ("fsync", "synchronous_commit"):
        if rows.setting(setting) == "off":
            remedy = "a power cut loses what was acknowledged: set it to on"
            yield HealthCheck("bad", "database", f"{setting} is off", remedy)


def check_leases(rows: DatabaseRows) -> Iterator[HealthCheck]:
    """Check the last heartbeat, and who holds which lease."""
    last = rows.fact(LAST_HEARTBEAT)
    silence = None if last is None else datetime.now(UTC) - datetime.fromisoformat(last)
    if silence is None:
        yield HealthCheck("note", "services", "no service was ever there")
    elif silence < MAX_SILENCE:
        yield HealthCheck("fine", "services", "a service reported within the last seconds")
    else:
        yield HealthCheck(
            "note", "services", f"none has reported since {last}", "start one, or see its log"
        )
    for name in LEASES:
        if holder := rows.holder(lease_name(name)):
            yield HealthCheck("fine", "lease", f"{name}: {holder}")
        else:
            yield HealthCheck(
                "fine", "lease", f"{name}: nobody's; who has something to do takes it"
            )


@contextmanager
def open_rows(store: str) -> Iterator[tuple[str, DatabaseRows]]:
    """Connect to the log of a URI, read-only. Raises one of FAULTS."""
    place = parse_address(store)
    words: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, **place.words}
    with closing(psycopg.connect(**words, autocommit=True)) as connection:
        yield place.name, DatabaseRows(connection)


def explain_fault(error: Exception) -> tuple[str, str]:
    """Return the meaning of one of FAULTS, without a password, and a remedy."""
    meaning = faults.meaning(error)
    if meaning is None:  # the database is reachable, but is no log
        return str(error), "see docs/operations.md, The log in PostgreSQL"
    remedy = "see EMETH_STORE, and whether the server runs and lets this machine and user in"
    return meaning.why, remedy
