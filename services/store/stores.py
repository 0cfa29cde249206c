"""The stores that a log may lie in, by the schemes of their URIs. Only what is used is loaded."""

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from services.store.errors import LogFailed, StoreUnknown
from services.store.opened import OpenedLog, Opening

STORES: Final = {
    "sqlite": "services.store.sqlite.opening",
    "postgresql": "services.store.postgres.opening",
    "postgres": "services.store.postgres.opening",
}


def open_log(uri: str, on_failure: Callable[[LogFailed], object]) -> OpenedLog:
    """Open or make the log that a URI names: `sqlite:PATH`, or as libpq takes it. As `Log`."""
    scheme, _, path = uri.partition(":")
    if scheme not in STORES:
        raise StoreUnknown(f"there is no store of the kind {scheme!r}")
    opening = cast(Opening, import_module(STORES[scheme]).open_log)
    return opening(path if scheme == "sqlite" else uri, on_failure)
