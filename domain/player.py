"""The Player of a frontend: an id, and the digest of the token that is good for all of its seats.

Who it is lies outside the log. `evolve` applies an event; the functions above it decide which one
to record.
"""

from datetime import datetime
from typing import Any, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Changeset, Ledger
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent


class PlayerEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """What every event of a player has."""

    player: UUID
    version: int
    """Counted from 1 in each player."""
    at: datetime
    request: str
    """A digest of the client's id of the request, so that a repetition records nothing."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows the player."""
        return self.player


class PlayerIntroduced(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.Introduced"
):
    """A frontend introduced a player, who may claim seats from now on."""

    frontend: UUID
    key: str
    """The digest of the player's token."""
    expires: datetime | None = None
    """When the token does; None for never."""


class PlayerTokenRotated(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.TokenRotated"
):
    """The player has another token from now on."""

    key: str
    expires: datetime | None = None


class PlayerErased(PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.Erased"):
    """Who the player was is forgotten, and the token opens nothing any more."""


class ClockRanLow(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.ClockRanLow"
):
    """The player's time in a match became low. It changes nothing, and is there to be told."""

    match: UUID
    match_version: int
    """The last event of the match then."""
    seat: str


class PlayerInvited(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.Invited"
):
    """The player was invited to a match. It changes nothing, and is there for the notice."""

    match: UUID
    match_version: int
    """The event of the match that gave out the code."""
    seat: str
    """The seat, or the role, to which the player is invited; empty for any open seat."""
    by: str = ""
    """Who invites: a seat, `referee`, `creator`, `frontend` or `operator`."""
    by_player: UUID | None = None
    """The player of a frontend who invites."""


Event = PlayerIntroduced | PlayerTokenRotated | PlayerErased | ClockRanLow | PlayerInvited


class Player(Struct, frozen=True):
    """A player as it stands."""

    id: UUID
    version: int
    digest: str
    """Of its last event, to which the next is chained."""
    frontend: UUID
    key: str
    issued: int
    """The version of the event that gave out the present token."""
    created: datetime
    expires: datetime | None = None
    deleted: datetime | None = None


class _PlayerLedger(Ledger[Player]):
    kind = "player"

    def _evolve(self, before: Player | None, sealed: SealedEvent[Any]) -> Player:
        return evolve(before, sealed)


def introduce(
    identity: UUID,
    frontend: UUID,
    key: str,
    expires: datetime | None,
    command_context: CommandContext,
) -> Changeset[Player]:
    """Let a player claim seats. `key` is a digest."""
    ledger = _PlayerLedger(None, identity, command_context)
    ledger.record(PlayerIntroduced, frontend=frontend, key=key, expires=expires)
    return ledger.changeset()


def rotate_token(
    player: Player, key: str, expires: datetime | None, command_context: CommandContext
) -> Changeset[Player]:
    """Give a player another token, by its digest."""
    ledger = _PlayerLedger(player, player.id, command_context)
    ledger.record(PlayerTokenRotated, key=key, expires=expires)
    return ledger.changeset()


def erase(player: Player, command_context: CommandContext) -> Changeset[Player]:
    """Record that a player is a former player."""
    ledger = _PlayerLedger(player, player.id, command_context)
    ledger.record(PlayerErased)
    return ledger.changeset()


def record_low_time(
    player: Player, match: UUID, match_version: int, seat: str, command_context: CommandContext
) -> Changeset[Player]:
    """Record that a player's time in a match became low."""
    ledger = _PlayerLedger(player, player.id, command_context)
    ledger.record(ClockRanLow, match=match, match_version=match_version, seat=seat)
    return ledger.changeset()


def invite(
    player: Player,
    match: UUID,
    match_version: int,
    seat: str,
    command_context: CommandContext,
    *,
    by: str = "",
    by_player: UUID | None = None,
) -> Changeset[Player]:
    """Record that a player was invited to a match. The match event `match_version` has the digest
    of the code that the player joins by."""
    ledger = _PlayerLedger(player, player.id, command_context)
    place = {"match": match, "match_version": match_version, "seat": seat}
    ledger.record(PlayerInvited, **place, by=by, by_player=by_player)
    return ledger.changeset()


def request_payload(event: Event) -> list[Any]:
    """What the request asked for that made this event: for one that comes again."""
    match event:
        case PlayerIntroduced(frontend=frontend, expires=expires):
            return ["introduce", frontend, expires]
        case PlayerTokenRotated(expires=expires):
            return ["rotate-token", expires]
        case PlayerErased():
            return ["erase"]
        case ClockRanLow(match=match, match_version=version, seat=seat):
            return ["clock-low", match, version, seat]
        case PlayerInvited(match=match, seat=seat):
            return ["invite", match, seat]
        case unreachable:
            assert_never(unreachable)


def evolve(player: Player | None, sealed: SealedEvent[Event]) -> Player:
    """The player after an event."""
    event, digest = sealed.event, sealed.digest
    if isinstance(event, PlayerIntroduced):
        return Player(
            id=event.player,
            version=event.version,
            digest=digest,
            frontend=event.frontend,
            key=event.key,
            issued=event.version,
            created=event.at,
            expires=event.expires,
        )
    assert player is not None, "a player is introduced before all else"
    player = replace(player, version=event.version, digest=digest)
    match event:
        case PlayerTokenRotated(key=key, expires=expires):
            return replace(player, key=key, expires=expires, issued=event.version)
        case PlayerErased():
            return replace(player, deleted=player.deleted or event.at)
        case ClockRanLow() | PlayerInvited():
            return player
        case unreachable:
            assert_never(unreachable)
