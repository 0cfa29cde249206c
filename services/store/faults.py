"""Translation of database errors to errors of the store."""

import sqlite3
from collections.abc import Iterator
from typing import Final

from eventsourcing.persistence import ConnectionPoolClosedError, PersistenceError

from services.store.errors import LogUnavailable, StoreError
from services.store.postgres import faults as of_postgres
from services.store.sqlite import faults as of_sqlite

FAULTS: Final = (PersistenceError, ConnectionPoolClosedError, sqlite3.Error, StoreError)
"""All errors that a recorder raises if the store, and not the events, is at fault."""

MEANINGS: Final = (of_sqlite.meaning, of_postgres.meaning)


def diagnose(error: BaseException) -> LogUnavailable:
    """Return the store's error for one of `FAULTS`: LogFailed if the log must not be written again.

    The library wraps the database's own error, which is then the cause of the wrapper.
    """
    for cause in _causes(error):
        if isinstance(cause, LogUnavailable):
            return cause
    found = (meaning(cause) for cause in _causes(error) for meaning in MEANINGS)
    fault = next(filter(None, found), None) or LogUnavailable(str(error) or type(error).__name__)
    fault.__cause__ = error
    return fault


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
