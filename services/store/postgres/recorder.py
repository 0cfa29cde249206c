"""The log in PostgreSQL: a persistence module of the `eventsourcing` library.

It adds gapless numbers in commit order, one round trip per commit, notified subscriptions, and a
definite outcome for commits whose connection broke.
"""

from collections.abc import Sequence
from time import monotonic, sleep
from typing import Any, Final
from uuid import UUID

# The library looks for the only factory class in a module, so its own class must not be imported
# by name.
from eventsourcing import postgres as library
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    InterfaceError,
    Notification,
    OperationalError,
    PersistenceError,
    StoredEvent,
    Subscription,
)
from eventsourcing.utils import Environment, EnvType
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg_pool import PoolTimeout

from services.store.errors import LogFailed, LogUncertain
from services.store.postgres.address import parse_address
from services.store.postgres.connections import Datastore
from services.store.postgres.format import EVENTS, SNAPSHOTS
from services.store.subscription import LogSubscription

POLL_SECONDS: Final = 2.0
"""Maximum delay of a subscription whose notifications are interrupted."""
PATIENCE_SECONDS: Final = 15.0
"""How long a commit is retried whose connection broke: enough for a server restart."""
PAUSE_SECONDS: Final = 0.1
_APPEND: Final = (
    "SELECT public.emeth_append(%b::uuid[], %b::bigint[], %b::text[], %b::bytea[], %b) AS last"
)
_RECORDED: Final = (
    "SELECT originator_id, originator_version, notification_id, state FROM public.stored_events"
    " WHERE (originator_id, originator_version)"
    " IN (SELECT * FROM unnest(%b::uuid[], %b::bigint[]))"
)
_INSERT: Final = "INSERT INTO public.stored_snapshots VALUES (%b, %b, %b, %b)"
URI: Final = "POSTGRES_URI"
"""Variable of the library's environment that contains the URI of the log."""


