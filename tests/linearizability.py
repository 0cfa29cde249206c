"""Checks that what several clients did to one log at once could have been done one by one.

There is no kept checker for Python, and none is needed: in general one has to search all orders,
but the versions that a log gives out say in which order everything was done. What is left to ask is
whether that order contradicts the clock: nothing may come before what had ended when it began. This
is Herlihy and Wing's definition, for an object with these two operations:

- an append makes the log one longer, and receives its version;
- a look receives the version of the last append.

An append without an answer may have happened at any time since it began, or never.
"""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple


class Operation(NamedTuple):
    """An operation that somebody did."""

    began: float
    ended: float
    """Infinite if there was no answer."""
    version: int
    """Of the append, or the version that a look returned."""
    looks: bool = False

    @property
    def place(self) -> tuple[int, bool]:
        """Where it stands in the order of the log: a look is after the append that it saw."""
        return self.version, self.looks


class Anomaly(NamedTuple):
    """Two operations that cannot have been done in the order of the log."""

    first: Operation
    """By its version it came first, and it began when the other had ended."""
    then: Operation


def find_anomaly(history: Iterable[Operation]) -> Anomaly | None:
    """Two operations that show that a history is not linearizable; None if it is.

    ValueError for two appends with one version: no log has that.
    """
    done = sorted(history, key=lambda each: each.place)
    versions = [each.version for each in done if not each.looks]
    if len(versions) != len(set(versions)):
        raise ValueError("two appends were told the same version")
    latest: Operation | None = None  # which began last, of all that stand before
    waiting: Operation | None = None  # the same of those in one place, whose order is free
    place = (-1, False)
    for each in done:
        if each.place != place:
            latest, waiting, place = _later(latest, waiting), None, each.place
        if latest is not None and each.ended < latest.began:
            return Anomaly(latest, each)
        waiting = _later(waiting, each)
    return None


def unacknowledged(version: int, began: float) -> Operation:
    """An append that is in the log although it had no answer."""
    return Operation(began, inf, version)


def _later(one: Operation | None, other: Operation | None) -> Operation | None:
    if one is None or other is None:
        return one or other
    return one if one.began >= other.began else other
