"""Long work that must not hold up those who play: in threads, in slices, with rests between."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Final, TypeVar

from services.runtime.thread_switching import cpu_bound

T = TypeVar("T")

SLICE_SECONDS: Final = 0.02
"""How long a slice works. Python runs one thread at a time, so the event loop has a hard time
meanwhile; after each slice its thread rests for as long as it took."""
MAX_CONCURRENT: Final = 2
"""Slices that are worked on at once; others wait."""


class BackgroundWork:
    """Where long work is done."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(MAX_CONCURRENT)

    async def each(self, work: Iterator[T]) -> AsyncGenerator[list[T], None]:
        """What the work yields, a slice at a time. It is given up when the caller goes away."""
        done = False
        while not done:
            # Given back after each slice: whoever is slow to take what was found holds up nobody.
            async with self._free:
                step = asyncio.create_task(asyncio.to_thread(_slice, work))
                try:
                    found, done = await asyncio.shield(step)
                finally:
                    # Whoever asked may have gone away in the middle of a slice: it ends first.
                    await asyncio.wait([step])
            yield found

    async def all(self, work: Iterator[T]) -> list[T]:
        """All that the work yields, when it is done."""
        return [one async for found in self.each(work) for one in found]


def _slice(work: Iterator[T]) -> tuple[list[T], bool]:
    """What the work yields in the time of a slice, and whether it is done."""
    began = time.monotonic()
    found: list[T] = []
    with cpu_bound():
        while (took := time.monotonic() - began) < SLICE_SECONDS:
            try:
                found.append(next(work))
            except StopIteration:
                return found, True
    time.sleep(took)
    return found, False
