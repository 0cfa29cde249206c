"""Clocks: what time a seat has, and the arithmetic of it. Whole milliseconds, never fractions.

A clock is a term of the match and no business of its game. What is left to each seat follows from
the times of the events alone, so it is folded as the position is, and recalled as the position is.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.kernel.game import Prompt

MS: Final = timedelta(milliseconds=1)
SECOND_MS: Final = 1_000
HOUR_MS: Final = 3_600 * SECOND_MS
DAY_MS: Final = 24 * HOUR_MS
MIN_LOW_TIME_MS: Final = 10 * SECOND_MS

DelayMode = Literal["simple", "bronstein"]
"""A delay in which no time is lost each time that it is the seat's turn: the clock waits for it
first, or what was used of it is given back at the end of the turn."""


class TimeBudget(Struct, frozen=True, tag="side", omit_defaults=True, forbid_unknown_fields=True):
    """One budget for the whole match, with something added in each turn."""

    ms: Annotated[int, Meta(ge=SECOND_MS, le=7 * DAY_MS)]
    increment_ms: Annotated[int, Meta(ge=0, le=HOUR_MS)] = 0
    """Added whenever the turn passes on."""
    delay_ms: Annotated[int, Meta(ge=0, le=HOUR_MS)] = 0
    delay: DelayMode = "simple"


class MoveTime(Struct, frozen=True, tag="move", omit_defaults=True, forbid_unknown_fields=True):
    """So much for each action."""

    ms: Annotated[int, Meta(ge=SECOND_MS, le=DAY_MS)]


class CorrespondenceTime(
    Struct, frozen=True, tag="correspondence", omit_defaults=True, forbid_unknown_fields=True
):
    """Days for each action. It runs on while the service is away."""

    days: Annotated[int, Meta(ge=1, le=366)]


TimeControl = TimeBudget | MoveTime | CorrespondenceTime


class SeatClock(Struct, frozen=True, array_like=True):
    """What a seat has left."""

    left_ms: int
    spent_ms: int = 0
    """Used of its present turn, delays included."""


class Clocks(Struct, frozen=True):
    """The clocks of a match after an event."""

    at: datetime
    """When that was: to the millisecond, and never before the event before it."""
    times: dict[str, SeatClock]
    """Of each seat that has a clock."""
    running: tuple[str, ...] = ()
    """The seats whose clocks run from then on."""
    engaged: tuple[str, ...] = ()
    """The seats whose turn it is: some may stand still, while dice are thrown or a dispute is
    open."""


class FlagFall(Struct, frozen=True, order=True):
    """A clock that will have run out, unless something happens before."""

    at: datetime
    seat: str


def truncate_to_ms(at: datetime) -> datetime:
    """A time without what is smaller than a millisecond.

    >>> whole_ms(datetime(2026, 1, 1, 12, 0, 0, 123_999)).microsecond
    123000
    """
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000)


def initial_ms(clock: TimeControl) -> int:
    """What a seat has at first.

    >>> full_ms(Correspondence(3))
    259200000
    """
    return clock.days * DAY_MS if isinstance(clock, CorrespondenceTime) else clock.ms


def start_clocks(terms: Mapping[str, TimeControl], at: datetime) -> Clocks:
    """The clocks of a match that is created: none runs yet."""
    return Clocks(
        truncate_to_ms(at), {seat: SeatClock(initial_ms(each)) for seat, each in terms.items()}
    )


def deduct_elapsed(
    clocks: Clocks,
    terms: Mapping[str, TimeControl],
    at: datetime,
    away_since: datetime | None = None,
) -> Clocks:
    """The clocks at a later time, if nothing happens before: what a seat has used is taken off.

    The service was away from `away_since` on: then only correspondence ran.
    """
    now = max(clocks.at, truncate_to_ms(at))
    times = dict(clocks.times)
    for seat in clocks.running:
        until = now
        if away_since is not None and not isinstance(terms[seat], CorrespondenceTime):
            until = min(now, max(clocks.at, truncate_to_ms(away_since)))
        times[seat] = _used(times[seat], terms[seat], (until - clocks.at) // MS)
    return replace(clocks, at=now, times=times)


def _used(time: SeatClock, clock: TimeControl, elapsed_ms: int) -> SeatClock:
    cost = max(0, elapsed_ms - _free_ms(time, clock))
    return SeatClock(max(0, time.left_ms - cost), time.spent_ms + elapsed_ms)


def _free_ms(time: SeatClock, clock: TimeControl) -> int:
    """How long the clock still waits before it runs."""
    if isinstance(clock, TimeBudget) and clock.delay == "simple":
        return max(0, clock.delay_ms - time.spent_ms)
    return 0


def remaining_delay_ms(clocks: Clocks, terms: Mapping[str, TimeControl], seat: str) -> int:
    """What is left of the delay in which the clock of a seat waits."""
    return _free_ms(clocks.times[seat], terms[seat])


def switch_clocks(
    clocks: Clocks,
    terms: Mapping[str, TimeControl],
    turn: Iterable[Prompt],
    actor: str,
    *,
    paused: bool,
) -> Clocks:
    """The clocks once it is clear who is asked for what; `actor` is who acted, if a seat did.

    While an entry of chance alone is asked for, nobody's clock runs, and the turn goes on.
    """
    prompts = [*turn]
    if not prompts:
        return replace(clocks, running=(), engaged=())
    asked = {prompt.seat for prompt in prompts if not prompt.is_chance}
    waiting = {prompt.seat for prompt in prompts if prompt.is_chance} if asked else {*clocks.times}
    engaged = asked | (waiting & {*clocks.engaged})
    times = {}
    for seat, time in clocks.times.items():
        if seat in clocks.engaged and seat not in engaged:
            times[seat] = _rested(time, terms[seat])
        elif seat == actor and not isinstance(terms[seat], TimeBudget):
            times[seat] = SeatClock(initial_ms(terms[seat]))
        else:
            times[seat] = time
    return replace(
        clocks,
        times=times,
        running=() if paused else tuple(seat for seat in times if seat in asked),
        engaged=tuple(seat for seat in times if seat in engaged),
    )


def _rested(time: SeatClock, clock: TimeControl) -> SeatClock:
    """What a seat has once the turn has passed on."""
    if not isinstance(clock, TimeBudget):
        return SeatClock(initial_ms(clock))
    back = min(time.spent_ms, clock.delay_ms) if clock.delay == "bronstein" else 0
    return SeatClock(time.left_ms + clock.increment_ms + back)


def first_flag_fall(clocks: Clocks | None, terms: Mapping[str, TimeControl]) -> FlagFall | None:
    """The first of the clocks that run to run out, and when; None if none runs. Of two at once it
    is the seat that comes first."""
    if clocks is None:
        return None
    flags = [
        FlagFall(clocks.at + MS * (time.left_ms + _free_ms(time, terms[seat])), seat)
        for seat in clocks.running
        for time in (clocks.times[seat],)
    ]
    return min(flags, key=lambda flag: flag.at, default=None)


def low_time_ms(clock: TimeControl) -> int:
    """From when on a seat's time is low: a tenth of what it has at first, but ten seconds at least
    and a day at most. 0 for a clock that has no more than that.

    >>> low_ms(SideClock(600_000)), low_ms(MoveClock(30_000)), low_ms(SideClock(5_000))
    (60000, 10000, 0)
    """
    low = min(max(initial_ms(clock) // 10, MIN_LOW_TIME_MS), DAY_MS)
    return low if low < initial_ms(clock) else 0


def due_low_time_warnings(
    clocks: Clocks | None, terms: Mapping[str, TimeControl]
) -> tuple[FlagFall, ...]:
    """The clocks that run and are not low yet, and when they will be, unless something happens
    before."""
    if clocks is None:
        return ()
    left = {seat: clocks.times[seat].left_ms for seat in clocks.running}
    return tuple(
        FlagFall(clocks.at + MS * (remaining_delay_ms(clocks, terms, seat) + ms - low), seat)
        for seat, ms in left.items()
        if 0 < (low := low_time_ms(terms[seat])) < ms
    )


def is_paused_by_downtime(clocks: Clocks | None, terms: Mapping[str, TimeControl]) -> bool:
    """Does a clock run that nobody loses time on while the service is away?"""
    return clocks is not None and any(
        not isinstance(terms[seat], CorrespondenceTime) for seat in clocks.running
    )


def restore_clocks(then: Clocks, at: datetime) -> Clocks:
    """The clocks as they were, from another time on."""
    return replace(then, at=truncate_to_ms(at))
