"""Rows that are about players, of frontends and others: accounts, seats, endings, notices."""

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
    """Does a frontend's player hold a seat? Their lists tell whose turn it is."""
    return any(holder.id is not None for holder in match.holders.values())


def seat_rows(number: int, match: AnyMatch) -> list[tuple[Any, ...]]:
    """Return a row for each seat of the match that has this number.

    Where its game cannot say who is asked for something, the rows say that nobody is: one match
    must not stop the projector for all others.
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
    """The names in these rows, which are kept once each."""
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
    """How the match ended for a seat; None while it goes on."""
    if match.result is None:
        return None
    if not match.result.winners:
        return "drawn"
    return "won" if seat in match.result.winners else "lost"


class ProjectedMatch(Protocol):
    """A match that a batch changes, as it stands after it."""

    @property
    def number(self) -> int:
        """Its number in the tables."""

    @property
    def match(self) -> AnyMatch:
        """The match."""


class PlayerRows:
    """What a batch changes of players. Not safe for use by two threads at once."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._accounts = AccountRows(connection)
        self._notices = NoticeRows(connection)
        self._seated: set[UUID] = set()
        """Matches of which somebody may hold another seat, or have another turn."""
        self._ended: dict[UUID, ResultChange] = {}
        """Matches that ended, or that go on again."""
        self._updated: set[UUID] = set()
        """Matches that others may see from now on, or not any more."""

    def take(self, sealed: SealedEvent[Any], notification: Notification, turn: int) -> None:
        """Fold an event of an account. ValueError for one that is not its next."""
        self._accounts.take(sealed, notification)
        if isinstance(event := sealed.event, ClockRanLow | PlayerInvited):
            home = self._accounts.homes({event.player})[event.player]
            self._notices.add_player_notice(turn, notification.id, home, event)

    def note(
        self,
        before: AnyMatch | None,
        sealed: SealedEvent[Event],
        match: AnyMatch,
        number: int,
        place: int,
        turn: int,
    ) -> None:
        """Take note of an event of a match that has this number; its own in the log is `place`."""
        event = sealed.event
        self._accounts.note(before, match, len(sealed.body))
        players = {each.id for each in match.holders.values() if each.id is not None}
        if players or match.terms.rematch is not None:
            homes = self._accounts.homes(players)
            self._notices.note((turn, place), homes, (before, event, match), number)
        if (ended := result_rows.result_change(before, event, match)) is not None:
            self._ended[match.id] = ended
        if isinstance(event, MatchUpdated):
            self._updated.add(match.id)
        if players or ended is not None or not isinstance(event, ActionTaken):
            self._seated.add(match.id)

    def charge(self, owner: UUID, size: int) -> None:
        """Count so many bytes to a frontend."""
        self._accounts.charge(owner, size)

    def changed(self) -> dict[UUID, int]:
        """Return the versions of the accounts in the batch, once it is written; 0 for those that
        have notices alone."""
        return dict.fromkeys(self._notices.woken(), 0) | self._accounts.versions()

    def write(self, touched: Mapping[UUID, ProjectedMatch]) -> None:
        """Write the rows of the batch, once the matches and their events are there."""
        connection = self._connection
        seated = [live for name, live in touched.items() if name in self._seated]
        rows = [row for live in seated for row in seat_rows(live.number, live.match)]
        insert(connection, UPSERT_SEATS, rows)
        insert(connection, INSERT_PLAYERS, seat_names(rows))
        for name, ended in self._ended.items():
            _write_result(connection, touched[name], ended)
        for name in self._updated:
            result_rows.update_visibility(connection, touched[name].number, touched[name].match)
        self._accounts.write()
        self._notices.write()

    def forget(self) -> None:
        """Begin another batch: this one is committed, or cannot be."""
        self._seated = set()
        self._ended = {}
        self._updated = set()
        self._accounts.forget()
        self._notices.forget()


def _write_result(
    connection: sqlite3.Connection, live: ProjectedMatch, ended: ResultChange
) -> None:
    """Write how a match ended. One whose actions cannot be written out is not counted."""
    try:
        result_rows.write(connection, live.number, live.match, ended)
    except UNREADABLE_ERRORS as error:
        _LOG.error("ending_not_counted", match=str(live.match.id), error=repr(error))
        result_rows.write(connection, live.number, live.match, ResultChange(None))
