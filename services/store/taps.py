"""Taps in the log: those that an action names, and those of a table in order."""

from collections.abc import Iterator
from itertools import islice
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.log.digests import GENESIS
from domain.log.origin import Taps
from domain.log.sealed_events import SealedEvent
from domain.table import Event, TapTaken
from services.store.log import Log

WINDOW: Final = 1000
"""Events of a table that are looked at for one page of taps: so its cost has a bound."""


class NamedTap(Struct, frozen=True):
    """A tap that an action names, with what it takes to compute its digest anew."""

    version: int
    sealed: SealedEvent[TapTaken]
    previous: str
    """The digest of the table's event before it."""


def next_events(log: Log, table: UUID, after: int) -> tuple[list[Event], int]:
    """The next events of a table after a version, `WINDOW` at most, and the version of the last of
    them if there may be more, else 0. Blocks on the disk."""
    events = [each.event for each in islice(log.table_events(table, after=after), WINDOW)]
    return events, events[-1].version if len(events) == WINDOW else 0


def named_taps(log: Log, match: UUID, taps: Taps) -> Iterator[NamedTap]:
    """The taps that an action of a match names, as far as this log has them. Blocks on the disk.

    An action that was taken in from elsewhere names taps of a table that is not here; what it says
    of a table that is, is not believed: taps of other matches are left out.
    """
    for version in taps.versions:
        found = list(log.table_events(taps.table, after=max(version - 2, 0), until=version))
        if not found or found[-1].event.version != version:
            continue
        tap, previous = found[-1], found[0].digest if version > 1 else GENESIS
        if isinstance(tap.event, TapTaken) and _is_named(tap.event, match, taps):
            yield NamedTap(version, SealedEvent(tap.event, tap.digest, tap.body), previous)


def _is_named(tap: TapTaken, match: UUID, taps: Taps) -> bool:
    return (tap.match, tap.gateway, tap.stylus) == (match, taps.gateway, taps.stylus)
