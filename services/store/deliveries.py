"""How far notices were posted to each frontend: the durable half of the queue of webhooks.

The other half is the log itself, which notices are made of: so nothing can be in the one and not in
the other, and a queue of any length takes no room.
"""

import sqlite3
from pathlib import Path
from threading import Lock
from typing import Final
from uuid import UUID

from services.store.errors import DeliveriesUnavailable

FILE: Final = "webhooks.sqlite"

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS deliveries (frontend TEXT PRIMARY KEY, taken INTEGER NOT NULL)"
    " STRICT, WITHOUT ROWID"
)


class Deliveries:
    """The file, open. Safe from any thread."""

    def __init__(self, folder: Path) -> None:
        """DeliveriesUnavailable if it cannot be opened."""
        self._lock = Lock()
        try:
            self._connection = sqlite3.connect(
                folder / FILE, isolation_level=None, check_same_thread=False
            )
            # A power cut may lose what was noted last: then it is posted again.
            for pragma in ("journal_mode=WAL", "synchronous=NORMAL"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute(_TABLE)
        except sqlite3.Error as error:
            raise DeliveriesUnavailable(str(error)) from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def taken(self, frontend: UUID) -> int:
        """The number of the last notice that a frontend has taken; 0 if it is not known."""
        with self._lock:
            try:
                row = self._connection.execute(
                    "SELECT taken FROM deliveries WHERE frontend = ?", (str(frontend),)
                ).fetchone()
            except sqlite3.Error as error:
                raise DeliveriesUnavailable(str(error)) from error
        return int(row[0]) if row else 0

    def take(self, frontend: UUID, number: int) -> None:
        """A frontend has taken all notices up to this number."""
        with self._lock:
            try:
                self._connection.execute(
                    "INSERT INTO deliveries VALUES (?, ?) ON CONFLICT (frontend)"
                    " DO UPDATE SET taken = excluded.taken",
                    (str(frontend), number),
                )
            except sqlite3.Error as error:
                raise DeliveriesUnavailable(str(error)) from error
