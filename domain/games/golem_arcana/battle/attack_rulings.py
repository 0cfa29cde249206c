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
    say(figures, "ga.hit.chance")
    here, there = battle.golem(item.attacker).where, battle.where(target)
    if attack.mode == "ranged":
        say({"from": here, "to": there, "between": line(battle, here, there)}, *_CLEAR)
    if attack.area:
        say({"target": target}, "ga.area.no-cover")
    if target in battle.state.constructs:
        say({"target": target}, "ga.construct.target")
    if aim.cover_shares:
        say({**_regions(aim.cover_shares), "cover": aim.cover}, "ga.hit.cover")
    if aim.between_shares:
        say({**_regions(aim.between_shares), "counted": aim.between}, "ga.hit.between")
    if aim.engaged:
        say({"penalty": aim.engaged, "region": here}, "ga.hit.engaged")
    if aim.pit:
        say({"penalty": aim.pit, "region": here}, "ga.hit.pit")


def explain_verdict(
    battle: Battle, item: Roll, aim: Aim, verdict: str, roll: int, damage: int, say: Say
) -> None:
    """What the roll means for one target, and where the damage of a hit comes from."""
    explain_aim(battle, item, aim, say)
    say(
        {"target": aim.target, "roll": f"{roll:02}", "chance": aim.chance, "result": verdict},
        *_RULES[verdict],
    )
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
    say({**figures, "hit": aim.hit}, "ga.damage.armor")
    if verdict in ("super", "critical"):
        times = "3/2" if aim.times is None else str(aim.times)
        of = "before armor" if aim.gross else "after armor"
        say({"times": times, "of": of, "inflicted": damage}, "ga.damage.critical")


def _listed(word: str, shares: Iterable[Share]) -> Figures:
    found: dict[str, int | str] = {}
    for source, amount in shares:
        key = f"{word} {source}"
        before = found.get(key, 0)
        found[key] = amount + (before if isinstance(before, int) else 0)
    return found


def _regions(shares: Iterable[CoverShare]) -> Figures:
    return {f"{share.region} {share.why}": share.points for share in shares}
