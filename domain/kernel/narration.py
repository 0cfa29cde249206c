"""What happened, told in words."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.kernel.language import as_sentence


class Narration(Struct, frozen=True):
    """What one action did, told to a viewer in the rulebook's words."""

    outcome: str
    """One to three short sentences: who did what, and what came of it."""
    facts: tuple[str, ...] = ()
    """A sentence for each of its facts, in their order; empty for a fact that tells people
    nothing."""


def narrate_by_facts(
    parts: Callable[[Any, Any], Any], fact: Callable[[Any], str]
) -> Callable[[Any, Any, Any], Narration]:
    """Tells events by the sentence of their action and one for each fact: for a game in which
    nothing more needs to be said."""

    def tell(before: Any, happening: Any, after: Any) -> Narration:
        del after
        told = tuple([fact(each) for each in happening.facts])
        if happening.action is None:
            return Narration(" ".join(filter(None, told)), told)
        return Narration(as_sentence(parts(before, happening.action).sentence), told)

    return tell
