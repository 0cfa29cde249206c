"""Carries what is kept beside the log to another place.

`mirror` goes with a log that is moved. `adopt` takes in what a service kept in its own folder while
its log was in a database already, as services did before these things were shared.
"""

from collections.abc import Callable
from typing import Any, Final, get_args
from uuid import UUID

import structlog

from services.store.side_store import (
    COLUMNS,
    FOLDERS,
    Folder,
    SideStore,
    Table,
    UniqueViolation,
    rows_of,
)
from services.store.sqlite.side_store import FileSideStore

_LOG: Final = structlog.get_logger(__name__)

TABLES: Final[tuple[Table, ...]] = get_args(Table)


def mirror(source: SideStore, target: SideStore) -> None:
    """Give the target what the source has, and nothing else. Nobody may write to either meanwhile.

    Raises what they raise.
    """
    for table in TABLES:
        target.ask(table, f"DELETE FROM {table}")  # noqa: S608  a name from this program
        for row in rows_of(source, table):
            _insert(target, table, row)
        target.scrub(table)
    for folder in FOLDERS:
        for name in source.names(folder):
            if (content := source.get(folder, name)) is not None:
                target.put(folder, name, content)


def copy_missing(folder: Folder, source: SideStore, target: SideStore) -> None:
    """Give the target those files of a folder that it has not."""
    for name in sorted({*source.names(folder)} - {*target.names(folder)}):
        if (content := source.get(folder, name)) is not None:
            target.put(folder, name, content)


def copy_side_store(
    own: FileSideStore, shared: SideStore, is_erased: Callable[[UUID], bool]
) -> None:
    """Move what lies in a folder to where all services have it; what they have already counts.

    A player who was erased meanwhile is not brought back. One whose name or external id another
    player has by now stays in the folder, and the log of the service says so. What is broken off
    goes on at the next start.
    """
    for table in TABLES:
        if own.has(table):
            _adopt_rows(own, shared, table, is_erased)
            if not own.ask(table, f"SELECT 1 FROM {table} LIMIT 1"):  # noqa: S608
                own.remove_table(table)
    copy_missing("vouchers", own, shared)
    own.remove_files("vouchers")


def _adopt_rows(
    own: FileSideStore, shared: SideStore, table: Table, is_erased: Callable[[UUID], bool]
) -> None:
    key = COLUMNS[table][0]
    for row in rows_of(own, table):
        if not (table == "people" and is_erased(UUID(row[0]))):
            try:
                _insert(shared, table, row)
            except UniqueViolation:
                there = shared.ask(table, f"SELECT 1 FROM {table} WHERE {key} = ?", row[0])  # noqa: S608
                if not there:
                    _LOG.warning("player_not_adopted", player=row[0])
                    continue
        own.ask(table, f"DELETE FROM {table} WHERE {key} = ?", row[0])  # noqa: S608
    own.scrub(table)


def _insert(store: SideStore, table: Table, row: tuple[Any, ...]) -> None:
    store.ask(table, f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", *row)  # noqa: S608
