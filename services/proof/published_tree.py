"""The published tree: the tree over the log as strangers see it, which grows every ten seconds.

How many events the log has tells of what is hidden: a plan that a seat left, taps that selected a
card. So checkpoints, tiles, proofs and witnesses all show the tree as it stood when the newest
checkpoint was published, and between two checkpoints nobody can count.
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
"""Between two checkpoints, at least. The longer, the more events of others are among those that two
checkpoints have between them, and the longer a proof has to wait. Ten seconds is the order of one
turn, and of what logs of certificates take."""
SHARED_POLL_SECONDS: Final = 1.0
"""Between two looks at what another service on the same log has published."""
GRACE_SECONDS: Final = 5.0
"""How much longer than until the next checkpoint is due somebody waits for it."""
MIN_POLL_SECONDS: Final = 0.1
"""Between two looks of any kind, though a checkpoint is overdue."""
NAME: Final = "published"


_now = time.monotonic


class PublishedTree:
    """The head of the tree that is published. It lives on one event loop.

    Services that share a log publish one sequence of checkpoints: the one that has the lease
    publishes, and leaves in the database what; the others take that.
    """

    def __init__(self, reads: ReadModelQueries, beside: SideStore | None = None) -> None:
        """`beside` is where services that share a log leave what is published; None for a log that
        one service has for itself."""
        self._reads = reads
        self._beside = beside
        self._seconds = PUBLISH_SECONDS
        self._head: TreeHead | None = None
        self._due = 0.0
        """When the next checkpoint may be published, by the monotonic clock."""
        self._taken = b""
        """What was left in the database last, as far as this service knows: the size, and when."""
        self._grown = asyncio.Event()
        self._one = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def start(self, lease: Lease) -> None:
        """Begin to publish: of several services on one log, only the one that has the lease."""
        self._task = asyncio.create_task(self._publish_on(lease))

    async def close(self) -> None:
        """End."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def head(self, least: int = 0) -> TreeHead:
        """Return the head that is published.

        A caller that knows of a checkpoint of `least` events may have it from another service on
        the same log, which published it just now: then that is looked up.
        """
        if not self._seconds:
            return await self._reads.ask(log_tree.tree_head)
        if self._head is None or (self._beside is not None and self._head.size < least):
            await self._take()
        assert self._head is not None
        return self._head

    async def until(self, size: int, seconds_left: float | None) -> TreeHead:
        """Return the published head once it has so many events, which the log has.

        Raises CHECKPOINT_PENDING if that takes longer than the caller can wait.
        """
        patience = self._seconds + GRACE_SECONDS
        end = _now() + min(patience, seconds_left or patience)
        while (head := await self.head(size)).size < size:
            left = end - _now()
            if left <= 0:
                raise self.checkpoint_pending()
            grown = self._grown
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, SHARED_POLL_SECONDS)):
                    await grown.wait()
        return head

    def checkpoint_pending(self) -> ApiError:
        """CHECKPOINT_PENDING: the event is in the log, and will be in the next checkpoint."""
        left = max(MIN_POLL_SECONDS, self._due - _now())
        return ApiError(
            Reason.CHECKPOINT_PENDING,
            f"the event is in the log; the next checkpoint, which has it, is due in {left:.0f} s",
            retry_seconds=left,
        )

    async def _publish_on(self, lease: Lease) -> None:
        while self._seconds:
            try:
                await self._take()
                if await asyncio.to_thread(lease.held) and _now() >= self._due:
                    await self._publish()
            except (ApiError, StoreError, OSError) as error:  # the next look may find it
                log.warning("checkpoint_not_published", why=str(error))
            rest = max(MIN_POLL_SECONDS, self._due - _now())
            await asyncio.sleep(rest if self._beside is None else min(rest, SHARED_POLL_SECONDS))

    async def _publish(self) -> None:
        """Publish the tree as it stands."""
        async with self._one:
            await self._publish_alone()

    async def _publish_alone(self) -> None:
        head = await self._reads.ask(log_tree.tree_head)
        self._due = _now() + self._seconds
        if self._beside is not None and head != self._head:
            text = b"%d %d" % (head.size, time.time())
            await asyncio.to_thread(self._beside.put, "checkpoints", NAME, text)
            self._taken = text
        self._show(head)

    async def _take(self) -> None:
        """Take what another service has published, or else begin with the tree as it stands."""
        async with self._one:
            if self._beside is not None:
                found = await asyncio.to_thread(self._beside.get, "checkpoints", NAME)
                if found is not None and found != self._taken:
                    size, at = map(int, found.split())
                    await self._show_size(size)
                    past = min(max(0.0, time.time() - at), self._seconds)
                    self._taken, self._due = found, _now() + self._seconds - past
            if self._head is None:  # nobody has published anything yet
                await self._publish_alone()

    async def _show_size(self, size: int) -> None:
        """Show the tree of so many events, once this service has read them."""
        if await self._reads.ask(log_tree.tree_size) < size:
            await self._reads.caught_up()
        head = await self._reads.ask(lambda connection: log_tree.tree_head_at(connection, size))
        if head is not None:  # else the log was put back to what it was before
            self._show(head)

    def _show(self, head: TreeHead) -> None:
        self._head = head
        grown, self._grown = self._grown, asyncio.Event()
        grown.set()
