"""Messages for matches: terms, seats, referee and proposal."""

from datetime import datetime
from typing import Any, Final

import msgspec
import structlog
from google.protobuf.struct_pb2 import Struct as ProtoStruct

from domain.kernel.game import (
    SPECTATOR,
)
from domain.log.digests import encode_as_digest
from domain.match import (
    AnyMatch,
    Chance,
    HelpPolicy,
    JoinPolicy,
    MatchStatus,
    RefereePolicy,
    SeatAssignment,
    StartPolicy,
    SubstitutePolicy,
    UndoPolicy,
    Visibility,
    referee_seats,
)
from projections.queries.projection_errors import UNREADABLE_ERRORS, public_error_text
from projections.queries.proposals import open_proposal
from projections.views.board_views import MatchRow, UnreadableMatch
from projections.views.captions import caption
from services.mapping import messages
from services.mapping.clock_messages import fill_clocks, time_control_message
from services.runtime.clock import utc_now
from services.runtime.display_names import visible_name
from services.runtime.json_values import to_struct
from services.wire.emeth.v1 import (
    matches_pb2,
)

log = structlog.get_logger(__name__)

CHANCES: Final[dict[Chance, matches_pb2.Chance.ValueType]] = {
    "entered": matches_pb2.CHANCE_ENTERED,
    "rolled": matches_pb2.CHANCE_ROLLED,
}

UNDO_POLICIES: Final[dict[UndoPolicy, matches_pb2.UndoPolicy.ValueType]] = {
    "free": matches_pb2.UNDO_POLICY_FREE,
    "consent": matches_pb2.UNDO_POLICY_CONSENT,
    "referee": matches_pb2.UNDO_POLICY_REFEREE,
    "none": matches_pb2.UNDO_POLICY_NONE,
}

STATUSES: Final[dict[MatchStatus, matches_pb2.MatchStatus.ValueType]] = {
    "active": matches_pb2.MATCH_STATUS_ACTIVE,
    "paused": matches_pb2.MATCH_STATUS_PAUSED,
    "over": matches_pb2.MATCH_STATUS_OVER,
    "waiting": matches_pb2.MATCH_STATUS_WAITING,
    "cancelled": matches_pb2.MATCH_STATUS_CANCELLED,
}

VISIBILITIES: Final[dict[Visibility, matches_pb2.Visibility.ValueType]] = {
    "private": matches_pb2.VISIBILITY_PRIVATE,
    "public": matches_pb2.VISIBILITY_PUBLIC,
    "unlisted": matches_pb2.VISIBILITY_UNLISTED,
}

SUBSTITUTE_POLICIES: Final[dict[SubstitutePolicy, matches_pb2.SubstitutePolicy.ValueType]] = {
    "nobody": matches_pb2.SUBSTITUTE_POLICY_NONE,
    "referee": matches_pb2.SUBSTITUTE_POLICY_REFEREE,
}

START_POLICIES: Final[dict[StartPolicy, matches_pb2.StartPolicy.ValueType]] = {
    "at-once": matches_pb2.START_POLICY_IMMEDIATE,
    "when-full": matches_pb2.START_POLICY_WHEN_FULL,
}

JOIN_POLICIES: Final[dict[JoinPolicy, matches_pb2.JoinPolicy.ValueType]] = {
    "invited": matches_pb2.JOIN_POLICY_INVITED,
    "linked": matches_pb2.JOIN_POLICY_LINK,
    "anybody": matches_pb2.JOIN_POLICY_ANYONE,
}

SEAT_ASSIGNMENTS: Final[dict[SeatAssignment, matches_pb2.SeatAssignment.ValueType]] = {
    "chosen": matches_pb2.SEAT_ASSIGNMENT_CHOSEN,
    "in-order": matches_pb2.SEAT_ASSIGNMENT_IN_ORDER,
    "drawn": matches_pb2.SEAT_ASSIGNMENT_RANDOM,
}

HELP_POLICIES: Final[dict[HelpPolicy, matches_pb2.HelpPolicy.ValueType]] = {
    "none": matches_pb2.HELP_POLICY_NONE,
    "hints": matches_pb2.HELP_POLICY_HINTS,
}

REFEREE_POLICIES: Final[dict[RefereePolicy, matches_pb2.RefereePolicy.ValueType]] = {
    "creator": matches_pb2.REFEREE_POLICY_CREATOR,
    "nobody": matches_pb2.REFEREE_POLICY_NONE,
    "invited": matches_pb2.REFEREE_POLICY_INVITED,
    "operator": matches_pb2.REFEREE_POLICY_OPERATOR,
}


