"""Reads of taps from the log: those that an action names, and those of a table in order."""

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
"""Maximum number of table events that are read for one page of taps."""


class NamedTap(Struct, frozen=True):
    """A tap that an action names, with what is needed to verify its digest."""

    version: int
    sealed: SealedEvent[TapTaken]
    previous: str
    """Digest of the table's preceding event."""


def next_events(log: Log, table: UUID, after: int) -> tuple[list[Event], int]:
    """Return the next events of a table, at most `WINDOW`, and where to continue. Blocks.

    Returns:
        The events, and the version of the last if there may be more, else 0.
    """
    events = [each.event for each in islice(log.table_events(table, after=after), WINDOW)]
    return events, events[-1].version if len(events) == WINDOW else 0


def named_taps(log: Log, match: UUID, taps: Taps) -> Iterator[NamedTap]:
    """Yield the taps that an action of a match names, as far as this log has them. Blocks.

    An imported action names taps of a foreign table. Claims about a local table are verified: taps
    of other matches are left out.
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
