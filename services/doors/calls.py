"""Each call when it ends: one line in the log, and one more in the tallies."""

import re
import time
from random import Random
from typing import Final

import structlog

from services.errors import Reason
from services.logs import CALL, NamedCall
from services.tallies import SECONDS, Spread, Tallies

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
    """Logs and counts the calls of all doors."""

    def __init__(self, tallies: Tallies) -> None:
        self._tallies = tallies
        self._log = log.bind()  # once, and not anew for each call

    def answered(self, rpc: str, door: str, started: float) -> None:
        """A call that began at `started`, by `time.perf_counter`, was answered."""
        self._log.debug("call", rpc=rpc, door=door, ms=self._count(rpc, door, OK, started))

    def refused(self, rpc: str, door: str, reason: Reason, started: float) -> None:
        """It was refused, for a reason that the caller is told."""
        ms = self._count(rpc, door, reason.name, started)
        self._log.info("call refused", rpc=rpc, door=door, reason=reason.name, ms=ms)

    def failed(self, rpc: str, door: str, started: float) -> None:
        """The service failed; call it where the exception is handled, which is logged."""
        ms = self._count(rpc, door, Reason.INTERNAL.name, started)
        self._log.exception("call failed", rpc=rpc, door=door, ms=ms)

    def _count(self, rpc: str, door: str, reason: str, started: float) -> float:
        seconds = time.perf_counter() - started
        tallies = self._tallies
        tallies.calls[rpc, door, reason] += 1
        if (took := tallies.took.get(rpc)) is None:
            took = tallies.took[rpc] = Spread(SECONDS)
        took.add(seconds)
        return round(seconds * 1000, 2)
