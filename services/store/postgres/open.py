"""Opens a log in a PostgreSQL database, which other services may have open too."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Final

import psycopg
from eventsourcing.persistence import JSONTranscoder, PersistenceError

from domain.storage.mapper import EventMapper
from services.store.cipher_keys import CipherKeys
from services.store.errors import KeysDiffer, LogDamaged, LogFailed
from services.store.faults import diagnose
from services.store.opened_log import Lease, OpenedLog, StartupWork
from services.store.postgres import heartbeats
from services.store.postgres.connections import Datastore
from services.store.postgres.format import first_fact
from services.store.postgres.leases import AdvisoryLease
from services.store.postgres.recorder import URI, Factory
from services.store.postgres.side_store import DatabaseSideStore

KEY: Final = "fingerprint of the {}"


def open_log(
    place: str,
    on_failure: Callable[[LogFailed], object],
    cipher: CipherKeys,
    meanwhile: StartupWork,
) -> OpenedLog:
    """Open the log of a URI, or create it in an empty database.

    `on_failure` is called if the database turns out to have lost events. Raises StoreUnknown,
    LogTooNew, LogForeign, LogDamaged, LogNotDurable or LogUnavailable.
    """
    with ExitStack() as stack:
        meanwhile()  # nothing runs concurrently: PostgreSQL checks its own disk
        factory = Factory({URI: place})
        datastore = factory.datastore
        stack.callback(factory.close)
        datastore.claim(encrypted=cipher.encrypts)
        datastore.on_lost = on_failure
        try:
            recorder = factory.application_recorder()
            snapshots = factory.aggregate_recorder("snapshots")
            _check_whole(datastore)
        except PersistenceError as error:
            raise diagnose(error) from error
        mapper = EventMapper(JSONTranscoder(), cipher=cipher)

        @contextmanager
        def lease(name: str) -> Iterator[Lease]:
            taken = AdvisoryLease(datastore, name)
            try:
                yield taken
            finally:
                taken.close()

        return OpenedLog(
            name=datastore.address.name,
            recorder=recorder,
            snapshots=snapshots,
            mapper=mapper,
            side_store=DatabaseSideStore(datastore),
            shared=True,
            lease=lease,
            register=lambda: heartbeats.register(datastore),
            heartbeat=lambda: heartbeats.heartbeat(datastore),
            pool=datastore.pool_stats,
            trust_fingerprints=lambda fingerprints: _check_fingerprints(datastore, fingerprints),
            close=stack.pop_all().close,
        )


def _check_whole(datastore: Datastore) -> None:
    """Raise LogDamaged if events are missing: rows that were deleted by hand."""
    query = (
        "SELECT count(*) AS has, coalesce(max(notification_id), 0) AS last"
        " FROM public.stored_events"
    )
    with datastore.get_connection() as connection, connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        row = connection.execute(query).fetchone()
    assert row is not None
    if row["has"] != row["last"]:
        missing = row["last"] - row["has"]
        raise LogDamaged(f"{datastore.address.name}: {missing} of {row['last']} events are missing")


def _check_fingerprints(datastore: Datastore, fingerprints: Mapping[str, str]) -> None:
    name = datastore.address.name
    try:
        with datastore.connect() as connection:
            for key, fingerprint in fingerprints.items():
                if first_fact(connection, KEY.format(key), fingerprint) != fingerprint:
                    raise KeysDiffer(name, key)
    except psycopg.Error as error:
        raise diagnose(error) from error
