"""Rows of what players of frontends are told: whose turn it is, what is asked, how a match ended.

A notice is known by a number that is made of the turn of its event (`schema.py`), so it is the same
after every rebuild, and who has seen one knows which come after it.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from domain.accounts.player import ClockRanLow
from domain.match import AnyMatch, DisputeRaised, Event, SeatClaimed, VerdictGiven
from projections.following.schema import insert
from projections.pending_requests import pending_request

NoticeKind = Literal[
    "your-turn",
    "seat-claimed",
    "undo-asked",
    "redo-asked",
    "draw-offered",
    "dispute-raised",
    "verdict-given",
    "match-over",
    "clock-low",
]
ASKED: Final[dict[str, NoticeKind]] = {
    "undo": "undo-asked",
    "redo": "redo-asked",
    "draw": "draw-offered",
}
PER_EVENT: Final = 64
"""Numbers that each turn has for its notices."""
BEYOND_PLACES: Final = 2**40
"""What is added to each turn. Earlier versions made numbers of places in the log: all of those are
smaller, so that who comes back with one misses nothing."""


def after_turn(turn: int) -> int:
    """Return the number by which callers know how far a list of matches has come."""
    return BEYOND_PLACES + turn


_NUMBER: Final = "SELECT number FROM matches WHERE match = ?"
_NOTICES: Final = ("INSERT INTO notices VALUES ", 9, "")


class Told(NamedTuple):
    """What the holder of a seat is told of an event."""

    seat: str
    kind: NoticeKind


def told(before: AnyMatch | None, event: Event, after: AnyMatch) -> Iterator[Told]:
    """What an event is to each seat that is held, in the order of the seats."""
    asked = {prompt.seat for prompt in after.prompts}
    if before is not None:
        held = {seat for seat in before.holders if before.holders[seat] == after.holders.get(seat)}
        asked -= {prompt.seat for prompt in before.prompts} & held
    request, known = pending_request(after), pending_request(before) if before else None
    for seat in (seat for seat in after.seats if seat in after.holders):
        if isinstance(event, SeatClaimed) and seat != event.seat:
            yield Told(seat, "seat-claimed")
        if isinstance(event, DisputeRaised) and seat != event.seat:
            yield Told(seat, "dispute-raised")
        if isinstance(event, VerdictGiven):
            yield Told(seat, "verdict-given")
        if request and request != known and known is None and seat in request.asked.awaiting:
            yield Told(seat, ASKED[request.kind])
        if seat in asked:
            yield Told(seat, "your-turn")
        if after.result is not None and (before is None or before.result is None):
            yield Told(seat, "match-over")


class NoticeRows:
    """The notices of a batch. Not safe for use by two threads at once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: list[tuple[Any, ...]] = []
        self._low: list[tuple[int, int, UUID, ClockRanLow]] = []

    def note(
        self, where: tuple[int, int], homes: dict[UUID, UUID], told_of: Any, number: int
    ) -> None:
        """Keep what players are told of the event of this turn and place in the log. `homes` has
        the frontend of each player."""
        turn, place = where
        before, event, after = told_of
        for nth, (seat, kind) in enumerate(told(before, event, after)):
            player = after.holders[seat].id
            if player in homes and nth < PER_EVENT:
                self._rows.append(
                    (
                        after_turn(turn) * PER_EVENT + nth,
                        str(player),
                        str(homes[player]),
                        number,
                        event.version,
                        kind,
                        seat,
                        event.at.isoformat(),
                        place,
                    )
                )

    def note_low(self, turn: int, place: int, home: UUID, event: ClockRanLow) -> None:
        """Keep what this event tells its player, of this frontend."""
        self._low.append((after_turn(turn) * PER_EVENT, place, home, event))

    def woken(self) -> set[UUID]:
        """The players that are told anything in the batch, and their frontends."""
        told = {UUID(name) for row in self._rows for name in row[1:3]}
        return told | {name for *_, home, event in self._low for name in (home, event.player)}

    def write(self) -> None:
        """Write the rows of the batch, once its matches are there."""
        low = [row for each in self._low for row in self._row(*each)]
        insert(self._connection, _NOTICES, self._rows + low)

    def _row(
        self, number: int, place: int, home: UUID, event: ClockRanLow
    ) -> Iterator[tuple[Any, ...]]:
        """The row of a low clock; none if its match cannot be read."""
        for (match,) in self._connection.execute(_NUMBER, (str(event.match),)).fetchall():
            whom, version, at = str(event.player), event.match_version, event.at.isoformat()
            yield number, whom, str(home), match, version, "clock-low", event.seat, at, place

    def forget(self) -> None:
        """Begin another batch."""
        self._rows, self._low = [], []
