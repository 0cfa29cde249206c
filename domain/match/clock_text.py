"""Time controls as people write them: `10m+5s`, `5m d3s`, `5m b3s`, `30s/action`, `3d/action`."""

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
    """Return the time control that a text means.

    >>> parse_time_control("10m+5s")
    TimeBudget(ms=600000, increment_ms=5000, delay_ms=0, delay='simple')
    >>> parse_time_control("3d/action")
    CorrespondenceTime(days=3)

    Raises:
        NotationError: The text means no time control, or one that is out of bounds.
    """
    given: dict[str, object]
    if (found := _PER_ACTION.fullmatch(text)) is not None:
        ms = _parse_duration(found[1])
        if re.fullmatch(r"\d+d", found[1]):
            given = {"type": "correspondence", "days": ms // DAY_MS}
        else:
            given = {"type": "move", "ms": ms}
    elif (found := _SIDE.fullmatch(text)) is not None:
        whole, increment, kind, delay = found.groups()
        given = {
            "type": "side",
            "ms": _parse_duration(whole),
            "increment_ms": _parse_duration(increment or ""),
        }
        given |= {"delay_ms": _parse_duration(delay), "delay": _KINDS[kind]} if delay else {}
    else:
        raise NotationError(f"{text[:40]!r} is no clock; clocks are {TIME_CONTROL_FORMATS}")
    try:
        clock: TimeControl = msgspec.convert(given, TimeControl)
    except msgspec.ValidationError as error:
        raise NotationError(f"{text[:40]!r} is no clock: {error}") from None
    return clock


def format_time_control(clock: TimeControl) -> str:
    """Return a time control as a text.

    >>> format_time_control(TimeBudget(5_400_000, delay_ms=3_500, delay="bronstein"))
    '1h30m b3s500ms'
    """
    if isinstance(clock, CorrespondenceTime):
        return f"{clock.days}d/action"
    if not isinstance(clock, TimeBudget):
        return f"{_format_duration(clock.ms, 'hms')}/action"
    extra = f"+{_format_duration(clock.increment_ms)}" if clock.increment_ms else ""
    if clock.delay_ms:
        kind = "b" if clock.delay == "bronstein" else "d"
        extra = f" {kind}{_format_duration(clock.delay_ms)}"
    return f"{_format_duration(clock.ms)}{extra}"


def _parse_duration(text: str) -> int:
    return sum(int(n) * (1 if unit == "ms" else UNITS[unit]) for n, unit in _PART.findall(text))


def _format_duration(ms: int, units: str = "dhms") -> str:
    parts = []
    for unit in units:
        count, ms = divmod(ms, UNITS[unit])
        parts += [f"{count}{unit}"] if count else []
    return "".join([*parts, *([f"{ms}ms"] if ms else [])])
