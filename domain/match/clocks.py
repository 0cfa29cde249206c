"""Clock arithmetic, in whole milliseconds.

A time control is a term of the match, unknown to its game. The time left to each seat follows from
the times of the events alone. So it is folded, and restored after an undo, as the position is.
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
"""How a delay works. In `simple`, the clock waits for it at the start of a turn. In `bronstein`,
the time used of it is added back at the end of the turn."""


class TimeBudget(Struct, frozen=True, tag="side", omit_defaults=True, forbid_unknown_fields=True):
    """One time budget for the whole match, with an increment or a delay in each turn."""

    ms: Annotated[int, Meta(ge=SECOND_MS, le=7 * DAY_MS)]
    increment_ms: Annotated[int, Meta(ge=0, le=HOUR_MS)] = 0
    """Milliseconds added whenever the turn passes on."""
    delay_ms: Annotated[int, Meta(ge=0, le=HOUR_MS)] = 0
    delay: DelayMode = "simple"


class MoveTime(Struct, frozen=True, tag="move", omit_defaults=True, forbid_unknown_fields=True):
    """A fixed time for each action."""

    ms: Annotated[int, Meta(ge=SECOND_MS, le=DAY_MS)]


class CorrespondenceTime(
    Struct, frozen=True, tag="correspondence", omit_defaults=True, forbid_unknown_fields=True
):
    """A number of days for each action, which also pass while the service is down."""

    days: Annotated[int, Meta(ge=1, le=366)]


TimeControl = TimeBudget | MoveTime | CorrespondenceTime


class SeatClock(Struct, frozen=True, array_like=True):
    """The time that a seat has left."""

    left_ms: int
    spent_ms: int = 0
    """Milliseconds used in the present turn, delays included."""


class Clocks(Struct, frozen=True):
    """The clocks of a match after an event."""

    at: datetime
    """Time of that event, in whole milliseconds and never before that of the event before it."""
    times: dict[str, SeatClock]
    """The time left to each seat that has a clock."""
    running: tuple[str, ...] = ()
    """The seats whose clocks run from then on."""
    engaged: tuple[str, ...] = ()
    """The seats whose turn it is. Some of their clocks may be stopped, while dice are rolled or a
    dispute is open."""


class FlagFall(Struct, frozen=True, order=True):
    """The time at which a seat's clock reaches a mark, such as zero, if nothing happens before."""

    at: datetime
    seat: str


