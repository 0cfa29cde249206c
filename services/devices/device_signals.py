"""Device signals: a prompt as two lines, a text, a light, a sound, a vibration and highlights."""

from collections.abc import Sequence
from typing import Final

from google.protobuf.duration_pb2 import Duration

from domain.stylus.tap_machine import PLACE_KINDS
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2

COLUMNS: Final = 16
"""Characters on a line of a small display."""
MAX_TEXT_LENGTH: Final = 160
LOCALE: Final = "en"

_REFUSAL_TITLES: Final = {
    "stale": "Too late",
    "gap": "Sending again",
    "unpaired": "Not paired",
    "no-match": "No match yet",
    "seat": "Not your turn",
    "nothing": "Means nothing",
    "unready": "Not settled yet",
}
"""Short titles of the rules that refuse taps, by the last word of the rule ID."""
_SOUND: Final = {
    tables_pb2.TAP_OUTCOME_DONE: pb.SOUND_TICK,
    tables_pb2.TAP_OUTCOME_ACTED: pb.SOUND_DONE,
}
_PLACE_PREFIXES: Final = tuple(f"{kind} " for kind in PLACE_KINDS)
_VIBRATIONS: Final = {
    sound: [Duration(nanos=milliseconds * 1_000_000) for milliseconds in pattern]
    for sound, pattern in (
        (pb.SOUND_TICK, (20,)),
        (pb.SOUND_DONE, (80,)),
        (pb.SOUND_REFUSED, (80, 80, 80)),
        (pb.SOUND_TURN, (200, 100, 200)),
        (pb.SOUND_OVER, (600,)),
    )
}


class _PromptFields:
    """The fields of a prompt, read once because each access goes to the message."""

    __slots__ = ("armed", "over", "question", "refused")

    def __init__(self, prompt: pb.DevicePrompt) -> None:
        has = prompt.HasField
        self.refused, self.armed = has("refusal"), has("armed")
        self.over = has("result")
        seat = prompt.seat
        self.question = not self.over and any(each.seat == seat for each in prompt.prompts)


def add_signals(prompt: pb.DevicePrompt) -> None:
    """Add signals for devices with a small screen or without one to a prompt."""
    held = _PromptFields(prompt)
    urgency, sound = _urgency(prompt, held), _sound(prompt, held)
    text, signals = _text(prompt, held), prompt.signals
    signals.lines.extend(map(_line, _lines(prompt, held, urgency)))
    signals.text = text if len(text) <= MAX_TEXT_LENGTH else f"{text[: MAX_TEXT_LENGTH - 3]}..."
    signals.urgency, signals.light, signals.sound = urgency, _light(prompt, held, urgency), sound
    if sound in _VIBRATIONS:
        signals.vibration.pattern.extend(_VIBRATIONS[sound])
    signals.highlighted_spaces.extend(_highlights(prompt, held))
    signals.locale = LOCALE


def _urgency(prompt: pb.DevicePrompt, held: _PromptFields) -> pb.Urgency.ValueType:
    if held.refused:
        return pb.URGENCY_REFUSED
    if held.over:
        return pb.URGENCY_NONE
    if prompt.HasField("proposal") and prompt.seat in prompt.proposal.awaiting_seats:
        return pb.URGENCY_RESPOND
    return pb.URGENCY_ACT if held.armed or held.question else pb.URGENCY_WAIT


def _light(
    prompt: pb.DevicePrompt, held: _PromptFields, urgency: pb.Urgency.ValueType
) -> pb.Light.ValueType:
    if held.refused:
        return pb.LIGHT_RED
    if held.armed:
        return pb.LIGHT_BLUE
    if urgency == pb.URGENCY_RESPOND:
        return pb.LIGHT_YELLOW
    if urgency == pb.URGENCY_ACT:
        return pb.LIGHT_GREEN
    return pb.LIGHT_WHITE if urgency == pb.URGENCY_WAIT else pb.LIGHT_OFF


def _sound(prompt: pb.DevicePrompt, held: _PromptFields) -> pb.Sound.ValueType:
    if held.over and (prompt.events or not prompt.answered_seq):
        return pb.SOUND_OVER
    if held.refused:
        return pb.SOUND_REFUSED
    if held.question and not prompt.answered_seq:
        return pb.SOUND_TURN
    return _SOUND.get(prompt.outcome, pb.SOUND_NONE)


def _lines(
    prompt: pb.DevicePrompt, held: _PromptFields, urgency: pb.Urgency.ValueType
) -> tuple[str, str]:
    """Return the two short lines of a prompt: the status, and what it is about."""
    if held.refused:
        rule = prompt.refusal.rule.rpartition(".")[2]
        return _REFUSAL_TITLES.get(rule, "Not allowed"), rule.replace("-", " ")
    if held.armed:
        return "Confirm takes", prompt.armed.label
    if prompt.ended_seats and not prompt.seat:
        return "Seat taken", prompt.ended_seats[-1]
    if held.over:
        return "It is over", prompt.result.score
    if urgency == pb.URGENCY_RESPOND:
        return f"{prompt.proposal.seat} asks", "agree or refuse"
    if prompt.dice_count:
        wanted = "Enter 1 die" if prompt.dice_count == 1 else f"Enter {prompt.dice_count} dice"
        return wanted, f"typed {prompt.digits}" if prompt.digits else "digit by digit"
    if prompt.digits:
        return "Digits", prompt.digits
    if prompt.selected:
        return prompt.selected[-1], "tap what is next" if prompt.next_targets else "choose a rune"
    asked = ", ".join(dict.fromkeys(each.seat for each in prompt.prompts))
    return "Your turn" if urgency == pb.URGENCY_ACT else "Wait for", asked


def _line(text: str) -> str:
    return text.encode("ascii", "replace").decode()[:COLUMNS]


def _text(prompt: pb.DevicePrompt, held: _PromptFields) -> str:
    if held.refused:
        return prompt.refusal.why
    if prompt.skipped_entries:
        count = (
            f"{len(prompt.skipped_entries)} taps" if len(prompt.skipped_entries) > 1 else "A tap"
        )
        return f"{count} made offline did not count: {prompt.skipped_entries[0].message}"
    if held.armed:
        return f"Confirm: {prompt.armed.sentence or prompt.armed.label}"
    return prompt.text


def _highlights(prompt: pb.DevicePrompt, held: _PromptFields) -> Sequence[str]:
    if held.armed and prompt.armed.path:
        return prompt.armed.path
    return [
        each.partition(" ")[2] for each in prompt.next_targets if each.startswith(_PLACE_PREFIXES)
    ]
