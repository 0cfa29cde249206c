"""Long work in threads, done in short slices so that it does not delay players."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Final, TypeVar

from services.runtime.thread_switching import cpu_bound

T = TypeVar("T")

SLICE_SECONDS: Final = 0.02
"""Duration of a slice. Python runs one thread at a time, so the event loop is slower meanwhile;
after each slice its thread pauses for as long as the slice took."""
MAX_CONCURRENT: Final = 2
"""Number of slices that run at once. Others wait."""


class BackgroundWork:
    """Runs long work in slices."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(MAX_CONCURRENT)

    async def slices(self, work: Iterator[T]) -> AsyncGenerator[list[T], None]:
        """Yield what the work yields, one slice at a time. The work ends if the consumer leaves."""
        done = False
        while not done:
            # Released after each slice, so that slow consumers do not block others.
            async with self._free:
                step = asyncio.create_task(asyncio.to_thread(_slice, work))
                try:
                    found, done = await asyncio.shield(step)
                finally:
                    # If the client leaves during a slice, the slice is finished first.
                    await asyncio.wait([step])
            yield found

    async def collect(self, work: Iterator[T]) -> list[T]:
        """Return all that the work yields."""
        return [one async for found in self.slices(work) for one in found]


def _slice(work: Iterator[T]) -> tuple[list[T], bool]:
    """Return what the work yields in one slice, and whether it is done."""
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
