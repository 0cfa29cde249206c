"""Costs, Cooldown, what a seat can afford (ACTIVATING ABILITIES; "Golem and Knight Abilities")."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.vocabulary import Ability, Attack, Fly, Power, Walk
from domain.games.golem_arcana.facts import (
    AbilityUsed,
    ApChanged,
    CooldownGained,
    DamageTaken,
    ManaChanged,
)
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import Heat, seat_of
from domain.kernel.rulings import Refused

_COOL = Heat(0, 0)


def heat_of(battle: Battle, name: str, ability: str) -> Heat:
    """How hot an ability of a Golem is."""
    return battle.golem(name).heat.get(ability, _COOL)


def cost(battle: Battle, name: str, ability: Ability) -> int:
    """The Action Points that a Golem's or Knight's ability costs now: doubled with each use while
    it cools."""
    doublings: int = heat_of(battle, name, ability.id).doublings
    return ability.ap << doublings


def pips_gained(battle: Battle, name: str, ability: Ability) -> int:
    """The pips that one more use brings (GA-R4, GA-R5)."""
    heat = heat_of(battle, name, ability.id)
    first = not heat.used if battle.state.variants.cooldown == "text" else not heat.pips
    return 2 if first and isinstance(ability, Attack) else 1


def gain_cooldown(course: Resolution, name: str, ability: Ability) -> None:
    """An ability with an AP cost has been used."""
    if not ability.ap:
        return
    battle = course.battle
    pips, now = pips_gained(battle, name, ability), cost(battle, name, ability)
    had = heat_of(battle, name, ability.id).pips
    course.record(
        CooldownGained(name, ability.id, pips, battle.state.variants.cooldown == "text"),
        "ga.cooldown.gain",
        "ga.cooldown.double",
        ability=ability.name,
        pips_before=had,
        pips_gained=pips,
        cost_now=now * 2,
    )


def use_coolly(course: Resolution, name: str, ability: Ability) -> None:
    """An ability with an AP cost has been used without gaining any Cooldown (GA-R8).

    Where uses are counted it was a use all the same, and later ones in this Turn gain 1 pip.
    """
    counts = course.battle.state.variants.cooldown == "text"
    if ability.ap and counts and not heat_of(course.battle, name, ability.id).used:
        course.record(AbilityUsed(name, ability.id), "ga.cooldown.gain", ability=ability.name)


def refuse_ap(battle: Battle, name: str, ability: Ability, beside: int = 0) -> Refused | None:
    """Why the Action Points do not suffice, with `beside` to be paid too."""
    return _refuse_cost(
        battle, name, ability, ability.ap + beside, cost(battle, name, ability) + beside
    )


def _refuse_cost(
    battle: Battle, name: str, ability: Ability, printed: int, now: int
) -> Refused | None:
    pool = battle.state.seats[seat_of(name)].ap
    if printed > pool:
        why = f"{ability.name} costs {printed} AP, but only {pool} are left in the pool"
        return Refused("ga.ap.short", why, {"cost": printed, "pool": pool})
    if now > pool:
        heat = heat_of(battle, name, ability.id)
        why = (
            f"{ability.name} has doubled to {now} AP, but only {pool} are left: it costs "
            f"{ability.ap} again when its {heat.pips} pips of Cooldown are gone"
        )
        figures: dict[str, int | str] = {
            "printed": ability.ap,
            "doublings": heat.doublings,
            "cost": now,
            "pips": heat.pips,
            "pool": pool,
        }
        return Refused("ga.cooldown.double", why, figures)
    return None


def refuse_price(battle: Battle, name: str, power: Power, *, relic: bool) -> Refused | None:
    """Why a power cannot be paid for: Action Points, then Mana, then Hit Points.

    A Relic's ability does not cool, so it never costs more than is printed (GA-R6).
    """
    now = power.ap if relic else cost(battle, name, power)
    refusal = _refuse_cost(battle, name, power, power.ap, now)
    if refusal is not None:
        return refusal
    mana = battle.state.seats[seat_of(name)].mana
    if power.mana > mana:
        return refuse_mana(power.name, power.mana, mana)
    hp = battle.golem(name).hp
    if power.hp >= hp:
        why = (
            f"{power.name} costs {power.hp} Hit Points, and {battle.named(name)} has {hp}: a "
            "price may not destroy the Golem"
        )
        return Refused("ga.hp.short", why, {"cost": power.hp, "hit_points": hp})
    return None


def refuse_mana(what: str, needed: int, mana: int) -> Refused:
    """That the Mana does not suffice."""
    why = f"{what} costs {needed} Mana, but only {mana} is there"
    return Refused("ga.mana.short", why, {"cost": needed, "mana": mana})


def pay_ap(course: Resolution, name: str, amount: int) -> None:
    """Take Action Points from the pool of a Golem's seat."""
    if amount:
        course.record(ApChanged(seat_of(name), -amount))


def pay(course: Resolution, name: str, power: Power, *, relic: bool) -> None:
    """Pay the price of a power; a Knight's then cools, a Relic's does not."""
    pay_ap(course, name, power.ap if relic else cost(course.battle, name, power))
    if power.mana:
        course.record(ManaChanged(seat_of(name), -power.mana))
    if power.hp:
        course.record(DamageTaken(name, power.hp), "ga.hp.short", price=power.hp)
    if not relic:
        gain_cooldown(course, name, power)


def is_movement(ability: Ability) -> bool:
    """Is this a movement ability? Everything else counts as attack when something cools it."""
    return isinstance(ability, Walk | Fly)
