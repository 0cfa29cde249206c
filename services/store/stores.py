"""The supported stores, by URI scheme. Only the one in use is imported."""

from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from eventsourcing.persistence import PersistenceError
from msgspec.structs import replace

from domain.runs import SERVICE_ID
from services.store.cipher_keys import NO_KEYS, CipherKeys
from services.store.errors import CipherKeyMissing, LogFailed, StoreUnknown
from services.store.faults import diagnose
from services.store.opened_log import OpenedLog, OpenLog, StartupWork
from services.store.side_store import EncryptedSideStore

STORES: Final = {
    "sqlite": "services.store.sqlite.open",
    "postgresql": "services.store.postgres.open",
    "postgres": "services.store.postgres.open",
}


def file_of(uri: str) -> Path | None:
    """Return the file of a log, which has its own lock; None for a log in a database."""
    scheme, _, path = uri.partition(":")
    return Path(path) if scheme == "sqlite" else None


def open_log(
    uri: str,
    on_failure: Callable[[LogFailed], object],
    cipher: CipherKeys = NO_KEYS,
    meanwhile: StartupWork = lambda: None,
) -> OpenedLog:
    """Open or create the log of a URI: `sqlite:PATH`, or any URI of libpq."""
    scheme, _, path = uri.partition(":")
    if scheme not in STORES:
        raise StoreUnknown(f"there is no store of the kind {scheme!r}")
    opening = cast(OpenLog, import_module(STORES[scheme]).open_log)
    with ExitStack() as stack:
        opened = opening(path if file_of(uri) else uri, on_failure, cipher, meanwhile)
        stack.callback(opened.close)
        _check_keys(opened, cipher)
        stack.pop_all()
    return (
        replace(opened, side_store=EncryptedSideStore(opened.side_store, cipher))
        if cipher
        else opened
    )


def _check_keys(opened: OpenedLog, cipher: CipherKeys) -> None:
    """Raise CipherKeyMissing if the log is encrypted under a key that is not configured.

    Each key of the log also encrypts the start event of a run.
    """
    try:
        runs = opened.recorder.select_events(SERVICE_ID)
        newest = opened.recorder.max_notification_id() or 0
        last = opened.recorder.select_notifications(newest, 1) if newest else ()
    except PersistenceError as error:
        raise diagnose(error) from error
    if missing := cipher.missing(each.state for each in (*runs, *last)):
        raise CipherKeyMissing(opened.name, missing)
