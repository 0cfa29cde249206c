"""Events told: first what was done and what came of it, then each fact."""

from collections.abc import Sequence
from typing import Final

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.display.clauses import ended
from domain.games.golem_arcana.display.fact_sentences import fact_sentence
from domain.games.golem_arcana.display.headlines import headline
from domain.games.golem_arcana.display.names import seat_name
from domain.games.golem_arcana.display.outcomes import Clause, Telling
from domain.games.golem_arcana.display.story import Story
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.state import Choice, Displace, State, Step, seat_of
from domain.kernel.game import ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration

MOST: Final = 240
"""Characters of an outcome, at most: what is lightest is left out."""


def narrate(before: State, happening: ResolvedAction[Action, Fact], after: State) -> Narration:
    """What happened, for those who may know all of this."""
    del after
    story = Story(before, happening)
    facts = tuple([fact_sentence(story, number) for number in range(len(story.facts))])
    return Narration(outcome(story), facts)


def outcome(story: Story) -> str:
    """Up to three sentences: what was done, what came of it, who is next."""
    head = headline(story)
    telling = Telling(story, head)
    first, last = as_sentence(head.told), as_sentence(_last(story))
    every = len(telling.clauses) + len(telling.upkeep)
    told = ""
    for left_out in range(every + 1):
        middle = as_sentence(_middle(telling, left_out))
        if not (middle or last or head.complete):
            middle = ENGLISH.sentence("no-effect")
        told = story.once_in_full(" ".join(filter(None, (first, middle, last))))
        if len(told) <= MOST:
            break
    return told


def _middle(telling: Telling, left_out: int) -> str:
    """What came of it, without so many of the lightest clauses."""
    every = [*telling.clauses, *telling.upkeep]
    lightest = sorted(range(len(every)), key=lambda n: (every[n].weight, -n))[:left_out]
    kept = [clause for n, clause in enumerate(every) if n not in lightest]
    told = _joined([clause for clause in kept if clause in telling.clauses])
    upkeep = _joined([clause for clause in kept if clause in telling.upkeep])
    if upkeep:
        upkeep = ENGLISH.format("upkeep", list=upkeep)
    more = ENGLISH.format("and-more", n=left_out) if left_out and kept else ""
    return ENGLISH.format("semicolon").join(filter(None, (told, upkeep, more)))


def _joined(clauses: Sequence[Clause]) -> str:
    return ENGLISH.format("semicolon").join(map(str, clauses))


def _last(story: Story) -> str:
    """How the battle ended, whose Turn began, or what is asked now."""
    state = story.states[-1]
    for fact in reversed(story.facts):
        if isinstance(fact, f.GameEnded):
            return ended(state, fact)
        if isinstance(fact, f.TurnBegan):
            seat, ap = seat_name(fact.seat), state.seats[fact.seat].ap
            return ENGLISH.format("turn", round=state.round, seat=seat, n=ap)
    return _asked(story, state)


def _asked(story: Story, state: State) -> str:
    todo = state.todo
    if not todo or todo[:1] == story.battle.state.todo[:1]:
        return ""
    match todo[0]:
        case Displace(golem=golem, way=way, seat=seat):
            key = "asked.displace-die" if way == "random" else "asked.displace"
            return ENGLISH.format(key, seat=seat_name(seat), golem=story.unit(golem))
        case Step(golem=golem):
            owner = seat_name(seat_of(golem))
            return ENGLISH.format("asked.step", seat=owner, golem=story.unit(golem))
        case Choice(golem=golem):
            return ENGLISH.format("asked.choose", seat=seat_name(seat_of(golem)))
        case _:
            return ""
