"""Copies of a side store to another place.

`mirror` belongs to the migration of a log. `copy_side_store` moves the data of a service whose log
was already in a database when the side store was still in its folder.
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
    """Make the target equal to the source. Nobody else may write to either meanwhile.

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
    """Copy the files of a folder that the target does not have."""
    for name in sorted({*source.names(folder)} - {*target.names(folder)}):
        if (content := source.get(folder, name)) is not None:
            target.put(folder, name, content)


def copy_side_store(
    own: FileSideStore, shared: SideStore, is_erased: Callable[[UUID], bool]
) -> None:
    """Move the side store in a folder to the shared one, whose existing rows take precedence.

    Erased players are not restored. A player whose name or external id another player has by now
    stays in the folder, and the service logs that. An interrupted move is continued at the next
    start.
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
