"""Hints on an order: what an action would do, what an order reaches, and why a line is refused.

Games return these values from `Display.forecast`, `Display.aim` and `Display.refused_lines`.
"""

from typing import Literal

from msgspec import Struct

from domain.kernel.rulings import Refused
from domain.kernel.scene import Mark, Tone
from domain.kernel.scene_changes import Change

Stop = Literal["", "dice", "reveal"]
"""The point where a forecast ends: none, before dice or a shuffle, before hidden information."""


class RollRange(Struct, frozen=True, omit_defaults=True):
    """A range of results of a roll, and its meaning for the acting seat."""

    start: int
    end: int
    tone: Tone = ""


class Term(Struct, frozen=True, omit_defaults=True):
    """A number in a sum, with the rule that it comes from."""

    name: str
    value: int
    op: Literal["", "+", "-", "="] = ""
    unit: Literal["", "%", "HP"] = ""
    at: str = ""
    """The id of the space that the number comes from; empty for none."""
    rule: str = ""


class Outcome(Struct, frozen=True, omit_defaults=True):
    """A consequence of an action."""

    symbol: str
    """A key of the theme's symbols."""
    text: str
    tone: Tone = ""


class Forecast(Struct, frozen=True, omit_defaults=True):
    """The effects of an action, as far as its seat may know them."""

    tag: str = ""
    """The effect in at most six words, with symbols."""
    chance: int | None = None
    """The probability of success in percent; None if nothing is left to chance."""
    sides: int = 0
    """The number of sides of the dice that are rolled; 0 for none."""
    rolls: tuple[RollRange, ...] = ()
    terms: tuple[Term, ...] = ()
    """What adds up to the number to roll or to the damage, in order."""
    outcomes: tuple[Outcome, ...] = ()
    """At most 4."""
    marks: tuple[Mark, ...] = ()
    """Marks to show with the forecast: path, line of sight, victims."""
    sentence: str = ""
    """The effects in one to three sentences."""
    changes: tuple[Change, ...] = ()
    """The changes of the seat's scene. The kernel computes them; games leave them out."""
    stop: Stop = ""
    """The point where the forecast ends. The kernel computes it; games leave it out."""


class RefusedTarget(Struct, frozen=True):
    """A space or a piece that an order cannot be aimed at, and the reason."""

    id: str
    refused: Refused


class Aim(Struct, frozen=True, omit_defaults=True):
    """What an order reaches."""

    marks: tuple[Mark, ...] = ()
    """Range, reach, lines of sight."""
    refused_targets: tuple[RefusedTarget, ...] = ()


class RefusedLine(Struct, frozen=True, omit_defaults=True):
    """A line of a piece's face that its seat cannot use now, and the reason."""

    line: str
    """The id of the line on the face."""
    refused: Refused
    verb: str = ""
    cost: str = ""
    """The cost now, with symbols."""