def truncate_to_ms(at: datetime) -> datetime:
    """Return a time truncated to whole milliseconds.

    >>> truncate_to_ms(datetime(2026, 1, 1, 12, 0, 0, 123_999)).microsecond
    123000
    """
    return at.replace(microsecond=at.microsecond // 1_000 * 1_000)


def initial_ms(clock: TimeControl) -> int:
    """Return the milliseconds that a seat has at first.

    >>> initial_ms(CorrespondenceTime(3))
    259200000
    """
    return clock.days * DAY_MS if isinstance(clock, CorrespondenceTime) else clock.ms


def start_clocks(terms: Mapping[str, TimeControl], at: datetime) -> Clocks:
    """Return the clocks of a new match, none of which runs yet."""
    return Clocks(
        truncate_to_ms(at), {seat: SeatClock(initial_ms(each)) for seat, each in terms.items()}
    )


def deduct_elapsed(
    clocks: Clocks,
    terms: Mapping[str, TimeControl],
    at: datetime,
    away_since: datetime | None = None,
) -> Clocks:
    """Return the clocks at a later time, with the elapsed time deducted from those that run.

    Args:
        clocks: The clocks before.
        terms: The time control of each seat that has one.
        at: The later time.
        away_since: When the service went down; from then on only correspondence clocks ran.
    """
    now = max(clocks.at, truncate_to_ms(at))
    times = dict(clocks.times)
    for seat in clocks.running:
        until = now
        if away_since is not None and not isinstance(terms[seat], CorrespondenceTime):
            until = min(now, max(clocks.at, truncate_to_ms(away_since)))
        times[seat] = _deduct(times[seat], terms[seat], (until - clocks.at) // MS)
    return replace(clocks, at=now, times=times)


def _deduct(time: SeatClock, clock: TimeControl, elapsed_ms: int) -> SeatClock:
    cost = max(0, elapsed_ms - _remaining_delay_ms(time, clock))
    return SeatClock(max(0, time.left_ms - cost), time.spent_ms + elapsed_ms)


def _remaining_delay_ms(time: SeatClock, clock: TimeControl) -> int:
    """Return the milliseconds of delay that are left before the clock runs."""
    if isinstance(clock, TimeBudget) and clock.delay == "simple":
        return max(0, clock.delay_ms - time.spent_ms)
    return 0


def remaining_delay_ms(clocks: Clocks, terms: Mapping[str, TimeControl], seat: str) -> int:
    """Return the milliseconds of delay that are left before a seat's clock runs."""
    return _remaining_delay_ms(clocks.times[seat], terms[seat])


def switch_clocks(
    clocks: Clocks,
    terms: Mapping[str, TimeControl],
    turn: Iterable[Prompt],
    actor: str,
    *,
    paused: bool,
) -> Clocks:
    """Return the clocks with those of the prompted seats running.

    While only chance has a prompt, no clock runs, and the turn continues.

    Args:
        clocks: The clocks before.
        terms: The time control of each seat that has one.
        turn: The prompts of the game.
        actor: The seat that acted, or an empty text.
        paused: Whether a dispute pauses the match.
    """
    prompts = [*turn]
    if not prompts:
        return replace(clocks, running=(), engaged=())
    prompted = {prompt.seat for prompt in prompts if not prompt.is_chance}
    waiting = (
        {prompt.seat for prompt in prompts if prompt.is_chance} if prompted else {*clocks.times}
    )
    engaged = prompted | (waiting & {*clocks.engaged})
    times = {}
    for seat, time in clocks.times.items():
        if seat in clocks.engaged and seat not in engaged:
            times[seat] = _time_after_turn(time, terms[seat])
        elif seat == actor and not isinstance(terms[seat], TimeBudget):
            times[seat] = SeatClock(initial_ms(terms[seat]))
        else:
            times[seat] = time
    return replace(
        clocks,
        times=times,
        running=() if paused else tuple(seat for seat in times if seat in prompted),
        engaged=tuple(seat for seat in times if seat in engaged),
    )


def _time_after_turn(time: SeatClock, clock: TimeControl) -> SeatClock:
    """Return the time that a seat has once the turn has passed on."""
    if not isinstance(clock, TimeBudget):
        return SeatClock(initial_ms(clock))
    back = min(time.spent_ms, clock.delay_ms) if clock.delay == "bronstein" else 0
    return SeatClock(time.left_ms + clock.increment_ms + back)


def first_flag_fall(clocks: Clocks | None, terms: Mapping[str, TimeControl]) -> FlagFall | None:
    """Return the first flag fall among the clocks that run, or None if none runs.

    Of two flags that fall at the same time, the one of the seat that comes first counts.
    """
    if clocks is None:
        return None
    flags = [
        FlagFall(clocks.at + MS * (time.left_ms + _remaining_delay_ms(time, terms[seat])), seat)
        for seat in clocks.running
        for time in (clocks.times[seat],)
    ]
    return min(flags, key=lambda flag: flag.at, default=None)


def low_time_ms(clock: TimeControl) -> int:
    """Return the milliseconds below which a seat's time is low, or 0 if it never is.

    It is a tenth of the initial time, but at least ten seconds and at most a day.

    >>> [low_time_ms(each) for each in (TimeBudget(600_000), MoveTime(30_000), MoveTime(5_000))]
    [60000, 10000, 0]
    """
    low = min(max(initial_ms(clock) // 10, MIN_LOW_TIME_MS), DAY_MS)
    return low if low < initial_ms(clock) else 0


def due_low_time_warnings(
    clocks: Clocks | None, terms: Mapping[str, TimeControl]
) -> tuple[FlagFall, ...]:
    """Return when each clock that runs and is not low yet becomes low."""
    if clocks is None:
        return ()
    left = {seat: clocks.times[seat].left_ms for seat in clocks.running}
    return tuple(
        FlagFall(clocks.at + MS * (remaining_delay_ms(clocks, terms, seat) + ms - low), seat)
        for seat, ms in left.items()
        if 0 < (low := low_time_ms(terms[seat])) < ms
    )


def is_paused_by_downtime(clocks: Clocks | None, terms: Mapping[str, TimeControl]) -> bool:
    """Return whether a clock runs that is stopped while the service is down."""
    return clocks is not None and any(
        not isinstance(terms[seat], CorrespondenceTime) for seat in clocks.running
    )


def restore_clocks(then: Clocks, at: datetime) -> Clocks:
    """Return clocks as they were at an earlier version, restarted at another time."""
    return replace(then, at=truncate_to_ms(at))
