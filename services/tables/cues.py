"""A prompt in the forms that devices have: two lines, a text, a light, a sound, a buzz, marks."""

from collections.abc import Iterator
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
    "board": "Check the board",
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


def cue(prompt: pb.Prompt) -> None:
    """Say the rest of a prompt once more, as devices without a screen can show it."""
    urgency, sound = _urgency(prompt), _sound(prompt)
    text = _text(prompt)
    prompt.cues.CopyFrom(
        pb.Cues(
            lines=[_line(each) for each in _lines(prompt, urgency)],
            text=text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 3]}...",
            urgency=urgency,
            light=_light(prompt, urgency),
            sound=sound,
            buzz_ms=_BUZZ.get(sound, ()),
            marked=_marked(prompt),
            locale=LOCALE,
        )
    )


def _is_asked(prompt: pb.Prompt) -> bool:
    return any(ask.seat == prompt.seat for ask in prompt.asks) and not prompt.HasField("result")


def _urgency(prompt: pb.Prompt) -> pb.Urgency.ValueType:
    if prompt.HasField("refusal"):
        return pb.URGENCY_REFUSED
    if prompt.offers:
        return pb.URGENCY_ANSWER
    if prompt.HasField("result"):
        return pb.URGENCY_UNSPECIFIED
    if prompt.seat and prompt.seat in prompt.pending.awaiting:
        return pb.URGENCY_ANSWER
    if prompt.HasField("armed") or _is_asked(prompt):
        return pb.URGENCY_ACT
    return pb.URGENCY_WAIT


def _light(prompt: pb.Prompt, urgency: pb.Urgency.ValueType) -> pb.Light.ValueType:
    if urgency == pb.URGENCY_REFUSED and not prompt.HasField("board"):
        return pb.LIGHT_RED
    if prompt.HasField("armed"):
        return pb.LIGHT_BLUE
    differs = prompt.HasField("board") and not prompt.board.agrees and not _is_choosing(prompt)
    if differs or urgency == pb.URGENCY_ANSWER:
        return pb.LIGHT_YELLOW
    if urgency == pb.URGENCY_ACT:
        return pb.LIGHT_GREEN
    return pb.LIGHT_WHITE if urgency == pb.URGENCY_WAIT else pb.LIGHT_UNSPECIFIED


def _sound(prompt: pb.Prompt) -> pb.Sound.ValueType:
    if prompt.HasField("result") and (prompt.events or not prompt.seq):
        return pb.SOUND_OVER
    if prompt.HasField("refusal"):
        return pb.SOUND_REFUSED
    if not prompt.seq and _is_asked(prompt):
        return pb.SOUND_TURN
    return _SOUND.get(prompt.outcome, pb.SOUND_UNSPECIFIED)


def _is_choosing(prompt: pb.Prompt) -> bool:
    """Is there a list of more than what always stands aside?"""
    return any(rune.label != "aside" for rune in prompt.runes)


def _lines(prompt: pb.Prompt, urgency: pb.Urgency.ValueType) -> tuple[str, str]:
    """What two short lines can say: what is so, and of what."""
    if prompt.HasField("refusal"):
        rule = prompt.refusal.rule.rpartition(".")[2]
        return _REFUSED.get(rule, "Not allowed"), rule.replace("-", " ")
    if prompt.offers:
        return "Which match?", prompt.armed.sentence or f"{len(prompt.offers)} stand so"
    if prompt.HasField("armed"):
        return "Confirm takes", prompt.armed.label
    if prompt.attached:
        return "Match found", f"as {prompt.seat}" if prompt.seat else ""
    if prompt.ended_seats and not prompt.seat:
        return "Seat taken", prompt.ended_seats[-1]
    if prompt.HasField("result"):
        return "It is over", prompt.result.score
    if urgency == pb.URGENCY_ANSWER:
        return f"{prompt.pending.seat} asks", "agree or refuse"
    if prompt.HasField("board") and prompt.board.steps and not _is_choosing(prompt):
        step = prompt.board.steps[0]
        return "Put the board so", f"{step.stands or 'add'}>{step.belongs or 'off'}"
    if prompt.digits:
        return "Digits", prompt.digits
    if prompt.picked:
        return prompt.picked[-1], "tap what is next" if prompt.next else "choose a rune"
    asked = ", ".join(dict.fromkeys(ask.seat for ask in prompt.asks))
    return "Your turn" if urgency == pb.URGENCY_ACT else "Wait for", asked


def _line(text: str) -> str:
    return text.encode("ascii", "replace").decode()[:COLUMNS]


def _text(prompt: pb.Prompt) -> str:
    if prompt.HasField("refusal"):
        return prompt.refusal.why
    if prompt.left:
        count = f"{len(prompt.left)} taps" if len(prompt.left) > 1 else "A tap"
        return f"{count} made offline did not count: {prompt.left[0].why}"
    if prompt.HasField("armed"):
        return f"Confirm: {prompt.armed.sentence or prompt.armed.label}"
    if prompt.HasField("board") and prompt.board.steps and not _is_choosing(prompt):
        return prompt.board.steps[0].sentence
    return prompt.text


def _marked(prompt: pb.Prompt) -> Iterator[str]:
    if prompt.HasField("armed") and prompt.armed.path:
        yield from prompt.armed.path
        return
    for thing in prompt.next:
        if thing.startswith(_OF_PLACES):
            yield thing.partition(" ")[2]
