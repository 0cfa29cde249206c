"""How far notices were posted to each frontend: the durable half of the queue of webhooks.

The other half is the log itself, which notices are made of: so nothing can be in the one and not in
the other, and a queue of any length takes no room.
"""

import sqlite3
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from services.store.beside import Beside
from services.store.errors import DeliveriesUnavailable, LogUnavailable


class Deliveries:
    """The table. Safe from any thread; each call may block."""

    def __init__(self, beside: Beside) -> None:
        """DeliveriesUnavailable if it cannot be read."""
        self._beside = beside
        self._ask("SELECT frontend FROM deliveries LIMIT 1")

    def taken(self, frontend: UUID) -> int:
        """The number of the last notice that a frontend has taken; 0 if it is not known."""
        rows = self._ask("SELECT taken FROM deliveries WHERE frontend = ?", str(frontend))
        return int(rows[0][0]) if rows else 0

    def take(self, frontend: UUID, number: int) -> None:
        """A frontend has taken all notices up to this number."""
        self._ask(
            "INSERT INTO deliveries VALUES (?, ?) ON CONFLICT (frontend)"
            " DO UPDATE SET taken = excluded.taken WHERE excluded.taken > deliveries.taken",
            str(frontend),
            number,
        )

    def _ask(self, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        try:
            return self._beside.ask("deliveries", text, *values)
        except (sqlite3.Error, OSError, LogUnavailable) as error:
            raise DeliveriesUnavailable(str(error)) from error
