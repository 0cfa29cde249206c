"""The turnstile before live aggregates: who comes while others are written waits, and all who came
are decided for one after another.

A commit costs as much as twenty jobs. And what a processor does now and then costs it two or three
times what it costs in a row, since its caches have forgotten it by then. So a crowd goes in groups,
by itself: the more come while one is written, the larger the next. Who comes alone never waits.
"""

import asyncio
from typing import Final

from services.bells import Bell

GATHERING_SECONDS: Final = 0.001
"""How long a group that waits goes on to gather once the one before it is written: who has just
been answered may have more to ask."""
LONGEST_SECONDS: Final = 0.01
"""How long nobody is let in for one write. The next group need not wait for a slow disk: it can be
decided for meanwhile, and be written as soon as that is done."""


class Turnstile:
    """Lets commands in, in groups. It lives on one event loop."""

    def __init__(self) -> None:
        self._open = Bell()
        self._open.set()
        self._gathering = False
        self._waiting = 0
        self._next: asyncio.Handle | None = None
        """What closes or opens it next; None while it stands open."""

    async def enter(self) -> None:
        """Wait to be let in, if others are being written."""
        self._waiting += 1
        try:
            await self._open.wait()
        finally:
            self._waiting -= 1

    def write(self) -> None:
        """Something was given to the writer: who comes from the next turn of the loop on waits. All
        of this one go together."""
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._close)

    def written(self) -> None:
        """Something was written, or could not be: who waits is let in soon."""
        if self._next is None or self._gathering:
            return
        self._next.cancel()
        if self._waiting:
            self._gathering = True
            self._open_in(GATHERING_SECONDS)
        else:
            self._let_in()

    def _close(self) -> None:
        self._open.clear()
        self._open_in(LONGEST_SECONDS)

    def _open_in(self, seconds: float) -> None:
        self._next = asyncio.get_running_loop().call_later(seconds, self._let_in)

    def _let_in(self) -> None:
        self._next, self._gathering = None, False
        self._open.set()
