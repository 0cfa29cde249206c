"""Messages that several services of the API share.

This module filters nothing: `projections.views.viewer_events` has removed what a viewer may not
see.
"""

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from google.protobuf.timestamp_pb2 import Timestamp

from domain.kernel.game import Prompt, Result
from domain.kernel.hints import Aim, Forecast, Stop
from domain.kernel.orders import Order, OrderAction
from domain.kernel.parts import Group
from domain.kernel.rulings import Refused, Rule, explain, figures_by_name
from domain.match import (
    AnyMatch,
    Check,
    Finding,
    VerdictKind,
)
from projections.queries.branches import Branch
from projections.queries.citations import CitedRule
from projections.queries.disputes import ListedDispute
from projections.queries.proposals import ProposalKind, ProposalState, ProposalView
from projections.views.viewer_events import (
    ActionView,
    EventView,
    render_action,
    render_refusal,
    score_writer,
)
from services.mapping import scene_messages
from services.mapping.scene_messages import to_message
from services.proof.receipts import ReceiptSigner
from services.proof.signed_notes import receipt_text
from services.runtime.display_names import visible_name
from services.runtime.errors import field_invalid
from services.wire.emeth.v1 import (
    actions_pb2,
    audit_pb2,
    history_pb2,
    play_pb2,
    proposals_pb2,
    scenes_pb2,
)

FIRST_SECOND: Final = -62_135_596_800
"""The earliest second of a Timestamp, since 1970."""
LAST_SECOND: Final = 253_402_300_799
"""The latest second of a Timestamp, since 1970."""
LARGEST_UINT32: Final = (1 << 32) - 1


def timestamp(at: datetime) -> Timestamp:
    """Return a time with a zone as a Timestamp message."""
    message = Timestamp()
    _put_time(message, at)
    return message


def time_of_ms(milliseconds: int) -> Timestamp:
    """Return the time of a device's clock, in milliseconds since 1970, as a Timestamp message.

    Device clocks may be wrong by any number of years: the time is clamped to the years 1 to 9999.
    """
    seconds, rest = divmod(milliseconds, 1000)
    return Timestamp(seconds=max(FIRST_SECOND, min(seconds, LAST_SECOND)), nanos=rest * 1_000_000)


def uint32(number: int) -> int:
    """Return a number clamped to the range of a uint32 field: stored numbers may be larger."""
    return min(number, LARGEST_UINT32)


def _put_time(message: Timestamp, at: datetime) -> None:
    # `FromDatetime` computes via the calendar, at ten times the cost.
    whole = at.replace(microsecond=0)
    message.seconds = int(whole.timestamp())
    message.nanos = at.microsecond * 1000


def read_timestamp(field: str, message: Timestamp) -> datetime:
    """Return the time in a Timestamp message.

    Raises:
        ApiError: FIELD_INVALID if the time is out of bounds.
    """
    try:
        return message.ToDatetime(UTC)
    except (ValueError, OverflowError):
        raise field_invalid(field, "it must be a time in the years 1 to 9999") from None


def prompts(turn: Iterable[Prompt]) -> list[actions_pb2.Prompt]:
    """Return the messages for the prompts of a position."""
    return [
        actions_pb2.Prompt(
            seat=prompt.seat, expected_action=prompt.expected_action, chance=prompt.is_chance
        )
        for prompt in turn
    ]


def fill_prompts(into: Any, turn: Iterable[Prompt]) -> None:
    """Add the messages for prompts to a repeated field, which avoids copying them."""
    for prompt in turn:
        into.add(seat=prompt.seat, expected_action=prompt.expected_action, chance=prompt.is_chance)


def result(ended: Result, seats: Sequence[str]) -> actions_pb2.Result:
    """Return the message of a result, with its score in the grammar of the API.

    >>> result(Result(("white",), "resign", ""), ("white", "black")).score
    '1-0'
    >>> result(Result((), "agreement", ""), ("white", "black")).score
    '1/2-1/2'
    >>> result(Result(("north", "east"), "shared", ""), ("north", "east", "south")).score
    '1/2-1/2-0'
    """
    winners = ended.winners or seats
    share = f"1/{len(winners)}" if len(winners) > 1 else "1"
    score = "-".join(share if seat in winners else "0" for seat in seats)
    return actions_pb2.Result(winners=ended.winners, reason=ended.reason, score=score)


