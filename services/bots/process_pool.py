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
"""How often a question is put: a process may be killed for what another asked of it."""


class SearchFailedError(Exception):
    """No answer came: a process died of this question, or those that think are stopping."""


class SearchPool:
    """Processes that think, at most so many at once; what comes more waits."""

    def __init__(self, processes: int, packs: Path | None = None) -> None:
        """With no process, a thread of this one thinks. `packs` is a folder of content packs."""
        self._processes = processes
        self._packs = "" if packs is None else str(packs)
        self._executor: Executor | None = None
        self._closed = False

    async def ask(self, work: Callable[[bytes], bytes], question: bytes) -> bytes:
        """What one of them answers. ThinkingFailedError; what the work raises goes through."""
        for _ in range(ATTEMPTS):
            if self._closed:
                break
            executor = self._executor = self._executor or self._started()
            try:
                return await asyncio.get_running_loop().run_in_executor(executor, work, question)
            except BrokenExecutor:
                log.warning("thinking died")
                if self._executor is executor:
                    self._executor = None
                    executor.shutdown(wait=False, cancel_futures=True)
        raise SearchFailedError("the processes that think died of it, or are stopping")

    async def think(self, question: SearchRequest) -> SearchResult:
        """What a seat should do, or how it stands. ThinkingFailedError."""
        answer = await self.ask(search, msgspec.msgpack.encode(question))
        return msgspec.msgpack.decode(answer, type=SearchResult)

    def _started(self) -> Executor:
        if not self._processes:
            return ThreadPoolExecutor(1, "thinking")
        # Forked, a process would have the sockets and threads of this one.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._processes, context, prepare, (self._packs,))

    async def close(self) -> None:
        """Stop thinking. Whoever waits is told."""
        self._closed = True
        if (executor := self._executor) is None:
            return
        for process in (getattr(executor, "_processes", None) or {}).values():
            process.kill()  # thinking holds nothing that would be lost
        await asyncio.to_thread(executor.shutdown, cancel_futures=True)
