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
    if viewer == REFEREE:
        return happening
    action, facts = happening.action, happening.facts
    own = viewer == happening.seat
    if isinstance(action, EnterHiding) or (isinstance(action, EnterQuest) and not own):
        action = replace(action, number=HIDDEN)
    places: dict[int, int] = {}
    known: list[Fact] = []
    for n, fact in enumerate(facts):
        if isinstance(fact, EncounterHidden):
            continue  # it may follow from any action of setting up
        places[n] = len(known)
        if isinstance(fact, QuestDealt) and fact.seat != viewer:
            fact = QuestDealt(fact.seat)  # without its number
        known.append(fact)
    rulings = tuple(
        replace(ruling, fact=None if ruling.fact is None else places[ruling.fact])
        for ruling in happening.rulings
        if ruling.fact is None or ruling.fact in places
    )
    return Happening(happening.seat, action, tuple(known), rulings)


def reveals(fact: Fact) -> bool:
    """Does this fact settle or show something that was hidden from somebody?

    Whoever undoes it, or is shown it before it is so, learns where an encounter lies or what a
    secret quest is.
    """
    return isinstance(fact, EncounterHidden | QuestDealt | EncounterTriggered | QuestFulfilled)
