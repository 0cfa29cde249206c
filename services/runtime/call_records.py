"""Records of calls in progress, so that every call is counted exactly once.

A call that is canceled while its events are being written continues until they are on disk, so that
the cached aggregate matches the log. If the database hangs, that may take forever. The writer
therefore reports the cancellation at once, through the record of the call.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

CANCELED: Final = "CANCELLED"
"""The reason under which a call is counted whose caller disconnected: gRPC's name for it."""
DEADLINE_TOLERANCE_SECONDS: Final = 0.05
"""How much earlier than the service a caller may reach its own deadline."""


class CallRecord:
    """One call in progress, until it is counted."""

    __slots__ = ("_on_cancel", "is_counted", "rpc", "seconds", "started", "stream", "transport")

    def __init__(
        self,
        rpc: str,
        transport: str,
        started: float,
        on_cancel: Callable[["CallRecord"], object],
        *,
        seconds: float | None,
        stream: bool,
    ) -> None:
        """Record the start of a call.

        Args:
            rpc: Name of the rpc.
            transport: Name of the transport.
            started: Start of the call, by `time.perf_counter`.
            on_cancel: Called once if the caller cancels before the call is counted otherwise.
            seconds: Time until the caller's deadline; None if there is none.
            stream: Whether the response is a stream.
        """
        self.rpc = rpc
        self.transport = transport
        self.started = started
        self.seconds = seconds
        self.stream = stream
        self.is_counted = False
        self._on_cancel = on_cancel

    @property
    def is_late(self) -> bool:
        """Return whether the caller's deadline has passed."""
        passed = time.perf_counter() - self.started
        return self.seconds is not None and passed > self.seconds - DEADLINE_TOLERANCE_SECONDS

    def mark_canceled(self) -> None:
        """Count the call as canceled by its caller, unless it is counted already."""
        if not self.is_counted:
            self._on_cancel(self)
            self.is_counted = True


CURRENT_CALL_RECORD: Final[ContextVar[CallRecord | None]] = ContextVar("record", default=None)
"""The record of the call that this task handles."""
