"""A prompt in the forms that devices have: two lines, a text, a light, a sound, a buzz, marks."""

from collections.abc import Sequence
from typing import Final

from domain.stylus.taps import PLACES
from services.wire.emeth.v1 import gateways_pb2 as pb

COLUMNS: Final = 16
"""Signs on a line of a small display."""
LONGEST_TEXT: Final = 160
LOCALE: Final = "en"

_REFUSED: Final = {
    "stale": "Too late",
    "gap": "Sending again",
    "unpaired": "Not paired",
    "no-match": "No match yet",
    "seat": "Not your turn",
    "nothing": "Means nothing",
    "unready": "Not settled yet",
}
"""The rules of the stylus on a short line, by the last word of their ids."""
_SOUND: Final = {
    pb.TAP_OUTCOME_DONE: pb.SOUND_TICK,
    pb.TAP_OUTCOME_ACTED: pb.SOUND_DONE,
}
_OF_PLACES: Final = tuple(f"{kind} " for kind in PLACES)
_BUZZ: Final = {
    pb.SOUND_TICK: (20,),
    pb.SOUND_DONE: (80,),
    pb.SOUND_REFUSED: (80, 80, 80),
    pb.SOUND_TURN: (200, 100, 200),
    pb.SOUND_OVER: (600,),
}


class _Held:
    """What a prompt has, looked up once: each look goes into the message."""

    __slots__ = ("armed", "asked", "over", "refused")

    def __init__(self, prompt: pb.DevicePrompt) -> None:
        has = prompt.HasField
        self.refused, self.armed = has("refusal"), has("armed")
        self.over = has("result")
        seat = prompt.seat
        self.asked = not self.over and any(prompt.seat == seat for prompt in prompt.prompts)


def cue(prompt: pb.DevicePrompt) -> None:
    """Say the rest of a prompt once more, as devices without a screen can show it."""
    held = _Held(prompt)
    urgency, sound = _urgency(prompt, held), _sound(prompt, held)
    text, cues = _text(prompt, held), prompt.cues
    cues.lines.extend(map(_line, _lines(prompt, held, urgency)))
    cues.text = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}..."
    cues.urgency, cues.light, cues.sound = urgency, _light(prompt, held, urgency), sound
    cues.buzz_ms.extend(_BUZZ.get(sound, ()))
    cues.marked.extend(_marked(prompt, held))
    cues.locale = LOCALE


def _urgency(prompt: pb.DevicePrompt, held: _Held) -> pb.Urgency.ValueType:
    if held.refused:
        return pb.URGENCY_REFUSED
    if held.over:
        return pb.URGENCY_UNSPECIFIED
    if prompt.HasField("pending") and prompt.seat and prompt.seat in prompt.pending.awaiting:
        return pb.URGENCY_ANSWER
    return pb.URGENCY_ACT if held.armed or held.asked else pb.URGENCY_WAIT


def _light(
    prompt: pb.DevicePrompt, held: _Held, urgency: pb.Urgency.ValueType
) -> pb.Light.ValueType:
    if held.refused:
        return pb.LIGHT_RED
    if held.armed:
        return pb.LIGHT_BLUE
    if urgency == pb.URGENCY_ANSWER:
        return pb.LIGHT_YELLOW
    if urgency == pb.URGENCY_ACT:
        return pb.LIGHT_GREEN
    return pb.LIGHT_WHITE if urgency == pb.URGENCY_WAIT else pb.LIGHT_UNSPECIFIED


def _sound(prompt: pb.DevicePrompt, held: _Held) -> pb.Sound.ValueType:
    if held.over and (prompt.events or not prompt.seq):
        return pb.SOUND_OVER
    if held.refused:
        return pb.SOUND_REFUSED
    if held.asked and not prompt.seq:
        return pb.SOUND_TURN
    return _SOUND.get(prompt.outcome, pb.SOUND_UNSPECIFIED)


def _lines(prompt: pb.DevicePrompt, held: _Held, urgency: pb.Urgency.ValueType) -> tuple[str, str]:
    """What two short lines can say: what is so, and of what."""
    if held.refused:
        rule = prompt.refusal.rule.rpartition(".")[2]
        return _REFUSED.get(rule, "Not allowed"), rule.replace("-", " ")
    if held.armed:
        return "Confirm takes", prompt.armed.label
    if prompt.ended_seats and not prompt.seat:
        return "Seat taken", prompt.ended_seats[-1]
    if held.over:
        return "It is over", prompt.result.score
    if urgency == pb.URGENCY_ANSWER:
        return f"{prompt.pending.seat} asks", "agree or refuse"
    if prompt.dice:
        wanted = "Enter 1 die" if prompt.dice == 1 else f"Enter {prompt.dice} dice"
        return wanted, f"typed {prompt.digits}" if prompt.digits else "digit by digit"
    if prompt.digits:
        return "Digits", prompt.digits
    if prompt.picked:
        return prompt.picked[-1], "tap what is next" if prompt.next else "choose a rune"
    asked = ", ".join(dict.fromkeys(prompt.seat for prompt in prompt.prompts))
    return "Your turn" if urgency == pb.URGENCY_ACT else "Wait for", asked


def _line(text: str) -> str:
    return text.encode("ascii", "replace").decode()[:COLUMNS]


def _text(prompt: pb.DevicePrompt, held: _Held) -> str:
    if held.refused:
        return prompt.refusal.why
    if prompt.left:
        count = f"{len(prompt.left)} taps" if len(prompt.left) > 1 else "A tap"
        return f"{count} made offline did not count: {prompt.left[0].why}"
    if held.armed:
        return f"Confirm: {prompt.armed.sentence or prompt.armed.label}"
    return prompt.text


def _marked(prompt: pb.DevicePrompt, held: _Held) -> Sequence[str]:
    if held.armed and prompt.armed.path:
        return prompt.armed.path
    return [each.partition(" ")[2] for each in prompt.next if each.startswith(_OF_PLACES)]
