"""Players of frontends: an ID, and the digest of a token that is valid for all seats of the player.

Personal data is stored outside the event log. `evolve` applies an event; the functions above it
decide which event to record.
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
    """The fields shared by all events of a player."""

    player: UUID
    version: int
    """The event's number in the player's stream, counted from 1."""
    at: datetime
    request: str
    """A digest of the client's request ID. A repeated request finds its event and records
    nothing."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits. They keep anybody from guessing the content of an
    event from its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """Return the player's ID, which is the originator ID in the event store."""
        return self.player


class PlayerIntroduced(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.Introduced"
):
    """A player was created by a frontend and may claim seats."""

    frontend: UUID
    key: str
    """The digest of the player's token."""
    expires: datetime | None = None
    """When the token expires; None for never."""


class PlayerTokenRotated(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.TokenRotated"
):
    """A player was given a new token."""

    key: str
    expires: datetime | None = None


class PlayerErased(PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.Erased"):
    """The personal data of a player was erased. The token stops working."""


class ClockRanLow(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.ClockRanLow"
):
    """The player's remaining time in a match became low. The event exists for its notice only."""

    match: UUID
    match_version: int
    """The last event of the match at that time."""
    seat: str


class PlayerInvited(
    PlayerEvent, frozen=True, kw_only=True, omit_defaults=True, tag="player.Invited"
):
    """The player was invited to a match. The event only causes the notice to the player."""

    match: UUID
    match_version: int
    """The match event that records the digest of the invitation code."""
    seat: str
    """The seat or role to which the player is invited; empty for any open seat."""
    by: str = ""
    """The inviting party: a seat, `referee`, `creator`, `frontend` or `operator`."""
    by_player: UUID | None = None
    """The inviting player, if a player of a frontend invites."""


Event = PlayerIntroduced | PlayerTokenRotated | PlayerErased | ClockRanLow | PlayerInvited


class Player(Struct, frozen=True):
    """The current state of a player."""

    id: UUID
    version: int
    digest: str
    """The digest of the player's last event, to which the next event is chained."""
    frontend: UUID
    key: str
    issued: int
    """The version of the event that issued the current token."""
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
    """Create a player who may claim seats. `key` is the digest of the player's token."""
    ledger = _PlayerLedger(None, identity, command_context)
    ledger.record(PlayerIntroduced, frontend=frontend, key=key, expires=expires)
    return ledger.changeset()


def rotate_token(
    player: Player, key: str, expires: datetime | None, command_context: CommandContext
) -> Changeset[Player]:
    """Replace a player's token by the one with the digest `key`."""
    ledger = _PlayerLedger(player, player.id, command_context)
    ledger.record(PlayerTokenRotated, key=key, expires=expires)
    return ledger.changeset()


def erase(player: Player, command_context: CommandContext) -> Changeset[Player]:
    """Record that the personal data of a player was erased."""
    ledger = _PlayerLedger(player, player.id, command_context)
    ledger.record(PlayerErased)
    return ledger.changeset()


def record_low_time(
    player: Player, match: UUID, match_version: int, seat: str, command_context: CommandContext
) -> Changeset[Player]:
    """Record that a player's remaining time in a match became low."""
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
    """Record that a player was invited to a match.

    The match event `match_version` has the digest of the code with which the player joins.
    """
    ledger = _PlayerLedger(player, player.id, command_context)
    place = {"match": match, "match_version": match_version, "seat": seat}
    ledger.record(PlayerInvited, **place, by=by, by_player=by_player)
    return ledger.changeset()


def request_payload(event: Event) -> list[Any]:
    """Return what the request behind this event asked for, to compare a repeated request with."""
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
    """Return the player after an event."""
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