def match_or_fault(found: MatchRow | UnreadableMatch) -> matches_pb2.Match:
    """Return the message of a match from the read models.

    A match that cannot be shown has its error in `fault`, so that no match breaks a list of others.
    """
    if isinstance(found, UnreadableMatch):
        return _faulty_match(found)
    try:
        return _shown_match(found)
    except UNREADABLE_ERRORS as error:
        match = found.match
        log.error("match not shown", match=str(match.id), error=repr(error))
        head = (match.id, match.game, match.title, match.version, match.created, found.updated)
        return _faulty_match(UnreadableMatch(*head, public_error_text(error)))


def _faulty_match(found: UnreadableMatch) -> matches_pb2.Match:
    return matches_pb2.Match(
        match_id=str(found.id),
        game=found.game,
        title=found.title,
        version=found.version,
        create_time=messages.timestamp(found.created),
        update_time=messages.timestamp(found.updated),
        caption=found.why,
        fault=found.why,
    )


def _shown_match(found: MatchRow) -> matches_pb2.Match:
    shown = match(found.match, found.updated, found.forks)
    if (creator := found.creator) is not None:
        shown.creator.creator_id = creator.name
        shown.creator.started_count = creator.begun
        shown.creator.unplayed_count = creator.unplayed
    return shown


def etag_of(standing: AnyMatch) -> str:
    """Return the etag of a match: the version of the event that last updated its details."""
    return str(standing.details.updated)


def match(standing: AnyMatch, updated: datetime, forks: int = 0) -> matches_pb2.Match:
    """Return the message of a match, with public information only; `forks` counts its forks."""
    terms = standing.terms
    shown = matches_pb2.Match(
        match_id=str(standing.id),
        game=standing.game,
        title=visible_name(standing.title),
        options=options(standing.options),
        seats=[_seat(standing, seat) for seat in standing.seats],
        version=standing.version,
        create_time=messages.timestamp(standing.created),
        update_time=messages.timestamp(updated),
        etag=etag_of(standing),
        shared=terms.shared,
        prompts=messages.prompts(standing.prompts),
        caption=caption(standing, SPECTATOR),
        chance=CHANCES[terms.chance],
        seat_chance={seat: CHANCES[chance] for seat, chance in terms.seat_chance.items()},
        undo_policy=UNDO_POLICIES[terms.undo],
        pause_on_dispute=terms.pause,
        without_chance=not standing.rules.has_chance,
        commitment=standing.details.commitment,
        fork_count=forks,
        visibility=VISIBILITIES[terms.visibility],
        substitute_policy=SUBSTITUTE_POLICIES[terms.stand_in],
        start_policy=START_POLICIES[terms.begins],
        referee=referee(standing),
        join_policy=JOIN_POLICIES[terms.admission],
        seat_assignment=SEAT_ASSIGNMENTS[terms.seat_order],
        rematch_of=str(terms.rematch or ""),
        frontend_id=str(terms.frontend or ""),
        players_only=terms.players_only,
        help_policy=HELP_POLICIES[terms.help],
        time_control=time_control_message(terms.clock) if terms.clock else None,
        seat_time_controls={
            seat: time_control_message(each) for seat, each in terms.seat_clocks.items()
        },
    )
    fill_details(shown, standing, utc_now())
    if standing.expires is not None:
        shown.expire_time.CopyFrom(messages.timestamp(standing.expires))
    if terms.origin is not None:
        shown.fork_origin.match_id = str(terms.origin.match)
        shown.fork_origin.version = terms.origin.version
    if standing.result is not None:
        shown.result.CopyFrom(messages.result(standing.result, standing.seats))
    return shown


def referee(standing: AnyMatch) -> matches_pb2.Referee:
    """Return the message that describes the referee of a match."""
    named = standing.details.referee
    return matches_pb2.Referee(
        policy=REFEREE_POLICIES[standing.terms.referee],
        player=visible_name(named.player) if named else "",
        seats=referee_seats(standing),
    )


def _seat(standing: AnyMatch, seat: str) -> matches_pb2.Seat:
    holder = standing.holders.get(seat)
    return matches_pb2.Seat(
        name=seat,
        player=visible_name(standing.player_of(seat)),
        out=seat in standing.out,
        player_id=str(holder.id) if holder and holder.id else "",
        bot=holder.bot if holder else "",
    )


def options(given: Any) -> ProtoStruct:
    """Return the options of a game as a message, with defaults filled in."""
    return to_struct(msgspec.to_builtins(given, enc_hook=encode_as_digest))


def fill_details(
    message: matches_pb2.Match, standing: AnyMatch, now: datetime | None = None
) -> None:
    """Fill in the status of a match: clocks, open proposal and open disputes.

    Args:
        message: The message to fill.
        standing: The match.
        now: When to read the clocks; at the last event if None.
    """
    if standing.clocks is not None:
        fill_clocks(message.clocks, standing, now)
    message.status = STATUSES[standing.status]
    if (proposal := open_proposal(standing)) is not None:
        messages.fill_proposal(message.proposal, proposal)
    for each in standing.details.disputes:
        message.open_disputes.add(number=each.number, version=each.on, seat=each.seat)
