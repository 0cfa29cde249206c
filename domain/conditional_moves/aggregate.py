"""Events, state and commands of conditional moves."""

from datetime import datetime
from typing import Any, Literal, assert_never
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Changeset, Ledger, Rejection
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent

EndReason = Literal["done", "unforeseen", "refused", "own-action", "moved", "seat", "over"]
"""Why conditional moves ended. `done`: all were played; `unforeseen`: others acted in another way;
`refused`: the rules forbid a response; `own-action`: the seat acted in another way; `moved`: an
undo, a verdict or a resignation changed the match; `seat`: the seat changed hands; `over`: the
match is over."""


class ConditionalMove(Struct, frozen=True, omit_defaults=True):
    """A conditional move: if a trigger happens, the seat responds."""

    parent: int = 0
    """The number of the earlier move that it follows, counted from 1; 0 for none."""
    by: str = ""
    """The seat whose action triggers it; empty for any seat but its own."""
    on: str = ""
    """The triggering action in notation, as the seat of the moves sees it; empty for any action."""
    replies: tuple[str, ...] = ()
    """The seat's responses in order, in notation."""


class ConditionalMovesEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """A base of all events of conditional moves."""

    plan: UUID
    version: int
    """The number of the event in its aggregate, from 1."""
    at: datetime
    request: str
    """A digest of the client's ID of the request, or a name for events of the service."""
    salt: str = ""
    """Secret random bits, as 32 hexadecimal digits. They keep anyone from guessing the content of
    an event by its digest. Events of earlier releases have none."""

    @property
    def aggregate(self) -> UUID:
        """The ID under which the event store keeps the conditional moves."""
        return self.plan


class ConditionalMovesSet(ConditionalMovesEvent, frozen=True, kw_only=True, tag="plan.PlanSet"):
    """A seat set its conditional moves, which replace all earlier ones."""

    match: UUID
    seat: str
    holder: str
    """The text that identifies the seat's holder. A later holder does not inherit the moves."""
    since: int
    """The version of the match from which the moves apply."""
    nodes: tuple[ConditionalMove, ...]


class ConditionalMovesCancelled(
    ConditionalMovesEvent, frozen=True, kw_only=True, tag="plan.PlanCancelled"
):
    """The seat cancelled its conditional moves."""


class ConditionalMovesEnded(ConditionalMovesEvent, frozen=True, kw_only=True, tag="plan.PlanEnded"):
    """The conditional moves ended, for a reason that the seat is shown."""

    reason: EndReason
    why: str
    """The reason in words."""
    at_version: int
    """The version of the match at which they ended."""


Event = ConditionalMovesSet | ConditionalMovesCancelled | ConditionalMovesEnded


class ConditionalMovesEnding(Struct, frozen=True):
    """The end of conditional moves."""

    reason: EndReason | Literal["cancelled"]
    why: str
    at_version: int = 0


class ConditionalMoves(Struct, frozen=True):
    """The conditional moves of a seat after an event."""

    id: UUID
    version: int
    digest: str
    """The digest of the last event, to which the next one is chained."""
    match: UUID
    seat: str
    holder: str
    since: int
    nodes: tuple[ConditionalMove, ...]
    set_at: int
    """The version of the event that set the present moves."""
    ending: ConditionalMovesEnding | None = None
    """The end of the moves, or None while they are active."""


class ConditionalMovesLedger(Ledger[ConditionalMoves]):
    """A ledger of the events that one command of conditional moves records."""

    kind = "plan"

    def _evolve(
        self, before: ConditionalMoves | None, sealed: SealedEvent[Any]
    ) -> ConditionalMoves:
        return evolve(before, sealed)


def conditional_moves_id(match: UUID, seat: str) -> UUID:
    """Return the ID of a seat's conditional moves, of which there is one set at a time."""
    return uuid5(match, f"plan of {seat}")


def set_conditional_moves(
    plan: ConditionalMoves | None,
    match: UUID,
    seat: str,
    holder: str,
    since: int,
    nodes: tuple[ConditionalMove, ...],
    command_context: CommandContext,
) -> Changeset[ConditionalMoves]:
    """Set the conditional moves of a seat; `plan` holds the earlier ones."""
    ledger = ConditionalMovesLedger(plan, conditional_moves_id(match, seat), command_context)
    ledger.record(
        ConditionalMovesSet, match=match, seat=seat, holder=holder, since=since, nodes=nodes
    )
    return ledger.changeset()


def cancel(
    plan: ConditionalMoves, command_context: CommandContext
) -> Changeset[ConditionalMoves] | Rejection:
    """Cancel the active conditional moves of a seat."""
    if plan.ending is not None:
        return Rejection("NO_CONDITIONAL_MOVES", "this seat has no active conditional moves")
    ledger = ConditionalMovesLedger(plan, plan.id, command_context)
    ledger.record(ConditionalMovesCancelled)
    return ledger.changeset()


def end(
    plan: ConditionalMoves, ending: ConditionalMovesEnding, command_context: CommandContext
) -> Changeset[ConditionalMoves]:
    """Record that conditional moves have ended."""
    ledger = ConditionalMovesLedger(plan, plan.id, command_context)
    ledger.record(
        ConditionalMovesEnded, reason=ending.reason, why=ending.why, at_version=ending.at_version
    )
    return ledger.changeset()


def requested_command(event: Event) -> list[Any]:
    """Return the command that recorded this event, to compare with a repeated request."""
    match event:
        case ConditionalMovesSet():
            return ["set", event.holder, event.nodes]
        case ConditionalMovesCancelled():
            return ["cancel"]
        case ConditionalMovesEnded():
            raise AssertionError("no request ends a plan: its seat cancels it")
        case unreachable:
            assert_never(unreachable)


def evolve(plan: ConditionalMoves | None, sealed: SealedEvent[Event]) -> ConditionalMoves:
    """Return the conditional moves after an event."""
    event = sealed.event
    if isinstance(event, ConditionalMovesSet):
        return ConditionalMoves(
            event.plan,
            event.version,
            sealed.digest,
            event.match,
            event.seat,
            event.holder,
            event.since,
            event.nodes,
            event.version,
        )
    assert plan is not None, "a plan is left before anything else happens to it"
    if isinstance(event, ConditionalMovesCancelled):
        ending = ConditionalMovesEnding("cancelled", "the seat took it back")
    else:
        ending = ConditionalMovesEnding(event.reason, event.why, event.at_version)
    return replace(plan, version=event.version, digest=sealed.digest, ending=ending)
