"""The record of one call while it lasts: by it, every call is counted once, however it ends.

A call that is canceled while its events are being written goes on until they are on disk, so that
the aggregate in memory stays what the log has. If the database hangs, that may take for ever. The
writer therefore reports a cancellation at once, through the record of the call.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

CANCELED: Final = "CANCELLED"
"""The reason under which a call is counted whose caller went away; gRPC's name for it."""
DEADLINE_TOLERANCE_SECONDS: Final = 0.05
"""A caller gives up at its own deadline, which may come that much before the service's."""


class CallRecord:
    """One call, until it is counted."""

    __slots__ = ("_on_given_up", "counted", "door", "rpc", "seconds", "started", "stream")

    def __init__(
        self,
        rpc: str,
        door: str,
        started: float,
        on_given_up: Callable[["CallRecord"], object],
        *,
        seconds: float | None,
        stream: bool,
    ) -> None:
        """Begin to record a call.

        Args:
            rpc: name of the rpc.
            door: name of the transport.
            started: when the call began, by `time.perf_counter`.
            on_given_up: called once if the caller gives up before the call is counted otherwise.
            seconds: time to the caller's deadline; None if there is none.
            stream: whether the service answers with a stream.
        """
        self.rpc = rpc
        self.door = door
        self.started = started
        self.seconds = seconds
        self.stream = stream
        self.counted = False
        self._on_given_up = on_given_up

    @property
    def is_late(self) -> bool:
        """Whether the caller's deadline has passed."""
        passed = time.perf_counter() - self.started
        return self.seconds is not None and passed > self.seconds - DEADLINE_TOLERANCE_SECONDS

    def give_up(self) -> None:
        """Count the call as given up by its caller, unless it is counted already."""
        if not self.counted:
            self._on_given_up(self)
            self.counted = True


CURRENT_CALL_RECORD: Final[ContextVar[CallRecord | None]] = ContextVar("record", default=None)
"""The record of this task's call."""
