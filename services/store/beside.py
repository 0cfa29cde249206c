"""What is kept beside the log, since it may be changed or erased: two tables, and files.

It lies where the log does: in files of its folder, or in its database, where all services on that
log have the same.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol

Table = Literal["people", "deliveries"]
"""`people`: who players are. `deliveries`: how far notices were posted to each frontend."""
Folder = Literal["vouchers", "packs"]
"""`vouchers`: who signed imported matches, and their taps. `packs`: added content packs."""

COLUMNS: Final[dict[Table, tuple[str, ...]]] = {
    "people": ("player", "frontend", "external", "name", "folded_name"),
    "deliveries": ("frontend", "taken"),
}
"""The first is the key."""
FOLDERS: Final[tuple[Folder, ...]] = ("vouchers", "packs")


class Taken(Exception):  # noqa: N818  an answer, not a fault
    """Another row has what no two may have."""


class Beside(Protocol):
    """What is kept beside one log. Safe from any thread; every call may block.

    A store that fails raises sqlite3.Error or OSError, or LogUnavailable.
    """

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run one statement on a table; what it changed is on disk then. `?` stands for a value.

        It is written in the SQL that SQLite and PostgreSQL share. Raises Taken.
        """

    def scrub(self, table: Table) -> None:
        """Overwrite what was deleted, as far as the store can."""

    def heed(self, table: Table, listener: Callable[[str], object]) -> None:
        """Have this told, in another thread, of each row that another service changed: its key, or
        nothing if any may have been."""

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """Keep a file, in place of an older one of its name; it is on disk then."""

    def get(self, folder: Folder, name: str) -> bytes | None:
        """What is in a file; None if there is none of this name."""

    def names(self, folder: Folder) -> Sequence[str]:
        """The files of a folder, sorted."""
