"""What is to be had and to be found: places to hold, secret quests, encounters."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.card_faces import effect_lines
from domain.games.golem_arcana.content.cards import Encounter, SecretQuest
from domain.games.golem_arcana.display.effect_words import quest_goal
from domain.games.golem_arcana.display.names import regions_name, seat_name
from domain.games.golem_arcana.english import ENGLISH
from domain.kernel.game import REFEREE
from domain.kernel.scene import CardFace, Piece

_say: Final = ENGLISH.format


def goals(battle: Battle) -> Iterator[Piece]:
    """Where Victory Points are to be had, and who holds the place now."""
    for n, place in enumerate(battle.scenario.locations, 1):
        regions = battle.pack.regions(battle.state.scenario, place.regions)
        attributes = {"regions": ", ".join(regions), "VP": str(place.vp)}
        where = _say("scene.place-in", regions=regions_name(place.regions))
        told = [_say("scene.place", place=place.name, n=place.vp), where]
        holder = next((seat for seat in battle.seats if battle.holds(seat, regions)), None)
        held = [_say("scene.place-held", seat=seat_name(holder))] if holder else []
        yield Piece(
            f"place-{n}", "place", place.name, "places", "", place.name, attributes,
            _say("comma").join((*told, *held)), badges=tuple(held),
            card=CardFace(place.name, lines=(where,), points=place.vp),
        )  # fmt: skip


def secrets(battle: Battle, viewer: str) -> Iterator[Piece]:
    """Secret quests, each with its goal for who may know it, and encounters that were found."""
    scenario = battle.scenario.id
    for seat, dealt in battle.dealt:
        quest = battle.quest(seat)
        if quest is not None and (dealt.fulfilled or viewer in (seat, REFEREE)):
            number = dealt.number or 0
            yield _quest(scenario, seat, quest, number, fulfilled=dealt.fulfilled)
        else:
            name = _say("scene.quest-secret", seat=seat_name(seat))
            yield Piece(f"quest-{seat}", "quest", "?", "secrets", seat, name, {}, name, ("hidden",))
    for encounter in battle.scenario.encounters:
        lies = battle.state.encounters.get(encounter.id)
        if lies is not None and (lies.triggered or viewer == REFEREE):
            yield _encounter(scenario, encounter, lies.where, met=lies.triggered)


def _quest(scenario: str, seat: str, quest: SecretQuest, number: int, *, fulfilled: bool) -> Piece:
    done = {"fulfilled": "yes"} if fulfilled else {}
    name = _say("scene.quest", seat=seat_name(seat), quest=quest.name)
    goal = quest_goal(quest)
    told = _say("card.line-plain", title=name, text=goal)
    return Piece(
        f"quest-{seat}", "quest", quest.name, "secrets", seat, name,
        {"number": str(number), "VP": str(quest.vp), **done},
        _say("scene.quest-done", quest=told) if fulfilled else told,
        badges=(_say("scene.badge.fulfilled"),) if fulfilled else (), card=quest_face(quest),
        face=f"quest.{scenario}.{number}",
    )  # fmt: skip


@lru_cache(maxsize=256)
def quest_face(quest: SecretQuest) -> CardFace:
    """Return the card of a secret quest."""
    kind, goal = _say("scene.quest-kind"), quest_goal(quest)
    return CardFace(quest.name, kind, lines=(goal,), points=quest.vp)


def _encounter(scenario: str, encounter: Encounter, where: str, *, met: bool) -> Piece:
    face = encounter_face(encounter)
    told = _say("scene.encounter-in", encounter=encounter.name, region=where)
    badges = (_say("scene.badge.in", region=where), *((_say("scene.badge.met"),) if met else ()))
    return Piece(
        f"encounter-{encounter.id}", "encounter", encounter.name, "secrets", name=encounter.name,
        attributes={"region": where, "met": "yes" if met else "no"},
        description=_say("card.line-plain", title=told, text=_say("semicolon").join(face.lines)),
        states=() if met else ("hidden",), badges=badges, card=face,
        face=f"encounter.{scenario}.{encounter.id}",
    )  # fmt: skip


@lru_cache(maxsize=256)
def encounter_face(encounter: Encounter) -> CardFace:
    """Return the card of an encounter."""
    lines = [*effect_lines(encounter.effects)]
    for choice in encounter.choices:
        effects = _say("semicolon").join(effect_lines(choice.effects)) or _say("nothing")
        lines.append(_say("scene.choice", label=choice.label, effects=effects))
    return CardFace(encounter.name, _say("scene.encounter-kind"), lines=tuple(lines))
