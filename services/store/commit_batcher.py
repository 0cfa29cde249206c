"""The turnstile before live aggregates: who comes while others are written waits, and all who came
are decided for one after another.

A commit costs as much as twenty jobs. And what a processor does now and then costs it two or three
times what it costs in a row, since its caches have forgotten it by then. So a crowd goes in groups,
by itself: the more come while one is written, the larger the next. Who comes alone never waits.

Programs that play come again as soon as they are answered. Where most do, the next group waits for
them: else they would follow in twos and threes. People do not, and nobody waits for them.
"""

import asyncio
from typing import Final
from uuid import UUID

from services.runtime.signals import Signal

GATHER_SECONDS: Final = 0.001
"""How long a group that waits goes on to gather once the one before it is written."""
MAX_COMMIT_WAIT_SECONDS: Final = 0.01
"""How long nobody is let in for one write. The next group need not wait for a slow disk: it can be
decided for meanwhile, and be written as soon as that is done."""
RETURN_SECONDS: Final = 0.03
"""Who comes again within so long of the answer has come again at once."""
IDLE_SECONDS: Final = 0.002
"""Those who come again at once are waited for until none of them has for so long."""
IDLE_SECONDS_PER_CLIENT: Final = 0.0001
"""So much longer for each that was answered: all of them have to be told first."""
MAX_HOLD_SECONDS: Final = 0.012
"""Nobody is waited for longer than that."""
MIN_RETURN_RATE: Final = 0.5
"""The share of those answered that must have come again, lately, for others to be waited for."""
RETURN_RATE_WINDOW: Final = 32
"""How many of them "lately" is: so many count as much as all before them."""


class ReturnTracker:
    """Those who were answered last, and whether such as they come again at once."""

    def __init__(self) -> None:
        self.return_rate = 0.0
        """The share of them that has, lately."""
        self._count = 0
        self._missing: set[UUID] = set()
        self._until = 0.0

    def __len__(self) -> int:
        return self._count

    @property
    def missing(self) -> int:
        """How many of them have not come again."""
        return len(self._missing)

    def answer(self, them: set[UUID], now: float) -> None:
        """These are answered now, and no others."""
        if self._count:
            share = 1 - self.missing / self._count
            self.return_rate += (
                (share - self.return_rate) * self._count / (self._count + RETURN_RATE_WINDOW)
            )
        self._missing, self._count, self._until = them, len(them), now + RETURN_SECONDS

    def comes(self, who: UUID, now: float) -> None:
        """Somebody comes, perhaps again."""
        if now < self._until:
            self._missing.discard(who)


class CommitBatcher:
    """Lets commands in, in groups. It lives on one event loop."""

    def __init__(self) -> None:
        self._open = Signal()
        self._open.set()
        self._waiting = 0
        self._written: set[UUID] = set()
        """What was written in this turn of the loop: all of a commit."""
        self._answered = ReturnTracker()
        self._gathering = False
        self._next: asyncio.Handle | None = None
        """What closes or opens it next; None while it stands open."""

    async def enter(self, who: UUID) -> None:
        """Wait to be let in, if others are being written. `who` is the aggregate it is for."""
        self._waiting += 1
        loop = asyncio.get_running_loop()
        self._answered.comes(who, loop.time())
        if self._gathering and not self._answered.missing:
            self._then(loop.call_soon(self._let_in))  # soon: this one waits behind the others
        try:
            await self._open.wait()
        finally:
            self._waiting -= 1

    def write(self) -> None:
        """Something was given to the writer: who comes from the next turn of the loop on waits. All
        of this one go together."""
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._close)

    def written(self, who: UUID) -> None:
        """Something of this aggregate was written, or could not be: who waits is let in soon."""
        if not self._written:
            # The writer wakes all of a commit in one turn of the loop: they are here before that.
            asyncio.get_running_loop().call_soon(self._answer)
        self._written.add(who)

    def _answer(self) -> None:
        now, them = asyncio.get_running_loop().time(), self._written
        self._written = set()
        if self._gathering:  # behind a slow disk: others are waited for already
            return
        self._answered.answer(them, now)
        if self._next is None:
            return
        if self._answered.return_rate > MIN_RETURN_RATE:
            self._gather(now + MAX_HOLD_SECONDS)
        elif self._waiting:
            self._gathering = True
            self._open_in(GATHER_SECONDS)
        else:
            self._let_in()

    def _gather(self, until: float) -> None:
        """Let in who waits when none of those who were answered comes again any more, or it is
        later than that."""
        self._gathering = True
        missing, loop = self._answered.missing, asyncio.get_running_loop()

        def look() -> None:
            if self._answered.missing < missing and loop.time() < until:
                self._gather(until)
            else:
                self._let_in()

        quiet = IDLE_SECONDS + IDLE_SECONDS_PER_CLIENT * len(self._answered)
        self._then(loop.call_later(quiet, look))

    def _close(self) -> None:
        self._open.clear()
        self._open_in(MAX_COMMIT_WAIT_SECONDS)

    def _open_in(self, seconds: float) -> None:
        self._then(asyncio.get_running_loop().call_later(seconds, self._let_in))

    def _let_in(self) -> None:
        self._then(None)
        self._gathering = False
        self._open.set()

    def _then(self, step: asyncio.Handle | None) -> None:
        """Do this next, and not what was to be done."""
        if self._next is not None:
            self._next.cancel()
        self._next = step
