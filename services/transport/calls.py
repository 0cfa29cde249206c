"""Each call when it ends: one line in the log, and one more in the tallies."""

import re
import time
from random import Random
from typing import Final

import structlog

from services.runtime.call_records import CANCELED, RECORD, CallRecord
from services.runtime.errors import Reason
from services.runtime.logging import CALL, NamedCall
from services.runtime.metrics import SECONDS, STREAM_SECONDS, Spread, Tallies

log = structlog.get_logger(__name__)

OK: Final = "OK"
ID_HEADER: Final = "x-request-id"
"""In which a caller, or a proxy before it, names a call, and is told its name."""
_NAME: Final = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_NAMES: Final = Random()  # noqa: S311  a name is no secret
"""Where names come from. The system's own chance would have each call give Python's global lock
away, and wait for it."""


def name_call(rpc: str, door: str, wanted: str) -> str:
    """Name the call of this task, as was wanted or by chance: all that it logs bears the name."""
    name = wanted if wanted and _NAME.fullmatch(wanted) else f"{_NAMES.getrandbits(64):016x}"
    CALL.set(NamedCall(name, rpc, door))
    return name


def name_of_call() -> str:
    """The name of this task's call; empty before it has one."""
    named = CALL.get()
    return named.call if named else ""


class Calls:
    """Logs and counts the calls of all doors, each once."""

    def __init__(self, tallies: Tallies) -> None:
        self._tallies = tallies
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
        RECORD.set(record)
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
        record, stream = RECORD.get(), False
        if record is not None and record.rpc == rpc:
            if record.counted:
                return None
            record.counted, stream = True, record.stream
        return self._add(rpc, door, reason, started, stream=stream)

    def _add(self, rpc: str, door: str, reason: str, started: float, *, stream: bool) -> float:
        seconds = time.perf_counter() - started
        tallies = self._tallies
        tallies.calls[rpc, door, reason] += 1
        tallies.open_streams[rpc] -= stream
        took = tallies.streams if stream else tallies.took
        if (spread := took.get(rpc)) is None:
            spread = took[rpc] = Spread(STREAM_SECONDS if stream else SECONDS)
        spread.add(seconds)
        return round(seconds * 1000, 2)
