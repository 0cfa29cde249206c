"""Clocks as people write them: `10m+5s`, `5m d3s`, `5m b3s`, `30s/action`, `3d/action`."""

import re
from typing import Final

import msgspec

from domain.kernel.notation_error import NotationError
from domain.match.clocks import (
    DAY_MS,
    HOUR_MS,
    SECOND_MS,
    CorrespondenceTime,
    TimeBudget,
    TimeControl,
)

TIME_CONTROL_FORMATS: Final = (
    "10m, 10m+5s (an increment), 5m d3s (a delay), 5m b3s (a Bronstein delay), 30s/action or"
    " 3d/action (days, by correspondence)"
)
UNITS: Final = {"d": DAY_MS, "h": HOUR_MS, "m": 60 * SECOND_MS, "s": SECOND_MS}
_TIME: Final = r"(?:\d{1,9}(?:ms|[dhms]))+"
_PER_ACTION: Final = re.compile(rf"({_TIME})/action")
_SIDE: Final = re.compile(rf"({_TIME})(?:\+({_TIME})| ([db])({_TIME}))?")
_PART: Final = re.compile(r"(\d+)(ms|[dhms])")
_KINDS: Final = {"d": "simple", "b": "bronstein"}


def parse_time_control(text: str) -> TimeControl:
    """The clock that a text means. NotationError for none, and for one out of its bounds.

    >>> read_clock_text("10m+5s")
    SideClock(ms=600000, increment_ms=5000, delay_ms=0, delay='simple')
    >>> read_clock_text("3d/action")
    Correspondence(days=3)
    """
    given: dict[str, object]
    if (found := _PER_ACTION.fullmatch(text)) is not None:
        ms = _ms(found[1])
        if re.fullmatch(r"\d+d", found[1]):
            given = {"type": "correspondence", "days": ms // DAY_MS}
        else:
            given = {"type": "move", "ms": ms}
    elif (found := _SIDE.fullmatch(text)) is not None:
        whole, increment, kind, delay = found.groups()
        given = {"type": "side", "ms": _ms(whole), "increment_ms": _ms(increment or "")}
        given |= {"delay_ms": _ms(delay), "delay": _KINDS[kind]} if delay else {}
    else:
        raise NotationError(f"{text[:40]!r} is no clock; clocks are {TIME_CONTROL_FORMATS}")
    try:
        clock: TimeControl = msgspec.convert(given, TimeControl)
    except msgspec.ValidationError as error:
        raise NotationError(f"{text[:40]!r} is no clock: {error}") from None
    return clock


def format_time_control(clock: TimeControl) -> str:
    """A clock as a text.

    >>> write_clock(SideClock(5_400_000, delay_ms=3_500, delay="bronstein"))
    '1h30m b3s500ms'
    """
    if isinstance(clock, CorrespondenceTime):
        return f"{clock.days}d/action"
    if not isinstance(clock, TimeBudget):
        return f"{_written(clock.ms, 'hms')}/action"
    extra = f"+{_written(clock.increment_ms)}" if clock.increment_ms else ""
    if clock.delay_ms:
        kind = "b" if clock.delay == "bronstein" else "d"
        extra = f" {kind}{_written(clock.delay_ms)}"
    return f"{_written(clock.ms)}{extra}"


def _ms(text: str) -> int:
    return sum(int(n) * (1 if unit == "ms" else UNITS[unit]) for n, unit in _PART.findall(text))


def _written(ms: int, units: str = "dhms") -> str:
    parts = []
    for unit in units:
        count, ms = divmod(ms, UNITS[unit])
        parts += [f"{count}{unit}"] if count else []
    return "".join([*parts, *([f"{ms}ms"] if ms else [])])
