"""From what the domain and the read models say to the messages of the API.

Nothing is decided here, least of all what a viewer may see: `projections.visible_events` did that.
"""

from collections.abc import Iterable, Iterator, MutableMapping
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from google.protobuf.struct_pb2 import Struct as ProtoStruct
from google.protobuf.timestamp_pb2 import Timestamp

from domain.army.army import SavedArmy
from domain.kernel.armies import Checked, Entry, Row, SideStatus, UnitStatus
from domain.kernel.game import (
    SPECTATOR,
    AnyGame,
    Ask,
    Group,
    Refused,
    Result,
    Rule,
    explain,
    figures_as_named,
)
from domain.log.digests import as_digest
from domain.match import (
    Admission,
    AnyMatch,
    Begins,
    Chance,
    Finding,
    MatchStatus,
    Refereeing,
    SeatOrder,
    StandIn,
    UndoPolicy,
    Verdict,
    Visibility,
    referee_plays,
)
from projections.board_views import Standing
from projections.branches import Branch
from projections.citations import CitedRule
from projections.disputes import ListedDispute
from projections.match_captions import caption
from projections.pending_requests import Kind, PendingRequest, pending_request
from projections.visible_events import (
    SeenAction,
    SeenEvent,
    score_writer,
    see_action,
    see_refusal,
)
from services import scene_messages
from services.clock_messages import clock_message, fill_clocks
from services.errors import malformed
from services.json_values import to_struct
from services.proof.signed_notes import receipt_text
from services.proof.signing import Signer
from services.wire.emeth.v1 import (
    actions_pb2,
    armies_pb2,
    audit_pb2,
    history_pb2,
    matches_pb2,
    play_pb2,
    views_pb2,
)


def timestamp(at: datetime) -> Timestamp:
    """A time with its zone, as the API has it."""
    message = Timestamp()
    _put_time(message, at)
    return message


def _put_time(message: Timestamp, at: datetime) -> None:
    # The message's own `FromDatetime` goes by way of the calendar, at ten times the cost.
    whole = at.replace(microsecond=0)
    message.seconds = int(whole.timestamp())
    message.nanos = at.microsecond * 1000


def moment(field: str, message: Timestamp) -> datetime:
    """The time in a message. FIELD_INVALID for one that is out of bounds."""
    try:
        return message.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise malformed(field, "it is a time of the years 1 to 9999") from None


def asks(turn: Iterable[Ask]) -> list[actions_pb2.Ask]:
    """Who may act, and what is asked."""
    return [actions_pb2.Ask(seat=ask.seat, want=ask.want, chance=ask.chance) for ask in turn]


def result(ended: Result) -> actions_pb2.Result:
    """How a match ended."""
    return actions_pb2.Result(winners=ended.winners, reason=ended.reason, score=ended.score)


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
PENDING: Final[dict[Kind, matches_pb2.PendingKind.ValueType]] = {
    "undo": matches_pb2.PENDING_KIND_UNDO,
    "redo": matches_pb2.PENDING_KIND_REDO,
    "draw": matches_pb2.PENDING_KIND_DRAW,
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
REFEREEING: Final[dict[Refereeing, matches_pb2.Refereeing.ValueType]] = {
    "creator": matches_pb2.REFEREEING_CREATOR,
    "nobody": matches_pb2.REFEREEING_NOBODY,
    "invited": matches_pb2.REFEREEING_INVITED,
    "operator": matches_pb2.REFEREEING_OPERATOR,
}


def listed_match(found: Standing) -> matches_pb2.Match:
    """A match as the read models have it."""
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
        title=standing.title,
        options=options(standing.options),
        seats=[_seat(standing, seat) for seat in standing.seats],
        version=standing.version,
        created_at=timestamp(standing.created),
        updated_at=timestamp(updated),
        asks=asks(standing.asks),
        caption=caption(standing, SPECTATOR),
        chance=CHANCES[terms.chance],
        seat_chance={seat: CHANCES[chance] for seat, chance in terms.seat_chance.items()},
        undo=UNDO_POLICIES[terms.undo],
        pause_on_dispute=terms.pause,
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
        clock=clock_message(terms.clock) if terms.clock else None,
        seat_clocks={seat: clock_message(each) for seat, each in terms.seat_clocks.items()},
    )
    fill_affairs(shown, standing, datetime.now(UTC))
    if terms.origin is not None:
        shown.origin.match_id = str(terms.origin.match)
        shown.origin.version = terms.origin.version
    if standing.result is not None:
        shown.result.CopyFrom(result(standing.result))
    return shown


