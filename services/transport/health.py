"""Readiness: whether the service can record events and answer from the read models.

The gRPC health service, `/ready` and the metrics report it. A service that is not ready gets no
calls that would show that the database or disk works again, so it probes them itself: a shared log
once a second with its heartbeat, an SQLite file only after a commit has failed.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

import structlog

from services.runtime.metrics import Availability
from services.store.errors import StoreError
from services.store.log import Log

log = structlog.get_logger(__name__)

CHECK_SECONDS: Final = 0.5
"""Interval of checks of the log and the read models."""
PROBE_SECONDS: Final = 1.0
"""Interval of probes of the database."""
HANGING_SECONDS: Final = 3.0
"""A commit or probe that takes longer counts as hanging. Normally it takes milliseconds."""


class ReadModelState(Protocol):
    """The part of the projector that readiness depends on."""

    @property
    def is_complete(self) -> bool:
        """Return whether the read models have all events that the log had when they were opened."""

    def status(self) -> object:
        """Update the position of the log. Blocks on the database."""


class ServingStatus:
    """Watches the log and the read models, and reports each change of readiness."""

    def __init__(self, store: Log, read_models: ReadModelState | None, role: str) -> None:
        """Watch a log and read models; `read_models` is None in a service without them."""
        self._log = store
        self._read_models = read_models
        self._role = role
        self._probing: float | None = None
        """Start time of the probe in progress."""
        self._probe_fault = ""
        self._failures_at_probe = 0
        """Number of failed commits when the last successful probe started."""
        self._tasks: list[asyncio.Task[None]] = []
        self._last_reported: Availability | None = None

    def now(self) -> Availability:
        """Return what the service can do now."""
        writes = not self._write_fault()
        reads = None if self._read_models is None else self._read_models.is_complete
        return Availability(
            can_write=writes,
            can_read=reads,
            ready=(writes or self._role == "read") and reads is not False,
            waiting_seconds=self._waiting_seconds(),
        )

    def start(self, on_change: Callable[[], object]) -> None:
        """Start watching. `on_change` is called whenever the availability has changed."""
        self._tasks = [
            asyncio.create_task(self._watch(on_change)),
            asyncio.create_task(self._probe_regularly()),
        ]
        if self._read_models is not None:
            self._tasks.append(asyncio.create_task(self._follow(self._read_models)))

    async def close(self) -> None:
        """Stop watching the service's availability."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _waiting_seconds(self) -> float:
        probing = 0.0 if self._probing is None else time.monotonic() - self._probing
        return max(probing, self._log.stats().running_seconds)

    def _write_fault(self) -> str:
        """Return why events cannot be recorded now; empty if they can."""
        stats = self._log.stats()
        if (seconds := self._waiting_seconds()) > HANGING_SECONDS:
            return f"the database or disk has not answered for {seconds:.0f} s"
        if stats.fault and stats.failures.total() > self._failures_at_probe:
            return stats.fault
        return self._probe_fault

    async def _watch(self, on_change: Callable[[], object]) -> None:
        while True:
            fault, now = self._write_fault(), self.now()
            before, self._last_reported = self._last_reported, now
            if before is not None and before.can_write != now.can_write:
                if now.can_write:
                    log.info("log_writable_again")
                else:
                    log.error("log_not_writable", why=fault)
            if before is not None and before.can_read != now.can_read:
                log.info("read_models_ready" if now.can_read else "read_models_not_ready")
            if before is None or (before.can_write, before.can_read) != (
                now.can_write,
                now.can_read,
            ):
                on_change()
            await asyncio.sleep(CHECK_SECONDS)

    async def _probe_regularly(self) -> None:
        while True:
            await asyncio.sleep(PROBE_SECONDS)
            if self._log.shared or self._write_fault():
                await self._probe()

    async def _follow(self, read_models: ReadModelState) -> None:
        """Update the lag of the read models regularly, so that metrics need not wait for it."""
        while True:
            await asyncio.to_thread(read_models.status)
            await asyncio.sleep(PROBE_SECONDS)

    async def _probe(self) -> None:
        failures = self._log.stats().failures.total()
        self._probing = time.monotonic()
        try:
            await asyncio.to_thread(self._log.heartbeat)
        except StoreError as error:
            if not self._probe_fault:
                log.warning("heartbeat_failed", why=str(error))
            self._probe_fault = str(error)
        else:
            self._probe_fault, self._failures_at_probe = "", failures
        finally:
            self._probing = None
