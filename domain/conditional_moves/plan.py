"""What happens to a plan, and the plan as it stands."""

from datetime import datetime
from typing import Any, Literal, assert_never
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Decided, Denied, Ledger
from domain.log.origin import Stamp
from domain.log.sealed_events import Sealed

EndReason = Literal["done", "unforeseen", "refused", "own-action", "moved", "seat", "over"]
"""Why a plan is at its end: all of it was done; others did what it does not foresee; the rules
forbid what it says; the seat acted otherwise; the match went back, or on without somebody; another
player has the seat; the match is over."""


class PlanNode(Struct, frozen=True, omit_defaults=True):
    """If somebody does this, the seat does that."""

    parent: int = 0
    """The node that comes before, counted from 1, which is earlier in the list; 0 for a first."""
    by: str = ""
    """The seat that does it; empty for any but the plan's own."""
    on: str = ""
    """The action, as the plan's seat sees it, in notation; empty for any."""
    replies: tuple[str, ...] = ()
    """What the seat then does, one after the other, in notation."""


class PlanEvent(
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


class PlanSet(PlanEvent, frozen=True, kw_only=True, tag="plan.PlanSet"):
    """A seat left a plan, in place of any that it had."""

    match: UUID
    seat: str
    holder: str
    """What tells who left it from all others: it is nobody's who takes the seat later."""
    since: int
    """The version of the match that it goes on from."""
    nodes: tuple[PlanNode, ...]


class PlanCancelled(PlanEvent, frozen=True, kw_only=True, tag="plan.PlanCancelled"):
    """The seat has changed its mind."""


class PlanEnded(PlanEvent, frozen=True, kw_only=True, tag="plan.PlanEnded"):
    """It is at its end, and the seat is told why."""

    reason: EndReason
    why: str
    """In words."""
    at_version: int
    """Of the match, when that was found."""


Event = PlanSet | PlanCancelled | PlanEnded


class PlanEnding(Struct, frozen=True):
    """How a plan ended."""

    reason: EndReason | Literal["cancelled"]
    why: str
    at_version: int = 0


class LeftPlan(Struct, frozen=True):
    """A plan as it stands."""

    id: UUID
    version: int
    digest: str
    """Of its last event, to which the next is chained."""
    match: UUID
    seat: str
    holder: str
    since: int
    nodes: tuple[PlanNode, ...]
    set_at: int
    """The version at which it was left as it is now."""
    ending: PlanEnding | None = None
    """None while it goes on."""


class PlanLedger(Ledger[LeftPlan]):
    """The events of one command of a plan."""

    kind = "plan"

    def _evolve(self, before: LeftPlan | None, sealed: Sealed[Any]) -> LeftPlan:
        return evolve(before, sealed)


def plan_id(match: UUID, seat: str) -> UUID:
    """The name of the plan of a seat: there is one at a time."""
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
    """Leave a plan; `plan` is what the seat had before."""
    ledger = PlanLedger(plan, plan_id(match, seat), stamp)
    ledger.record(PlanSet, match=match, seat=seat, holder=holder, since=since, nodes=nodes)
    return ledger.decided()


def cancel(plan: LeftPlan, stamp: Stamp) -> Decided[LeftPlan] | Denied:
    """Take a plan back."""
    if plan.ending is not None:
        return Denied("NO_CONDITIONAL_MOVES", "no plan of the seat waits for anything")
    ledger = PlanLedger(plan, plan.id, stamp)
    ledger.record(PlanCancelled)
    return ledger.decided()


def end(plan: LeftPlan, ending: PlanEnding, stamp: Stamp) -> Decided[LeftPlan]:
    """Tell the seat that its plan is at its end."""
    ledger = PlanLedger(plan, plan.id, stamp)
    ledger.record(PlanEnded, reason=ending.reason, why=ending.why, at_version=ending.at_version)
    return ledger.decided()


def asked_for(event: Event) -> list[Any]:
    """What the request asked for that made this event: for one that comes again."""
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
    """The plan after an event."""
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
