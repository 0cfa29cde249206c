"""Answers to repeated taps, rebuilt from the log."""

from domain.kernel.rulings import Refused
from domain.match import AnyMatch, Changeset
from domain.table import TapTaken
from services.devices.prompts import TAP_OUTCOMES, add_events, add_refusal
from services.store.match_cache import MatchCache
from services.store.recorded_requests import RecordedRequest, replay_decision
from services.wire.emeth.devices.v1 import connections_pb2 as pb


async def add_first_answer(message: pb.DevicePrompt, tap: TapTaken, live: MatchCache) -> None:
    """Add the first answer to this tap to a prompt: its refusal, or its events."""
    message.outcome = TAP_OUTCOMES[tap.outcome]
    match = None if tap.match is None else (await live.get(tap.match)).state
    if tap.rule:
        add_refusal(message.refusal, Refused(tap.rule, tap.why, tap.figures), match)
    if tap.outcome == "acted" and match is not None:
        before, changeset = await _recorded_decision(live, match, tap)
        add_events(message, before, changeset, live.names, discreet=tap.discreet)


async def _recorded_decision(
    live: MatchCache, match: AnyMatch, tap: TapTaken
) -> tuple[AnyMatch, Changeset[AnyMatch]]:
    """Return the match before the tap, and the decision that the tap recorded."""
    played = await live.get(match.id)
    before = await live.at(played, tap.match_version)
    events = await live.events_of(played, (range(tap.match_version + 1, tap.after + 1),))
    first = RecordedRequest(before, tuple(events))
    return before, await replay_decision(live, played, first)
