"""The saved Army: kept in the log like a match, so that it is never lost and never changed unseen.

Whoever saves an army for the first time owns it: a token stands for the owner, and only its digest
is stored. `evolve` applies an event; the functions above it decide which one to record. What an
army may have is the game's affair (`Game.armies`) and has been checked before it is saved.
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
    """What every event of an army has."""

    army: UUID
    version: int
    """Counted from 1 in each army."""
    at: datetime
    request: str
    """A digest of the client's id of the request, so that a repetition records nothing."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows the army."""
        return self.army


class ArmySaved(ArmyEvent, frozen=True, kw_only=True, tag="army.Saved"):
    """An army was saved, for the first time or over what it was before."""

    owner: str
    """The digest of its owner's token."""
    game: str
    name: str
    occasion: dict[str, Any]
    """What it was checked for: options of a match by name, defaults written out."""
    content: dict[str, Any]
    """The army itself, as the game writes it down."""
    points: int


class ArmyDeleted(ArmyEvent, frozen=True, kw_only=True, tag="army.Deleted"):
    """Its owner has no more use for it. It is listed no more, and nobody can field it."""


Event = ArmySaved | ArmyDeleted


class ArmyContent(Struct, frozen=True):
    """What is saved of an army."""

    game: str
    name: str
    occasion: dict[str, Any]
    content: dict[str, Any]
    points: int


class SavedArmy(Struct, frozen=True):
    """An army as it stands."""

    id: UUID
    version: int
    digest: str
    """Of its last event, to which the next is chained."""
    owner: str
    saved: ArmyContent
    created: datetime
    updated: datetime
    deleted: bool = False


class ArmyLedger(Ledger[SavedArmy]):
    """The events of one command of an army."""

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
    """Record what an army is now; `army` is what it was before, if it is not new."""
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
    """Record that an army is no longer wanted."""
    ledger = ArmyLedger(army, army.id, command_context)
    ledger.record(ArmyDeleted)
    return ledger.changeset()


def request_payload(event: Event) -> list[Any]:
    """What the request asked for that made this event: for one that comes again."""
    match event:
        case ArmySaved():
            return ["save", event.owner, _content(event)]
        case ArmyDeleted():
            return ["delete"]
        case unreachable:
            assert_never(unreachable)


def evolve(army: SavedArmy | None, sealed: SealedEvent[Event]) -> SavedArmy:
    """The army after an event."""
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
