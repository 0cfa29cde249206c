"""Attacks in words: what is needed, what was rolled, where the damage comes from."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from domain.games.golem_arcana.battle.aim import Aim
from domain.games.golem_arcana.battle.attacks import aims, attack_of
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import hit_points
from domain.games.golem_arcana.content.vocabulary import Attack
from domain.games.golem_arcana.display.effect_words import Whom, effects_words
from domain.games.golem_arcana.display.names import listed, seat_name, unit_name
from domain.games.golem_arcana.display.story import Story
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import Roll, seat_of
from domain.kernel.rulings import Figures, Ruling

_VERDICTS: Final = {
    "ga.hit.roll", "ga.hit.super", "ga.hit.critical", "ga.hit.lucky", "ga.hit.fated",
}  # fmt: skip
_CHANCE: Final = "ga.hit.chance"
_MULTIPLES: Final = {"3/2": "1.5"}
"""How many times the damage of a critical hit is, as it is read."""


class Strike(Struct, frozen=True):
    """What the dice meant for one target, as the rulings on it tell."""

    target: str
    roll: str
    chance: int
    verdict: str
    damage: str = ""
    """Where the damage comes from, in words; empty for a miss."""

    @property
    def rolled(self) -> str:
        """The roll beside what was needed."""
        if self.verdict == "super":
            return ENGLISH.format("roll-super", roll=self.roll)
        key = "roll" if self.chance > 0 else "roll-doubles"
        return ENGLISH.format(key, roll=self.roll, chance=self.chance)

    @property
    def wanted(self) -> str:
        """What was needed, where the roll is told already."""
        return ENGLISH.format("wanted" if self.chance > 0 else "wanted-doubles", chance=self.chance)

    @property
    def result(self) -> str:
        """Hit or miss."""
        return ENGLISH.format(f"verdict.{self.verdict}")


def target_name(battle: Battle, golem: str, ability: str, target: str) -> str:
    """What an attack is aimed at: a unit, or all in a Region."""
    attack = battle.abilities(golem).get(ability) if golem in battle.state.golems else None
    if isinstance(attack, Attack) and attack.area:
        return ENGLISH.format("all-in", region=target)
    return unit_name(battle, target)


def target_told(story: Story, golem: str, ability: str, target: str) -> str:
    """The same in what is told."""
    attack = story.battle.abilities(golem).get(ability)
    area = isinstance(attack, Attack) and attack.area
    return ENGLISH.format("all-in", region=target) if area else story.unit(target)


def needed(chances: Sequence[tuple[str, int]], *, area: bool = False) -> str:
    """What hits, from each target by name and the chance to hit it.

    >>> needed([("n1", 45)])
    '45 or less hits'
    >>> needed([("n1", 45), ("n2", -5)], area=True)
    'to hit n1 at 45 and n2 by doubles only'
    """
    if not area:
        ((_, chance),) = chances
        return ENGLISH.format("needed" if chance > 0 else "needed-doubles", chance=chance)
    told = [
        ENGLISH.format("needed-of" if chance > 0 else "needed-of-doubles", unit=unit, chance=chance)
        for unit, chance in chances
    ]
    return ENGLISH.format("needed-each", list=listed(told, most=3))


def aimed(battle: Battle, item: Roll) -> str:
    """What hits in an attack, and for a single target what a hit costs it."""
    return aims_told(battle, attack_of(battle, item), aims(battle, item))


def aims_told(battle: Battle, attack: Attack, aims: Sequence[Aim]) -> str:
    """The same, of an attack that has been aimed."""
    told = needed([(unit_name(battle, aim.target), aim.chance) for aim in aims], area=attack.area)
    if attack.area:
        return told
    (aim,) = aims
    hp = hit_points(battle.state, aim.target)
    if aim.hit >= hp:
        return ENGLISH.format("hit-destroys", needed=told, hp=hp)
    return ENGLISH.format("hit-costs", needed=told, n=aim.hit, hp=hp)


def effects_told(battle: Battle, golem: str, attack: Attack, aims: Sequence[Aim]) -> str:
    """What else a hit does; empty if nothing. Only Golems that survive suffer effects."""
    effects = attack.effects
    if not any(
        aim.target in battle.state.golems and aim.hit < hit_points(battle.state, aim.target)
        for aim in aims
    ):
        effects = tuple(effect for effect in effects if effect.inward)
    target = ENGLISH.format("hit-golem" if attack.area else "it")
    whom = Whom(seat_name(seat_of(golem)), unit_name(battle, golem), target)
    return effects_words(effects, whom) if effects else ""


def chances(rulings: Iterable[Ruling]) -> list[tuple[str, int]]:
    """Each target of an attack that is declared, by its id, and the chance to hit it."""
    return [
        (str(ruling.figures["target"]), int(ruling.figures["chance"]))
        for ruling in rulings
        if _CHANCE in ruling.rules
    ]


def strikes(rulings: Iterable[Ruling]) -> list[Strike]:
    """What the dice meant, target by target. Without rulings, as in old logs, nothing is known."""
    found: list[Strike] = []
    harm: list[list[Figures]] = []
    for ruling in rulings:
        figures = ruling.figures
        if _VERDICTS & {*ruling.rules} and "result" in figures:
            target, chance = str(figures["target"]), int(figures["chance"])
            found.append(Strike(target, str(figures["roll"]), chance, str(figures["result"])))
            harm.append([])
        elif harm and {"ga.damage.armor", "ga.damage.critical"} & {*ruling.rules}:
            harm[-1].append(figures)
    return [
        Strike(each.target, each.roll, each.chance, each.verdict, damage_words(*figures))
        for each, figures in zip(found, harm, strict=True)
    ]


def damage_words(hit: Figures | None = None, critical: Figures | None = None) -> str:
    """Where the damage of a hit comes from: its figures, and those of a critical one.

    >>> damage_words({"damage": 31, "damage from Giant Killer": 6, "armor": -4})
    '37 damage less 4 armor'
    """
    if hit is None:
        return ""
    damage = max(sum(int(n) for name, n in hit.items() if name.startswith("damage")), 0)
    armor = -int(hit.get("armor", 0))
    times = "" if critical is None else str(critical["times"])
    times = _MULTIPLES.get(times, times)
    if critical is not None and critical["of"] == "before armor":
        told = ENGLISH.format("damage-gross", n=damage, times=times, armor=armor)
        return _at_range(told, hit)
    told = ENGLISH.format("damage-armor" if armor else "damage", n=damage, armor=armor)
    told = _at_range(told, hit)
    return ENGLISH.format("damage-times", damage=told, times=times) if times else told


def _at_range(told: str, hit: Figures) -> str:
    """The damage with what a target takes besides from ranged attacks."""
    more = int(hit.get("taken_ranged", 0))
    return ENGLISH.format("damage-plus", damage=told, n=more) if more else told
