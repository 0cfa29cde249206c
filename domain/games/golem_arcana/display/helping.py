"""The rules that bear on what is being done: the Help button of the rulebook's app."""

from collections.abc import Mapping
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Walk
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.rules import RULES
from domain.games.golem_arcana.state import (
    Choice,
    DealQuest,
    DeployArmy,
    Displace,
    Hide,
    Roll,
    Step,
)
from domain.kernel.language import as_sentence

TOPICS: Final[Mapping[str, tuple[str, ...]]] = {
    "turn": ("turn.end", "ap.pool", "ap.leftover", "cooldown.double", "cooldown.gain",
             "cooldown.clear"),
    "moving": ("move.reach", "move.cost", "move.fly", "move.nimble", "move.colossus", "move.stop",
               "move.breakaway", "stack.limit", "stack.obstruction", "terrain.pit",
               "terrain.swamp", "terrain.blocking"),
    "attacking": ("melee.same-region", "ranged.same-region", "ranged.range", "los.blocked",
                  "area.all", "charge.melee-only", "charge.reach", "charge.cost",
                  "charge.displace", "charge.advance"),
    "dice": ("hit.chance", "hit.cover", "hit.between", "hit.engaged", "hit.pit", "hit.roll",
             "hit.lucky", "hit.critical", "hit.super", "damage.armor", "damage.critical",
             "damage.destroy"),
    "displacing": ("displace.kind", "displace.place", "step.place"),
    "mana": ("mana.well", "mana.destroyed", "ap.leftover", "ancient.miracle", "ancient.blessing",
             "ancient.curse", "ancient.water", "relic.spent"),
    "surprises": ("encounter.meet", "quest.fulfil", "vp.quest"),
    "setup": ("setup.order", "deploy.zone", "deploy.reserve", "reserve.round", "reserve.zone"),
    "victory": ("vp.place", "vp.kill", "vp.quest", "end.target", "end.elimination", "end.rounds",
                "end.winner"),
}  # fmt: skip
"""The rules to know for what is done, by topic, without the prefix of their ids."""

_ASKED: Final[dict[type, str]] = {
    Hide: "surprises",
    DealQuest: "surprises",
    DeployArmy: "setup",
    Roll: "dice",
    Displace: "displacing",
    Step: "displacing",
    Choice: "surprises",
}
"""The topic of each open question."""


def topic(battle: Battle, picked: tuple[str, ...]) -> str:
    """The topic that bears on the open question, or on what is picked."""
    if battle.state.todo:
        return _ASKED[type(battle.state.todo[0])]
    for thing in reversed(picked):
        match thing.split(" "):
            case ["card", golem, name] if golem in battle.state.golems:
                return _of_ability(battle.abilities(golem).get(name))
            case ["relic" | "power", *_]:
                return "mana"
            case ["base" | "card", *_]:
                return "moving"
            case _:
                continue
    return "turn"


def _of_ability(ability: Ability | None) -> str:
    match ability:
        case Walk() | Fly():
            return "moving"
        case Attack():
            return "attacking"
        case _:
            return "mana"


def help_lines(topic: str) -> tuple[str, ...]:
    """The rules of a topic, each with its place in the rulebook."""
    if topic not in TOPICS:
        return ()
    told = (RULES[f"ga.{name}"] for name in TOPICS[topic])
    lines = (
        ENGLISH.format("help.rule", rule=as_sentence(rule.meaning), source=rule.source)
        for rule in told
    )
    return (ENGLISH.format(f"help.{topic}"), *lines)
