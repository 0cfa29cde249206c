"""The line and its branches: which versions lead to which, and where two lines part."""

from collections.abc import Iterable, Iterator
from typing import Any

from domain.match.events import (
    ActionEffects,
    ActionTaken,
    DrawAnswered,
    Event,
    FlagFell,
    LineContinued,
    PlayerResigned,
    VerdictGiven,
)
from domain.match.state import AnyMatch, line


def is_in_mainline(match: AnyMatch, version: int) -> bool:
    """Does this version lead to the present one?"""
    return any(version in stretch for stretch in line(match))


def branch_point(match: AnyMatch, version: int) -> int:
    """The last version that leads both to this one and to the present one."""
    last = 1
    for present, other in zip(line(match), line(match, version), strict=False):
        if present.start != other.start:
            break
        last = min(present.stop, other.stop) - 1
        if present.stop != other.stop:
            break
    return last


def branch_ranges(match: AnyMatch, version: int) -> tuple[range, ...]:
    """The versions that lead to this one and not to the present, in stretches."""
    return _after(line(match, version), branch_point(match, version))


def moved_ranges(match: AnyMatch, to: int) -> tuple[range, ...]:
    """The versions that are left, and then those that are taken up, when the line goes on from
    `to`: in stretches."""
    shared = branch_point(match, to)
    return (*_after(line(match), shared), *_after(line(match, to), shared))


def _after(stretches: tuple[range, ...], version: int) -> tuple[range, ...]:
    later = [range(max(each.start, version + 1), each.stop) for each in stretches]
    return tuple(filter(None, later))


def target_version(event: Event | ActionEffects[Any]) -> int | None:
    """The version from which the line goes on, if this event moves it."""
    return event.to if isinstance(event, LineContinued | VerdictGiven) else None


def is_play(event: Event) -> bool:
    """Did it change the position, or the result?"""
    if isinstance(event, VerdictGiven):
        return event.verdict != "upheld"
    return isinstance(event, ActionTaken | PlayerResigned | FlagFell | DrawAnswered)


def branch_heads(match: AnyMatch) -> Iterator[int]:
    """The last version of each line that was left since, the one left last first. Each once, and
    none that leads to a line that is listed before it, or to the present."""
    covered = {version for stretch in line(match) for version in stretch}
    for jump in reversed(match.details.jumps):
        head = jump.at - 1
        if head in covered:
            continue
        for stretch in reversed(line(match, head)):
            if stretch.stop - 1 in covered:
                break
            covered.update(stretch)
        yield head


def last_action(seat: str, backwards: Iterable[Event]) -> int | None:
    """The version of the last thing that this seat did, of events from the last to the first."""
    return next((event.version for event in backwards if _did(seat, event)), None)


def turn_start(
    match: AnyMatch, seat: str, backwards: Iterable[Event], *, whole: bool
) -> int | None:
    """The version of the first action of the seat's last turn: of the last run of its actions that
    no other seat's interrupts. `whole` says that the events go back to the first; without it, None
    may also mean that the turn began before them."""
    first = None
    for event in backwards:
        if _did(seat, event):
            first = event.version
        elif first is not None and any(_did(other, event) for other in match.seats):
            return first
    return first if whole else None


def _did(seat: str, event: Event) -> bool:
    """Did this seat do it of its own? What the service draws, it only does in a seat's name."""
    if isinstance(event, ActionTaken):
        return event.seat == seat and event.draw is None
    return isinstance(event, PlayerResigned) and event.seat == seat
