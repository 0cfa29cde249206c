"""Saved armies: events, state and commands of an army that its owner keeps in the event log.

The client that saves an army first owns it. A token proves ownership; only the token's digest is
stored. The game checks the content of an army (`Game.armies`) before this module records it.
"""

from datetime import datetime
from typing import Any, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Changeset, Ledger
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent


class ArmyEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """The fields shared by all events of an army."""

    army: UUID
    version: int
    """The event's number in the army's stream, counted from 1."""
    at: datetime
    request: str
    """A digest of the client's request ID. A repeated request finds its event and records
    nothing."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits. They keep anybody from guessing the content of an
    event from its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """Return the army's ID, which is the originator ID in the event store."""
        return self.army


class ArmySaved(ArmyEvent, frozen=True, kw_only=True, tag="army.Saved"):
    """A new army, or a new version of an army, was saved."""

    owner: str
    """The digest of the owner's token."""
    game: str
    name: str
    occasion: dict[str, Any]
    """The match options that the army was checked against, by name, with defaults written out."""
    content: dict[str, Any]
    """The army as the game encodes it."""
    points: int


class ArmyDeleted(ArmyEvent, frozen=True, kw_only=True, tag="army.Deleted"):
    """An army was deleted by its owner. It is no longer listed, and no match can use it."""


Event = ArmySaved | ArmyDeleted


class ArmyContent(Struct, frozen=True):
    """The content of a saved army: game, name, options, pieces and points."""

    game: str
    name: str
    occasion: dict[str, Any]
    content: dict[str, Any]
    points: int


class SavedArmy(Struct, frozen=True):
    """The current state of a saved army."""

    id: UUID
    version: int
    digest: str
    """The digest of the army's last event, to which the next event is chained."""
    owner: str
    saved: ArmyContent
    created: datetime
    updated: datetime
    deleted: bool = False


class ArmyLedger(Ledger[SavedArmy]):
    """A ledger for the commands of one army."""

    kind = "army"

    def _evolve(self, before: SavedArmy | None, sealed: SealedEvent[Any]) -> SavedArmy:
        return evolve(before, sealed)


def save(
    army: SavedArmy | None,
    identity: UUID,
    owner: str,
    given: ArmyContent,
    command_context: CommandContext,
) -> Changeset[SavedArmy]:
    """Record the content of an army.

    Args:
        army: The army before the command; None for a new army.
        identity: The army's ID.
        owner: The digest of the owner's token.
        given: The content to save.
        command_context: Time, request and salt of the command.
    """
    ledger = ArmyLedger(army, identity, command_context)
    ledger.record(
        ArmySaved,
        owner=owner,
        game=given.game,
        name=given.name,
        occasion=given.occasion,
        content=given.content,
        points=given.points,
    )
    return ledger.changeset()


def delete(army: SavedArmy, command_context: CommandContext) -> Changeset[SavedArmy]:
    """Record that the owner deleted an army."""
    ledger = ArmyLedger(army, army.id, command_context)
    ledger.record(ArmyDeleted)
    return ledger.changeset()


def request_payload(event: Event) -> list[Any]:
    """Return what the request behind this event asked for, to compare a repeated request with."""
    match event:
        case ArmySaved():
            return ["save", event.owner, _content(event)]
        case ArmyDeleted():
            return ["delete"]
        case unreachable:
            assert_never(unreachable)


def evolve(army: SavedArmy | None, sealed: SealedEvent[Event]) -> SavedArmy:
    """Return the army after an event."""
    event = sealed.event
    match event:
        case ArmySaved():
            return SavedArmy(
                id=event.army,
                version=event.version,
                digest=sealed.digest,
                owner=event.owner,
                saved=_content(event),
                created=army.created if army else event.at,
                updated=event.at,
            )
        case ArmyDeleted():
            assert army is not None, "an army is saved before it is deleted"
            return replace(
                army, version=event.version, digest=sealed.digest, updated=event.at, deleted=True
            )
        case unreachable:
            assert_never(unreachable)


def _content(event: ArmySaved) -> ArmyContent:
    return ArmyContent(event.game, event.name, event.occasion, event.content, event.points)
