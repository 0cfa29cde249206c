"""The content of stylus screens, as messages of the API."""

from functools import lru_cache
from typing import Final

from domain.kernel.game import SPECTATOR
from domain.kernel.rulings import Refused
from domain.kernel.table_theme import spell_symbols
from domain.match import AnyMatch, Changeset
from domain.stylus.tap_machine import StylusView, stylus_screen
from domain.stylus.tap_rules import RULES
from domain.stylus.targets import Option, Pointing
from domain.table import Stylus
from domain.table.events import TapOutcome
from projections.projector.schema import NameLookup
from projections.queries.proposals import open_proposal
from projections.views.captions import caption
from projections.views.transitions import transitions
from projections.views.viewer_events import render_event
from services.devices.screens import screen
from services.mapping import messages
from services.mapping.clock_messages import fill_clocks
from services.runtime.clock import utc_now
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.actions_pb2 import Refusal

TAP_OUTCOMES: Final[dict[TapOutcome, tables_pb2.TapOutcome.ValueType]] = {
    "done": tables_pb2.TAP_OUTCOME_DONE,
    "acted": tables_pb2.TAP_OUTCOME_ACTED,
    "refused": tables_pb2.TAP_OUTCOME_REFUSED,
    "stale": tables_pb2.TAP_OUTCOME_STALE,
    "unknown-code": tables_pb2.TAP_OUTCOME_UNKNOWN_CODE,
    "unknown-stylus": tables_pb2.TAP_OUTCOME_UNKNOWN_STYLUS,
    "no-match": tables_pb2.TAP_OUTCOME_NO_MATCH,
}
"""Outcomes of taps in the API."""
as_text = lru_cache(maxsize=4096)(str)
"""The ID of a match as text, cached because every tap needs it."""
MAX_NEXT_TARGETS: Final = 200
"""Maximum number of targets that a prompt lists."""


def stylus_prompt(name: str, stylus: Stylus, match: AnyMatch, view: StylusView) -> pb.DevicePrompt:
    """Return the current prompt of this stylus."""
    shown = stylus_screen(view, stylus.hand)
    message = pb.DevicePrompt(
        stylus_id=name,
        led=led_state(stylus),
        prompt_number=stylus.era,
        match_version=match.version,
        text=caption(match, view.viewer) if match.pause or match.waiting else view.caption,
        view=shown.view,
        page=shown.page,
        page_count=shown.pages,
        screen=screen(view, stylus.hand),
        selected=shown.picked,
        digits=shown.digits,
        seat=view.seat,
        ended_seats=stylus.ended,
        match_id=as_text(match.id),
        dice_count=view.remaining_options(stylus.hand).dice_count if view.can_act else 0,
        next_targets=shown.next[:MAX_NEXT_TARGETS],
    )
    messages.fill_prompts(message.prompts, match.prompts)
    for option in shown.runes:
        _fill_choice(message.runes.add(), view, option)
    if (order := stylus.order) is not None:
        message.armed.label, message.armed.sentence = order.label, order.sentence
    elif shown.armed is not None:
        _fill_choice(message.armed, view, shown.armed)
        _add_forecast(message.armed, view.pointing, shown.armed)
    if match.proposal is not None and (proposal := open_proposal(match)) is not None:
        messages.fill_proposal(message.proposal, proposal)
    for target, row in view.pointing.abilities(message.next_targets):
        message.abilities.add(target=target, name=row.name, figures=row.attributes)
    for each in stylus.left:
        message.skipped_entries.add(
            seq=messages.uint32(each.seq),
            device_time=messages.time_of_ms(each.device_ms) if each.device_ms else None,
            target=each.target,
            rule=each.rule,
            message=each.why,
        )
    if match.clocks is not None:
        fill_clocks(message.clocks, match, utc_now())
    if match.result is not None:
        message.result.CopyFrom(messages.result(match.result, match.seats))
    return message


def led_state(stylus: Stylus) -> pb.Led.ValueType:
    """Return the LED state of a stylus that is paired with the gateway."""
    return pb.LED_BLUE if stylus.lost is None else pb.LED_OFF


def no_match_prompt(name: str, stylus: Stylus) -> pb.DevicePrompt:
    """Return the prompt of a stylus before a match is on the table."""
    text = "No match is played on this table yet"
    return pb.DevicePrompt(stylus_id=name, text=text, view="play", page=1, led=led_state(stylus))


def unpaired_prompt(name: str) -> pb.DevicePrompt:
    """Return the prompt of an unpaired stylus, which reveals nothing of the match."""
    text = "This stylus is not paired with this gateway"
    return pb.DevicePrompt(stylus_id=name, text=text, view="play", page=1, led=pb.LED_BLUE_BLINKING)


def add_refusal(message: Refusal, refused: Refused, match: AnyMatch | None) -> None:
    """Set a refusal by a rule of the game or of the stylus on a prompt."""
    if match is not None and refused.rule in match.rules.rules:
        messages.fill_refusal(message, match, refused)
    else:
        messages.fill_plain_refusal(message, RULES.get(refused.rule), refused)


def add_events(
    message: pb.DevicePrompt,
    before: AnyMatch,
    changeset: Changeset[AnyMatch],
    names: NameLookup,
    *,
    discreet: bool,
) -> None:
    """Add the events of a tap for the acting seat, or for any viewer if `discreet`."""
    acting = getattr(changeset.events[0].event, "seat", "")
    viewer = acting if acting in before.seats and not discreet else SPECTATOR
    for step in transitions(before, changeset, names):
        messages.fill_event(message.events.add(), render_event(step, viewer))


def _add_forecast(message: pb.Choice, pointing: Pointing, option: Option) -> None:
    """Add the forecast of the armed action."""
    if option.action is None:
        return
    forecast = pointing.forecast(option.action)
    for name, value in forecast.figures.items():
        message.figures[name] = str(value)
    message.path.extend(forecast.path)


def _fill_choice(message: pb.Choice, view: StylusView, option: Option) -> None:
    message.label = option.label
    if option.action is None:
        message.sentence = option.write_sentence() if option.write_sentence else option.sentence
    else:
        parts = view.game.parts(view.state, option.action)
        message.sentence = parts.sentence
        message.cost = spell_symbols(parts.cost, view.game.table_theme.symbols)
