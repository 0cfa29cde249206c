"""A Golem on its way: Region after Region, with what hurts there, and what its landing does."""

from typing import Literal

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import cost, gain_cooldown, pay_ap
from domain.games.golem_arcana.battle.destruction import enter_hazard, hurt
from domain.games.golem_arcana.battle.modifiers import traits
from domain.games.golem_arcana.battle.movement import breakaway, movement_points, path_of, ways
from domain.games.golem_arcana.battle.surprises import come_to_rest
from domain.games.golem_arcana.battle.terrain import entry_damage
from domain.games.golem_arcana.content.vocabulary import Fly, Movement
from domain.games.golem_arcana.facts import GolemMoved
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import seat_of
from domain.kernel.rulings import Figures


def move(course: Resolution, name: str, ability: Movement, region: str) -> None:
    """Carry out a movement ability that is not refused."""
    battle = course.battle
    way = ways(battle, name, ability)[region]
    path = path_of(battle, way)
    figures: Figures = {
        "from": battle.golem(name).where,
        "path": ", ".join(path),
        "movement_points": movement_points(battle, name, ability),
        "spent": way.points,
        "terrain_damage": way.damage,
    }
    activate(course, name, ability)
    rules = _cost_rules(battle, name, ability)
    if battle.enemies_at(seat_of(name), region):
        rules.append("ga.move.stop")
    course.explain_next("ga.move.path", *rules, **figures)
    travel(course, name, "fly" if isinstance(ability, Fly) else "walk", path)
    come_to_rest(course, name)


def _cost_rules(battle: Battle, name: str, ability: Movement) -> list[str]:
    """The rules by which a movement was paid for."""
    if isinstance(ability, Fly):
        rules = ["ga.move.fly"]
    else:
        rules = ["ga.move.colossus" if battle.size(name) == "colossus" else "ga.move.cost"]
    return [*rules, *(["ga.move.nimble"] if ability.nimble else [])]


def activate(course: Resolution, name: str, ability: Movement, beside: int = 0) -> None:
    """Pay for a movement ability, and `beside` for a Charge's attack; it cools at once."""
    battle = course.battle
    price, extra = cost(battle, name, ability), breakaway(battle, name, ability)
    figures: Figures = {"cost": price}
    if beside:
        figures["attack"] = beside
    if extra:
        figures["breakaway"] = extra
        course.explain_next("ga.move.breakaway", **figures)
    pay_ap(course, name, price + extra + beside)
    gain_cooldown(course, name, ability)


def travel(
    course: Resolution, name: str, way: Literal["walk", "fly"], path: tuple[str, ...]
) -> None:
    """Enter these Regions one after the other; a Golem destroyed on the way is removed there."""
    lands_only = way == "fly" and course.state.variants.flyer_hazard == "land"
    entered: list[str] = []
    for region in path:
        entered.append(region)
        harmless = lands_only and region != path[-1]
        if not harmless and entry_damage(course.battle.terrain(region)):
            course.record(GolemMoved(name, tuple(entered)))
            entered = []
            enter_hazard(course, name)
            if name not in course.state.golems:
                return
    if entered:
        course.record(GolemMoved(name, tuple(entered)))
    _land(course, name)


def _land(course: Resolution, name: str) -> None:
    """A movement ability has ended: a `landing` passive hurts each enemy Golem here."""
    battle, seat = course.battle, seat_of(name)
    for passive in traits(battle, name, "landing"):
        for enemy in battle.enemies_at(seat, battle.golem(name).where):
            if enemy in course.state.golems and passive.amount > 0:
                figures: dict[str, int | str] = {"passive": passive.name, "damage": passive.amount}
                hurt(course, enemy, passive.amount, seat, "ga.effect.landing", **figures)
