"""Sentences about events, outcomes and proposals."""

from collections.abc import Iterable, Iterator
from typing import Final

import click

from services.wire.emeth.v1 import audit_pb2 as audit
from services.wire.emeth.v1.actions_pb2 import Action, Event, Prompt, Refusal, Result, SnippetPart
from services.wire.emeth.v1.match_views_pb2 import View
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.play_pb2 import Acceptance
from services.wire.emeth.v1.proposals_pb2 import Proposal
from services.wire.emeth.v1.tables_pb2 import RecordedTap, StylusStatusKind, TapOutcome

Waiting = Match | View
VERDICTS: Final = {
    audit.VERDICT_KIND_UPHELD: "upheld",
    audit.VERDICT_KIND_REVERTED: "reverted",
    audit.VERDICT_KIND_CORRECTED: "corrected",
}


def event_line(event: Event) -> str:
    """Return an event as a line: `12 white 3xc5xe5  White's golem jumps c3-c5-e5: ...`."""
    action = event.action
    who = " ".join(filter(None, (event.seat, action.score_notation or action.notation)))
    words = event.sentence or action.sentence
    number = f"{event.version} " if event.version else ""
    return f"{number}{who}  {words}" if who else f"{number}{words}"


def snippet(parts: Iterable[SnippetPart]) -> str:
    """Return a search result with the found words in bold."""
    return "".join(click.style(each.text, bold=True) if each.found else each.text for each in parts)


def why(event: Event) -> Iterator[str]:
    """Yield the consequences of an event and their rules as lines."""
    for n, fact in enumerate(event.facts):
        if fact.sentence:
            yield f"  {fact.sentence}"
        for ruling in event.rulings:
            if ruling.HasField("fact") and ruling.fact == n:
                yield f"    {', '.join(ruling.rules)}: {ruling.sentence}"
    for ruling in event.rulings:
        if not ruling.HasField("fact"):
            yield f"  {', '.join(ruling.rules)}: {ruling.sentence}"


def outcome_lines(outcome: Acceptance, *, explained: bool = False) -> Iterator[str]:
    """Yield the events of an accepted action, and what is expected next, as lines."""
    for event in outcome.events:
        yield event_line(event)
        if explained:
            yield from why(event)
    yield standing(outcome.prompts, outcome.result if outcome.HasField("result") else None)


def standing(prompts: Iterable[Prompt], result: Result | None) -> str:
    """Return the prompts or the result: `black: turn`, `white won (capture), 1-0`."""
    if result is not None:
        winners = " and ".join(result.winners) or "nobody"
        return f"{winners} won ({result.reason}), {result.score}"
    return ", ".join(f"{prompt.seat}: {prompt.expected_action}" for prompt in prompts)


def pending_sentences(pending: Waiting) -> Iterator[str]:
    """Yield the pending proposal and the open disputes, a line for each."""
    if pending.HasField("proposal"):
        yield proposal_sentence(pending.proposal)
    for each in pending.open_disputes:
        yield f"dispute {each.number} of {each.seat} on event {each.version} waits for a verdict"


def proposal_sentence(proposal: Proposal) -> str:
    """Return a pending proposal as `white asks for a draw: black may agree or refuse`."""
    to = proposal.target_version
    what = f"to go on from version {to}" if proposal.HasField("target_version") else "for a draw"
    others = ", ".join(proposal.awaiting_seats)
    return f"{proposal.seat} asks {what}: {others} may agree or refuse"


def refusal_sentence(refusal: Refusal) -> str:
    """Return a refusal as a sentence with its rule, and a line with similar legal actions."""
    sentence = f"refused: {refusal.why} [{refusal.rule}: {refusal.sentence}]"
    if refusal.alternatives:
        nearest = ", ".join(map(_both_notations, refusal.alternatives))
        sentence += f"\nLegal, and nearest to it: {nearest}"
    return sentence


def _both_notations(action: Action) -> str:
    return (
        f"{action.notation} ({action.score_notation})" if action.score_notation else action.notation
    )


def tapped(tap: RecordedTap) -> str:
    """Return the target of a tap, or the status of a stylus."""
    if tap.status_kind:
        word = StylusStatusKind.Name(tap.status_kind).removeprefix("STYLUS_STATUS_KIND_").lower()
        return f"({word} {tap.battery_percent}%)" if tap.battery_percent else f"({word})"
    return "(hidden)" if tap.withheld else tap.target or tap.code


def outcome(tap: RecordedTap) -> str:
    """Return the outcome of a tap: `done`, `acted: event 12`, `refused [stylus.nothing]`."""
    if tap.status_kind:
        return ""
    word = TapOutcome.Name(tap.outcome).removeprefix("TAP_OUTCOME_").lower().replace("_", " ")
    if tap.action_version:
        return f"{word}: event {tap.action_version}"
    return f"{word} [{tap.rule}]" if tap.rule else word


def device_time(tap: RecordedTap) -> str:
    """Return when a tap was made by the clock of the device, which may be wrong by years."""
    return tap.device_time.ToJsonString()


def dispute_line(dispute: audit.Dispute) -> str:
    """Return a dispute in one or two lines: `dispute 7 on event 4 by black, open: ...`."""
    asked = f"dispute {dispute.number} on event {dispute.version} by {dispute.seat}"
    if not dispute.HasField("verdict"):
        return f"{asked}, open: {dispute.reason}"
    given = dispute.verdict
    verdict = f"{VERDICTS[given.kind]} ({given.precedent_id})"
    rules = f" [{', '.join(given.rules)}]" if given.rules else ""
    return f"{asked}: {dispute.reason}\n  {verdict}: {given.reason}{rules}"
