"""What happens to a plan, and the plan as it stands."""

from datetime import datetime
from typing import Any, Literal, assert_never
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Changeset, Ledger, Rejection
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent

EndReason = Literal["done", "unforeseen", "refused", "own-action", "moved", "seat", "over"]
"""Why a plan is at its end: all of it was done; others did what it does not foresee; the rules
forbid what it says; the seat acted otherwise; the match went back, or on without somebody; another
player has the seat; the match is over."""


class ConditionalMove(Struct, frozen=True, omit_defaults=True):
    """If somebody does this, the seat does that."""

    parent: int = 0
    """The node that comes before, counted from 1, which is earlier in the list; 0 for a first."""
    by: str = ""
    """The seat that does it; empty for any but the plan's own."""
    on: str = ""
    """The action, as the plan's seat sees it, in notation; empty for any."""
    replies: tuple[str, ...] = ()
    """What the seat then does, one after the other, in notation."""


class ConditionalMovesEvent(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """What every event of a plan has."""

    plan: UUID
    version: int
    """Counted from 1 in each plan."""
    at: datetime
    request: str
    """A digest of the client's id of the request; of what the service did by itself, its name."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows the plan."""
        return self.plan


class ConditionalMovesSet(ConditionalMovesEvent, frozen=True, kw_only=True, tag="plan.PlanSet"):
    """A seat left a plan, in place of any that it had."""

    match: UUID
    seat: str
    holder: str
    """What tells who left it from all others: it is nobody's who takes the seat later."""
    since: int
    """The version of the match that it goes on from."""
    nodes: tuple[ConditionalMove, ...]


class ConditionalMovesCancelled(
    ConditionalMovesEvent, frozen=True, kw_only=True, tag="plan.PlanCancelled"
):
    """The seat has changed its mind."""


class ConditionalMovesEnded(ConditionalMovesEvent, frozen=True, kw_only=True, tag="plan.PlanEnded"):
    """It is at its end, and the seat is told why."""

    reason: EndReason
    why: str
    """In words."""
    at_version: int
    """Of the match, when that was found."""


Event = ConditionalMovesSet | ConditionalMovesCancelled | ConditionalMovesEnded


class ConditionalMovesEnding(Struct, frozen=True):
    """How a plan ended."""

    reason: EndReason | Literal["cancelled"]
    why: str
    at_version: int = 0


class ConditionalMoves(Struct, frozen=True):
    """A plan as it stands."""

    id: UUID
    version: int
    digest: str
    """Of its last event, to which the next is chained."""
    match: UUID
    seat: str
    holder: str
    since: int
    nodes: tuple[ConditionalMove, ...]
    set_at: int
    """The version at which it was left as it is now."""
    ending: ConditionalMovesEnding | None = None
    """None while it goes on."""


class ConditionalMovesLedger(Ledger[ConditionalMoves]):
    """The events of one command of a plan."""

    kind = "plan"

    def _evolve(
        self, before: ConditionalMoves | None, sealed: SealedEvent[Any]
    ) -> ConditionalMoves:
        return evolve(before, sealed)


def conditional_moves_id(match: UUID, seat: str) -> UUID:
    """The name of the plan of a seat: there is one at a time."""
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
    """Leave a plan; `plan` is what the seat had before."""
    ledger = ConditionalMovesLedger(plan, conditional_moves_id(match, seat), command_context)
    ledger.record(
        ConditionalMovesSet, match=match, seat=seat, holder=holder, since=since, nodes=nodes
    )
    return ledger.changeset()


def cancel(
    plan: ConditionalMoves, command_context: CommandContext
) -> Changeset[ConditionalMoves] | Rejection:
    """Take a plan back."""
    if plan.ending is not None:
        return Rejection("NO_CONDITIONAL_MOVES", "no plan of the seat waits for anything")
    ledger = ConditionalMovesLedger(plan, plan.id, command_context)
    ledger.record(ConditionalMovesCancelled)
    return ledger.changeset()


def end(
    plan: ConditionalMoves, ending: ConditionalMovesEnding, command_context: CommandContext
) -> Changeset[ConditionalMoves]:
    """Tell the seat that its plan is at its end."""
    ledger = ConditionalMovesLedger(plan, plan.id, command_context)
    ledger.record(
        ConditionalMovesEnded, reason=ending.reason, why=ending.why, at_version=ending.at_version
    )
    return ledger.changeset()


def requested_command(event: Event) -> list[Any]:
    """What the request asked for that made this event: for one that comes again."""
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
    """The plan after an event."""
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
