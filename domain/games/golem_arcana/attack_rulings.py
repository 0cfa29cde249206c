"""The rulings on an attack: every figure that went into the chance, the roll and the damage."""

from collections.abc import Iterable
from typing import Final

from domain.games.golem_arcana.aim import Aim
from domain.games.golem_arcana.course import Course
from domain.games.golem_arcana.cover import CoverShare
from domain.games.golem_arcana.modifiers import Share
from domain.games.golem_arcana.sight import line
from domain.games.golem_arcana.state import Roll
from domain.games.golem_arcana.vocabulary import Attack
from domain.kernel.game import Figures

_RULES: Final = {
    "super": ("ga.hit.super",),
    "critical": ("ga.hit.critical",),
    "lucky": ("ga.hit.lucky",),
    "fated": ("ga.hit.fated",),
    "hit": ("ga.hit.roll",),
    "miss": ("ga.hit.roll",),
}

_CLEAR: Final = ("ga.los.line", "ga.los.elevated", "ga.los.colossus")
"""Why nothing blocks the line of an attack that may be made."""


def explain_aim(course: Course, item: Roll, aim: Aim) -> None:
    """Why the chance to hit one target is what it is, with each Region that gives cover."""
    battle = course.battle
    attack = battle.abilities(item.attacker)[item.ability]
    assert isinstance(attack, Attack), "only attacks are aimed"
    figures: Figures = {
        "target": aim.target,
        "accuracy": aim.accuracy,
        **_listed("accuracy from", aim.accuracy_shares),
        "dodge": -aim.dodge,
        **_listed("dodge from", aim.dodge_shares),
        "cover": -aim.cover,
        "between": -aim.between,
        "engaged": -aim.engaged,
        "pit": -aim.pit,
        "chance": aim.chance,
    }
    course.explain(figures, "ga.hit.chance")
    target = aim.target
    here, there = battle.golem(item.attacker).where, battle.where(target)
    if attack.mode == "ranged":
        between = line(battle, here, there)
        course.explain({"from": here, "to": there, "between": between}, *_CLEAR)
    if attack.area:
        course.explain({"target": target}, "ga.area.no-cover")
    if target in battle.state.constructs:
        course.explain({"target": target}, "ga.construct.target")
    if aim.cover_shares:
        course.explain({**_regions(aim.cover_shares), "cover": aim.cover}, "ga.hit.cover")
    if aim.between_shares:
        course.explain({**_regions(aim.between_shares), "counted": aim.between}, "ga.hit.between")
    if aim.engaged:
        course.explain({"penalty": aim.engaged, "region": here}, "ga.hit.engaged")
    if aim.pit:
        course.explain({"penalty": aim.pit, "region": here}, "ga.hit.pit")


def explain_verdict(
    course: Course, item: Roll, attack: Attack, aim: Aim, verdict: str, roll: int, damage: int
) -> None:
    """What the roll means for one target, and where the damage of a hit comes from."""
    explain_aim(course, item, aim)
    course.explain(
        {"target": aim.target, "roll": f"{roll:02}", "chance": aim.chance, "result": verdict},
        *_RULES[verdict],
    )
    if verdict in ("miss", "fated"):
        return
    figures: Figures = {
        "target": aim.target,
        "damage": attack.damage,
        **_listed("damage from", aim.damage_shares),
        "armor": -aim.armor,
        **_listed("armor from", aim.armor_shares),
    }
    if aim.taken_ranged:
        figures["taken_ranged"] = aim.taken_ranged
    course.explain({**figures, "hit": aim.hit}, "ga.damage.armor")
    if verdict in ("super", "critical"):
        times = "3/2" if aim.times is None else str(aim.times)
        of = "before armor" if aim.gross else "after armor"
        course.explain({"times": times, "of": of, "inflicted": damage}, "ga.damage.critical")


def _listed(word: str, shares: Iterable[Share]) -> Figures:
    found: dict[str, int | str] = {}
    for source, amount in shares:
        key = f"{word} {source}"
        before = found.get(key, 0)
        found[key] = amount + (before if isinstance(before, int) else 0)
    return found


def _regions(shares: Iterable[CoverShare]) -> Figures:
    return {f"{share.region} {share.why}": share.points for share in shares}
