"""Rows of notices to players of frontends: turns, proposals, results and invitations.

The number of a notice is made from the turn of its event (see `schema.py`). So a rebuild does not
change it, and a caller can ask for the notices after one.
"""

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

from domain.match import (
    AnyMatch,
    DisputeRaised,
    Event,
    MatchCancelled,
    SeatClaimed,
    VerdictGiven,
)
from domain.player import ClockRanLow, PlayerInvited
from projections.projector.schema import insert
from projections.queries.proposals import open_proposal

NoticeKind = Literal[
    "your-turn",
    "player-joined",
    "undo-proposed",
    "redo-proposed",
    "draw-proposed",
    "dispute-created",
    "dispute-resolved",
    "match-ended",
    "low-time",
    "match-started",
    "rematch-proposed",
    "invited",
    "match-cancelled",
    "match-expired",
]
PROPOSAL_KINDS: Final[dict[str, NoticeKind]] = {
    "undo": "undo-proposed",
    "redo": "redo-proposed",
    "draw": "draw-proposed",
}
NUMBERS_PER_TURN: Final = 64
"""Numbers that are reserved for the notices of each turn."""
TURN_OFFSET: Final = 2**40
"""The offset that is added to each turn. Earlier releases made numbers from positions in the log,
which are all smaller: a caller that returns with an old number misses no notice."""


def turn_position(turn: int) -> int:
    """Return the position in lists of matches and notices that belongs to a turn."""
    return TURN_OFFSET + turn


FIRST_UNSEATED_NUMBER: Final = 32
"""The first of a turn's numbers for notices to players without a seat in the match."""
_SELECT_NUMBER: Final = "SELECT number FROM matches WHERE match = ?"
_SELECT_HOLDERS: Final = (
    "SELECT s.seat, s.holder, a.frontend FROM matches m JOIN seats s ON s.match = m.number"
    " JOIN accounts a ON a.identity = s.holder WHERE m.match = ? AND a.frontend IS NOT NULL"
    " ORDER BY s.seat"
)
_INSERT_NOTICES: Final = ("INSERT INTO notices VALUES ", 11, "")


class SeatNotice(NamedTuple):
    """A notice to the holder of a seat."""

    seat: str
    kind: NoticeKind
    winners: tuple[str, ...] | None = None
    """The seats that won; None if the match did not end."""
    actor: str | None = None
    """Who canceled the match: the ID of a player, a seat or another role."""


def seat_notices(before: AnyMatch | None, event: Event, after: AnyMatch) -> Iterator[SeatNotice]:
    """Yield the notices of an event to the seats that have a holder, in the order of the seats.

    The numbers of notices depend on this order, and callers store them. So new kinds of notices
    must come last.
    """
    asked = {ask.seat for ask in after.prompts}
    if before is not None:
        held = {seat for seat in before.holders if before.holders[seat] == after.holders.get(seat)}
        asked -= {prompt.seat for prompt in before.prompts} & held
    proposal, known = open_proposal(after), open_proposal(before) if before else None
    seats = [seat for seat in after.seats if seat in after.holders]
    for seat in seats:
        if isinstance(event, SeatClaimed) and seat != event.seat:
            yield SeatNotice(seat, "player-joined")
        if isinstance(event, DisputeRaised) and seat != event.seat:
            yield SeatNotice(seat, "dispute-created")
        if isinstance(event, VerdictGiven):
            yield SeatNotice(seat, "dispute-resolved")
        if proposal and known is None and seat in proposal.made.awaiting:
            yield SeatNotice(seat, PROPOSAL_KINDS[proposal.kind])
        if seat in asked:
            yield SeatNotice(seat, "your-turn")
        if after.result is not None and (before is None or before.result is None):
            yield SeatNotice(seat, "match-ended", after.result.winners)
    if before is not None and before.waiting and not after.waiting:
        yield from (SeatNotice(seat, "match-started") for seat in seats)
    if isinstance(event, MatchCancelled):
        kind: NoticeKind = "match-expired" if event.expired else "match-cancelled"
        others = [seat for seat in seats if not _has_cancelled(event, after, seat)]
        yield from (SeatNotice(seat, kind, None, _actor(event)) for seat in others)


def _has_cancelled(event: MatchCancelled, match: AnyMatch, seat: str) -> bool:
    """Return whether the holder of a seat canceled the match, and so gets no notice."""
    if event.by_player is not None:
        return match.holders[seat].id == event.by_player
    return event.by == seat


def is_rematch_proposal(before: AnyMatch | None, event: Event, after: AnyMatch) -> bool:
    """Return whether an event is the first claim of a seat by a person in a rematch.

    Such a claim proposes the rematch to the other players of the original match.
    """
    return (
        isinstance(event, SeatClaimed)
        and after.terms.rematch is not None
        and not event.bot
        and not any(not holder.bot for holder in (before.holders.values() if before else ()))
    )


