"""Clocks that go on in the line above a prompt, while the player thinks."""

import sys
import threading
from time import monotonic
from types import TracebackType
from typing import Final, Self, TextIO

from services.cli.clocks import advance_clocks, clock_lines
from services.wire.emeth.v1.matches_pb2 import Clocks

SECONDS: Final = 1.0
"""Between two looks at the clock."""
UPWARDS: Final = "\x1b7\x1b[1A\r"
"""Keep where the cursor is, and go to the beginning of the line above."""
BACK: Final = "\x1b[K\x1b8"
"""Clear what is left of that line, and go back."""


class Ticking:
    """While a prompt waits, the line before it has the clocks. Nothing where none runs, or where
    nobody looks: in a pipe."""

    def __init__(
        self, clocks: Clocks, screen: TextIO | None = None, seconds: float = SECONDS
    ) -> None:
        """`clocks` are as of now; a `screen` is standard output unless given."""
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
