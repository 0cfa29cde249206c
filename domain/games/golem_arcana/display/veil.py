"""What a viewer may not know: where encounters lie, and the secret quests of others."""

from msgspec.structs import replace

from domain.games.golem_arcana.actions import Action, EnterHiding, EnterQuest
from domain.games.golem_arcana.facts import (
    EncounterHidden,
    EncounterTriggered,
    Fact,
    QuestDealt,
    QuestFulfilled,
)
from domain.games.golem_arcana.notation.position import HIDDEN
from domain.games.golem_arcana.state import DealtQuest, State
from domain.kernel.game import REFEREE, Happening


def veil(happening: Happening[Action, Fact], viewer: str) -> Happening[Action, Fact]:
    """The happening without what this viewer may not know."""
    if viewer == REFEREE:
        return happening
    action = happening.action
    if isinstance(action, EnterHiding) or (
        isinstance(action, EnterQuest) and viewer != happening.seat
    ):
        action = replace(action, number=HIDDEN)
    facts, places = _veil_facts(happening.facts, viewer)
    rulings = tuple(
        replace(ruling, fact=None if ruling.fact is None else places[ruling.fact])
        for ruling in happening.rulings
        if ruling.fact is None or ruling.fact in places
    )
    return Happening(happening.seat, action, facts, rulings)


def reveals(fact: Fact) -> bool:
    """Does this fact settle or show something that was hidden from somebody?

    Whoever undoes it, or is shown it before it is so, learns where an encounter lies or what a
    secret quest is.
    """
    return isinstance(fact, EncounterHidden | QuestDealt | EncounterTriggered | QuestFulfilled)


def known(state: State, viewer: str) -> State:
    """The state as this viewer may know it: nothing lies hidden, and the secret quests of others
    are unknown, so that nothing can be met or fulfilled but what the viewer knows of."""
    if viewer == REFEREE or not (state.quests or state.encounters):
        return state
    return replace(
        state,
        quests={
            seat: dealt if dealt.fulfilled or seat == viewer else DealtQuest(None)
            for seat, dealt in state.quests.items()
        },
        encounters={name: each for name, each in state.encounters.items() if each.triggered},
    )


def _veil_facts(facts: tuple[Fact, ...], viewer: str) -> tuple[tuple[Fact, ...], dict[int, int]]:
    """The facts that are left, and where those that are left went."""
    kept: list[Fact] = []
    places: dict[int, int] = {}
    for n, fact in enumerate(facts):
        if isinstance(fact, EncounterHidden):
            continue
        places[n] = len(kept)
        if isinstance(fact, QuestDealt) and fact.seat != viewer:
            fact = QuestDealt(fact.seat)
        kept.append(fact)
    return tuple(kept), places
