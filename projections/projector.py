"""Folds the log into one read file: rows and tracking position in one transaction.

This runs in the service's process, beside its event loop, for every event there is, so it does
little: it applies facts, and writes the event with the position after it. Scenes, sentences and
notations are made when somebody asks for them.

Python's interpreter lock changes hands at every step of an SQLite statement, and a thread that
gave it away may wait milliseconds for it. So many rows are one statement here, never one each.
"""

import sqlite3
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from eventsourcing.persistence import MapperDeserialisationError, Notification
from msgspec import Struct

from domain.aggregates import MatchMapper
from domain.digests import digest
from domain.kernel.game import Result
from domain.match import (
    ActionTaken,
    AnyMatch,
    Event,
    Holder,
    Match,
    MatchCreated,
    Sealed,
    evolve,
)
from domain.registry import GAMES
from projections import schema
from projections.seen import player_of

_LOG: Final = structlog.get_logger("emeth.projections")

POISON: Final = (
    MapperDeserialisationError,
    msgspec.MsgspecError,
    zlib.error,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What decoding and folding an event may raise when the event is not what it should be."""

_EVENTS: Final = ("INSERT INTO events VALUES ", 6, "")
_SEATS: Final = (
    "INSERT INTO seats VALUES ",
    4,
    " ON CONFLICT (match, seat) DO UPDATE SET player = excluded.player",
)
_MATCHES: Final = (
    "INSERT INTO matches VALUES ",
    14,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version, updated = excluded.updated,"
    " last_event = excluded.last_event, status = excluded.status,"
    " open_seats = excluded.open_seats, has_open_seat = excluded.has_open_seat,"
    " result = excluded.result",
)
_TROUBLES: Final = ("INSERT INTO troubles VALUES ", 3, "")
_LARGEST: Final = 256
"""Rows in one statement, at most."""


class _Live(Struct, frozen=True):
    """A match as it stands, and what its rows need."""

    number: int
    match: AnyMatch
    options: str
    position: str
    last_event: int
    updated: str


class _Batch:
    """Rows to be written together."""

    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []
        self.seats: dict[tuple[int, str], tuple[Any, ...]] = {}
        self.touched: dict[UUID, _Live] = {}
        self.troubles: list[tuple[str, int, str]] = []


class Projector:
    """Writes one read file. Not safe for use by two threads at once."""

    def __init__(self, connection: sqlite3.Connection, mapper: MatchMapper, keep: int) -> None:
        """`connection` is from `schema.connect`; `keep` matches stay in memory between batches."""
        self._connection = connection
        self._mapper = mapper
        self._keep = keep
        self._live: OrderedDict[UUID, _Live] = OrderedDict()
        self._troubled: set[str] = set()
        self.position = 0
        """The log's number of the last event that is in the tables."""
        self.mark = ""
        """A digest of that event, by which a log knows whether it is its own."""
        self._remember()

    def apply(self, notifications: Sequence[Notification]) -> dict[UUID, int]:
        """Write these events, all or none; they follow the tracking position in log order.

        Returns the latest version of each match among them. Raises sqlite3.Error if they could
        not be written; nothing is then changed, and the projector can go on.

        An event that cannot be decoded or folded is a trouble of its match. The match stays as it
        was before that event, with a row in `troubles`, and its later events are left out: they
        would be folded into a state that nobody knows. All other matches go on.
        """
        batch = _Batch()
        try:
            for notification in notifications:
                if str(notification.originator_id) not in self._troubled:
                    self._take(notification, batch)
            self._write(batch, notifications[-1])
        except sqlite3.Error:
            self._forget()
            raise
        while len(self._live) > self._keep:
            self._live.popitem(last=False)
        return {identity: live.match.version for identity, live in batch.touched.items()}

    def finish(self) -> None:
        """Declare a file made by a rebuild ready to be read."""
        self._connection.execute("UPDATE tracking SET ready = 1")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    # --- folding ---------------------------------------------------------------------------------

    def _take(self, notification: Notification, batch: _Batch) -> None:
        try:
            before, sealed, live = self._fold(notification)
        except POISON as error:
            why = f"event {notification.originator_version} cannot be understood: {error}"
            identity = str(notification.originator_id)
            self._troubled.add(identity)
            batch.troubles.append((identity, notification.originator_version, why))
            _LOG.error(
                "match_in_trouble",
                match=identity,
                version=notification.originator_version,
                error=repr(error),
            )
            return
        identity, match = sealed.event.match, live.match
        self._live[identity] = live
        self._live.move_to_end(identity)
        batch.touched[identity] = live
        player = player_of(before, sealed.event)
        batch.events.append(
            (live.number, match.version, player, sealed.digest, sealed.body.decode(), live.position)
        )
        for row in _seat_rows(live, sealed.event):
            batch.seats[row[0], row[1]] = row

    def _fold(self, notification: Notification) -> tuple[AnyMatch | None, Sealed[Event], _Live]:
        sealed = self._mapper.to_domain_event(notification)
        event, identity = sealed.event, sealed.event.match
        live = self._live.get(identity) or self._load(identity)
        before = live.match if live else None
        due = (notification.originator_id, (before.version if before else 0) + 1)
        if (identity, event.version) != due or notification.originator_version != due[1]:
            raise ValueError(f"it is out of place: version {due[1]} of match {due[0]} is due")
        match = evolve(before, sealed)
        if live and not isinstance(event, ActionTaken):
            position = live.position
        else:
            position = match.rules.write_position(match.position)
        number = live.number if live else notification.id
        options = live.options if live else _text(match.options)
        updated = _text(event.at).strip('"')
        return before, sealed, _Live(number, match, options, position, notification.id, updated)

    def _load(self, identity: UUID) -> _Live | None:
        """The match as its rows have it. Tokens are no part of them."""
        row = self._connection.execute(
            "SELECT m.number, m.game, m.title, m.options, m.version, m.created, m.updated,"
            " m.last_event, e.digest, e.position FROM matches m"
            " JOIN events e ON e.match = m.number AND e.version = m.version WHERE m.match = ?",
            (str(identity),),
        ).fetchone()
        if row is None:
            return None
        number, game, title, options, version, created, updated, last, link, position = row
        seats = self._connection.execute(
            "SELECT seat, player FROM seats WHERE match = ? ORDER BY place", (number,)
        ).fetchall()
        rules = GAMES[game]
        chosen = msgspec.json.decode(options, type=rules.options)
        state = rules.read_position(position, chosen)
        match: AnyMatch = Match(
            id=identity,
            game=game,
            options=chosen,
            title=title,
            seats=tuple(seat for seat, _ in seats),
            invitations={},
            holders={seat: Holder(player, "") for seat, player in seats if player is not None},
            created=msgspec.convert(created, _datetime),
            version=version,
            digest=link,
            position=state,
            result=rules.result(state),
        )
        return _Live(number, match, options, position, last, updated)

    # --- writing ---------------------------------------------------------------------------------

    def _write(self, batch: _Batch, last: Notification) -> None:
        mark = digest(last.state)
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        moved = connection.execute(
            "UPDATE tracking SET position = ?, mark = ? WHERE position = ?",
            (last.id, mark, self.position),
        )
        if moved.rowcount != 1:
            raise sqlite3.IntegrityError("another service writes into this read file")
        _insert(connection, _EVENTS, batch.events)
        _insert(connection, _SEATS, [*batch.seats.values()])
        _insert(connection, _MATCHES, [_match_row(live) for live in batch.touched.values()])
        _insert(connection, _TROUBLES, batch.troubles)
        connection.execute("COMMIT")
        self.position, self.mark = last.id, mark

    def _forget(self) -> None:
        """After a failure, know only what the file knows."""
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        self._live.clear()
        self._remember()

    def _remember(self) -> None:
        self.position, self.mark = self._connection.execute(
            "SELECT position, mark FROM tracking"
        ).fetchone()
        troubled = self._connection.execute("SELECT match FROM troubles").fetchall()
        self._troubled = {match for (match,) in troubled}


def _seat_rows(live: _Live, event: Event) -> Iterator[tuple[Any, ...]]:
    if isinstance(event, ActionTaken):
        return
    match = live.match
    for place, seat in enumerate(match.seats):
        if isinstance(event, MatchCreated) or event.seat == seat:
            holder = match.holders.get(seat)
            yield live.number, seat, place, holder.player if holder else None


def _match_row(live: _Live) -> tuple[Any, ...]:
    match = live.match
    open_seats = len(match.seats) - len(match.holders)
    return (
        live.number,
        str(match.id),
        match.game,
        match.title,
        match.title.casefold(),
        live.options,
        match.version,
        _text(match.created).strip('"'),
        live.updated,
        live.last_event,
        "over" if match.result else "active",
        open_seats,
        int(open_seats > 0),
        _text(match.result) if match.result else None,
    )


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _insert(
    connection: sqlite3.Connection,
    statement: tuple[str, int, str],
    rows: Sequence[tuple[Any, ...]],
) -> None:
    """Insert rows, many with each statement.

    Their numbers are powers of two, so that there are few different statements and SQLite keeps
    them compiled.
    """
    head, width, tail = statement
    one = f"({','.join('?' * width)})"
    start = 0
    while start < len(rows):
        size = min(_LARGEST, 1 << (len(rows) - start).bit_length() - 1)
        values = chain.from_iterable(rows[start : start + size])
        connection.execute(f"{head}{','.join([one] * size)}{tail}", tuple(values))
        start += size
