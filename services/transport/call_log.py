"""Each call when it ends: one line in the log, and one more in the tallies."""

import re
import time
from random import Random
from typing import Final

import structlog

from services.runtime.call_records import CANCELED, CURRENT_CALL_RECORD, CallRecord
from services.runtime.errors import Reason
from services.runtime.logging import CURRENT_CALL, CallContext
from services.runtime.metrics import (
    LATENCY_BUCKETS,
    STREAM_DURATION_BUCKETS,
    CallMetrics,
    Histogram,
)

log = structlog.get_logger(__name__)

OK: Final = "OK"
REQUEST_ID_HEADER: Final = "x-request-id"
"""In which a caller, or a proxy before it, names a call, and is told its name."""
_CALL_ID_PATTERN: Final = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_RANDOM: Final = Random()  # noqa: S311  a name is no secret
"""Where names come from. The system's own chance would have each call give Python's global lock
away, and wait for it."""


def assign_call_id(rpc: str, door: str, wanted: str) -> str:
    """Name the call of this task, as was wanted or by chance: all that it logs bears the name."""
    name = (
        wanted
        if wanted and _CALL_ID_PATTERN.fullmatch(wanted)
        else f"{_RANDOM.getrandbits(64):016x}"
    )
    CURRENT_CALL.set(CallContext(name, rpc, door))
    return name


def current_call_id() -> str:
    """The name of this task's call; empty before it has one."""
    named = CURRENT_CALL.get()
    return named.call if named else ""


class CallLog:
    """Logs and counts the calls of all doors, each once."""

    def __init__(self, metrics: CallMetrics) -> None:
        self._tallies = metrics
        self._log = log.bind()  # once, and not anew for each call

    def begin(
        self, rpc: str, door: str, started: float, seconds: float | None, *, stream: bool = False
    ) -> CallRecord:
        """Begin the record of this task's call, and return it.

        Args:
            rpc: name of the rpc.
            door: name of the transport.
            started: when the call began, by `time.perf_counter`.
            seconds: time to the caller's deadline; None if there is none.
            stream: whether the service answers with a stream.
        """
        record = CallRecord(rpc, door, started, self._given_up, seconds=seconds, stream=stream)
        CURRENT_CALL_RECORD.set(record)
        self._tallies.open_streams[rpc] += stream
        return record

    def answered(self, rpc: str, door: str, started: float) -> None:
        """A call that began at `started`, by `time.perf_counter`, was answered."""
        if (ms := self._count(rpc, door, OK, started)) is not None:
            self._log.debug("call", rpc=rpc, door=door, ms=ms)

    def refused(self, rpc: str, door: str, reason: Reason, started: float) -> None:
        """It was refused, for a reason that the caller is told."""
        if (ms := self._count(rpc, door, reason.name, started)) is not None:
            self._log.info("call refused", rpc=rpc, door=door, reason=reason.name, ms=ms)

    def failed(self, rpc: str, door: str, started: float) -> None:
        """The service failed; call it where the exception is handled, which is logged."""
        ms = self._count(rpc, door, Reason.INTERNAL.name, started)
        self._log.exception("call failed", rpc=rpc, door=door, ms=ms)

    def _given_up(self, record: CallRecord) -> None:
        """Count a call whose caller waits no longer. A stream that is canceled has only ended."""
        reason = Reason.DEADLINE_EXCEEDED.name if record.is_late else CANCELED
        ms = self._add(record.rpc, record.door, reason, record.started, stream=record.stream)
        tell = self._log.debug if record.stream else self._log.info
        tell("call given up", rpc=record.rpc, door=record.door, reason=reason, ms=ms)

    def _count(self, rpc: str, door: str, reason: str, started: float) -> float | None:
        """Count a call, and return the milliseconds that it took; None if it was counted before."""
        record, stream = CURRENT_CALL_RECORD.get(), False
        if record is not None and record.rpc == rpc:
            if record.counted:
                return None
            record.counted, stream = True, record.stream
        return self._add(rpc, door, reason, started, stream=stream)

    def _add(self, rpc: str, door: str, reason: str, started: float, *, stream: bool) -> float:
        seconds = time.perf_counter() - started
        metrics = self._tallies
        metrics.calls[rpc, door, reason] += 1
        metrics.open_streams[rpc] -= stream
        took = metrics.streams if stream else metrics.took
        if (spread := took.get(rpc)) is None:
            spread = took[rpc] = Histogram(STREAM_DURATION_BUCKETS if stream else LATENCY_BUCKETS)
        spread.add(seconds)
        return round(seconds * 1000, 2)
