"""Clocks go on while `emeth play` waits at its prompt."""

import io
import re
import threading
from datetime import timedelta

from services.cli.clocks import advance_clocks, clock_lines
from services.cli.terminal.ticking import UPWARDS, Ticking
from services.wire.emeth.v1.matches_pb2 import Clocks, SeatClock

CLOCKS = Clocks(
    seats=[
        SeatClock(
            seat="white",
            remaining_time=timedelta(seconds=60),
            running=True,
            remaining_delay=timedelta(seconds=2),
        ),
        SeatClock(seat="black", remaining_time=timedelta(seconds=30)),
    ]
)


class Terminal(io.StringIO):
    """A screen that sets a signal after so many writes."""

    def __init__(self, texts: int, *, seen: bool = True) -> None:
        super().__init__()
        self._left = texts
        self._seen = seen
        self.full = threading.Event()

    def isatty(self) -> bool:
        return self._seen

    def write(self, text: str) -> int:
        self._left -= 1
        if self._left == 0:
            self.full.set()
        return super().write(text)


def test_the_delay_goes_first_and_time_ends_at_nothing() -> None:
    def shown_clocks(ms: int) -> str:
        return next(clock_lines(advance_clocks(CLOCKS, ms)))

    assert shown_clocks(500) == "white 1:00 +1.5s (running), black 0:30"
    assert shown_clocks(5_000) == "white 0:57 (running), black 0:30"
    assert shown_clocks(90_000) == "white 0:00.0 (running), black 0:30"
    assert CLOCKS.seats[0].remaining_time.ToMilliseconds() == 60_000


def test_the_line_above_the_prompt_is_written_again_and_the_cursor_goes_back() -> None:
    screen = Terminal(3)
    with Ticking(CLOCKS, screen, 0.01):
        assert screen.full.wait(30)
    first, *rest = screen.getvalue().split(UPWARDS)
    assert re.fullmatch(r"white 1:00 \+[12][.\d]*s \(running\), black 0:30\n", first)
    assert len(rest) >= 2
    for again in rest:
        assert again.startswith("white ")
        assert again.endswith("\x1b[K\x1b8")
    assert not any(thread.name == "clock" for thread in threading.enumerate())


def test_nothing_is_written_where_nobody_looks_or_no_clock_runs() -> None:
    for clocks, seen in ((CLOCKS, False), (Clocks(), True), (Clocks(seats=CLOCKS.seats[1:]), True)):
        screen = Terminal(1, seen=seen)
        with Ticking(clocks, screen, 0.0):
            pass
        assert screen.getvalue() == ""