def branch(found: Branch) -> history_pb2.Branch:
    """Return the message of a branch of a match."""
    return history_pb2.Branch(**msgspec.structs.asdict(found))


def fill_refusal(
    message: actions_pb2.Refusal,
    match: AnyMatch,
    refused: Refused,
    alternatives: Iterable[Any] = (),
) -> None:
    """Fill in a refusal, the rule in words, and alternatives that are legal."""
    seen = render_refusal(match.rules, refused, match.position)
    message.rule = seen.rule
    message.why = seen.why
    _put(message.figures, seen.figures)
    message.sentence = seen.sentence
    message.alternatives.extend(legal_actions(match, alternatives))


def fill_plain_refusal(message: actions_pb2.Refusal, rule: Rule | None, refused: Refused) -> None:
    """Fill in a refusal that rests on no rule of a game, such as a stylus limitation."""
    message.rule = refused.rule
    message.why = refused.why
    message.sentence = explain(rule, figures_by_name(refused.figures)) if rule else refused.why
    _put(message.figures, {name: str(value) for name, value in refused.figures.items()})


def legal_actions(match: AnyMatch, found: Iterable[Any]) -> Iterator[actions_pb2.Action]:
    """Yield the messages of legal actions, as the acting seat may see them."""
    game, position = match.rules, match.position
    score_notation = score_writer(game, position)
    for action in found:
        message = _action(render_action(game, position, action, score_notation))
        message.verb_label = game.verbs.get(message.verb, "")
        yield message


def action_group(match: AnyMatch, group: Group[Any], token: str) -> actions_pb2.Action:
    """Return several legal actions as one message; `token` retrieves them one by one."""
    parts = group.parts
    return actions_pb2.Action(
        notation=match.rules.write_action(group.first),
        verb=parts.verb,
        verb_label=match.rules.verbs.get(parts.verb, ""),
        pieces=parts.pieces,
        spaces=parts.spaces,
        cards=parts.cards,
        choices=parts.choices,
        cost=parts.cost,
        sentence=group.write_sentence(),
        group=token,
    )


def order(
    match: AnyMatch, listed: Order[Any], actions: Iterable[OrderAction[Any]]
) -> actions_pb2.Order:
    """Return the message of an order with some of its actions.

    The match must be reduced to what the acting seat may know.
    """
    message = actions_pb2.Order(
        actor=listed.actor, line=listed.line, verb=listed.verb, cost=listed.cost
    )
    game, position = match.rules, match.position
    score_notation = score_writer(game, position)
    for each in actions:
        seen = render_action(game, position, each.action, score_notation)
        added = message.actions.add(
            notation=seen.notation,
            score_notation=seen.score_notation,
            sentence=seen.sentence,
            picks=[to_message(pick, actions_pb2.Pick) for pick in each.picks],
        )
        if each.amounts is not None:
            added.amounts.CopyFrom(to_message(each.amounts, actions_pb2.Amounts))
    if listed.refused is not None:
        fill_refusal(message.refusal, match, listed.refused)
    return message


FORECAST_STOPS: Final[dict[Stop, play_pb2.ForecastStop.ValueType]] = {
    "": play_pb2.FORECAST_STOP_UNSPECIFIED,
    "dice": play_pb2.FORECAST_STOP_CHANCE,
    "reveal": play_pb2.FORECAST_STOP_REVEAL,
}


