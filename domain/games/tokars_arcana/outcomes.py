"""Events told whole: what was done, what came of it, and each fact."""

from collections.abc import Iterator, Sequence

from domain.games.tokars_arcana.action_sentences import action_sentence
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.fact_sentences import facts_told, firebrew_told
from domain.games.tokars_arcana.facts import AngelsCalled, Fact, GameEnded, RaiseAsked, TurnBegan
from domain.games.tokars_arcana.state import State
from domain.kernel.game import Happening
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

_LONGEST = 3
"""Of how many sentences an outcome has at most."""


def tell(before: State, happening: Happening[Action, Fact], after: State) -> Narration:
    """What happened: the action with all that it did, the firebrew that burned, the question or the
    danger that came of it."""
    del after
    action, facts = happening.action, happening.facts
    told = facts_told(before, facts)
    if action is None:
        sentences = [each for each in told if each]
    else:
        done = action_sentence(before, action, facts)
        sentences = [done, *_aftermath(before, facts, told)]
    outcome = " ".join(as_sentence(each) for each in sentences[:_LONGEST])
    return Narration(outcome, tuple([as_sentence(each) for each in told]))


_TELLING = (AngelsCalled, RaiseAsked, GameEnded, TurnBegan)
"""Facts that are told in the outcome too, since nothing in the action says them."""


def _aftermath(before: State, facts: Sequence[Fact], told: Sequence[str]) -> Iterator[str]:
    firebrew = firebrew_told(before, facts)
    if firebrew:
        yield firebrew
    for fact, sentence in zip(facts, told, strict=True):
        if sentence and isinstance(fact, _TELLING):
            yield sentence
