"""Who the players of frontends are: their names, and what their frontends call them.

All personal data that there is lies in this one file, beside the log and never in it, so that it
can be erased and every chain of digests stays whole. It is no read model: nothing else knows what
is in it, so it is written durably, and belongs in every backup.
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final
from uuid import UUID

from msgspec import Struct

from services.store.errors import PeopleUnavailable

FILE: Final = "people.sqlite"
FORMER: Final = "A former player"
"""The name of whoever was erased, or is not known here."""
KEPT: Final = 16_384
"""Names in memory."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS people (
    player TEXT PRIMARY KEY,
    frontend TEXT NOT NULL,
    external TEXT NOT NULL,
    name TEXT NOT NULL,
    folded_name TEXT NOT NULL,
    UNIQUE (frontend, external),
    UNIQUE (frontend, folded_name)
) STRICT, WITHOUT ROWID
"""


class Person(Struct, frozen=True):
    """Who a player is."""

    player: UUID
    frontend: UUID
    external: str
    """What the frontend calls the player."""
    name: str


class NameTaken(Exception):  # noqa: N818  an answer, not a fault
    """Another player of the frontend has that name, or was introduced at the same moment."""


class People:
    """The file, open. Safe from any thread; each question is one look-up by a key."""

    def __init__(self, folder: Path) -> None:
        """PeopleUnavailable if it cannot be opened."""
        self._lock = Lock()
        self._names: OrderedDict[UUID, str] = OrderedDict()
        self.edition = 0
        """Grows whenever a name changes: what was written with names before is stale."""
        with self._telling():
            self._connection = sqlite3.connect(
                folder / FILE, isolation_level=None, check_same_thread=False
            )
            # What was erased is overwritten, and is not left in the write-ahead log either.
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute(_TABLES)
        (folder / FILE).chmod(0o600)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def name(self, player: UUID) -> str:
        """What to call a player. PeopleUnavailable if the file cannot be read."""
        found = self._names.get(player)
        if found is None:
            with self._telling(), self._lock:
                row = self._connection.execute(
                    "SELECT name FROM people WHERE player = ?", (str(player),)
                ).fetchone()
                found = self._names[player] = row[0] if row else FORMER
                if len(self._names) > KEPT:
                    self._names.popitem(last=False)
        return found

    def person(self, player: UUID) -> Person | None:
        """Who a player is; None for one who was erased, or is not known here."""
        return self._one("player = ?", player)

    def called(self, frontend: UUID, external: str) -> Person | None:
        """Whom a frontend calls so."""
        return self._one("frontend = ? AND external = ?", frontend, external)

    def named(self, part: str) -> list[str]:
        """The ids of players with this part in their names, folded as `folded` does."""
        with self._telling(), self._lock:
            rows = self._connection.execute(
                "SELECT player FROM people WHERE instr(folded_name, ?) > 0", (part,)
            ).fetchall()
        return [player for (player,) in rows]

    def count(self, frontend: UUID) -> int:
        """How many players of a frontend there are."""
        with self._telling(), self._lock:
            (found,) = self._connection.execute(
                "SELECT count(*) FROM people WHERE frontend = ?", (str(frontend),)
            ).fetchone()
        return int(found)

    def put(self, person: Person, folded_name: str) -> None:
        """Keep a new person, or another name of one. NameTaken if that is another's."""
        row = (str(person.player), str(person.frontend), person.external, person.name, folded_name)
        with self._telling(), self._lock:
            try:
                self._connection.execute(
                    "INSERT INTO people VALUES (?, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET"
                    " name = excluded.name, folded_name = excluded.folded_name",
                    row,
                )
            except sqlite3.IntegrityError:
                raise NameTaken(person.name) from None
            self._changed(person.player)

    def erase(self, player: UUID) -> None:
        """Forget who a player is, for good."""
        with self._telling(), self._lock:
            self._connection.execute("DELETE FROM people WHERE player = ?", (str(player),))
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self._changed(player)

    def _changed(self, player: UUID) -> None:
        self._names.pop(player, None)
        self.edition += 1

    def _one(self, condition: str, *values: object) -> Person | None:
        # The conditions are those above; what callers gave are values.
        with self._telling(), self._lock:
            row = self._connection.execute(
                f"SELECT player, frontend, external, name FROM people WHERE {condition}",  # noqa: S608
                tuple(map(str, values)),
            ).fetchone()
        return Person(UUID(row[0]), UUID(row[1]), row[2], row[3]) if row else None

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except (sqlite3.Error, OSError) as error:
            raise PeopleUnavailable(str(error)) from error
