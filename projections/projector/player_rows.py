"""Rows about players: accounts, seats, results and notices."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol
from uuid import UUID

import structlog
from eventsourcing.persistence import Notification

from domain.log.sealed_events import SealedEvent
from domain.match import ActionTaken, AnyMatch, Event, MatchUpdated
from domain.player import ClockRanLow, PlayerInvited
from projections.projector import result_rows
from projections.projector.account_rows import AccountRows
from projections.projector.notice_rows import NoticeRows
from projections.projector.result_rows import ResultChange
from projections.projector.schema import insert
from projections.queries.full_text import fold_case
from projections.queries.projection_errors import UNREADABLE_ERRORS

_LOG: Final = structlog.get_logger("emeth.projections")

UPSERT_SEATS: Final = (
    "INSERT INTO seats VALUES ",
    8,
    " ON CONFLICT (match, seat) DO UPDATE SET player = excluded.player,"
    " folded_name = excluded.folded_name, holder = excluded.holder, asked = excluded.asked,"
    " outcome = excluded.outcome, bot = excluded.bot",
)
INSERT_PLAYERS: Final = ("INSERT INTO players (folded_name) VALUES ", 1, " ON CONFLICT DO NOTHING")


def has_players(match: AnyMatch) -> bool:
    """Return whether a player of a frontend holds a seat: such players list whose turn it is."""
    return any(holder.id is not None for holder in match.holders.values())


def seat_rows(number: int, match: AnyMatch) -> list[tuple[Any, ...]]:
    """Return a row for each seat of a match.

    If the game fails to compute the prompts, no seat is marked as prompted: one match must not
    stop the projector for all others.

    Args:
        number: The number of the match in the tables.
        match: The match after the batch.
    """
    try:
        asked = {prompt.seat for prompt in match.prompts} if has_players(match) else set()
    except UNREADABLE_ERRORS as error:
        _LOG.error("asks_not_known", match=str(match.id), error=repr(error))
        asked = set()
    if match.proposal is not None and match.result is None:
        asked |= {*match.proposal.awaiting}
    return [_seat_row(number, match, seat, asked) for seat in match.seats]


def seat_names(seats: Iterable[tuple[Any, ...]]) -> list[tuple[str]]:
    """Return the folded names in rows of seats, as rows of the table `players`."""
    return [(row[3],) for row in seats if row[3]]


def _seat_row(number: int, match: AnyMatch, seat: str, asked: set[str]) -> tuple[Any, ...]:
    holder = match.holders.get(seat)
    player = (holder.player or None) if holder else None
    name = fold_case(player) if player else None
    own = str(holder.id) if holder and holder.id else None
    last = (_outcome(match, seat), (holder.bot or None) if holder else None)
    if own is None:
        return number, seat, player, name, None, 0, *last
    return number, seat, None, None, own, int(seat in asked), *last


def _outcome(match: AnyMatch, seat: str) -> str | None:
    """Return how the match ended for a seat, or None while it is in progress."""
    if match.result is None:
        return None
    if not match.result.winners:
        return "drawn"
    return "won" if seat in match.result.winners else "lost"


class ProjectedMatch(Protocol):
    """A match that a batch changes, in its state after the batch."""

    @property
    def number(self) -> int:
        """The number of the match in the tables."""

    @property
    def match(self) -> AnyMatch:
        """The match after the batch."""


class PlayerRows:
    """Collects and writes the rows about players of one batch. Not thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._accounts = AccountRows(connection)
        self._notices = NoticeRows(connection)
        self._seat_changes: set[UUID] = set()
        """Matches whose seat holders or prompts may have changed."""
        self._result_changes: dict[UUID, ResultChange] = {}
        """Matches that ended, or that were resumed after their end."""
        self._visibility_changes: set[UUID] = set()
        """Matches whose visibility may have changed."""

    def fold(self, sealed: SealedEvent[Any], notification: Notification, turn: int) -> None:
        """Fold an event of an account.

        Raises:
            ValueError: The event is not the next one of its account.
        """
        self._accounts.fold(sealed, notification)
        if isinstance(event := sealed.event, ClockRanLow | PlayerInvited):
            home = self._accounts.frontends_of({event.player})[event.player]
            self._notices.add_player_notice(turn, notification.id, home, event)

    def add_match_event(
        self,
        before: AnyMatch | None,
        sealed: SealedEvent[Event],
        match: AnyMatch,
        number: int,
        place: int,
        turn: int,
    ) -> None:
        """Collect what an event of a match changes for players.

        Args:
            before: The match before the event; None for the first event.
            sealed: The event.
            match: The match after the event.
            number: The number of the match in the tables.
            place: The log's number of the event.
            turn: The turn of the event.
        """
        event = sealed.event
        self._accounts.count_event(before, match, len(sealed.body))
        players = {each.id for each in match.holders.values() if each.id is not None}
        if players or match.terms.rematch is not None:
            homes = self._accounts.frontends_of(players)
            self._notices.add_match_notices((turn, place), homes, (before, event, match), number)
        if (ended := result_rows.result_change(before, event, match)) is not None:
            self._result_changes[match.id] = ended
        if isinstance(event, MatchUpdated):
            self._visibility_changes.add(match.id)
        if players or ended is not None or not isinstance(event, ActionTaken):
            self._seat_changes.add(match.id)

    def add_bytes(self, owner: UUID, size: int) -> None:
        """Add a number of bytes to the usage of a frontend."""
        self._accounts.add_bytes(owner, size)

    def changed_versions(self) -> dict[UUID, int]:
        """Return the versions of the accounts in a written batch.

        Accounts that only have notices have the version 0.
        """
        return dict.fromkeys(self._notices.recipients(), 0) | self._accounts.versions()

    def write(self, touched: Mapping[UUID, ProjectedMatch]) -> None:
        """Write the rows of the batch. The rows of matches and events must be written before."""
        connection = self._connection
        seated = [live for name, live in touched.items() if name in self._seat_changes]
        rows = [row for live in seated for row in seat_rows(live.number, live.match)]
        insert(connection, UPSERT_SEATS, rows)
        insert(connection, INSERT_PLAYERS, seat_names(rows))
        for name, ended in self._result_changes.items():
            _write_result(connection, touched[name], ended)
        for name in self._visibility_changes:
            result_rows.update_visibility(connection, touched[name].number, touched[name].match)
        self._accounts.write()
        self._notices.write()

    def reset(self) -> None:
        """Drop what was collected, after a commit or a rollback."""
        self._seat_changes = set()
        self._result_changes = {}
        self._visibility_changes = set()
        self._accounts.reset()
        self._notices.reset()


def _write_result(
    connection: sqlite3.Connection, live: ProjectedMatch, ended: ResultChange
) -> None:
    """Write the result of a match. A match whose actions cannot be read has no result rows."""
    try:
        result_rows.write(connection, live.number, live.match, ended)
    except UNREADABLE_ERRORS as error:
        _LOG.error("ending_not_counted", match=str(live.match.id), error=repr(error))
        result_rows.write(connection, live.number, live.match, ResultChange(None))
