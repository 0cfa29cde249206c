"""What is kept beside the log, since it may be changed or erased: three tables, and files.

It lies where the log does: in files of its folder, or in its database, where all services on that
log have the same.
"""

from collections.abc import Callable, Iterator, Sequence
from errno import EIO
from typing import Any, Final, Literal, Protocol

from services.store.cipher_keys import CipherKeys, key_id

Table = Literal["people", "deliveries", "player_keys"]
"""`people`: who players are. `deliveries`: how far notices were posted to each webhook.
`player_keys`: the key under which each player's row is encrypted, where the log is."""
Folder = Literal["vouchers", "packs", "checkpoints"]
"""`vouchers`: who signed imported matches, and their taps. `packs`: added content packs.
`checkpoints`: which checkpoint the services that share a log have published last."""

COLUMNS: Final[dict[Table, tuple[str, ...]]] = {
    "people": ("player", "frontend", "external", "name", "folded_name"),
    "deliveries": ("frontend", "taken"),
    "player_keys": ("player", "wrapped"),
}
"""The first is the key."""
FOLDERS: Final[tuple[Folder, ...]] = ("vouchers", "packs")
"""Those that move with a log."""
ENCRYPTED: Final[tuple[Folder, ...]] = ("vouchers",)
PAGE_SIZE: Final = 1000
"""Rows that are read at once."""


class UniqueViolation(Exception):  # noqa: N818  an answer, not a fault
    """Another row has what no two may have."""


class Tables(Protocol):
    """The tables alone, as `Beside` has them."""

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run one statement on a table; what it changed is on disk then. `?` stands for a value.

        It is written in the SQL that SQLite and PostgreSQL share. Raises Taken.
        """


class SideStore(Tables, Protocol):
    """What is kept beside one log. Safe from any thread; every call may block.

    A store that fails raises sqlite3.Error or OSError, or LogUnavailable.
    """

    sums: bool
    """Do players' rows need checksums, since the store has none of its own?"""

    def scrub(self, table: Table) -> None:
        """Overwrite what was deleted, as far as the store can."""

    def add_listener(self, table: Table, listener: Callable[[str], object]) -> None:
        """Have this told, in another thread, of each row that another service changed: its key, or
        nothing if any may have been."""

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """Keep a file, in place of an older one of its name; it is on disk then."""

    def get(self, folder: Folder, name: str) -> bytes | None:
        """What is in a file; None if there is none of this name."""

    def names(self, folder: Folder) -> Sequence[str]:
        """The files of a folder, sorted."""


class EncryptedSideStore:
    """What is kept beside a log that is encrypted: vouchers are encrypted as events are.

    Packs are not: they are the rules' own tables. Players' rows have keys of their own
    (`people.py`), and marks of deliveries tell of nobody.
    """

    def __init__(self, beside: SideStore, cipher: CipherKeys) -> None:
        self._beside = beside
        self._cipher = cipher
        self.ask, self.scrub, self.add_listener = beside.ask, beside.scrub, beside.add_listener
        self.names, self.sums = beside.names, beside.sums

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """See `Beside`."""
        sealed = folder in ENCRYPTED and not key_id(content)
        self._beside.put(folder, name, self._cipher.encrypt(content) if sealed else content)

    def get(self, folder: Folder, name: str) -> bytes | None:
        """See `Beside`; OSError also for what was changed, or whose key is not at hand."""
        found = self._beside.get(folder, name)
        try:
            return found and self._cipher.decrypt(found)
        except ValueError as error:
            raise OSError(EIO, f"{error}", f"{folder}/{name}") from error


def rows_of(store: Tables, table: Table) -> Iterator[tuple[Any, ...]]:
    """All rows, in the order of their keys."""
    key, after = COLUMNS[table][0], ""
    text = (
        f"SELECT {', '.join(COLUMNS[table])} FROM {table} WHERE {key} > ?"  # noqa: S608
        f" ORDER BY {key} LIMIT {PAGE_SIZE}"
    )
    while (page := store.ask(table, text, after)) and page[-1][0] > after:  # a key may be damaged
        yield from page
        after = page[-1][0]
