"""Messages for the clocks of matches."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from domain.match import (
    AnyMatch,
    CorrespondenceTime,
    MoveTime,
    TimeBudget,
    TimeControl,
    deduct_elapsed,
    remaining_delay_ms,
)
from domain.match.clocks import DelayMode
from services.runtime.errors import field_invalid
from services.wire.emeth.v1 import matches_pb2 as pb

DAY_SECONDS: Final = 86_400
DELAY_MODES: Final[dict[DelayMode, pb.DelayMode.ValueType]] = {
    "simple": pb.DELAY_MODE_SIMPLE,
    "bronstein": pb.DELAY_MODE_BRONSTEIN,
}
_GRANTED: Final[dict[int, DelayMode]] = {
    pb.DELAY_MODE_UNSPECIFIED: "simple",
    **{message: delay for delay, message in DELAY_MODES.items()},
}


def time_control_message(clock: TimeControl) -> pb.TimeControl:
    """Return the message of a time control."""
    match clock:
        case TimeBudget(ms=ms, increment_ms=increment, delay_ms=delay):
            budget = pb.TimeBudget(initial_time=_duration(ms))
            if increment:
                budget.increment.CopyFrom(_duration(increment))
            if delay:
                budget.delay.CopyFrom(_duration(delay))
                budget.delay_mode = DELAY_MODES[clock.delay]
            return pb.TimeControl(budget=budget)
        case MoveTime(ms=ms):
            return pb.TimeControl(move_time=pb.MoveTime(time_per_move=_duration(ms)))
        case CorrespondenceTime(days=days):
            term = Duration(seconds=days * DAY_SECONDS)
            return pb.TimeControl(correspondence=pb.CorrespondenceTime(time_per_move=term))


def read_time_control(field: str, message: pb.TimeControl) -> TimeControl:
    """Return the time control in a message.

    Raises:
        ApiError: FIELD_INVALID if a duration is out of bounds.
    """
    match message.WhichOneof("kind"):
        case "budget":
            budget = message.budget
            increment = _milliseconds(f"{field}.budget.increment", budget.increment)
            delay = _milliseconds(f"{field}.budget.delay", budget.delay)
            if increment and delay:
                raise field_invalid(
                    f"{field}.budget.delay", "use an increment or a delay, not both"
                )
            given: dict[str, Any] = {
                "ms": _milliseconds(f"{field}.budget.initial_time", budget.initial_time),
                "increment_ms": increment,
                "delay_ms": delay,
                "delay": _GRANTED[budget.delay_mode] if delay else "simple",
            }
            return _within(f"{field}.budget", given, TimeBudget)
        case "move_time":
            path = f"{field}.move_time.time_per_move"
            time = _milliseconds(path, message.move_time.time_per_move)
            return _within(f"{field}.move_time", {"ms": time}, MoveTime)
        case _:
            path = f"{field}.correspondence.time_per_move"
            time = _milliseconds(path, message.correspondence.time_per_move)
            if time % (1000 * DAY_SECONDS):
                raise field_invalid(path, "it must be a whole number of days")
            days = {"days": time // (1000 * DAY_SECONDS)}
            return _within(f"{field}.correspondence", days, CorrespondenceTime)


_FIELDS: Final = {
    "ms": ("initial_time", "time_per_move"),
    "increment_ms": ("increment",),
    "delay_ms": ("delay",),
    "days": ("time_per_move",),
}
"""The stored fields of time controls, with their names in messages."""


def _within(field: str, given: dict[str, Any], kind: type[TimeControl]) -> TimeControl:
    try:
        clock: TimeControl = msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$.")
        unit = "" if kind is CorrespondenceTime else " milliseconds"
        named = _FIELDS[path.rstrip("`")][-1 if kind is not TimeBudget else 0]
        raise field_invalid(
            f"{field}.{named}", why.replace("`int`", f"{unit.strip() or 'days'}")
        ) from None
    return clock


def _duration(milliseconds: int) -> Duration:
    message = Duration()
    message.FromMilliseconds(milliseconds)
    return message


def _milliseconds(field: str, message: Duration) -> int:
    """Return a duration in milliseconds.

    Raises:
        ApiError: FIELD_INVALID if the duration is negative or has fractions of a millisecond.
    """
    if message.seconds < 0 or message.nanos < 0 or message.nanos % 1_000_000:
        raise field_invalid(field, "it must be a whole number of milliseconds, and not negative")
    return message.seconds * 1000 + message.nanos // 1_000_000


def read_seat_time_controls(
    messages: Mapping[str, pb.TimeControl], seats: tuple[str, ...]
) -> dict[str, TimeControl]:
    """Return the time controls of single seats.

    Raises:
        ApiError: FIELD_INVALID if the match has no such seat.
    """
    for seat in messages:
        if seat not in seats:
            field = f"seat_time_controls[{seat[:40]}]"
            raise field_invalid(field, f"there is no such seat; the seats are {', '.join(seats)}")
    return {
        seat: read_time_control(f"seat_time_controls[{seat}]", each)
        for seat, each in sorted(messages.items())
    }


def fill_clocks(message: pb.Clocks, match: AnyMatch, at: datetime | None) -> None:
    """Fill in the time left at a moment, or at the match's last event if `at` is None."""
    assert match.clocks is not None
    terms = match.time_controls
    clocks = match.clocks if at is None else deduct_elapsed(match.clocks, terms, at)
    message.read_time.CopyFrom(_time(clocks.at))
    for seat, time in clocks.times.items():
        message.seats.add(
            seat=seat,
            remaining_time=_duration(time.left_ms),
            running=seat in clocks.running,
            remaining_delay=_duration(remaining_delay_ms(clocks, terms, seat)),
        )


def _time(at: datetime) -> Timestamp:
    message = Timestamp()
    message.FromDatetime(at.astimezone(UTC))
    return message
