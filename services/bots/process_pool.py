"""The processes in which bots think. They are started when somebody first has to think."""

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Final

import msgspec
import structlog

from services.bots.search_process import SearchRequest, SearchResult, prepare, search

log = structlog.get_logger(__name__)

ATTEMPTS: Final = 2
"""Attempts for each request: a process may be killed because of another request."""


class SearchFailedError(Exception):
    """Raised when a search has no result: its process died, or the pool is closed."""


class SearchPool:
    """A pool of search processes; further requests wait for a free one."""

    def __init__(self, processes: int, packs: Path | None = None) -> None:
        """With no process, a thread of this one thinks. `packs` is a folder of content packs."""
        self._processes = processes
        self._packs = "" if packs is None else str(packs)
        self._executor: Executor | None = None
        self._closed = False

    async def run(self, work: Callable[[bytes], bytes], question: bytes) -> bytes:
        """Run a function on a request in a search process, and return its result.

        Raises:
            SearchFailedError: The process died, or the pool is closed.
        """
        for _ in range(ATTEMPTS):
            if self._closed:
                break
            executor = self._executor = self._executor or self._running_executor()
            try:
                return await asyncio.get_running_loop().run_in_executor(executor, work, question)
            except BrokenExecutor:
                log.warning("thinking died")
                if self._executor is executor:
                    self._executor = None
                    executor.shutdown(wait=False, cancel_futures=True)
        raise SearchFailedError("the processes that think died of it, or are stopping")

    async def search(self, question: SearchRequest) -> SearchResult:
        """Return the result of a search request. Raises SearchFailedError."""
        answer = await self.run(search, msgspec.msgpack.encode(question))
        return msgspec.msgpack.decode(answer, type=SearchResult)

    def _running_executor(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "thinking")
        # Forked, a process would have the sockets and threads of this one.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, context, prepare, (self._packs,))

    async def close(self) -> None:
        """Stop all searches; pending requests raise SearchFailedError."""
        self._closed = True
        if (executor := self._executor) is None:
            return
        for process in (getattr(executor, "_processes", None) or {}).values():
            process.kill()  # thinking holds nothing that would be lost
        await asyncio.to_thread(executor.shutdown, cancel_futures=True)