class _PendingNotice(NamedTuple):
    """A notice whose row depends on other rows of its batch."""

    turn: int
    place: int
    event: Any
    home: UUID | None = None
    """The frontend of the player."""
    original: UUID | None = None
    """The original match, if the notice proposes a rematch."""
    number: int = 0
    """The number of the match in the tables."""
    seats: tuple[str, ...] = ()
    """The seats of the match, in order of play."""


class NoticeRows:
    """Collects and writes the notices of a batch. Not thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: list[tuple[Any, ...]] = []
        self._pending: list[_PendingNotice] = []

    def add_match_notices(
        self,
        where: tuple[int, int],
        homes: dict[UUID, UUID],
        folded: tuple[AnyMatch | None, Event, AnyMatch],
        number: int,
    ) -> None:
        """Collect the notices of an event of a match.

        Args:
            where: The turn of the event, and its position in the log.
            homes: The frontend of each player.
            folded: The match before the event, the event, and the match after it.
            number: The number of the match in the tables.
        """
        turn, place = where
        _, event, after = folded
        first = turn_position(turn) * NUMBERS_PER_TURN
        for nth, notice in enumerate(seat_notices(*folded)):
            player = after.holders[notice.seat].id
            if player in homes and nth < FIRST_UNSEATED_NUMBER:
                row = _row(first + nth, player, homes[player], number, event.version)
                winners = None if notice.winners is None else " ".join(notice.winners)
                said = (notice.kind, notice.seat, _text(event.at), place, winners, notice.actor)
                self._rows.append((*row, *said))
        if is_rematch_proposal(*folded):
            original, seats = after.terms.rematch, after.seats
            self._pending.append(_PendingNotice(turn, place, event, None, original, number, seats))

    def add_player_notice(
        self, turn: int, place: int, home: UUID, event: ClockRanLow | PlayerInvited
    ) -> None:
        """Collect the notice of an event of a player.

        Args:
            turn: The turn of the event.
            place: The position of the event in the log.
            home: The frontend of the player.
            event: The event.
        """
        self._pending.append(_PendingNotice(turn, place, event, home))

    def recipients(self) -> set[UUID]:
        """Return the players with notices in a written batch, and their frontends."""
        return {UUID(name) for row in self._rows for name in row[1:3]}

    def write(self) -> None:
        """Write the rows of the batch. The rows of matches, seats and accounts must come before."""
        for each in self._pending:
            self._rows += (
                self._rematch_notice_rows(each) if each.original else self._seat_notice_rows(each)
            )
        insert(self._connection, _INSERT_NOTICES, self._rows)

    def _seat_notice_rows(self, each: _PendingNotice) -> Iterator[tuple[Any, ...]]:
        """Yield the row of a notice to one player, if the read models have its match."""
        event, number = each.event, turn_position(each.turn) * NUMBERS_PER_TURN
        kind = "low-time" if isinstance(event, ClockRanLow) else "invited"
        for (match,) in self._connection.execute(_SELECT_NUMBER, (str(event.match),)).fetchall():
            row = _row(number, event.player, each.home, match, event.match_version)
            actor = _actor(event) if isinstance(event, PlayerInvited) else None
            yield *row, kind, event.seat, _text(event.at), each.place, None, actor

    def _rematch_notice_rows(self, each: _PendingNotice) -> Iterator[tuple[Any, ...]]:
        """Yield a row for each player of the original match who did not propose the rematch.

        The row has the player's seat in the rematch: seats rotate by one.
        """
        event, first = (
            each.event,
            turn_position(each.turn) * NUMBERS_PER_TURN + FIRST_UNSEATED_NUMBER,
        )
        rows = self._connection.execute(_SELECT_HOLDERS, (str(each.original),)).fetchall()
        turned = dict(zip(each.seats, (*each.seats[1:], *each.seats[:1]), strict=True))
        for nth, (before, player, home) in enumerate(rows):
            seat = turned.get(before)
            if seat not in (None, event.seat):
                row = _row(first + nth, player, home, each.number, event.version)
                yield *row, "rematch-proposed", seat, _text(event.at), each.place, None, None

    def reset(self) -> None:
        """Drop the batch, after a commit or a rollback."""
        self._rows, self._pending = [], []


def _row(
    number: int, player: object, home: object, match: int, version: int
) -> tuple[int, str, str, int, int]:
    return number, str(player), str(home), match, version


def _actor(event: MatchCancelled | PlayerInvited) -> str | None:
    """Return who caused an event: the ID of a player, a seat or another role."""
    return str(event.by_player) if event.by_player else (event.by or None)


def _text(at: datetime) -> str:
    return at.isoformat()
