"""The log and the metrics of calls: one line and one count for each call when it ends."""

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
"""Header in which a caller or proxy may send a call ID, and in which the response has it."""
_CALL_ID_PATTERN: Final = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_RANDOM: Final = Random()  # noqa: S311  a name is no secret
"""Source of call IDs. The system's random source would release the global interpreter lock for each
call, and then wait to get it again."""


def assign_call_id(rpc: str, transport: str, wanted: str) -> str:
    """Set the ID of this task's call, and return it: the wanted one if it is valid, else random.

    All log lines of the task carry the ID.
    """
    name = (
        wanted
        if wanted and _CALL_ID_PATTERN.fullmatch(wanted)
        else f"{_RANDOM.getrandbits(64):016x}"
    )
    CURRENT_CALL.set(CallContext(name, rpc, transport))
    return name


def current_call_id() -> str:
    """Return the ID of this task's call; empty before it has one."""
    named = CURRENT_CALL.get()
    return named.call if named else ""


class CallLog:
    """Logs and counts the calls of all transports, each once."""

    def __init__(self, metrics: CallMetrics) -> None:
        self._metrics = metrics
        self._log = log.bind()  # binding for each call would be slow

    def begin(
        self,
        rpc: str,
        transport: str,
        started: float,
        seconds: float | None,
        *,
        stream: bool = False,
    ) -> CallRecord:
        """Start the record of this task's call, and return it.

        Args:
            rpc: Name of the rpc.
            transport: Name of the transport.
            started: Time at which the call started, by `time.perf_counter`.
            seconds: Seconds to the caller's deadline; None without a deadline.
            stream: Whether the response is a stream.
        """
        record = CallRecord(
            rpc, transport, started, self._record_canceled, seconds=seconds, stream=stream
        )
        CURRENT_CALL_RECORD.set(record)
        self._metrics.open_streams[rpc] += stream
        return record

    def record_answer(self, rpc: str, transport: str, started: float) -> None:
        """Record that a call succeeded. `started` is by `time.perf_counter`."""
        if (ms := self._count(rpc, transport, OK, started)) is not None:
            self._log.debug("call", rpc=rpc, transport=transport, ms=ms)

    def record_refusal(self, rpc: str, transport: str, reason: Reason, started: float) -> None:
        """Record that a call was refused, with the reason that the caller gets."""
        if (ms := self._count(rpc, transport, reason.name, started)) is not None:
            self._log.info("call refused", rpc=rpc, transport=transport, reason=reason.name, ms=ms)

    def record_failure(self, rpc: str, transport: str, started: float) -> None:
        """Record an internal error.

        Call it in the exception handler, since it logs the exception.
        """
        ms = self._count(rpc, transport, Reason.INTERNAL.name, started)
        self._log.exception("call failed", rpc=rpc, transport=transport, ms=ms)

    def _record_canceled(self, record: CallRecord) -> None:
        """Count a call that the caller canceled. For a stream that is a normal end."""
        reason = Reason.DEADLINE_EXCEEDED.name if record.is_late else CANCELED
        ms = self._add(record.rpc, record.transport, reason, record.started, stream=record.stream)
        log_level = self._log.debug if record.stream else self._log.info
        log_level("call given up", rpc=record.rpc, transport=record.transport, reason=reason, ms=ms)

    def _count(self, rpc: str, transport: str, reason: str, started: float) -> float | None:
        """Count a call. Return its milliseconds, or None if it was counted before."""
        record, stream = CURRENT_CALL_RECORD.get(), False
        if record is not None and record.rpc == rpc:
            if record.is_counted:
                return None
            record.is_counted, stream = True, record.stream
        return self._add(rpc, transport, reason, started, stream=stream)

    def _add(self, rpc: str, transport: str, reason: str, started: float, *, stream: bool) -> float:
        seconds = time.perf_counter() - started
        metrics = self._metrics
        metrics.calls[rpc, transport, reason] += 1
        metrics.open_streams[rpc] -= stream
        took = metrics.streams if stream else metrics.seconds
        if (spread := took.get(rpc)) is None:
            spread = took[rpc] = Histogram(STREAM_DURATION_BUCKETS if stream else LATENCY_BUCKETS)
        spread.add(seconds)
        return round(seconds * 1000, 2)