def referee(standing: AnyMatch) -> matches_pb2.Referee:
    """Who referees a match."""
    named = standing.affairs.referee
    return matches_pb2.Referee(
        kind=REFEREEING[standing.terms.referee],
        player=named.player if named else "",
        plays=referee_plays(standing),
    )


def _seat(standing: AnyMatch, seat: str) -> matches_pb2.Seat:
    holder = standing.holders.get(seat)
    return matches_pb2.Seat(
        name=seat,
        player=standing.player_of(seat),
        out=seat in standing.out,
        player_id=str(holder.id) if holder and holder.id else "",
    )


def options(given: Any) -> ProtoStruct:
    """All options of a game, defaults written out."""
    return to_struct(msgspec.to_builtins(given, enc_hook=as_digest))


def fill_affairs(
    message: matches_pb2.Match | views_pb2.GetSceneResponse | views_pb2.WatchedEvent,
    standing: AnyMatch,
    now: datetime | None = None,
) -> None:
    """Where a match stands beside its game: is it paused, what waits for whom, and what time is
    left, now or else at its last event?"""
    if standing.clocks is not None:
        fill_clocks(message.clocks, standing, now)
    message.status = STATUSES[standing.status]
    if (request := pending_request(standing)) is not None:
        message.pending.CopyFrom(pending(request))
    for each in standing.affairs.disputes:
        message.disputes.add(number=each.number, version=each.on, seat=each.seat)


def pending(request: PendingRequest) -> matches_pb2.Pending:
    """What somebody asked for, while it waits for answers."""
    asked = msgspec.structs.asdict(request.asked)
    return matches_pb2.Pending(**asked, kind=PENDING[request.kind])


def branch(found: Branch) -> history_pb2.Branch:
    """A branch of a match."""
    return history_pb2.Branch(**msgspec.structs.asdict(found))


def fill_refusal(
    message: actions_pb2.Refusal,
    match: AnyMatch,
    refused: Refused,
    alternatives: Iterable[Any] = (),
) -> None:
    """What a rule forbids, with the rule in words, and what the seat may do instead."""
    seen = see_refusal(match.rules, refused, match.position)
    message.rule = seen.rule
    message.why = seen.why
    _put(message.figures, seen.figures)
    message.sentence = seen.sentence
    message.alternatives.extend(legal_actions(match, alternatives))


def fill_plain_refusal(message: actions_pb2.Refusal, rule: Rule | None, refused: Refused) -> None:
    """What is forbidden by no rule of a game: what a stylus cannot do, by this rule of its own."""
    message.rule = refused.rule
    message.why = refused.why
    message.sentence = explain(rule, figures_as_named(refused.figures)) if rule else refused.why
    _put(message.figures, {name: str(value) for name, value in refused.figures.items()})


def legal_actions(match: AnyMatch, found: Iterable[Any]) -> Iterator[actions_pb2.Action]:
    """Actions that a seat may take now, for that seat."""
    game, position = match.rules, match.position
    human = score_writer(game, position)
    for action in found:
        yield _action(see_action(game, position, action, human))


def action_group(match: AnyMatch, group: Group[Any], token: str) -> actions_pb2.Action:
    """Several legal actions as one; `token` lists them."""
    parts = group.parts
    return actions_pb2.Action(
        notation=match.rules.write_action(group.first),
        verb=parts.verb,
        pieces=parts.pieces,
        spaces=parts.spaces,
        cards=parts.cards,
        choices=parts.choices,
        cost=parts.cost,
        sentence=parts.sentence,
        group=token,
    )


def event(seen: SeenEvent) -> actions_pb2.Event:
    """An event that has been through the veil."""
    message = actions_pb2.Event()
    fill_event(message, seen)
    return message


def fill_event(message: actions_pb2.Event, seen: SeenEvent) -> None:
    """The same in place, which costs a quarter: a message put into another is copied."""
    message.version = seen.version
    _put_time(message.at, seen.at)
    message.kind = seen.kind
    message.seat = seen.seat
    message.player = seen.player
    if seen.action is not None:
        message.action.MergeFrom(_action(seen.action))
    for fact in seen.facts:
        added = message.facts.add(kind=fact.kind, sentence=fact.sentence)
        _put(added.fields, fact.fields)
    for ruling in seen.rulings:
        cited = message.rulings.add(rules=ruling.rules, fact=ruling.fact, sentence=ruling.sentence)
        _put(cited.figures, ruling.figures)
    message.sentence = seen.sentence
    message.digest = seen.digest
    message.client = seen.client
    _put(message.details, seen.details)
    message.stand_in = seen.stand_in
    if seen.draw is not None:
        message.draw = seen.draw
    scene_messages.fill_changes(message.changes, seen.changes)
    for part in seen.snippet:
        message.snippet.add(text=part.text, found=part.found)


