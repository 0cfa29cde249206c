"""How far notices were posted to each webhook: the durable half of the queues of webhooks.

The other half is the log itself, from which notices are made. So nothing is in one half and not in
the other, and a queue of any length takes no room.

A row is named by the webhook and, if notices were posted to it again, by the event that asked for
that. The webhook of an earlier version is named by its frontend, as its row was. The row of the
batch that is being posted has the same name with `.batch` behind it.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from domain.frontend import Webhook
from services.store.errors import DeliveriesUnavailable, LogUnavailable
from services.store.side_store import SideStore

BATCH: Final = ".batch"


class Progress(Struct, frozen=True):
    """How far a webhook's receiver has come."""

    accepted: int
    """The number of the last notice that it accepted; 0 for none."""
    batch: int = 0
    """The number of the last notice of the batch that is being posted; not above `accepted` if
    none is."""


class Deliveries:
    """The table. Safe from any thread; each call may block."""

    def __init__(self, beside: SideStore) -> None:
        """DeliveriesUnavailable if it cannot be read."""
        self._beside = beside
        self._ask("SELECT frontend FROM deliveries LIMIT 1")

    def progress(self, webhooks: Iterable[Webhook]) -> Mapping[UUID, Progress]:
        """Return how far each of these webhooks has come."""
        names = {_row_name(each): each for each in webhooks}
        asked = [row for name in names for row in (name, name + BATCH)]
        places = ", ".join("?" * len(asked))
        text = f"SELECT frontend, taken FROM deliveries WHERE frontend IN ({places})"  # noqa: S608
        found = dict(self._ask(text, *asked)) if asked else {}
        return {
            each.id: Progress(found.get(name, each.after), found.get(name + BATCH, 0))
            for name, each in names.items()
        }

    def begin(self, webhook: Webhook, last: int) -> None:
        """Note that the next batch goes through this notice, before it is posted."""
        self._set(_row_name(webhook) + BATCH, last)

    def accept(self, webhook: Webhook, number: int) -> None:
        """Note that the receiver accepted all notices up to this number."""
        self._set(_row_name(webhook), number)

    def forget(self, webhook: UUID) -> None:
        """Delete the rows of a webhook that was deleted."""
        self._ask(
            "DELETE FROM deliveries WHERE frontend = ? OR substr(frontend, 1, 37) = ?",
            str(webhook),
            f"{webhook}.",
        )

    def _set(self, row: str, number: int) -> None:
        self._ask(
            "INSERT INTO deliveries VALUES (?, ?) ON CONFLICT (frontend)"
            " DO UPDATE SET taken = excluded.taken WHERE excluded.taken > deliveries.taken",
            row,
            number,
        )

    def _ask(self, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        try:
            return self._beside.ask("deliveries", text, *values)
        except (sqlite3.Error, OSError, LogUnavailable) as error:
            raise DeliveriesUnavailable(str(error)) from error


def _row_name(webhook: Webhook) -> str:
    return f"{webhook.id}.{webhook.redelivery}" if webhook.redelivery else str(webhook.id)