def fill_forecast(message: play_pb2.Forecast, forecast: Forecast) -> None:
    """Fill in the forecast of a legal action."""
    message.sentence = forecast.sentence
    message.tag = forecast.tag
    message.stop = FORECAST_STOPS[forecast.stop]
    message.sides = forecast.sides
    if forecast.chance is not None:
        message.chance = forecast.chance
    for roll in forecast.rolls:
        # `from` is a keyword of Python.
        message.rolls.add(**{"from": roll.start, "to": roll.end, "tone": roll.tone})
    message.terms.extend(to_message(term, play_pb2.Term) for term in forecast.terms)
    message.outcomes.extend(to_message(each, play_pb2.Outcome) for each in forecast.outcomes)
    message.marks.extend(to_message(mark, scenes_pb2.Mark) for mark in forecast.marks)
    scene_messages.fill_changes(message.changes, forecast.changes)


def fill_aim(message: play_pb2.PreviewOrderResponse, match: AnyMatch, aim: Aim) -> None:
    """Fill in what an order reaches.

    The match must be reduced to what the acting seat may know.
    """
    message.marks.extend(to_message(mark, scenes_pb2.Mark) for mark in aim.marks)
    for target in aim.refused_targets:
        added = message.refused_targets.add(id=target.id)
        fill_refusal(added.refusal, match, target.refused)


def event(seen: EventView) -> actions_pb2.Event:
    """Return the message of a redacted event."""
    message = actions_pb2.Event()
    fill_event(message, seen)
    return message


def fill_event(message: actions_pb2.Event, seen: EventView) -> None:
    """Fill in a redacted event in place: a quarter of the cost of copying a message."""
    message.version = seen.version
    _put_time(message.create_time, seen.at)
    message.kind = seen.kind
    message.seat = seen.seat
    message.player = visible_name(seen.player)
    if seen.action is not None:
        _fill_action(message.action, seen.action)
    for fact in seen.facts:
        added = message.facts.add()
        added.kind, added.sentence = fact.kind, fact.sentence
        _put(added.fields, fact.fields)
    for ruling in seen.rulings:
        cited = message.rulings.add()
        cited.rules.extend(ruling.rules)
        cited.sentence = ruling.sentence
        if ruling.fact is not None:
            cited.fact = ruling.fact
        _put(cited.figures, ruling.figures)
    message.sentence = seen.sentence
    message.digest = seen.digest
    message.client = seen.client
    if seen.details:
        _put(message.details, seen.details)
    message.substitute = seen.substitute
    if seen.draw is not None:
        message.draw = seen.draw
    if seen.changes:
        scene_messages.fill_changes(message.changes, seen.changes)
    if seen.proposal is not None:
        fill_proposal(message.proposal, seen.proposal)
    for part in seen.snippet:
        message.snippet.add(text=part.text, found=part.found)


def _put(into: MutableMapping[str, str], values: dict[str, str]) -> None:
    # `update` of a map field runs several layers of Python for each entry.
    for name, value in values.items():
        into[name] = value


def _action(seen: ActionView) -> actions_pb2.Action:
    message = actions_pb2.Action()
    _fill_action(message, seen)
    return message


def _fill_action(message: actions_pb2.Action, seen: ActionView) -> None:
    message.notation = seen.notation
    message.score_notation = seen.score_notation
    message.verb = seen.verb
    message.pieces.extend(seen.pieces)
    message.spaces.extend(seen.spaces)
    message.cards.extend(seen.cards)
    message.choices.extend(seen.choices)
    message.cost = seen.cost
    message.sentence = seen.sentence
    for pick in seen.picks:
        message.picks.add(id=pick.id, role=pick.role, label=pick.label)


PROPOSAL_KINDS: Final[dict[ProposalKind, proposals_pb2.ProposalKind.ValueType]] = {
    "undo": proposals_pb2.PROPOSAL_KIND_UNDO,
    "redo": proposals_pb2.PROPOSAL_KIND_REDO,
    "draw": proposals_pb2.PROPOSAL_KIND_DRAW,
}
PROPOSAL_STATES: Final[dict[ProposalState, proposals_pb2.ProposalState.ValueType]] = {
    "pending": proposals_pb2.PROPOSAL_STATE_PENDING,
    "accepted": proposals_pb2.PROPOSAL_STATE_ACCEPTED,
    "rejected": proposals_pb2.PROPOSAL_STATE_REJECTED,
    "lapsed": proposals_pb2.PROPOSAL_STATE_LAPSED,
    "withdrawn": proposals_pb2.PROPOSAL_STATE_WITHDRAWN,
}


