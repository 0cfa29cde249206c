"""What a game answers to an action, and why: rules, rulings, refusals, and how they are told."""

from collections.abc import Iterable
from functools import cache
from typing import Generic, TypeVar

from msgspec import Struct

F = TypeVar("F")

Figures = dict[str, int | str]
"""The numbers and words that went into a ruling or a refusal, by name."""


class Rule(Struct, frozen=True):
    """One line of a game's rule index."""

    id: str
    meaning: str
    source: str
    """Headings of the rulebook, or "reference" where only the reference has it."""
    rulings: tuple[str, ...] = ()
    """Numbers of the reference's rulings that settle it, as `AGOG-R2`."""


class Ruling(Struct, frozen=True, omit_defaults=True):
    """Why something followed: the rules that said so, and the figures that went into it."""

    rules: tuple[str, ...]
    figures: Figures = {}
    fact: int | None = None
    """Which of the action's facts this explains, counted from 0; None: the action as a whole."""


class Accepted(Struct, Generic[F], frozen=True):
    """An action that stands, with all that followed from it, in order."""

    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()


class Refused(Struct, frozen=True, omit_defaults=True):
    """An action that a rule forbids. An answer, not an error."""

    rule: str
    why: str
    """This case, in a player's words."""
    figures: Figures = {}


def figures_by_name(figures: Figures) -> tuple[str, ...]:
    """Each figure after its name, in the order of the names.

    >>> figures_as_named({"made": 2, "longest_possible": 3})
    ('longest possible 3', 'made 2')
    """
    # By name, since that is their order in the log: the same ruling always reads the same.
    return tuple([f"{name.replace('_', ' ')} {figures[name]}" for name in sorted(figures)])


def explain(rule: Rule, said: Iterable[str] = ()) -> str:
    """A cited rule as a sentence with its figures, in words, and its place in the rulebook.

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
