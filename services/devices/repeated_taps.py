"""What came of a tap, told again from the log: for a message that a gateway sends once more."""

from domain.kernel.rulings import Refused
from domain.match import AnyMatch, Decided
from domain.table import TapTaken
from services.devices.prompts import OUTCOMES, refuse, tell
from services.store.first_answers import FirstAnswer, decided_again
from services.store.match_cache import LiveMatches
from services.wire.emeth.devices.v1 import connections_pb2 as pb


async def tell_again(message: pb.DevicePrompt, tap: TapTaken, live: LiveMatches) -> None:
    """Say on a prompt what this tap was answered at first: its refusal, or its events."""
    message.outcome = OUTCOMES[tap.outcome]
    match = None if tap.match is None else (await live.get(tap.match)).state
    if tap.rule:
        refuse(message.refusal, Refused(tap.rule, tap.why, tap.figures), match)
    if tap.outcome == "acted" and match is not None:
        before, decided = await _decided(live, match, tap)
        tell(message, before, decided, live.names, discreet=tap.discreet)


async def _decided(
    live: LiveMatches, match: AnyMatch, tap: TapTaken
) -> tuple[AnyMatch, Decided[AnyMatch]]:
    """The match before the tap, and what the tap had it record."""
    played = await live.get(match.id)
    before = await live.at(played, tap.match_version)
    events = await live.events_of(played, (range(tap.match_version + 1, tap.after + 1),))
    first = FirstAnswer(before, tuple(events))
    return before, await decided_again(live, played, first)
