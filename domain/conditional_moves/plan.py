"""Events, state and commands of conditional moves."""

from datetime import datetime
from typing import Any, Literal, assert_never
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Decided, Denied, Ledger
from domain.log.origin import Stamp
from domain.log.sealed_events import Sealed

EndReason = Literal["done", "unforeseen", "refused", "own-action", "moved", "seat", "over"]
"""Why conditional moves ended. `done`: all were played; `unforeseen`: others acted in another way;
`refused`: the rules forbid a response; `own-action`: the seat acted in another way; `moved`: an
undo, a verdict or a resignation changed the match; `seat`: the seat changed hands; `over`: the
match is over."""


class PlanNode(Struct, frozen=True, omit_defaults=True):
    """A conditional move: if a trigger happens, the seat responds."""

    parent: int = 0
    """The number of the earlier move that it follows, counted from 1; 0 for none."""
    by: str = ""
    """The seat whose action triggers it; empty for any seat but its own."""
    on: str = ""
    """The triggering action in notation, as the own seat sees it; empty for any action."""
    replies: tuple[str, ...] = ()
    """The seat's responses in order, in notation."""


class PlanEvent(
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


class PlanSet(PlanEvent, frozen=True, kw_only=True, tag="plan.PlanSet"):
    """A seat set its conditional moves, which replace all earlier ones."""

    match: UUID
    seat: str
    holder: str
    """The text that identifies the seat's holder, so that a later holder gets none of it."""
    since: int
    """The version of the match from which the moves apply."""
    nodes: tuple[PlanNode, ...]


class PlanCancelled(PlanEvent, frozen=True, kw_only=True, tag="plan.PlanCancelled"):
    """The seat cancelled its conditional moves."""


class PlanEnded(PlanEvent, frozen=True, kw_only=True, tag="plan.PlanEnded"):
    """The conditional moves ended, for a reason that the seat is shown."""

    reason: EndReason
    why: str
    """The reason in words."""
    at_version: int
    """The version of the match at which they ended."""


Event = PlanSet | PlanCancelled | PlanEnded


class PlanEnding(Struct, frozen=True):
    """The end of conditional moves."""

    reason: EndReason | Literal["cancelled"]
    why: str
    at_version: int = 0


class LeftPlan(Struct, frozen=True):
    """The conditional moves of a seat after an event."""

    id: UUID
    version: int
    digest: str
    """The digest of the last event, to which the next one is chained."""
    match: UUID
    seat: str
    holder: str
    since: int
    nodes: tuple[PlanNode, ...]
    set_at: int
    """The version of the event that set the present moves."""
    ending: PlanEnding | None = None
    """The end of the moves, or None while they are active."""


class PlanLedger(Ledger[LeftPlan]):
    """A ledger of the events that one command of conditional moves records."""

    kind = "plan"

    def _evolve(self, before: LeftPlan | None, sealed: Sealed[Any]) -> LeftPlan:
        return evolve(before, sealed)


def plan_id(match: UUID, seat: str) -> UUID:
    """Return the ID of a seat's conditional moves, of which there is one set at a time."""
    return uuid5(match, f"plan of {seat}")


def set_plan(
    plan: LeftPlan | None,
    match: UUID,
    seat: str,
    holder: str,
    since: int,
    nodes: tuple[PlanNode, ...],
    stamp: Stamp,
) -> Decided[LeftPlan]:
    """Set the conditional moves of a seat; `plan` holds the earlier ones."""
    ledger = PlanLedger(plan, plan_id(match, seat), stamp)
    ledger.record(PlanSet, match=match, seat=seat, holder=holder, since=since, nodes=nodes)
    return ledger.decided()


def cancel(plan: LeftPlan, stamp: Stamp) -> Decided[LeftPlan] | Denied:
    """Cancel conditional moves."""
    if plan.ending is not None:
        return Denied("NO_CONDITIONAL_MOVES", "this seat has no active conditional moves")
    ledger = PlanLedger(plan, plan.id, stamp)
    ledger.record(PlanCancelled)
    return ledger.decided()


def end(plan: LeftPlan, ending: PlanEnding, stamp: Stamp) -> Decided[LeftPlan]:
    """Record that conditional moves have ended."""
    ledger = PlanLedger(plan, plan.id, stamp)
    ledger.record(PlanEnded, reason=ending.reason, why=ending.why, at_version=ending.at_version)
    return ledger.decided()


def asked_for(event: Event) -> list[Any]:
    """Return the command that recorded this event, to compare with a repeated request."""
    match event:
        case PlanSet():
            return ["set", event.holder, event.nodes]
        case PlanCancelled():
            return ["cancel"]
        case PlanEnded():
            raise AssertionError("no request ends a plan: its seat cancels it")
        case unreachable:
            assert_never(unreachable)


def evolve(plan: LeftPlan | None, sealed: Sealed[Event]) -> LeftPlan:
    """Return the conditional moves after an event."""
    event = sealed.event
    if isinstance(event, PlanSet):
        return LeftPlan(
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
    if isinstance(event, PlanCancelled):
        ending = PlanEnding("cancelled", "the seat took it back")
    else:
        ending = PlanEnding(event.reason, event.why, event.at_version)
    return replace(plan, version=event.version, digest=sealed.digest, ending=ending)
