"""What a viewer may not know of a happening: where encounters lie, and others' secret quests."""

from msgspec.structs import replace

from domain.games.golem_arcana.actions import Action, EnterHiding, EnterQuest
from domain.games.golem_arcana.facts import (
    EncounterHidden,
    EncounterTriggered,
    Fact,
    QuestDealt,
    QuestFulfilled,
)
from domain.games.golem_arcana.position import HIDDEN
from domain.kernel.game import REFEREE, Happening


def veil(happening: Happening[Action, Fact], viewer: str) -> Happening[Action, Fact]:
    """The happening without what this viewer may not know."""
    action = happening.action
    if viewer == REFEREE or not isinstance(action, EnterHiding | EnterQuest):
        return happening
    if isinstance(action, EnterQuest) and viewer == happening.seat:
        return happening
    facts, places = _veil_facts(happening.facts)
    rulings = tuple(
        replace(ruling, fact=None if ruling.fact is None else places[ruling.fact])
        for ruling in happening.rulings
        if ruling.fact is None or ruling.fact in places
    )
    return Happening(happening.seat, replace(action, number=HIDDEN), facts, rulings)


def reveals(fact: Fact) -> bool:
    """Does this fact settle or show something that was hidden from somebody?

    Whoever undoes it, or is shown it before it is so, learns where an encounter lies or what a
    secret quest is.
    """
    return isinstance(fact, EncounterHidden | QuestDealt | EncounterTriggered | QuestFulfilled)


def _veil_facts(facts: tuple[Fact, ...]) -> tuple[tuple[Fact, ...], dict[int, int]]:
    """The facts that are left, and where those that are left went."""
    kept: list[Fact] = []
    places: dict[int, int] = {}
    for n, fact in enumerate(facts):
        if isinstance(fact, EncounterHidden):
            continue
        places[n] = len(kept)
        kept.append(QuestDealt(fact.seat) if isinstance(fact, QuestDealt) else fact)
    return tuple(kept), places
