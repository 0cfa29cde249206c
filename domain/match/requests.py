"""The command that a request made, read from the events that it recorded.

A repeated request gets the first response again if it makes the same command. The first event of a
command holds all of its arguments, so that nothing else has to be stored. See docs/decisions/0035.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from domain.kernel.game import REFEREE
from domain.match.events import (
    ActionTaken,
    DisputeRaised,
    DowntimeCredited,
    DrawAnswered,
    DrawOffered,
    Event,
    FlagFell,
    HintGiven,
    InviteCreated,
    InviteRevoked,
    LineContinued,
    MatchCancelled,
    MatchCreated,
    MatchStarted,
    MatchUpdated,
    PlayerResigned,
    RefereeInvited,
    RefereeSeated,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    SeedRotated,
    UndoAnswered,
    UndoRequested,
    VerdictGiven,
)
from domain.match.lines import is_in_mainline
from domain.match.management import DEFAULT_WAITING_TIME
from domain.match.state import AnyMatch

RequestedCommand = list[Any]
"""The name of a command and its arguments, except those that its events do not hold."""


def requested_command(before: AnyMatch, events: Sequence[Event]) -> RequestedCommand:
    """Return the command that recorded these events; `before` is the match before them."""
    first, *later = events
    match first:
        case MatchCreated():
            return ["create", *_creation_arguments(first, later)]
        case SeatClaimed(seat=seat, player=player, holder=holder, bot=bot):
            return ["claim", seat, player or str(holder), *filter(None, (bot,))]
        case SeatLeft(seat=seat):
            return ["leave", seat]
        case MatchUpdated(title=title, visibility=visibility, shared=shared):
            return ["update", title, visibility, shared]
        case MatchCancelled():
            return ["cancel"]
        case InviteCreated(role=role):
            return ["invite", role]
        case InviteRevoked(role=role):
            return ["revoke-invite", role]
        case RefereeInvited():
            return ["invite-referee"]
        case RefereeSeated(player=player, holder=holder):
            return ["claim", REFEREE, player or str(holder)]
        case ActionTaken(seat=seat, action=action):
            return ["act", seat, action]
        case PlayerResigned(seat=seat):
            return ["resign", seat]
        case HintGiven(seat=seat):
            return ["hint", seat]
        case DrawOffered(seat=seat):
            return ["offer-draw", seat]
        case DrawAnswered(seat=seat, accepted=accepted):
            return ["answer-draw", seat, accepted]
        case LineContinued(seat=seat, to=to) | UndoRequested(seat=seat, to=to):
            return ["undo" if is_in_mainline(before, to) else "redo", seat, to]
        case UndoAnswered(seat=seat, granted=granted):
            return ["answer-undo", seat, granted]
        case DisputeRaised(seat=seat, on=on, reason=reason):
            return ["dispute", seat, on, reason]
        case VerdictGiven():
            return ["judge", *requested_verdict(first)]
        case SeedRotated() | SeedRevealed() | MatchStarted() | FlagFell() | DowntimeCredited():
            raise AssertionError("what the service does by itself is no request's")
        case unreachable:
            assert_never(unreachable)


def requested_verdict(verdict: Any) -> RequestedCommand:
    """Return the arguments of the command that recorded, or will record, this verdict."""
    fields = ("dispute", "verdict", "reason", "rules", "to", "facts")
    return [getattr(verdict, name) for name in fields]


def _creation_arguments(created: MatchCreated, later: Sequence[Event]) -> RequestedCommand:
    """Return the terms of a new match and the actions taken at its creation.

    Draws of the service are left out, since they follow from the rest.
    """
    origin = [str(created.origin.match), created.origin.version] if created.origin else []
    terms = [created.game, created.options, created.title, created.chance, created.undo]
    played = [[e.seat, e.action] for e in later if isinstance(e, ActionTaken) and e.draw is None]
    open_to = [created.visibility, created.stand_in, created.clock, created.seat_clocks]
    claims = [[e.seat, e.player or str(e.holder)] for e in later if isinstance(e, SeatClaimed)]
    joining = [created.admission, created.seat_order, created.rematch]
    roles = [created.begins, created.referee, *joining, claims, created.help]
    # Earlier events lack fields that were added later, so these count only if not at their default.
    defaults = (0, int(DEFAULT_WAITING_TIME.total_seconds()))
    added: RequestedCommand = (
        [] if created.waiting_seconds in defaults else [created.waiting_seconds]
    )
    added += ["shared"] if created.shared else []
    return [*terms, created.seat_chance, created.pause, origin, *open_to, *roles, played, *added]