def fill_proposal(message: proposals_pb2.Proposal, seen: ProposalView) -> None:
    """Fill in a proposal with its current state."""
    made = seen.made
    message.proposal_id = seen.name
    message.kind = PROPOSAL_KINDS[seen.kind]
    message.seat = made.seat
    message.state = PROPOSAL_STATES[seen.state]
    if seen.state == "pending":
        message.awaiting_seats.extend(made.awaiting)
    if made.to is not None:
        message.target_version = made.to
    message.rolled_versions.extend(made.rolled)
    message.revealed_versions.extend(made.revealed)


def fill_receipt(message: play_pb2.Receipt, match: AnyMatch) -> None:
    """Fill in what the receipt for the match's last event covers."""
    message.match_id = str(match.id)
    message.version = match.version
    message.digest = match.digest


async def sign(receipt: play_pb2.Receipt, signer: ReceiptSigner, *, grouped: bool) -> None:
    """Add the signature to a receipt, which may be shared by a group of receipts.

    Sign only events that are on disk.
    """
    text = receipt_text(receipt.match_id, receipt.version, receipt.digest)
    signed = await signer.sign(text, grouped=grouped)
    receipt.signature = signed.signature
    receipt.key_name = signer.name
    if (group := signed.group) is not None:
        receipt.group.size, receipt.group.index = group.size, group.index
        receipt.group.path.extend(group.path)


FINDING_KINDS: Final[dict[Check, audit_pb2.FindingKind.ValueType]] = {
    "chain": audit_pb2.FINDING_KIND_CHAIN,
    "signature": audit_pb2.FINDING_KIND_SIGNATURE,
    "chance": audit_pb2.FINDING_KIND_CHANCE,
    "facts": audit_pb2.FINDING_KIND_FACTS,
    "rulings": audit_pb2.FINDING_KIND_RULINGS,
    "legality": audit_pb2.FINDING_KIND_LEGALITY,
    "position": audit_pb2.FINDING_KIND_POSITION,
    "taps": audit_pb2.FINDING_KIND_TAPS,
    "time": audit_pb2.FINDING_KIND_TIME,
}


def finding(identity: UUID, found: Finding, *, whole: bool) -> audit_pb2.Finding:
    """Return the message of an audit finding; unless `whole`, without hidden details."""
    sentence = f"{found.sentence}: {found.detail}" if whole and found.detail else found.sentence
    return audit_pb2.Finding(
        match_id=str(identity),
        version=found.version,
        kind=FINDING_KINDS[found.check],
        sentence=sentence,
        rule=found.rule if whole else "",
    )


def cited_rule(cited: CitedRule) -> audit_pb2.CitedRule:
    """Return the message of a rule that an event cites."""
    return audit_pb2.CitedRule(**msgspec.structs.asdict(cited))


VERDICT_KINDS: Final[dict[VerdictKind, audit_pb2.VerdictKind.ValueType]] = {
    "upheld": audit_pb2.VERDICT_KIND_UPHELD,
    "reverted": audit_pb2.VERDICT_KIND_REVERTED,
    "corrected": audit_pb2.VERDICT_KIND_CORRECTED,
}


def dispute(raised: ListedDispute) -> audit_pb2.Dispute:
    """Return the message of a dispute, with its verdict if there is one."""
    message = audit_pb2.Dispute(
        match_id=str(raised.match),
        number=raised.number,
        state=audit_pb2.DISPUTE_STATE_OPEN,
        version=raised.on,
        seat=raised.seat,
        reason=raised.reason,
        create_time=timestamp(raised.raised),
    )
    if raised.verdict is not None:
        message.state = audit_pb2.DISPUTE_STATE_RESOLVED
        message.verdict.kind = VERDICT_KINDS[raised.verdict]
        message.verdict.reason = raised.verdict_reason
        message.verdict.rules.extend(raised.rules)
        message.verdict.version = raised.verdict_version
        message.verdict.precedent_id = raised.precedent
    return message
