"""What a viewer may not know of a happening: where encounters lie, and others' secret quests."""

from msgspec.structs import replace

from domain.games.golem_arcana.actions import Action, EnterHiding, EnterQuest
from domain.games.golem_arcana.facts import EncounterHidden, Fact, QuestDealt
from domain.games.golem_arcana.position import HIDDEN
from domain.games.golem_arcana.state import State
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


def known(state: State, viewer: str) -> State:
    """The state without what this viewer may not know, to answer "what if" without telling it.

    Encounters that nobody has met are gone, and so are others' secret quests: a movement previewed
    in it meets nothing, a kill fulfils nothing. It is no state to play on in.
    """
    if viewer == REFEREE:
        return state
    return replace(
        state,
        quests={s: quest for s, quest in state.quests.items() if quest.fulfilled or s == viewer},
        encounters={name: each for name, each in state.encounters.items() if each.triggered},
    )


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
