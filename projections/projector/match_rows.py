"""Rows of matches and events: each match is folded, and written as it stands after a batch."""

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
    """A match as it stands, and what its row needs."""

    number: int
    match: AnyMatch
    last_event: int
    """Its turn, with what sets turns apart from the numbers of earlier versions."""
    updated: str
    played: bool
    """Has anybody taken an action in it?"""

    @property
    def tally(self) -> tuple[int, int]:
        """1 for a match that has begun, and 1 for one in which nothing was played since."""
        begun = not self.match.waiting
        return int(begun), int(begun and not self.played)


class MisplacedError(ValueError):
    """An event that is stored as that of another match, or as another of its own."""

    def __init__(self, why: str, missing: Mapping[str, int]) -> None:
        super().__init__(why)
        self.missing = missing
        """The match, and its version, that it is missing from."""


class MatchRows:
    """What a batch changes of matches. Not safe for use by two threads at once."""

    def __init__(
        self, connection: sqlite3.Connection, mapper: EventMapper, players: PlayerRows, keep: int
    ) -> None:
        """`players` are told what happens in matches; `keep` matches stay in memory between
        batches."""
        self._connection = connection
        self._library = library_of(connection)
        self._mapper = mapper
        self._players = players
        self._keep = keep
        self._live: OrderedDict[UUID, _CachedMatch] = OrderedDict()
        self._begin()

    def _begin(self) -> None:
        self._events: list[tuple[Any, ...]] = []
        self._touched: dict[UUID, _CachedMatch] = {}
        self._tallies: dict[str, tuple[int, int]] = {}
        """What is to be added to the figures of creators."""
        self._titles: list[tuple[Any, ...]] = []
        self._stood: dict[tuple[UUID, int], AnyMatch] = {}
        self._disputes: list[disputes.RecordedDispute] = []

    def take(self, notification: Notification, place: int, turn: int) -> None:
        """Fold an event of a match, whose leaf in the tree over the log is at this place. Raises
        what decoding and folding raise for one that is not as it should be; then nothing of it is
        kept."""
        sealed, live = self._fold(notification, turn)
        match = live.match
        keyframe = _text(match) if _is_keyframe(sealed.event) else None
        self._live[match.id] = live
        self._live.move_to_end(match.id)
        self._touched[match.id] = live
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
        """The frontend that a match was made by; None if there is none, or no such match."""
        live = self._touched.get(match) or self._live.get(match) or self._load(match)
        return live.match.terms.frontend if live else None

    def write(self) -> None:
        """Write the rows of the batch, and those of players in its matches."""
        connection, touched = self._connection, self._touched
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
            connection, _UPSERT_CREATORS, [(name, *more) for name, more in self._tallies.items()]
        )
        for dispute in self._disputes:
            disputes.write(connection, dispute)

    def written(self) -> dict[UUID, int]:
        """The batch is committed: the versions of the matches in it. Another begins."""
        versions = {identity: live.match.version for identity, live in self._touched.items()}
        self._begin()
        while len(self._live) > self._keep:
            self._live.popitem(last=False)
        return versions

    def forget(self) -> None:
        """The batch cannot be committed: know only what the file knows."""
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
                f"it says version {event.version} of match {identity}, and is stored as version"
                f" {place[1]} of {place[0]}, where version {due} is due",
                {str(identity): due} if event.version == due else {},
            )
        if before and isinstance(event, MatchCreated):
            raise ValueError("it creates a match that exists")
        check_link(before.digest if before else GENESIS, sealed.digest, sealed.body)
        match = evolve(before, sealed, self._recall(identity), self._library)
        self._stood[identity, match.version] = match
        number = live.number if live else notification.id
        played = (live is not None and live.played) or _is_played(event)
        at = _text(event.at).strip('"')
        after = _CachedMatch(number, match, turn_position(turn), at, played)
        if name := match.details.creator:
            self._count(name, live.tally if live else (0, 0), after.tally)
        self._players.note(before, sealed, match, number, notification.id, turn)
        return sealed, after

    def _recall(self, identity: UUID) -> VersionLookup:
        """A match as it stood before: in this batch, or by the tables."""
        written = board_views.version_lookup(self._connection, identity)

        def stood(version: int) -> AnyMatch:
            known = self._stood.get((identity, version))
            return written(version) if known is None else known

        return stood

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
        begun, unplayed = self._tallies.get(name, (0, 0))
        self._tallies[name] = begun + now[0] - was[0], unplayed + now[1] - was[1]


def _is_timed(match: AnyMatch) -> bool:
    """Can time alone bring something about?"""
    return match.clocks is not None or bool(match.terms.waiting_seconds)


def _is_played(event: Event) -> bool:
    """Did somebody act, rather than the service draw?"""
    return isinstance(event, ActionTaken) and event.draw is None


def _sets_title(event: Event) -> bool:
    """Does the event give the match a title, perhaps another one?"""
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
