"""What a viewer may not know: where encounters lie, and the secret quests of others. Also what the
viewer may imagine in its place."""

from msgspec.structs import replace

from domain.games.golem_arcana.actions import Action, EnterHiding, EnterQuest
from domain.games.golem_arcana.facts import (
    EncounterHidden,
    EncounterTriggered,
    Fact,
    GolemDisplaced,
    GolemEntered,
    GolemMoved,
    GolemTeleported,
    QuestDealt,
    QuestFulfilled,
    TurnBegan,
    UnitDestroyed,
)
from domain.games.golem_arcana.notation.position import HIDDEN
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import DealtQuest, HiddenEncounter, Hide, State
from domain.kernel.chance import RandomBelow
from domain.kernel.game import REFEREE, ResolvedAction


def redact(happening: ResolvedAction[Action, Fact], viewer: str) -> ResolvedAction[Action, Fact]:
    """The happening without what this viewer may not know."""
    if viewer == REFEREE:
        return happening
    action = happening.action
    if isinstance(action, EnterHiding) or (
        isinstance(action, EnterQuest) and viewer != happening.seat
    ):
        action = replace(action, number=HIDDEN)
    facts, places = _redact_facts(happening.facts, viewer)
    rulings = tuple(
        replace(ruling, fact=None if ruling.fact is None else places[ruling.fact])
        for ruling in happening.rulings
        if ruling.fact is None or ruling.fact in places
    )
    return ResolvedAction(happening.seat, action, facts, rulings)


def reveals(fact: Fact) -> bool:
    """Does this fact settle or show something that was hidden from somebody?

    Whoever undoes it, or is shown it before it is so, learns where an encounter lies or what a
    secret quest is.
    """
    return isinstance(fact, EncounterHidden | QuestDealt | EncounterTriggered | QuestFulfilled)


def probes(fact: Fact, options: Options) -> bool:
    """Does a seat learn from what follows this fact, be it nothing, where an encounter lies or what
    a secret quest is?

    A Golem that comes to rest meets what lies there (GA-R46), and a Turn that begins or a Golem
    that is destroyed may fulfil a quest. Which Regions an encounter may lie in, and whether any is
    left, nobody is told: so the answer is the same for all Regions and all matches of a scenario.
    """
    scenario = options.pack.scenarios[options.scenario]
    if isinstance(fact, GolemMoved | GolemDisplaced | GolemTeleported | GolemEntered):
        return bool(scenario.encounters)
    return bool(scenario.quests) and isinstance(fact, TurnBegan | UnitDestroyed)


def information_state(state: State, viewer: str) -> State:
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


def sample_state(known: State, viewer: str, below: RandomBelow) -> State:
    """A state that the viewer holds possible, from the state as the viewer knows it: encounters lie
    where they can, and each unknown quest is one that nobody is known to have."""
    scenario = known.pack.scenarios[known.scenario]
    if viewer == REFEREE or not (scenario.quests or scenario.encounters):
        return known
    dealt = {quest.number for quest in known.quests.values()}
    loose = [n for n in range(1, len(scenario.quests) + 1) if n not in dealt]
    quests = {
        seat: quest if quest.number else DealtQuest(loose.pop(below(len(loose))))
        for seat, quest in known.quests.items()
    }
    waiting = {item.encounter for item in known.todo if isinstance(item, Hide)}
    encounters = dict(known.encounters)
    taken = {each.where for each in encounters.values()}
    # Who has the fewest places is placed first, so that the others leave it one.
    for card in sorted(scenario.encounters, key=lambda each: len(each.candidates)):
        free = [region for region in card.candidates if region not in taken]
        if free and card.id not in encounters and card.id not in waiting:
            encounters[card.id] = HiddenEncounter(free[below(len(free))])
            taken.add(encounters[card.id].where)
    return replace(known, quests=quests, encounters=encounters)


def _redact_facts(facts: tuple[Fact, ...], viewer: str) -> tuple[tuple[Fact, ...], dict[int, int]]:
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