class LogRecorder(library.PostgresApplicationRecorder):
    """A recorder that numbers events in commit order and supports subscriptions."""

    datastore: Datastore

    def __init__(self, datastore: Datastore, **kwargs: Any) -> None:
        # One table name for applications of any name.
        super().__init__(datastore, **kwargs | {"events_table_name": EVENTS})
        self.sql_create_statements = []  # see `format`
        self._patience = PATIENCE_SECONDS

    def create_table(self) -> None:
        """Create the tables of the log, if there are none."""
        self.datastore.claim()
        super().create_table()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Record events in one transaction and return their notification ids in order.

        They are on disk when it returns.

        Raises:
            IntegrityError: Another event of the aggregate has the same version.
            LogUncertain: The outcome is unknown.
        """
        ids = self._insert_surely(stored_events, kwargs)
        if ids:
            self.datastore.highest = max(self.datastore.highest, ids[-1])
        self.datastore.followers.wake()
        return ids

    def _insert_surely(self, events: Sequence[StoredEvent], terms: dict[str, Any]) -> Sequence[int]:
        """Insert events; after a broken connection retry, or find them recorded."""
        until, uncertain = monotonic() + self._patience, False
        while True:
            try:
                ids = self._insert(events, terms)
            except IntegrityError:
                if uncertain and (known := self._numbers(events)):
                    ids = known
                else:
                    raise
            except PersistenceError as error:
                if isinstance(error.__cause__, LogFailed):
                    raise
                broke = _broke(error)
                uncertain = uncertain or broke
                if (broke or _not_reached(error)) and monotonic() < until:
                    sleep(PAUSE_SECONDS)
                    continue
                self._patience = 0.0  # later callers need not wait as well
                if uncertain:
                    why = f"the connection to PostgreSQL broke in the middle of a commit ({error})"
                    raise LogUncertain(why) from error
                raise
            self._patience = PATIENCE_SECONDS
            return ids

    def _insert(self, events: Sequence[StoredEvent], terms: dict[str, Any]) -> Sequence[int]:
        if not terms:
            with self.datastore.get_connection() as connection, connection.cursor() as cursor:
                return self._append_events(cursor, events)
        with self.datastore.transaction(commit=True) as cursor:
            self._insert_events(cursor, events, **terms)  # the position in another log
            return self._append_events(cursor, events)

    def _append_events(
        self, cursor: Cursor[DictRow], events: Sequence[StoredEvent]
    ) -> Sequence[int]:
        if not events:
            return []
        given = (
            *_keys(events),
            [each.topic for each in events],
            [each.state for each in events],
            self.datastore.writer,
        )
        row = cursor.execute(_APPEND, given, prepare=True).fetchone()
        assert row is not None
        return [*range(row["last"] - len(events) + 1, row["last"] + 1)]

    def _numbers(self, events: Sequence[StoredEvent]) -> Sequence[int]:
        """Return the numbers of recorded events; none if others have their versions."""
        with self.datastore.get_connection() as connection:
            rows = connection.execute(_RECORDED, _keys(events)).fetchall()
        found = {
            (row["originator_id"], row["originator_version"]): (
                row["notification_id"],
                bytes(row["state"]),
            )
            for row in rows
        }
        numbers = []
        for each in events:
            number, state = found.get((each.originator_id, each.originator_version), (0, b""))
            if state != each.state:
                return []
            numbers.append(number)
        return numbers

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        """Return events of the log in the order of their numbers."""
        found: Sequence[Notification] = super().select_notifications(
            start, limit, stop, topics, inclusive_of_start=inclusive_of_start
        )
        if found:
            self.datastore.highest = max(self.datastore.highest, found[-1].id)
        return found

    def subscribe(
        self, gt: int | None = None, topics: Sequence[str] = ()
    ) -> Subscription[ApplicationRecorder]:
        """Follow the log after notification `gt`, or from its start."""
        self.datastore.listen()
        return LogSubscription(self, gt, topics, self.datastore.followers, POLL_SECONDS)


class SnapshotRecorder(library.PostgresAggregateRecorder):
    """A recorder of snapshots."""

    datastore: Datastore

    def __init__(self, datastore: Datastore, **kwargs: Any) -> None:
        super().__init__(datastore, **kwargs | {"events_table_name": SNAPSHOTS})
        self.sql_create_statements = []  # see `format`

    def create_table(self) -> None:
        """Create the tables of the log, if there are none."""
        self.datastore.claim()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Store snapshots, all or none. Raises IntegrityError if one exists."""
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        with self.datastore.transaction(commit=True) as cursor:
            cursor.executemany(_INSERT, rows)
        return None


class ProcessRecorder(library.PostgresProcessRecorder, LogRecorder):
    """A `LogRecorder` that stores, in the same transaction, the position in another log."""


class Factory(library.PostgresFactory):
    """The factory of one log's recorders, which `POSTGRES_URI` names."""

    datastore: Datastore
    aggregate_recorder_class: type[library.PostgresAggregateRecorder] = SnapshotRecorder
    application_recorder_class: type[library.PostgresApplicationRecorder] = LogRecorder
    process_recorder_class = ProcessRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        # The library's own constructor supports no URI, and requires a password.
        super(library.BasePostgresFactory, self).__init__(env)
        self.datastore = Datastore(parse_address(self.env.get(URI, "") or ""))


def _keys(events: Sequence[StoredEvent]) -> tuple[list[UUID | str], list[int]]:
    return [each.originator_id for each in events], [each.originator_version for each in events]


def _not_reached(error: PersistenceError) -> bool:
    """Return whether there was no connection, so that nothing can have been written."""
    return isinstance(error.__cause__, PoolTimeout)


def _broke(error: PersistenceError) -> bool:
    """Return whether the connection or the server failed in the middle of a transaction."""
    if not isinstance(error, InterfaceError | OperationalError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(("08", "57P"))
