"""The line of a match and its branches: which versions lead to which."""

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
    """Return whether this version leads to the present one."""
    return any(version in version_range for version_range in line(match))


def branch_point(match: AnyMatch, version: int) -> int:
    """Return the last version that leads both to this version and to the present one."""
    last = 1
    for present, other in zip(line(match), line(match, version), strict=False):
        if present.start != other.start:
            break
        last = min(present.stop, other.stop) - 1
        if present.stop != other.stop:
            break
    return last


def branch_ranges(match: AnyMatch, version: int) -> tuple[range, ...]:
    """Return the ranges of versions that lead to this version, but not to the present one."""
    return _ranges_after(line(match, version), branch_point(match, version))


def moved_ranges(match: AnyMatch, to: int) -> tuple[range, ...]:
    """Return the ranges of versions that change if the line continues from `to`.

    Those that are undone come first, then those that are redone.
    """
    shared = branch_point(match, to)
    return (*_ranges_after(line(match), shared), *_ranges_after(line(match, to), shared))


def _ranges_after(ranges: tuple[range, ...], version: int) -> tuple[range, ...]:
    later = [range(max(each.start, version + 1), each.stop) for each in ranges]
    return tuple(filter(None, later))


def target_version(event: Event | ActionEffects[Any]) -> int | None:
    """Return the version from which this event continues the line, or None."""
    return event.to if isinstance(event, LineContinued | VerdictGiven) else None


def is_play(event: Event) -> bool:
    """Return whether an event changed the position or the result."""
    if isinstance(event, VerdictGiven):
        return event.verdict != "upheld"
    return isinstance(event, ActionTaken | PlayerResigned | FlagFell | DrawAnswered)


def branch_heads(match: AnyMatch) -> Iterator[int]:
    """Yield the last version of each undone branch, the one undone last first.

    A version that leads to a branch before it, or to the present, is no branch of its own.
    """
    covered = {version for version_range in line(match) for version in version_range}
    for jump in reversed(match.details.jumps):
        head = jump.at - 1
        if head in covered:
            continue
        for version_range in reversed(line(match, head)):
            if version_range.stop - 1 in covered:
                break
            covered.update(version_range)
        yield head


def last_action(seat: str, backwards: Iterable[Event]) -> int | None:
    """Return the version of this seat's last action in events from last to first."""
    return next((event.version for event in backwards if _is_own_act(seat, event)), None)


def turn_start(
    match: AnyMatch, seat: str, backwards: Iterable[Event], *, whole: bool
) -> int | None:
    """Return the version of the first action in the seat's last turn, or None.

    A turn is a run of the seat's actions that no other seat interrupts.

    Args:
        match: The match.
        seat: The seat.
        backwards: Events, from the last to the first.
        whole: Whether they reach the first event; else None may mean that the turn began before.
    """
    first = None
    for event in backwards:
        if _is_own_act(seat, event):
            first = event.version
        elif first is not None and any(_is_own_act(other, event) for other in match.seats):
            return first
    return first if whole else None


def _is_own_act(seat: str, event: Event) -> bool:
    """Return whether this seat acted by its own decision, not by a draw of the service."""
    if isinstance(event, ActionTaken):
        return event.seat == seat and event.draw is None
    return isinstance(event, PlayerResigned) and event.seat == seat
