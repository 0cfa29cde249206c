"""Rows of matches and events. A batch writes each changed match once, in its last state."""

import sqlite3
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import Notification
from msgspec import Struct

from domain.log.digests import GENESIS, check_link, encode_as_digest
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    AnyMatch,
    DisputeRaised,
    Event,
    MatchCreated,
    MatchUpdated,
    VerdictGiven,
    VersionLookup,
    evolve,
    target_version,
)
from domain.storage.mapper import EventMapper
from domain.storage.snapshots import match_decoder
from projections.projector.notice_rows import turn_position
from projections.projector.player_rows import PlayerRows
from projections.projector.schema import KEYFRAME_INTERVAL, insert, library_of
from projections.queries import clocks, disputes, match_list
from projections.queries.full_text import fold_case
from projections.views import board_views

_INSERT_EVENTS: Final = ("INSERT INTO events VALUES ", 6, "")
_UPSERT_MATCHES: Final = (
    "INSERT INTO matches VALUES ",
    19,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version, updated = excluded.updated,"
    " title = excluded.title, folded_title = excluded.folded_title,"
    " audience = excluded.audience,"
    " last_event = excluded.last_event, status = excluded.status,"
    " has_open_seat = excluded.has_open_seat, played = excluded.played,"
    " joinable = excluded.joinable, state = excluded.state",
)
_UPSERT_CREATORS: Final = (
    "INSERT INTO creators VALUES ",
    3,
    " ON CONFLICT (name) DO UPDATE SET begun = begun + excluded.begun,"
    " unplayed = unplayed + excluded.unplayed",
)
_INSERT_TITLES: Final = ("INSERT INTO titles (rowid, folded_title) VALUES ", 2, "")


class _CachedMatch(Struct, frozen=True):
    """A match in memory, with the values of its row that are not in its state."""

    number: int
    match: AnyMatch
    last_event: int
    """The position of the last event in lists, as `turn_position` returns it."""
    updated: str
    played: bool
    """Whether a seat has taken an action in the match."""

    @property
    def tally(self) -> tuple[int, int]:
        """The match in its creator's counts: of started matches, and of those without an action."""
        begun = not self.match.waiting
        return int(begun), int(begun and not self.played)


class MisplacedError(ValueError):
    """An event that is stored under another match, or under another version."""

    def __init__(self, why: str, missing: Mapping[str, int]) -> None:
        super().__init__(why)
        self.missing = missing
        """The match that lacks the event, with the event's version; empty if unknown."""


