"""The published tree: the Merkle tree over the log as outsiders see it, updated every ten seconds.

The number of events would leak hidden information, such as a tap that selected a card. All
checkpoints, tiles, proofs and witnesses therefore show the tree of the newest published checkpoint.
Nobody can count events between two checkpoints.
"""

import asyncio
import time
from contextlib import suppress
from typing import Final

import structlog

from projections.queries import log_tree
from projections.queries.log_tree import TreeHead
from services.runtime.errors import ApiError, Reason
from services.store.errors import StoreError
from services.store.opened_log import Lease
from services.store.read_models import ReadModelQueries
from services.store.side_store import SideStore

log = structlog.get_logger(__name__)

PUBLISH_SECONDS: Final = 10.0
"""Minimum time between two checkpoints. A longer time hides an event among more others, and delays
its proof. Ten seconds is about one turn, and usual for certificate transparency logs."""
SHARED_POLL_SECONDS: Final = 1.0
"""How often to look for checkpoints of another service on the same log."""
GRACE_SECONDS: Final = 5.0
"""How much longer than until the next checkpoint is due a caller waits for it."""
MIN_POLL_SECONDS: Final = 0.1
"""Minimum time between two polls, even if a checkpoint is overdue."""
NAME: Final = "published"


_now = time.monotonic


class PublishedTree:
    """The published tree head. Bound to one event loop.

    Services that share a log publish one sequence of checkpoints. The service with the lease
    publishes them and stores them in the database, from which the others read them.
    """

    def __init__(self, read_models: ReadModelQueries, side_store: SideStore | None = None) -> None:
        """Create a published tree.

        Args:
            read_models: The read models, which contain the tree.
            side_store: Where services that share a log store the published size; None for a
                log that is not shared.
        """
        self._read_models = read_models
        self._side_store = side_store
        self._seconds = PUBLISH_SECONDS
        self._head: TreeHead | None = None
        self._due = 0.0
        """When the next checkpoint may be published, by the monotonic clock."""
        self._stored_head = b""
        """The last known record in the database: the size of the published tree, and the time."""
        self._growth = asyncio.Event()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self, lease: Lease) -> None:
        """Start publishing while this service has the lease."""
        self._task = asyncio.create_task(self._publish_on(lease))

    async def close(self) -> None:
        """Stop the task that publishes checkpoints."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def head(self, least: int = 0) -> TreeHead:
        """Return the published tree head.

        A caller may know a checkpoint of `least` events from another service on the same log. If
        the known head is smaller, the database is read again.
        """
        if not self._seconds:
            return await self._read_models.ask(log_tree.tree_head)
        if self._head is None or (self._side_store is not None and self._head.size < least):
            await self._read_stored_head()
        assert self._head is not None
        return self._head

    async def until(self, size: int, seconds_left: float | None) -> TreeHead:
        """Return the published head once it covers `size` events, which the log has.

        Raises:
            ApiError: CHECKPOINT_PENDING if that takes longer than the caller can wait.
        """
        patience = self._seconds + GRACE_SECONDS
        end = _now() + min(patience, seconds_left or patience)
        while (head := await self.head(size)).size < size:
            left = end - _now()
            if left <= 0:
                raise self.checkpoint_pending()
            grown = self._growth
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, SHARED_POLL_SECONDS)):
                    await grown.wait()
        return head

    def checkpoint_pending(self) -> ApiError:
        """Return the error for an event that no checkpoint covers yet."""
        left = max(MIN_POLL_SECONDS, self._due - _now())
        return ApiError(
            Reason.CHECKPOINT_PENDING,
            f"the event is in the log; the next checkpoint, which has it, is due in {left:.0f} s",
            retry_seconds=left,
        )

    async def _publish_on(self, lease: Lease) -> None:
        while self._seconds:
            try:
                await self._read_stored_head()
                if await asyncio.to_thread(lease.try_acquire) and _now() >= self._due:
                    await self._publish()
            except (ApiError, StoreError, OSError) as error:  # retried at the next poll
                log.warning("checkpoint_not_published", why=str(error))
            rest = max(MIN_POLL_SECONDS, self._due - _now())
            await asyncio.sleep(
                rest if self._side_store is None else min(rest, SHARED_POLL_SECONDS)
            )

    async def _publish(self) -> None:
        """Publish the current tree."""
        async with self._lock:
            await self._publish_alone()

    async def _publish_alone(self) -> None:
        head = await self._read_models.ask(log_tree.tree_head)
        self._due = _now() + self._seconds
        if self._side_store is not None and head != self._head:
            text = b"%d %d" % (head.size, time.time())
            await asyncio.to_thread(self._side_store.put, "checkpoints", NAME, text)
            self._stored_head = text
        self._show(head)

    async def _read_stored_head(self) -> None:
        """Read what another service has published, or publish the current tree first."""
        async with self._lock:
            if self._side_store is not None:
                found = await asyncio.to_thread(self._side_store.get, "checkpoints", NAME)
                if found is not None and found != self._stored_head:
                    size, at = map(int, found.split())
                    await self._show_size(size)
                    past = min(max(0.0, time.time() - at), self._seconds)
                    self._stored_head, self._due = found, _now() + self._seconds - past
            if self._head is None:  # nothing was published yet
                await self._publish_alone()

    async def _show_size(self, size: int) -> None:
        """Show the tree of a size, once the read models have that many events."""
        if await self._read_models.ask(log_tree.tree_size) < size:
            await self._read_models.wait_until_caught_up()
        head = await self._read_models.ask(
            lambda connection: log_tree.tree_head_at(connection, size)
        )
        if head is not None:  # otherwise the log was restored from a backup
            self._show(head)

    def _show(self, head: TreeHead) -> None:
        self._head = head
        grown, self._growth = self._growth, asyncio.Event()
        grown.set()
