"""What bots of the service chose, and what there is to tell of it when the match is over."""

from msgspec import Struct

from domain.kernel.game import REFEREE
from domain.match import ActionTaken, AnyMatch
from projections.transitions import Transition
from services.bots.seated import levels_held
from services.coach.recounting import Recounted
from services.tokens import Mint
from services.wire.emeth.v1 import analysis_pb2 as pb


class BotChoice(Struct, frozen=True):
    """An action that a bot of the service chose."""

    version: int
    """Of the event."""
    seat: str
    level: str
    action: str
    """In notation."""
    before: AnyMatch
    """The match as it stood when the bot thought."""


def bot_choice(mint: Mint, step: Transition, seat: str) -> BotChoice | None:
    """What a bot chose by this event, if one did. With a `seat`, no other's bot counts."""
    event, before = step.sealed.event, step.before
    if before is None or not isinstance(event, ActionTaken) or seat not in ("", event.seat):
        return None
    level = levels_held(mint, before).get(event.seat)
    if level is None or event.entry or event.draw is not None:
        return None
    action = before.rules.write_action(event.action)
    return BotChoice(step.after.version, event.seat, level, action, before)


def explained(chose: BotChoice, told: Recounted, viewer: str) -> pb.ExplainChoicesResponse:
    """What a bot thought, for a viewer.

    The match is over, so that a bot may tell what it held. What it expected is cut after its own
    action for those who could not know that: it may follow from what it was shown of others.
    """
    thought = told.thought
    knows = viewer in (chose.seat, REFEREE) or not chose.before.rules.hides
    shown = pb.ExplainChoicesResponse(
        version=chose.version,
        seat=chose.seat,
        level=chose.level,
        action=chose.action,
        choice=thought.action,
        win_chance=thought.win_chance,
        line=thought.line if knows else thought.line[:1],
        nodes=thought.nodes,
    )
    for step in told.expected if knows else told.expected[:1]:
        shown.expected.add(action=step.action, seat=step.seat, sentence=step.sentence)
    for each, sentence in zip(thought.alternatives, told.considered, strict=True):
        shown.considered.add(
            action=each.action,
            win_chance=each.win_chance,
            visits=each.visits,
            sentence=sentence,
        )
    return shown
