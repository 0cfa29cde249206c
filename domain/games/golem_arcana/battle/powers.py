"""Knights' powers and Relics: their targets, and what they do (KNIGHTS, RELICS)."""

from domain.games.golem_arcana.battle.battle import Battle, bearer
from domain.games.golem_arcana.battle.cooldown import pay, refuse_price
from domain.games.golem_arcana.battle.destruction import enter_hazard
from domain.games.golem_arcana.battle.effects import Deed, apply_effects
from domain.games.golem_arcana.battle.sight import refuse_sight
from domain.games.golem_arcana.battle.stacking import refuse_blocking, refuse_full
from domain.games.golem_arcana.battle.surprises import come_to_rest
from domain.games.golem_arcana.battle.victory import check_end
from domain.games.golem_arcana.content.vocabulary import AnyEffect, Power, Raise, Teleport
from domain.games.golem_arcana.facts import (
    ConstructPlaced,
    GolemTeleported,
    RelicUsed,
    WorkQueued,
)
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Item, on_board, seat_of
from domain.kernel.rulings import Refused


def refuse_power(
    battle: Battle, name: str, power: Power, target: str | None, *, relic: bool
) -> Refused | None:
    """Why a power cannot be used so: its charges, its price, its target."""
    if relic and battle.spent(name):
        why = f"{power.name} has no charge left: each use spends one"
        return Refused("ga.relic.spent", why)
    return refuse_price(battle, name, power, relic=relic) or refuse_target(
        battle, name, power, target
    )


def refuse_target(battle: Battle, name: str, power: Power, target: str | None) -> Refused | None:
    """Why this cannot be the target of a power."""
    if power.target == "self":
        if target is None:
            return None
        return Refused("ga.syntax", f"{power.name} is for the Golem itself: name no target")
    if target is None:
        wanted = "a Region" if power.target == "region" else "a Golem"
        return Refused("ga.syntax", f"{power.name} needs a target: name {wanted}")
    if power.target == "region":
        return _refuse_region(battle, name, power, target)
    return _refuse_golem(battle, name, power, target)


def _refuse_region(battle: Battle, name: str, power: Power, region: str) -> Refused | None:
    if region not in battle.board.number:
        return Refused("ga.region.unknown", f"{region} is not a Region of this board")
    refusal = _refuse_range(battle, name, power, region) or refuse_blocking(battle, region)
    if refusal is not None:
        return refusal
    if _does(power, Teleport):
        if region == battle.golem(name).where:
            return Refused("ga.move.same", f"{battle.named(name)} is in {region} already")
        refusal = refuse_full(battle, name, region)
        if refusal is not None:
            return refusal
    if _does(power, Raise) and battle.constructs_at.get(region):
        there = battle.named(battle.constructs_at[region][0])
        return Refused("ga.construct.one", f"{there} stands in {region}: only one Construct fits")
    return None


def _does(power: Power, kind: type[AnyEffect]) -> bool:
    return any(isinstance(effect, kind) for effect in power.effects)


def _refuse_range(battle: Battle, name: str, power: Power, region: str) -> Refused | None:
    here = battle.golem(name).where
    distance = battle.board.distance(here, region, battle.state.variants.range)
    reach = power.range or 0
    if distance <= reach:
        return None
    why = f"{region} is {distance} Regions from {here}, but {power.name} reaches {reach}"
    return Refused("ga.power.range", why, {"distance": distance, "range": reach})


def _refuse_golem(battle: Battle, name: str, power: Power, target: str) -> Refused | None:
    if target not in battle.state.golems:
        return Refused("ga.target.unknown", f"there is no Golem {target}")
    own = not battle.hostile(name, target)
    if power.target == "ally" and not own:
        why = f"{power.name} is for the seat's own Golems, and {battle.named(target)} is an enemy"
        return Refused("ga.target.foe", why)
    if power.target == "enemy" and own:
        why = f"{power.name} is for an enemy Golem, and {battle.named(target)} is none"
        return Refused("ga.target.friend", why)
    there = battle.golem(target).where
    if not on_board(there):
        return Refused("ga.target.off-board", f"{battle.named(target)} is not on the board")
    refusal = _refuse_range(battle, name, power, there)
    if refusal is None and power.los:
        refusal = refuse_sight(battle, battle.golem(name).where, there)
    return refusal


def use(course: Resolution, name: str, power: Power, target: str | None, *, relic: bool) -> None:
    """Pay for a power and carry it out."""
    battle = course.battle
    source = battle.golem(name).relic if relic else bearer(battle, name, power.id)
    deed = Deed(seat_of(name), f"{source}.{power.id}", battle.golem(name).where)
    pay(course, name, power, relic=relic)
    if relic:
        _spend(course, name)
    if power.target == "region":
        assert target is not None, "such a power is refused without a Region"
        _at_region(course, name, power, target)
        return
    later: list[Item] = []
    for effect in power.effects:
        reached = name if effect.inward else target or name
        later += apply_effects(course, deed, (effect,), reached)
    if not check_end(course) and later:
        course.record(WorkQueued(tuple(later)))


def _spend(course: Resolution, name: str) -> None:
    """A Relic is used: one of its charges is gone, if it has any."""
    charges = course.state.golems[name].charges
    if charges is None:
        course.record(RelicUsed(name))
    else:
        course.record(RelicUsed(name), "ga.relic.spent", charges_left=charges - 1)


def _at_region(course: Resolution, name: str, power: Power, region: str) -> None:
    """The Construct stands before the Golem arrives, which the place may destroy."""
    if _does(power, Raise):
        _raise(course, name, region)
    if _does(power, Teleport):
        course.record(GolemTeleported(name, region), "ga.power.range", to=region)
        enter_hazard(course, name)
        come_to_rest(course, name)


def _raise(course: Resolution, name: str, region: str) -> None:
    relic = course.battle.relic(name)
    assert relic is not None, "only a Relic places a Construct"
    assert relic.construct is not None, "checked when the pack was loaded"
    course.record(
        ConstructPlaced(f"{name}k", relic.id, region, relic.construct.hp),
        "ga.construct.one",
        "ga.construct.target",
        hit_points=relic.construct.hp,
    )
