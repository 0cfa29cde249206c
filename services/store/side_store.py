"""The side store: data outside the event log, which may be changed or erased.

It consists of three tables and files in the place of the log: in its folder, or in its database,
where all services on the log share them.
"""

from collections.abc import Callable, Iterator, Sequence
from errno import EIO
from typing import Any, Final, Literal, Protocol

from services.store.cipher_keys import CipherKeys, key_id

Table = Literal["people", "deliveries", "player_keys"]
"""`people`: player profiles. `deliveries`: delivery progress of webhooks. `player_keys`: the keys
of encrypted profiles."""
Folder = Literal["vouchers", "packs", "checkpoints"]
"""`vouchers`: attestations of imported matches, and their taps. `packs`: added content packs.
`checkpoints`: the checkpoint last published by services that share a log."""

COLUMNS: Final[dict[Table, tuple[str, ...]]] = {
    "people": ("player", "frontend", "external", "name", "folded_name"),
    "deliveries": ("frontend", "taken"),
    "player_keys": ("player", "wrapped"),
}
"""Columns by table; the first is the primary key."""
FOLDERS: Final[tuple[Folder, ...]] = ("vouchers", "packs")
"""Folders that are migrated with a log."""
ENCRYPTED: Final[tuple[Folder, ...]] = ("vouchers",)
PAGE_SIZE: Final = 1000
"""Number of rows that are read at once."""


class UniqueViolation(Exception):  # noqa: N818  an answer, not a fault
    """Another row has a value that must be unique."""


class Tables(Protocol):
    """The tables of a side store."""

    def ask(self, table: Table, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Run one statement on a table, durably, and return its rows. `?` is a placeholder.

        The statement must be valid in both SQLite and PostgreSQL. Raises UniqueViolation.
        """


class SideStore(Tables, Protocol):
    """Data outside one event log. Thread-safe; every call may block.

    Failures raise sqlite3.Error, OSError or LogUnavailable.
    """

    sums: bool
    """Whether rows of `people` need checksums, since the store has none."""

    def scrub(self, table: Table) -> None:
        """Overwrite deleted data, as far as the store can."""

    def add_listener(self, table: Table, listener: Callable[[str], object]) -> None:
        """Call the listener with the key of each row that another service changes.

        It is called in another thread. The key is empty if any row may have changed.
        """

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """Write a file durably, replacing an older one of the same name."""

    def get(self, folder: Folder, name: str) -> bytes | None:
        """Return the content of a file; None if it does not exist."""

    def names(self, folder: Folder) -> Sequence[str]:
        """Return the sorted names of the files in a folder."""


class EncryptedSideStore:
    """The side store of an encrypted log, which encrypts attestations.

    Packs are public rules data, and delivery progress is not personal. Profiles have their own
    encryption (`profile_rows.py`).
    """

    def __init__(self, side_store: SideStore, cipher: CipherKeys) -> None:
        self._side_store = side_store
        self._cipher = cipher
        self.ask, self.scrub, self.add_listener = (
            side_store.ask,
            side_store.scrub,
            side_store.add_listener,
        )
        self.names, self.sums = side_store.names, side_store.sums

    def put(self, folder: Folder, name: str, content: bytes) -> None:
        """Write a file durably, encrypted if its folder is."""
        sealed = folder in ENCRYPTED and not key_id(content)
        self._side_store.put(folder, name, self._cipher.encrypt(content) if sealed else content)

    def get(self, folder: Folder, name: str) -> bytes | None:
        """Return the decrypted content of a file; None if it does not exist.

        Raises OSError also for a damaged file or a missing key.
        """
        found = self._side_store.get(folder, name)
        try:
            return found and self._cipher.decrypt(found)
        except ValueError as error:
            raise OSError(EIO, f"{error}", f"{folder}/{name}") from error


def rows_of(store: Tables, table: Table) -> Iterator[tuple[Any, ...]]:
    """Yield all rows of a table in the order of their keys."""
    key, after = COLUMNS[table][0], ""
    text = (
        f"SELECT {', '.join(COLUMNS[table])} FROM {table} WHERE {key} > ?"  # noqa: S608
        f" ORDER BY {key} LIMIT {PAGE_SIZE}"
    )
    while (page := store.ask(table, text, after)) and page[-1][0] > after:  # a key may be damaged
        yield from page
        after = page[-1][0]
