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
from services.store.opened import Meanwhile, OpenedLog
from services.store.sqlite.format import mark_encrypted, write_again
from services.store.sqlite.integrity import WriteAhead, check_tables, look, suspects
from services.store.sqlite.lock import LogLock
from services.store.sqlite.recorder import Datastore, Factory, LogConnection
from services.store.sqlite.side_store import BesideFile


def open_log(
    place: str,
    on_failure: Callable[[LogFailed], object],
    cipher: CipherKeys,
    meanwhile: Meanwhile,
) -> OpenedLog:
    """Open or create the log in a file, whose folder exists.

    `on_failure` is called each time its files are found deleted or replaced. Raises LogLocked,
    LogTooNew, LogForeign, LogDamaged, LogNotDurable or LogUnavailable.
    """
    path = Path(place)
    with ExitStack() as stack:
        stack.enter_context(LogLock(path))
        ahead = WriteAhead(path)
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
        presence = factory.datastore.presence
        presence.keep(path)
        presence.on_gone = on_failure
        mapper = EventMapper(JSONTranscoder(), cipher=cipher)
        with factory.raw() as connection, ThreadPoolExecutor(1, "checking") as aside:
            looked = aside.submit(look, connection)  # SQLite releases the global interpreter lock
            meanwhile()
            doubted = suspects(connection, path.name, mapper.link, looked.result)
        beside = BesideFile(path.parent)
        stack.callback(beside.close)
        return OpenedLog(
            name=str(path),
            recorder=recorder,
            snapshots=snapshots,
            mapper=mapper,
            beside=beside,
            suspects=doubted,
            torn=torn,
            beat=lambda: beat(factory.datastore),
            close=stack.pop_all().close,
        )


def beat(datastore: Datastore) -> None:
    """Write to the file of a log, and sync it. Raises LogUnavailable if that fails."""
    try:
        with datastore.get_connection(commit=True) as connection:
            write_again(cast(LogConnection, connection).raw)
    except FAULTS as error:
        raise diagnose(error) from error
