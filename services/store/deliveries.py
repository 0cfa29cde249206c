"""Delivery progress of webhooks: the durable half of their queues.

The other half is the log, from which notices are derived. The two cannot disagree, and a queue of
any length takes no space.

A row is named by the webhook and, after a redelivery request, by the event that requested it. The
webhook of an earlier version is named by its frontend, as its row was. The row of a batch in
transit has the suffix `.batch`.
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
    """The delivery progress of a webhook."""

    accepted: int
    """Number of the last notice that the receiver accepted; 0 for none."""
    batch: int = 0
    """Number of the last notice in the batch in transit; at most `accepted` if there is none."""


class Deliveries:
    """The table of delivery progress. Thread-safe; each call may block."""

    def __init__(self, side_store: SideStore) -> None:
        """Open the table. Raises DeliveriesUnavailable if it is not readable."""
        self._side_store = side_store
        self._ask("SELECT frontend FROM deliveries LIMIT 1")

    def progress(self, webhooks: Iterable[Webhook]) -> Mapping[UUID, Progress]:
        """Return the delivery progress of these webhooks."""
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
        """Record the last notice of the next batch, before it is posted."""
        self._set(_row_name(webhook) + BATCH, last)

    def accept(self, webhook: Webhook, number: int) -> None:
        """Record that the receiver accepted all notices up to this number."""
        self._set(_row_name(webhook), number)

    def forget(self, webhook: UUID) -> None:
        """Delete the rows of a deleted webhook."""
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
            return self._side_store.ask("deliveries", text, *values)
        except (sqlite3.Error, OSError, LogUnavailable) as error:
            raise DeliveriesUnavailable(str(error)) from error


def _row_name(webhook: Webhook) -> str:
    return f"{webhook.id}.{webhook.redelivery}" if webhook.redelivery else str(webhook.id)
