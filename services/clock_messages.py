"""Clocks of matches, from and to the messages of the API."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from domain.match import (
    AnyMatch,
    Clock,
    Correspondence,
    MoveClock,
    SideClock,
    charged,
    free_ms,
)
from domain.match.clocks import Delay
from services.errors import malformed
from services.wire.emeth.v1 import matches_pb2 as pb

DELAYS: Final[dict[Delay, pb.Delay.ValueType]] = {
    "simple": pb.DELAY_SIMPLE,
    "bronstein": pb.DELAY_BRONSTEIN,
}
_GRANTED: Final[dict[int, Delay]] = {
    pb.DELAY_UNSPECIFIED: "simple",
    **{message: delay for delay, message in DELAYS.items()},
}


def clock_message(clock: Clock) -> pb.Clock:
    """What time a seat has."""
    match clock:
        case SideClock(ms=ms, increment_ms=increment, delay_ms=delay):
            side = pb.SideClock(ms=ms, increment_ms=increment, delay_ms=delay)
            if delay:
                side.delay = DELAYS[clock.delay]
            return pb.Clock(side=side)
        case MoveClock(ms=ms):
            return pb.Clock(move=pb.MoveClock(ms=ms))
        case Correspondence(days=days):
            return pb.Clock(correspondence=pb.CorrespondenceClock(days=days))


def read_clock(field: str, message: pb.Clock) -> Clock:
    """The clock in a message. FIELD_INVALID for none, and for one out of its bounds."""
    match message.WhichOneof("kind"):
        case "side":
            side = message.side
            if side.increment_ms and side.delay_ms:
                raise malformed(f"{field}.side.delay_ms", "an increment or a delay, not both")
            if side.delay not in _GRANTED:
                raise malformed(f"{field}.side.delay", "it is one of Delay")
            given: dict[str, Any] = {
                "ms": side.ms,
                "increment_ms": side.increment_ms,
                "delay_ms": side.delay_ms,
                "delay": _GRANTED[side.delay] if side.delay_ms else "simple",
            }
            return _within(f"{field}.side", given, SideClock)
        case "move":
            return _within(f"{field}.move", {"ms": message.move.ms}, MoveClock)
        case "correspondence":
            days = {"days": message.correspondence.days}
            return _within(f"{field}.correspondence", days, Correspondence)
        case _:
            raise malformed(field, "say which: side, move or correspondence")


def _within(field: str, given: dict[str, Any], kind: type[Clock]) -> Clock:
    try:
        clock: Clock = msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        raise malformed(field + path.rstrip("`"), why) from None
    return clock


def read_seat_clocks(messages: Mapping[str, pb.Clock], seats: tuple[str, ...]) -> dict[str, Clock]:
    """The clocks of single seats. FIELD_INVALID for a seat that there is not."""
    for seat in messages:
        if seat not in seats:
            field = f"seat_clocks[{seat[:40]}]"
            raise malformed(field, f"there is no such seat; {', '.join(seats)} are")
    return {
        seat: read_clock(f"seat_clocks[{seat}]", each) for seat, each in sorted(messages.items())
    }


def fill_clocks(message: pb.Clocks, match: AnyMatch, at: datetime | None) -> None:
    """What time is left at a moment; at the match's last event without one."""
    assert match.clocks is not None
    terms = match.clock_terms
    clocks = match.clocks if at is None else charged(match.clocks, terms, at)
    message.as_of.CopyFrom(_time(clocks.at))
    for seat, time in clocks.times.items():
        message.seats.add(
            seat=seat,
            remaining_ms=time.left_ms,
            running=seat in clocks.running,
            delay_ms=free_ms(clocks, terms, seat),
        )


def _time(at: datetime) -> Timestamp:
    message = Timestamp()
    message.FromDatetime(at.astimezone(UTC))
    return message
