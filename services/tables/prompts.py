"""What the screen of a stylus shows, as a message of the API."""

from functools import lru_cache
from typing import Final

from msgspec.structs import asdict

from domain.kernel.game import SPECTATOR
from domain.kernel.rulings import Refused
from domain.match import AnyMatch, Decided
from domain.stylus.pointing import Option, Pointing
from domain.stylus.rules import RULES
from domain.stylus.taps import Moment, show
from domain.table import Stylus
from domain.table.events import Outcome
from projections.following.schema import Names
from projections.match_captions import caption
from projections.pending_requests import pending_request
from projections.transitions import transitions
from projections.visible_events import see
from services import match_messages, messages
from services.clock import utc_now
from services.clock_messages import fill_clocks
from services.tables.screens import screen
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Refusal

OUTCOMES: Final[dict[Outcome, pb.TapOutcome.ValueType]] = {
    "done": pb.TAP_OUTCOME_DONE,
    "acted": pb.TAP_OUTCOME_ACTED,
    "refused": pb.TAP_OUTCOME_REFUSED,
    "stale": pb.TAP_OUTCOME_STALE,
    "unknown-code": pb.TAP_OUTCOME_UNKNOWN_CODE,
    "unknown-stylus": pb.TAP_OUTCOME_UNKNOWN_STYLUS,
    "no-match": pb.TAP_OUTCOME_NO_MATCH,
}
"""What came of a tap, as the API has it."""
as_text = lru_cache(maxsize=4096)(str)
"""The id of a match as the API has it: each is asked for at every tap."""
MOST_NEXT: Final = 200
"""Targets that a prompt lists, at most."""


def prompt(name: str, stylus: Stylus, match: AnyMatch, moment: Moment) -> pb.DevicePrompt:
    """What this stylus shows now."""
    shown = show(moment, stylus.hand)
    message = pb.DevicePrompt(
        stylus=name,
        led=led(stylus),
        prompt=stylus.era,
        version=match.version,
        text=caption(match, moment.viewer) if match.pause or match.waiting else moment.caption,
        view=shown.view,
        page=shown.page,
        pages=shown.pages,
        screen=screen(moment, stylus.hand),
        picked=shown.picked,
        digits=shown.digits,
        seat=moment.seat,
        ended_seats=stylus.ended,
        match_id=as_text(match.id),
        dice=moment.left(stylus.hand).dice_count if moment.may_act else 0,
        next=shown.next[:MOST_NEXT],
    )
    messages.fill_prompts(message.prompts, match.prompts)
    for option in shown.runes:
        _fill_choice(message.runes.add(), moment, option)
    if (order := stylus.order) is not None:
        message.armed.label, message.armed.sentence = order.label, order.sentence
    elif shown.armed is not None:
        _fill_choice(message.armed, moment, shown.armed)
        _look_ahead(message.armed, moment.pointing, shown.armed)
    if match.pending is not None and (request := pending_request(match)) is not None:
        message.pending.CopyFrom(match_messages.pending(request))
    for target, row in moment.pointing.abilities(message.next):
        message.abilities.add(target=target, name=row.name, figures=row.attributes)
    for each in stylus.left:
        message.left.add(**asdict(each))
    if match.clocks is not None:
        fill_clocks(message.clocks, match, utc_now())
    if match.result is not None:
        message.result.CopyFrom(messages.result(match.result, match.seats))
    return message


def led(stylus: Stylus) -> pb.Led.ValueType:
    """What the light of a stylus does that is paired with the gateway."""
    return pb.LED_BLUE if stylus.lost is None else pb.LED_OUT


def without_match(name: str, stylus: Stylus) -> pb.DevicePrompt:
    """What a stylus shows before a match is on the table."""
    text = "No match is played on this table yet"
    return pb.DevicePrompt(stylus=name, text=text, view="play", page=1, led=led(stylus))


def unpaired(name: str) -> pb.DevicePrompt:
    """What a stylus shows that is not paired with the gateway which asks: nothing of the match."""
    text = "This stylus is not paired with this gateway"
    return pb.DevicePrompt(stylus=name, text=text, view="play", page=1, led=pb.LED_BLINKING_BLUE)


def refuse(message: Refusal, refused: Refused, match: AnyMatch | None) -> None:
    """Say why something was refused, by a rule of the game or of the stylus."""
    if match is not None and refused.rule in match.rules.rules:
        messages.fill_refusal(message, match, refused)
    else:
        messages.fill_plain_refusal(message, RULES.get(refused.rule), refused)


def tell(
    message: pb.DevicePrompt,
    before: AnyMatch,
    decided: Decided[AnyMatch],
    names: Names,
    *,
    discreet: bool,
) -> None:
    """Say what the tap brought about, to the seat that acted, or if `discreet` to anybody."""
    acting = getattr(decided.events[0].event, "seat", "")
    viewer = acting if acting in before.seats and not discreet else SPECTATOR
    for step in transitions(before, decided, names):
        messages.fill_event(message.events.add(), see(step, viewer))


def _look_ahead(message: pb.Choice, pointing: Pointing, option: Option) -> None:
    """Say what is worth knowing of what is armed."""
    if option.action is None:
        return
    outlook = pointing.outlook(option.action)
    for name, value in outlook.figures.items():
        message.figures[name] = str(value)
    message.path.extend(outlook.path)


def _fill_choice(message: pb.Choice, moment: Moment, option: Option) -> None:
    message.label = option.label
    if option.action is None:
        message.sentence = option.say() if option.say else option.sentence
    else:
        parts = moment.game.parts(moment.state, option.action)
        message.sentence, message.cost = parts.sentence, parts.cost
