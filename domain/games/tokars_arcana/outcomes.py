"""Events told whole: what was done, what came of it, and each fact."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.games.tokars_arcana.action_sentences import action_sentence
from domain.games.tokars_arcana.actions import Action
from domain.games.tokars_arcana.facts import AngelsCalled, Fact, GameEnded, RaiseAsked, TurnBegan
from domain.games.tokars_arcana.names import LONGEST
from domain.games.tokars_arcana.sentences import facts_told, firebrew_told
from domain.games.tokars_arcana.state import State
from domain.kernel.game import ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

_SENTENCES: Final = 3
_CHARACTERS: Final = 240
"""How long an outcome is at most, where that can be."""
_TELLING = (AngelsCalled, RaiseAsked, GameEnded, TurnBegan)
"""Facts that are told in the outcome too, since nothing in the action says them."""


def narrate(before: State, happening: ResolvedAction[Action, Fact], after: State) -> Narration:
    """What happened: the action with all that it did, the firebrew that burned, the question or the
    danger that came of it."""
    del after
    told = facts_told(before, happening.facts)
    outcome = _outcome(_sentences(before, happening, told))
    if len(outcome) > _CHARACTERS:
        outcome = _shortened(before, happening)
    return Narration(outcome, tuple([as_sentence(each) for each in told]))


def _shortened(before: State, happening: ResolvedAction[Action, Fact]) -> str:
    """The outcome with shorter lists; if that is not short enough, what was done and the last that
    came of it."""
    told = facts_told(before, happening.facts, briefly=True)
    sentences = _sentences(before, happening, told, most=1)
    outcome = _outcome(sentences)
    if len(outcome) > _CHARACTERS:
        outcome = _outcome([*sentences[:1], *sentences[1:][-1:]])
    return outcome


def _outcome(sentences: Sequence[str]) -> str:
    return " ".join(as_sentence(each) for each in sentences[:_SENTENCES])


def _sentences(
    before: State, happening: ResolvedAction[Action, Fact], told: Sequence[str], most: int = LONGEST
) -> list[str]:
    facts = happening.facts
    if happening.action is None:
        return [each for each in told if each]
    done = action_sentence(before, happening.action, facts, most)
    burned = firebrew_told(before, facts, most)
    return [each for each in (done, burned, *_after(facts, told)) if each]


def _after(facts: Sequence[Fact], told: Sequence[str]) -> Iterator[str]:
    """What came of it besides, in the sentences of its facts."""
    for fact, sentence in zip(facts, told, strict=True):
        if isinstance(fact, _TELLING):
            yield sentence