class MatchRows:
    """Folds the events of matches, and writes the rows of a batch. Not thread-safe."""

    def __init__(
        self, connection: sqlite3.Connection, mapper: EventMapper, players: PlayerRows, keep: int
    ) -> None:
        """Create the rows of an empty batch.

        Args:
            connection: A writing connection.
            mapper: The mapper of the log's events.
            players: Collects the rows about players of the same batch.
            keep: Number of matches that stay in memory between batches.
        """
        self._connection = connection
        self._library = library_of(connection)
        self._mapper = mapper
        self._players = players
        self._keep = keep
        self._live: OrderedDict[UUID, _CachedMatch] = OrderedDict()
        self._begin()

    def _begin(self) -> None:
        self._events: list[tuple[Any, ...]] = []
        self._changed: dict[UUID, _CachedMatch] = {}
        self._creator_counts: dict[str, tuple[int, int]] = {}
        """For each creator, the started and unplayed matches that the batch adds."""
        self._titles: list[tuple[Any, ...]] = []
        self._versions: dict[tuple[UUID, int], AnyMatch] = {}
        self._disputes: list[disputes.RecordedDispute] = []

    def fold(self, notification: Notification, place: int, turn: int) -> None:
        """Fold an event of a match. An error leaves everything unchanged.

        Args:
            notification: The event as the log stores it.
            place: The index of the event's leaf in the tree over the log.
            turn: The turn of the event.

        Raises:
            MisplacedError: The event is not the next one of its match. Decoding and folding may
                raise other errors of `UNREADABLE_ERRORS`.
        """
        sealed, live = self._fold(notification, turn)
        match = live.match
        keyframe = _text(match) if _is_keyframe(sealed.event) else None
        self._live[match.id] = live
        self._live.move_to_end(match.id)
        self._changed[match.id] = live
        self._events.append(
            (live.number, match.version, sealed.digest, sealed.body.decode(), keyframe, place)
        )
        if isinstance(sealed.event, DisputeRaised | VerdictGiven):
            self._disputes.append(
                disputes.RecordedDispute(sealed.event, match.game, live.number, notification.id)
            )
        if match.title and _sets_title(sealed.event):
            self._titles.append((live.number, fold_case(match.title)))

    def frontend_of(self, match: UUID) -> UUID | None:
        """Return the frontend that created a match, or None without one or without the match."""
        live = self._changed.get(match) or self._live.get(match) or self._load(match)
        return live.match.terms.frontend if live else None

    def write(self) -> None:
        """Write the rows of the batch, with the rows about players."""
        connection, touched = self._connection, self._changed
        insert(connection, _INSERT_EVENTS, self._events)
        insert(connection, _UPSERT_MATCHES, [_match_row(live) for live in touched.values()])
        self._players.write(touched)
        timed = [each for each in touched.values() if _is_timed(each.match)]
        insert(
            connection,
            clocks.UPSERT,
            [clocks.clock_values(each.number, each.match) for each in timed],
        )
        insert(connection, _INSERT_TITLES, self._titles)
        insert(
            connection,
            _UPSERT_CREATORS,
            [(name, *more) for name, more in self._creator_counts.items()],
        )
        for dispute in self._disputes:
            disputes.write(connection, dispute)

    def finish_batch(self) -> dict[UUID, int]:
        """Finish a committed batch, return the versions of its matches, and start the next."""
        versions = {identity: live.match.version for identity, live in self._changed.items()}
        self._begin()
        while len(self._live) > self._keep:
            self._live.popitem(last=False)
        return versions

    def reset(self) -> None:
        """Drop the batch and all cached matches, after a rollback."""
        self._begin()
        self._live.clear()

    def _fold(
        self, notification: Notification, turn: int
    ) -> tuple[SealedEvent[Event], _CachedMatch]:
        sealed = self._mapper.to_domain_event(notification)
        event, identity = sealed.event, sealed.event.match
        live = self._live.get(identity) or self._load(identity)
        before = live.match if live else None
        due = (before.version if before else 0) + 1
        place = (notification.originator_id, notification.originator_version)
        if place != (identity, due) or event.version != due:
            raise MisplacedError(
                f"it is version {event.version} of match {identity}, but is stored as version"
                f" {place[1]} of {place[0]}, and version {due} is due",
                {str(identity): due} if event.version == due else {},
            )
        if before and isinstance(event, MatchCreated):
            raise ValueError("it creates a match that exists")
        check_link(before.digest if before else GENESIS, sealed.digest, sealed.body)
        match = evolve(before, sealed, self._version_lookup(identity), self._library)
        self._versions[identity, match.version] = match
        number = live.number if live else notification.id
        played = (live is not None and live.played) or _is_played(event)
        at = _text(event.at).strip('"')
        after = _CachedMatch(number, match, turn_position(turn), at, played)
        if name := match.details.creator:
            self._count(name, live.tally if live else (0, 0), after.tally)
        self._players.add_match_event(before, sealed, match, number, notification.id, turn)
        return sealed, after

    def _version_lookup(self, identity: UUID) -> VersionLookup:
        """Return a function that reads earlier versions of a match from batch or tables."""
        written = board_views.version_lookup(self._connection, identity)

        def read_version(version: int) -> AnyMatch:
            known = self._versions.get((identity, version))
            return written(version) if known is None else known

        return read_version

    def _load(self, identity: UUID) -> _CachedMatch | None:
        row = self._connection.execute(
            "SELECT number, game, state, last_event, updated, played FROM matches WHERE match = ?",
            (str(identity),),
        ).fetchone()
        if row is None:
            return None
        number, game, state, last_event, updated, played = row
        match = match_decoder(game, self._library).decode(state)
        return _CachedMatch(number, match, last_event, updated, bool(played))

    def _count(self, name: str, was: tuple[int, int], now: tuple[int, int]) -> None:
        begun, unplayed = self._creator_counts.get(name, (0, 0))
        self._creator_counts[name] = begun + now[0] - was[0], unplayed + now[1] - was[1]


def _is_timed(match: AnyMatch) -> bool:
    """Return whether a deadline may change the match without an action."""
    return match.clocks is not None or bool(match.terms.waiting_seconds)


def _is_played(event: Event) -> bool:
    """Return whether a seat took an action, other than entering the result of a draw."""
    return isinstance(event, ActionTaken) and event.draw is None


def _sets_title(event: Event) -> bool:
    """Return whether the event sets or changes the title of the match."""
    return isinstance(event, MatchCreated) or (
        isinstance(event, MatchUpdated) and event.title is not None
    )


def _is_keyframe(event: Event) -> bool:
    return event.version % KEYFRAME_INTERVAL == 1 or target_version(event) is not None


def _match_row(live: _CachedMatch) -> tuple[Any, ...]:
    match = live.match
    return (
        live.number,
        str(match.id),
        match.game,
        match.title,
        fold_case(match.title),
        match.version,
        _text(match.created).strip('"'),
        live.updated,
        live.last_event,
        match.status,
        int(len(match.holders) < len(match.seats) and not match.cancelled),
        str(match.terms.origin.match) if match.terms.origin else None,
        match.details.creator or None,
        int(live.played),
        match_list.audience_of(match),
        int(match.status == "waiting" and match.terms.admission == "anybody"),
        str(match.terms.rematch) if match.terms.rematch else None,
        str(match.terms.frontend) if match.terms.frontend else None,
        _text(match),
    )


def _text(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=encode_as_digest).decode()
