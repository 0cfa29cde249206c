"""Opens a log in an SQLite file: acquires its lock and checks its integrity."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import cast

from eventsourcing.persistence import JSONTranscoder, PersistenceError

from domain.storage.mapper import EventMapper
from services.runtime.files import make_private
from services.store.cipher_keys import CipherKeys
from services.store.errors import LogFailed
from services.store.faults import FAULTS, diagnose
from services.store.opened_log import OpenedLog, StartupWork
from services.store.sqlite.format import mark_encrypted, write_again
from services.store.sqlite.integrity import WriteAheadLog, check_file, check_tables, find_suspects
from services.store.sqlite.lock import LogLock
from services.store.sqlite.recorder import Datastore, Factory, LogConnection
from services.store.sqlite.side_store import FileSideStore


def open_log(
    place: str,
    on_failure: Callable[[LogFailed], object],
    cipher: CipherKeys,
    meanwhile: StartupWork,
) -> OpenedLog:
    """Open or create the log in a file, whose folder exists.

    `on_failure` is called each time its files are found deleted or replaced. Raises LogLocked,
    LogTooNew, LogForeign, LogDamaged, LogNotDurable or LogUnavailable.
    """
    path = Path(place)
    with ExitStack() as stack:
        stack.enter_context(LogLock(path))
        ahead = WriteAheadLog(path)
        ahead.check_place(path)
        make_private(path)
        factory = Factory({"SQLITE_DBNAME": str(path)})
        stack.callback(factory.close)
        factory.check()
        with factory.raw() as connection:
            torn = ahead.check(connection)
            check_tables(connection, path.name)
            if cipher.encrypts:
                mark_encrypted(connection)
        try:
            recorder = factory.application_recorder()
            snapshots = factory.aggregate_recorder("snapshots")
        except PersistenceError as error:
            raise diagnose(error) from error
        file_identity = factory.datastore.file_identity
        file_identity.keep(path)
        file_identity.on_gone = on_failure
        mapper = EventMapper(JSONTranscoder(), cipher=cipher)
        with factory.raw() as connection, ThreadPoolExecutor(1, "checking") as executor:
            check = executor.submit(
                check_file, connection
            )  # SQLite releases the global interpreter lock
            meanwhile()
            doubted = find_suspects(connection, path.name, mapper.link, check.result)
        side_store = FileSideStore(path.parent)
        stack.callback(side_store.close)
        return OpenedLog(
            name=str(path),
            recorder=recorder,
            snapshots=snapshots,
            mapper=mapper,
            side_store=side_store,
            suspects=doubted,
            torn=torn,
            heartbeat=lambda: heartbeat(factory.datastore),
            close=stack.pop_all().close,
        )


def heartbeat(datastore: Datastore) -> None:
    """Write to the file of a log, and sync it. Raises LogUnavailable if that fails."""
    try:
        with datastore.get_connection(commit=True) as connection:
            write_again(cast(LogConnection, connection).raw)
    except FAULTS as error:
        raise diagnose(error) from error
