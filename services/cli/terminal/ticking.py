"""Running clocks in the line above a prompt."""

import sys
import threading
from time import monotonic
from types import TracebackType
from typing import Final, Self, TextIO

from services.cli.clocks import advance_clocks, clock_lines
from services.wire.emeth.v1.matches_pb2 import Clocks

SECONDS: Final = 1.0
"""Seconds between two updates of the clocks."""
UPWARDS: Final = "\x1b7\x1b[1A\r"
"""The escape sequence that saves the cursor and goes to the start of the line above."""
BACK: Final = "\x1b[K\x1b8"
"""The escape sequence that clears the rest of the line and restores the cursor."""


class Ticking:
    """A context in which the line above a prompt shows the running clocks.

    It does nothing if no clock runs, or in a pipe.
    """

    def __init__(
        self, clocks: Clocks, screen: TextIO | None = None, seconds: float = SECONDS
    ) -> None:
        """Take the clocks as of now; `screen` is standard output by default."""
        self._screen = sys.stdout if screen is None else screen
        self._clocks = clocks
        self._since = monotonic()
        self._seconds = seconds
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._screen.isatty() and any(seat.running for seat in self._clocks.seats):
            self._write(f"{self._line()}\n")
            self._thread = threading.Thread(target=self._tick, name="clock", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()

    def _tick(self) -> None:
        while not self._done.wait(self._seconds):
            self._write(f"{UPWARDS}{self._line()}{BACK}")

    def _line(self) -> str:
        return next(
            clock_lines(advance_clocks(self._clocks, round((monotonic() - self._since) * 1_000)))
        )

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()
