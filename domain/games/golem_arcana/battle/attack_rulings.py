"""The rulings on an attack: every figure that went into the chance, the roll and the damage."""

from collections.abc import Callable, Iterable
from typing import Final

from domain.games.golem_arcana.battle.aim import Aim
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cover import CoverShare
from domain.games.golem_arcana.battle.modifiers import Share
from domain.games.golem_arcana.battle.sight import line
from domain.games.golem_arcana.content.vocabulary import Attack
from domain.games.golem_arcana.state import Roll
from domain.kernel.rulings import Figures

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


Say = Callable[..., None]
"""Says a ruling: on the fact that comes next, or on the action as a whole."""


def explain_aim(battle: Battle, item: Roll, aim: Aim, say: Say) -> None:
    """Why the chance to hit one target is what it is, with each Region that gives cover."""
    attack = battle.abilities(item.attacker)[item.ability]
    assert isinstance(attack, Attack), "only attacks are aimed"
    target = aim.target
    figures: Figures = {
        "target": target,
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
    say("ga.hit.chance", **figures)
    here, there = battle.golem(item.attacker).where, battle.where(target)
    if attack.mode == "ranged":
        say(*_CLEAR, **{"from": here, "to": there, "between": line(battle, here, there)})
    if attack.area:
        say("ga.area.no-cover", target=target)
    if target in battle.state.constructs:
        say("ga.construct.target", target=target)
    if aim.cover_shares:
        say("ga.hit.cover", **_regions(aim.cover_shares), cover=aim.cover)
    if aim.between_shares:
        say("ga.hit.between", **_regions(aim.between_shares), counted=aim.between)
    if aim.engaged:
        say("ga.hit.engaged", penalty=aim.engaged, region=here)
    if aim.pit:
        say("ga.hit.pit", penalty=aim.pit, region=here)


def explain_verdict(
    battle: Battle, item: Roll, aim: Aim, verdict: str, roll: int, damage: int, say: Say
) -> None:
    """What the roll means for one target, and where the damage of a hit comes from."""
    explain_aim(battle, item, aim, say)
    say(*_RULES[verdict], target=aim.target, roll=f"{roll:02}", chance=aim.chance, result=verdict)
    if verdict in ("miss", "fated"):
        return
    figures: Figures = {
        "target": aim.target,
        "damage": aim.printed,
        **_listed("damage from", aim.damage_shares),
        "armor": -aim.armor,
        **_listed("armor from", aim.armor_shares),
    }
    if aim.taken_ranged:
        figures["taken_ranged"] = aim.taken_ranged
    say("ga.damage.armor", **figures, hit=aim.hit)
    if verdict in ("super", "critical"):
        times = "3/2" if aim.times is None else str(aim.times)
        of = "before armor" if aim.gross else "after armor"
        say("ga.damage.critical", times=times, of=of, inflicted=damage)


def _listed(word: str, shares: Iterable[Share]) -> Figures:
    found: dict[str, int | str] = {}
    for source, amount in shares:
        key = f"{word} {source}"
        before = found.get(key, 0)
        found[key] = amount + (before if isinstance(before, int) else 0)
    return found


def _regions(shares: Iterable[CoverShare]) -> Figures:
    return {f"{share.region} {share.why}": share.points for share in shares}