def _put(into: MutableMapping[str, str], values: dict[str, str]) -> None:
    # A map's own `update` goes through several layers of Python for each entry.
    for name, value in values.items():
        into[name] = value


def _action(seen: SeenAction) -> actions_pb2.Action:
    return actions_pb2.Action(
        notation=seen.notation,
        human=seen.human,
        verb=seen.verb,
        pieces=seen.pieces,
        spaces=seen.spaces,
        cards=seen.cards,
        choices=seen.choices,
        cost=seen.cost,
        sentence=seen.sentence,
    )


def receipt(match: AnyMatch) -> play_pb2.Receipt:
    """What is to be signed about the match's last event."""
    return play_pb2.Receipt(match_id=str(match.id), version=match.version, digest=match.digest)


def sign(receipt: play_pb2.Receipt, signer: Signer) -> None:
    """Put the signature to a receipt. Sign only what is on disk."""
    text = receipt_text(receipt.match_id, receipt.version, receipt.digest)
    receipt.signature = signer.sign(text)
    receipt.key_name = signer.key.name


def finding(identity: UUID, found: Finding, *, whole: bool) -> audit_pb2.Finding:
    """What an audit found; not `whole` for those who may not know all that happened."""
    sentence = f"{found.sentence}: {found.detail}" if whole and found.detail else found.sentence
    return audit_pb2.Finding(
        match_id=str(identity),
        version=found.version,
        check=found.check,
        sentence=sentence,
        rule=found.rule if whole else "",
    )


def cited_rule(cited: CitedRule) -> audit_pb2.CitedRule:
    """A rule that an event rests on."""
    return audit_pb2.CitedRule(**msgspec.structs.asdict(cited))


VERDICTS: Final[dict[Verdict | None, audit_pb2.VerdictKind.ValueType]] = {
    None: audit_pb2.VERDICT_KIND_UNSPECIFIED,
    "upheld": audit_pb2.VERDICT_KIND_UPHELD,
    "reverted": audit_pb2.VERDICT_KIND_REVERTED,
    "corrected": audit_pb2.VERDICT_KIND_CORRECTED,
}


def dispute(raised: ListedDispute) -> audit_pb2.Dispute:
    """A dispute, with its verdict if there is one."""
    return audit_pb2.Dispute(
        match_id=str(raised.match),
        number=raised.number,
        version=raised.on,
        seat=raised.seat,
        reason=raised.reason,
        raised_at=timestamp(raised.raised),
        verdict=VERDICTS[raised.verdict],
        verdict_version=raised.verdict_version,
        verdict_reason=raised.verdict_reason,
        rules=raised.rules,
        precedent_id=raised.precedent,
    )


def army_check(game: AnyGame, checked: Checked) -> armies_pb2.ArmyCheck:
    """What is to be said of an army."""
    return armies_pb2.ArmyCheck(
        faults=[
            armies_pb2.ArmyFault(
                rule=fault.rule,
                path=fault.path,
                why=fault.why,
                sentence=explain(game.rules[fault.rule]),
            )
            for fault in checked.faults
        ],
        points=checked.points,
        limit=checked.limit,
    )


def saved_army(army: SavedArmy) -> armies_pb2.SavedArmy:
    """A saved army, without what tells its owner."""
    return armies_pb2.SavedArmy(
        army_id=str(army.id),
        version=army.version,
        game=army.saved.game,
        name=army.saved.name,
        army=to_struct(army.saved.content),
        occasion=to_struct(army.saved.occasion),
        points=army.saved.points,
        created_at=timestamp(army.created),
        updated_at=timestamp(army.updated),
    )


def catalog_entry(entry: Entry) -> armies_pb2.CatalogEntry:
    """An entry of a catalog."""
    return armies_pb2.CatalogEntry(**msgspec.structs.asdict(entry))


def side_status(side: SideStatus, player: str) -> views_pb2.SideStatus:
    """How a side stands, and who leads it."""
    return views_pb2.SideStatus(
        seat=side.seat,
        player=player,
        tracks=map(scene_messages.part, side.tracks),
        units=map(_unit_status, side.units),
        losses=map(_unit_status, side.losses),
        rows=map(_status_row, side.rows),
    )


def _unit_status(unit: UnitStatus) -> views_pb2.UnitStatus:
    return views_pb2.UnitStatus(
        id=unit.id,
        kind=unit.kind,
        name=unit.name,
        where=unit.where,
        tracks=map(scene_messages.part, unit.tracks),
        rows=map(_status_row, unit.rows),
        attributes=unit.attributes,
    )


def _status_row(row: Row) -> views_pb2.StatusRow:
    return views_pb2.StatusRow(**msgspec.structs.asdict(row))
