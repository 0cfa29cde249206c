"""Narration: the sentences that describe what an action did."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.kernel.language import as_sentence


class Narration(Struct, frozen=True):
    """The sentences about one action, in the rulebook's words, for one viewer."""

    outcome: str
    """One to three short sentences: the action and its outcome."""
    facts: tuple[str, ...] = ()
    """A sentence for each of the action's facts, in their order; empty where none is needed."""


def narrate_by_facts(
    parts: Callable[[Any, Any], Any], fact: Callable[[Any], str]
) -> Callable[[Any, Any, Any], Narration]:
    """Return a `narrate` function for a game that needs no sentences beyond its actions and facts.

    Args:
        parts: The game's `parts`, whose sentence describes the action.
        fact: Returns the sentence of one fact.
    """

    def narrate(before: Any, resolved: Any, after: Any) -> Narration:
        del after
        sentences = tuple([fact(each) for each in resolved.facts])
        if resolved.action is None:
            return Narration(" ".join(filter(None, sentences)), sentences)
        return Narration(as_sentence(parts(before, resolved.action).sentence), sentences)

    return narrate
