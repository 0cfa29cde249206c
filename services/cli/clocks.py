"""Clocks on the command line: the option `--clock 10m+5s`, and remaining times as a line."""

from collections.abc import Iterator

import click

from domain.kernel.notation_error import NotationError
from domain.match.clock_text import TIME_CONTROL_FORMATS, parse_time_control
from services.mapping.clock_messages import time_control_message
from services.wire.emeth.v1.matches_pb2 import Clocks, SeatClock, TimeControl

HOURS_FROM_MS = 3_600_000
TENTHS_BELOW_MS = 20_000

clock_option = click.option(
    "--clock",
    "clocks",
    multiple=True,
    metavar="[SEAT=]CLOCK",
    help=f"Set the time control of every seat, or of SEAT: {TIME_CONTROL_FORMATS}. May be"
    " repeated.",
)


def read_clocks(given: tuple[str, ...]) -> tuple[TimeControl | None, dict[str, TimeControl]]:
    """Return the time control of the match, or None, and the time controls of single seats."""
    found: dict[str, TimeControl] = {}
    for each in given:
        seat, _, text = each.rpartition("=")
        if seat in found or (not seat and "=" in each):
            whose = f" for {seat}" if seat else ""
            raise click.UsageError(f"--clock{whose} is given twice: leave one of them out")
        try:
            found[seat] = time_control_message(parse_time_control(text))
        except NotationError as error:
            raise click.UsageError(f"--clock: {error}") from None
    return found.pop("", None), found


def clock_lines(clocks: Clocks) -> Iterator[str]:
    """Yield the remaining times as `white 9:58 (running), black 10:00`; nothing without clocks."""
    if clocks.seats:
        yield ", ".join(f"{seat.seat} {_seat_time_left(seat)}" for seat in clocks.seats)


def advance_clocks(clocks: Clocks, ms: int) -> Clocks:
    """Return the clocks after some milliseconds more in which no seat acts."""
    later = Clocks()
    later.CopyFrom(clocks)
    for seat in later.seats:
        if seat.running:
            delay, left = (
                seat.remaining_delay.ToMilliseconds(),
                seat.remaining_time.ToMilliseconds(),
            )
            free = min(delay, ms)
            seat.remaining_delay.FromMilliseconds(delay - free)
            seat.remaining_time.FromMilliseconds(left - min(left, ms - free))
    return later


def _seat_time_left(seat: SeatClock) -> str:
    delay = seat.remaining_delay.ToMilliseconds() if seat.running else 0
    more = f" +{delay / 1000:g}s" if delay else ""
    left = time_left(seat.remaining_time.ToMilliseconds())
    return f"{left}{more}{' (running)' if seat.running else ''}"


def time_left(ms: int) -> str:
    """Return a time in milliseconds as clocks show it.

    >>> [time_left(ms) for ms in (19_940, 598_000, 3_605_000, 180_000_000)]
    ['0:19.9', '9:58', '1:00:05', '2d 2:00:00']
    """
    minutes, seconds = divmod(ms // 1_000, 60)
    if ms < TENTHS_BELOW_MS:
        return f"0:{seconds:02}.{ms % 1_000 // 100}"
    if ms < HOURS_FROM_MS:
        return f"{minutes}:{seconds:02}"
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    return f"{f'{days}d ' if days else ''}{hours}:{minutes:02}:{seconds:02}"
