"""What the stylus's screen tells while somebody chooses: a question walked through, or where what
is picked leads."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.attacks import aims
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.surprises import encounter_of
from domain.games.golem_arcana.content.card_words import plain
from domain.games.golem_arcana.display.attack_words import needed
from domain.games.golem_arcana.display.effect_words import encounter_words
from domain.games.golem_arcana.display.info import there
from domain.games.golem_arcana.display.names import terrain_name, unit_name
from domain.games.golem_arcana.display.parts import parts_in
from domain.games.golem_arcana.display.questions import Reach, open_figures, reach_in
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import Choice, Roll
from domain.kernel.language import as_sentence

MOST: Final = 40
"""Actions that are told, at most: what is left out is counted."""
_PENALTIES: Final = ("dodge", "cover", "between", "engaged", "pit")


def guide(battle: Battle, actions: Sequence[Action], picked: Sequence[str]) -> tuple[str, ...]:
    """Lines about the open question, or about the actions that agree with what is picked."""
    state = battle.state
    item = state.todo[0] if state.todo else None
    if isinstance(item, Choice):
        return tuple(_encounter(battle, item))
    if isinstance(item, Roll):
        return tuple(_attack(battle, item))
    if not picked and item is None:
        return ()
    return tuple(_ways(battle, actions))


def _encounter(battle: Battle, item: Choice) -> Iterator[str]:
    """The encounter by its name, who meets it, and what each choice does."""
    encounter = encounter_of(battle, item.encounter)
    yield encounter.name
    golem, region = unit_name(battle, item.golem), battle.golem(item.golem).where
    yield as_sentence(ENGLISH.format("met", golem=golem, encounter=encounter.name, region=region))
    for number, choice in enumerate(encounter.choices, 1):
        does = encounter_words(choice.effects, item.golem)
        yield ENGLISH.format("guide.choice", number=number, label=choice.label, does=does)


def _attack(battle: Battle, item: Roll) -> Iterator[str]:
    """Each target of the attack that is rolled for: what hits it, and why."""
    for aim, figures in zip(aims(battle, item), open_figures(battle.state), strict=True):
        told = needed([("", aim.chance)])
        unit = unit_name(battle, aim.target)
        yield ENGLISH.format(
            "guide.target", unit=unit, needed=told, n=aim.hit, critical=aim.critical
        )
        found = {name: getattr(figures, name) for name in _PENALTIES}
        listed = [ENGLISH.format(f"guide.{name}", n=n) for name, n in found.items() if n]
        accuracy = ENGLISH.format("guide.accuracy", n=aim.accuracy)
        yield ENGLISH.format("guide.why", list=ENGLISH.format("comma").join((accuracy, *listed)))


def _ways(battle: Battle, actions: Sequence[Action]) -> Iterator[str]:
    """Each Region that can be reached, by what it costs; then all else that can be done."""
    yield from _reached(battle, [each for each in actions if isinstance(each, a.Move)])
    others = [each for each in actions if not isinstance(each, a.Move)]
    yield from (_action(battle, action) for action in others[:MOST])
    if len(others) > MOST:
        yield ENGLISH.format("and-more", n=len(others) - MOST)


def _reached(battle: Battle, moves: list[a.Move]) -> Iterator[str]:
    """The Regions that movement leads to: a line for each ability and what it takes of its
    Movement Points."""
    allowed = {(move.golem, move.ability, move.region) for move in moves}
    for golem, ability in dict.fromkeys((move.golem, move.ability) for move in moves):
        by_points: dict[int, list[str]] = {}
        for way in reach_in(battle, golem, ability):
            if (golem, ability, way.region) in allowed:
                by_points.setdefault(way.points, []).append(_end(battle, way))
        name = battle.abilities(golem)[ability].name
        for points, regions in sorted(by_points.items()):
            told = ENGLISH.format("comma").join(regions)
            values = {"golem": unit_name(battle, golem), "ability": name}
            yield ENGLISH.format("guide.reach", **values, n=points, regions=told)


def _end(battle: Battle, way: Reach) -> str:
    """A Region that is reached, with what hurts on the way there."""
    if not way.damage:
        return way.region
    terrain = terrain_name(battle.terrain(way.region))
    return ENGLISH.format("guide.hurt", region=way.region, terrain=terrain, n=way.damage)


def _action(battle: Battle, action: Action) -> str:
    taken = parts_in(battle, action)
    told = taken.sentence
    if isinstance(action, a.ChooseRegion | a.TakeStep | a.Deploy | a.Enter):
        terrain = terrain_name(battle.terrain(action.region))
        told = ENGLISH.format("guide.place", told=told, terrain=terrain)
        if present := [each.strip() for each in there(battle, action.region)]:
            told = ENGLISH.format("guide.there", told=told, list=ENGLISH.join_and(present))
    if not taken.cost:
        return told
    return ENGLISH.format("guide.cost", told=told, cost=plain(taken.cost))
