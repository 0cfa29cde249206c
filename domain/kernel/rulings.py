"""The outcome of an action, accepted or refused, and the rules and figures that explain it."""

from collections.abc import Iterable
from functools import cache
from typing import Generic, TypeVar

from msgspec import Struct

F = TypeVar("F")

Figures = dict[str, int | str]
"""The numbers and words that explain a ruling or a refusal, by name."""


class Rule(Struct, frozen=True):
    """One line of a game's rule index."""

    id: str
    meaning: str
    source: str
    """Headings of the rulebook; "reference" for a rule that only the reference states."""
    rulings: tuple[str, ...] = ()
    """Numbers of the reference's rulings that clarify the rule, such as `AGOG-R2`."""


class Ruling(Struct, frozen=True, omit_defaults=True):
    """The rules and figures that explain one fact, or an action as a whole."""

    rules: tuple[str, ...]
    figures: Figures = {}
    fact: int | None = None
    """The index of the explained fact, from 0; None for the action as a whole."""


class Accepted(Struct, Generic[F], frozen=True):
    """The outcome of a legal action: its facts, in order, and the rulings on them."""

    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()


class Refused(Struct, frozen=True, omit_defaults=True):
    """The outcome of an action that a rule forbids. It is a normal response, not an error."""

    rule: str
    why: str
    """The reason in a player's words."""
    figures: Figures = {}


def figures_by_name(figures: Figures) -> tuple[str, ...]:
    """Return each figure as name and value, sorted by name.

    >>> figures_by_name({"made": 2, "longest_possible": 3})
    ('longest possible 3', 'made 2')
    """
    # The log stores figures by name: sorting makes the same ruling read the same everywhere.
    return tuple([f"{name.replace('_', ' ')} {figures[name]}" for name in sorted(figures)])


def explain(rule: Rule, said: Iterable[str] = ()) -> str:
    """Return a cited rule as a sentence, with figures in words and its place in the rulebook.

    >>> rule = Rule("agog.capture.maximal", "a sequence jumps the most units it can", "UNITS")
    >>> explain(rule, ["2 units jumped", "2 at most"])
    'A sequence jumps the most units it can (2 units jumped, 2 at most) [UNITS]'
    """
    shown = ", ".join(said)
    meaning, source = _meaning_and_source(rule)
    return f"{meaning} ({shown}) {source}" if shown else f"{meaning} {source}"


@cache
def _meaning_and_source(rule: Rule) -> tuple[str, str]:
    meaning = rule.meaning[:1].upper() + rule.meaning[1:]
    return meaning, f"[{'; '.join((rule.source, *rule.rulings))}]"
