"""Bells: what tasks wait for until it rings, as an event of asyncio, at a tenth of its memory."""

import asyncio


class Signal:
    """Waited for by any number of tasks, all of which go on once it rings, until it is cleared.

    An `asyncio.Event` takes eight hundred bytes while nobody waits for it, and there are several
    for each match, table and line.
    """

    __slots__ = ("_rung", "_waiting")

    def __init__(self) -> None:
        self._rung = False
        self._waiting: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        """Has it rung since it was cleared?"""
        return self._rung

    def set(self) -> None:
        """Ring: who waits goes on, and nobody has to wait until it is cleared."""
        self._rung = True
        waiting, self._waiting = self._waiting, None
        for each in waiting or ():
            if not each.done():
                each.set_result(None)

    def clear(self) -> None:
        """Whoever waits from now on waits for the next time that it rings."""
        self._rung = False

    async def wait(self) -> None:
        """Wait until it rings, if it has not since it was cleared."""
        if self._rung:
            return
        if self._waiting is None:
            self._waiting = []
        heard = asyncio.get_running_loop().create_future()
        self._waiting.append(heard)
        try:
            await heard
        finally:
            if self._waiting is not None and heard in self._waiting:
                self._waiting.remove(heard)
