"""Batches commands for group commit.

A commit (one fsync) costs as much as deciding about twenty commands. Commands that arrive while a
commit is running wait, are decided one after another, and share the next commit. A command that
arrives alone is never delayed.

Closed-loop clients (programs that send the next command as soon as the last one is answered) would
return in twos and threes and fill small batches. If most recently answered clients have returned
quickly, the next batch is held open until they are back, for at most `MAX_HOLD_SECONDS`.
"""

import asyncio
from typing import Final
from uuid import UUID

from services.runtime.signals import Signal

GATHER_SECONDS: Final = 0.001
"""How long a waiting batch keeps growing after the previous commit has finished."""
MAX_COMMIT_WAIT_SECONDS: Final = 0.01
"""How long a slow commit may keep the next batch from being decided."""
RETURN_SECONDS: Final = 0.03
"""A client that sends again within this time of its answer counts as closed-loop."""
IDLE_SECONDS: Final = 0.002
"""A held batch is released when no client has returned for this long ..."""
IDLE_SECONDS_PER_CLIENT: Final = 0.0001
"""... plus this much for each answered client, since answers are sent one by one."""
MAX_HOLD_SECONDS: Final = 0.012
"""The longest that a batch is held open for returning clients."""
MIN_RETURN_RATE: Final = 0.5
"""The share of recently answered clients that must have returned for a batch to be held."""
RETURN_RATE_WINDOW: Final = 32
"""Number of answered clients over which the return rate is averaged (exponential decay)."""


class ReturnTracker:
    """The clients answered by the last commit, and how many such clients return at once."""

    def __init__(self) -> None:
        self.return_rate = 0.0
        """Moving average of the share of answered clients that returned at once."""
        self._answer_count = 0
        self._outstanding: set[UUID] = set()
        self._deadline = 0.0

    def __len__(self) -> int:
        return self._answer_count

    @property
    def outstanding(self) -> int:
        """Return the number of answered clients that have not returned yet."""
        return len(self._outstanding)

    def record_answers(self, aggregates: set[UUID], now: float) -> None:
        """Track the clients of one commit, in place of those of the last one.

        Args:
            aggregates: Ids of the written aggregates; one client is assumed for each.
            now: Event loop time in seconds.
        """
        if self._answer_count:
            rate = 1 - self.outstanding / self._answer_count
            self.return_rate += (
                (rate - self.return_rate)
                * self._answer_count
                / (self._answer_count + RETURN_RATE_WINDOW)
            )
        self._outstanding, self._answer_count, self._deadline = (
            aggregates,
            len(aggregates),
            now + RETURN_SECONDS,
        )

    def record_arrival(self, aggregate: UUID, now: float) -> None:
        """Record that a client sent a command, which may be a return."""
        if now < self._deadline:
            self._outstanding.discard(aggregate)


class CommitBatcher:
    """Admits commands in batches, one batch for each commit. Bound to one event loop."""

    def __init__(self) -> None:
        self._admitting = Signal()
        self._admitting.set()
        self._waiting_count = 0
        self._written_aggregates: set[UUID] = set()
        """Aggregates written in this iteration of the event loop: all of one commit."""
        self._clients = ReturnTracker()
        self._holding = False
        self._timer: asyncio.Handle | None = None
        """The next scheduled transition; None while commands are admitted freely."""

    async def admit(self, aggregate: UUID) -> None:
        """Wait until a command for the aggregate may be decided."""
        self._waiting_count += 1
        loop = asyncio.get_running_loop()
        self._clients.record_arrival(aggregate, loop.time())
        if self._holding and not self._clients.outstanding:
            self._schedule(loop.call_soon(self._release))  # after this caller has queued
        try:
            await self._admitting.wait()
        finally:
            self._waiting_count -= 1

    def commit_started(self) -> None:
        """Stop admitting commands from the next iteration of the event loop on."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_soon(self._stop_admitting)

    def commit_finished(self, aggregate: UUID) -> None:
        """Record that a write of the aggregate has finished or failed."""
        if not self._written_aggregates:
            # The writer wakes all callers of a commit in this iteration of the loop.
            asyncio.get_running_loop().call_soon(self._track_answers)
        self._written_aggregates.add(aggregate)

    def _track_answers(self) -> None:
        now, aggregates = asyncio.get_running_loop().time(), self._written_aggregates
        self._written_aggregates = set()
        if self._holding:  # after a slow commit: a batch is held already
            return
        self._clients.record_answers(aggregates, now)
        if self._timer is None:
            return
        if self._clients.return_rate > MIN_RETURN_RATE:
            self._hold(now + MAX_HOLD_SECONDS)
        elif self._waiting_count:
            self._holding = True
            self._release_in(GATHER_SECONDS)
        else:
            self._release()

    def _hold(self, until: float) -> None:
        """Hold the batch until no client sends its next command, or the time is up."""
        self._holding = True
        outstanding, loop = self._clients.outstanding, asyncio.get_running_loop()

        def check() -> None:
            if self._clients.outstanding < outstanding and loop.time() < until:
                self._hold(until)
            else:
                self._release()

        quiet = IDLE_SECONDS + IDLE_SECONDS_PER_CLIENT * len(self._clients)
        self._schedule(loop.call_later(quiet, check))

    def _stop_admitting(self) -> None:
        self._admitting.clear()
        self._release_in(MAX_COMMIT_WAIT_SECONDS)

    def _release_in(self, seconds: float) -> None:
        self._schedule(asyncio.get_running_loop().call_later(seconds, self._release))

    def _release(self) -> None:
        self._schedule(None)
        self._holding = False
        self._admitting.set()

    def _schedule(self, step: asyncio.Handle | None) -> None:
        """Replace the scheduled transition."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = step
