"""A match as a message of the API: its terms, seats, referee, and proposal."""

from datetime import datetime
from typing import Any, Final

import msgspec
import structlog
from google.protobuf.struct_pb2 import Struct as ProtoStruct

from domain.kernel.game import (
    SPECTATOR,
)
from domain.log.digests import as_digest
from domain.match import (
    Admission,
    AnyMatch,
    Begins,
    Chance,
    Help,
    MatchStatus,
    Refereeing,
    SeatOrder,
    StandIn,
    UndoPolicy,
    Visibility,
    referee_plays,
)
from projections.board_views import Standing, UnreadableMatch
from projections.match_captions import caption
from projections.proposals import open_proposal
from projections.troubles import POISON, fault
from services import messages
from services.clock import utc_now
from services.clock_messages import clock_message, fill_clocks
from services.json_values import to_struct
from services.names import visible_name
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
}

VISIBILITIES: Final[dict[Visibility, matches_pb2.Visibility.ValueType]] = {
    "private": matches_pb2.VISIBILITY_PRIVATE,
    "public": matches_pb2.VISIBILITY_PUBLIC,
    "unlisted": matches_pb2.VISIBILITY_UNLISTED,
}

STAND_INS: Final[dict[StandIn, matches_pb2.StandIn.ValueType]] = {
    "nobody": matches_pb2.STAND_IN_NOBODY,
    "referee": matches_pb2.STAND_IN_REFEREE,
}

BEGINS: Final[dict[Begins, matches_pb2.Begins.ValueType]] = {
    "at-once": matches_pb2.BEGINS_AT_ONCE,
    "when-full": matches_pb2.BEGINS_WHEN_FULL,
}

ADMISSIONS: Final[dict[Admission, matches_pb2.Admission.ValueType]] = {
    "invited": matches_pb2.ADMISSION_INVITED,
    "linked": matches_pb2.ADMISSION_LINKED,
    "anybody": matches_pb2.ADMISSION_ANYBODY,
}

SEAT_ORDERS: Final[dict[SeatOrder, matches_pb2.SeatOrder.ValueType]] = {
    "chosen": matches_pb2.SEAT_ORDER_CHOSEN,
    "in-order": matches_pb2.SEAT_ORDER_IN_ORDER,
    "drawn": matches_pb2.SEAT_ORDER_DRAWN,
}

HELPS: Final[dict[Help, matches_pb2.Help.ValueType]] = {
    "none": matches_pb2.HELP_NONE,
    "hints": matches_pb2.HELP_HINTS,
}

REFEREEING: Final[dict[Refereeing, matches_pb2.Refereeing.ValueType]] = {
    "creator": matches_pb2.REFEREEING_CREATOR,
    "nobody": matches_pb2.REFEREEING_NOBODY,
    "invited": matches_pb2.REFEREEING_INVITED,
    "operator": matches_pb2.REFEREEING_OPERATOR,
}


def listed_match(found: Standing | UnreadableMatch) -> matches_pb2.Match:
    """Return a match as the read models have it. One that cannot be shown says so in `fault`, so
    that no match breaks a list of others."""
    if isinstance(found, UnreadableMatch):
        return _faulty_match(found)
    try:
        return _shown_match(found)
    except POISON as error:
        match = found.match
        log.error("match not shown", match=str(match.id), error=repr(error))
        head = (match.id, match.game, match.title, match.version, match.created, found.updated)
        return _faulty_match(UnreadableMatch(*head, fault(error)))


def _faulty_match(found: UnreadableMatch) -> matches_pb2.Match:
    return matches_pb2.Match(
        match_id=str(found.id),
        game=found.game,
        title=found.title,
        version=found.version,
        created_at=messages.timestamp(found.created),
        updated_at=messages.timestamp(found.updated),
        caption=found.why,
        fault=found.why,
    )


def _shown_match(found: Standing) -> matches_pb2.Match:
    shown = match(found.match, found.updated, found.forks)
    if (creator := found.creator) is not None:
        shown.creator.id = creator.name
        shown.creator.begun = creator.begun
        shown.creator.unplayed = creator.unplayed
    return shown


def match(standing: AnyMatch, updated: datetime, forks: int = 0) -> matches_pb2.Match:
    """A match, as anybody may know it; `forks` is how many were made of it."""
    terms = standing.terms
    shown = matches_pb2.Match(
        match_id=str(standing.id),
        game=standing.game,
        title=visible_name(standing.title),
        options=options(standing.options),
        seats=[_seat(standing, seat) for seat in standing.seats],
        version=standing.version,
        created_at=messages.timestamp(standing.created),
        updated_at=messages.timestamp(updated),
        prompts=messages.prompts(standing.prompts),
        caption=caption(standing, SPECTATOR),
        chance=CHANCES[terms.chance],
        seat_chance={seat: CHANCES[chance] for seat, chance in terms.seat_chance.items()},
        undo=UNDO_POLICIES[terms.undo],
        pause_on_dispute=terms.pause,
        without_chance=not standing.rules.chance,
        commitment=standing.affairs.commitment,
        forks=forks,
        visibility=VISIBILITIES[terms.visibility],
        stand_in=STAND_INS[terms.stand_in],
        begins=BEGINS[terms.begins],
        referee=referee(standing),
        admission=ADMISSIONS[terms.admission],
        seat_order=SEAT_ORDERS[terms.seat_order],
        rematch_of=str(terms.rematch or ""),
        frontend_id=str(terms.frontend or ""),
        players_only=terms.players_only,
        help=HELPS[terms.help],
        clock=clock_message(terms.clock) if terms.clock else None,
        seat_clocks={seat: clock_message(each) for seat, each in terms.seat_clocks.items()},
    )
    fill_affairs(shown, standing, utc_now())
    if terms.origin is not None:
        shown.origin.match_id = str(terms.origin.match)
        shown.origin.version = terms.origin.version
    if standing.result is not None:
        shown.result.CopyFrom(messages.result(standing.result, standing.seats))
    return shown


def referee(standing: AnyMatch) -> matches_pb2.Referee:
    """Who referees a match."""
    named = standing.affairs.referee
    return matches_pb2.Referee(
        kind=REFEREEING[standing.terms.referee],
        player=visible_name(named.player) if named else "",
        plays=referee_plays(standing),
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
    """All options of a game, defaults written out."""
    return to_struct(msgspec.to_builtins(given, enc_hook=as_digest))


def fill_affairs(
    message: matches_pb2.Match, standing: AnyMatch, now: datetime | None = None
) -> None:
    """Where a match stands beside its game: is it paused, what waits for whom, and what time is
    left, now or else at its last event?"""
    if standing.clocks is not None:
        fill_clocks(message.clocks, standing, now)
    message.status = STATUSES[standing.status]
    if (proposal := open_proposal(standing)) is not None:
        messages.fill_proposal(message.proposal, proposal)
    for each in standing.affairs.disputes:
        message.disputes.add(number=each.number, version=each.on, seat=each.seat)
