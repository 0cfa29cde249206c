"""What the screen of a stylus shows, in lines for the terminal."""

from collections.abc import Iterator
from typing import Final

from services.cli.terminal import sentences
from services.cli.terminal.console import harmless
from services.wire.emeth.v1.gateways_pb2 import Prompt

SHOWN: Final = 12
"""Things that may be tapped next that are listed by name."""


def screen_lines(prompt: Prompt) -> Iterator[str]:
    """What the screen shows, in lines that a terminal may be given."""
    yield from map(harmless, _lines(prompt))


def _lines(prompt: Prompt) -> Iterator[str]:
    for event in prompt.events:
        yield sentences.event_line(event)
    if prompt.HasField("refusal"):
        yield f"refused: {prompt.refusal.why} [{prompt.refusal.rule}]"
    result = prompt.result if prompt.HasField("result") else None
    yield f"{sentences.standing(prompt.asks, result)}  {prompt.text}"
    if prompt.HasField("pending"):
        yield f"  {sentences.asked(prompt.pending)}"
    yield from (f"  {line}" for line in prompt.screen.splitlines())
    if prompt.picked:
        yield f"  picked: {', '.join(prompt.picked)}"
    if prompt.digits:
        yield f"  digits: {prompt.digits}"
    if prompt.next:
        more = f", ... ({len(prompt.next)} things)" if len(prompt.next) > SHOWN else ""
        yield f"  next: {', '.join(prompt.next[:SHOWN])}{more}"
    for number, rune in enumerate(prompt.runes, 1):
        yield f"  rune {number}  {rune.label}  {rune.sentence}"
    if prompt.pages > 1:
        yield f"  page {prompt.page} of {prompt.pages}"
    if prompt.HasField("armed"):
        cost = f" ({prompt.armed.cost})" if prompt.armed.cost else ""
        yield f"  Confirm takes: {prompt.armed.label}  {prompt.armed.sentence}{cost}"
        figures = [f"{name} {value}" for name, value in sorted(prompt.armed.figures.items())]
        if prompt.armed.path:
            figures.append(f"by {', '.join(prompt.armed.path)}")
        if figures:
            yield f"    {', '.join(figures)}"
