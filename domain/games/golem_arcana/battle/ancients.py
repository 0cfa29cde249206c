"""Ancient Ones: miracles, Blessings and Curses (USING MANA)."""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cooldown import refuse_mana
from domain.games.golem_arcana.battle.effects import Deed, apply_effects
from domain.games.golem_arcana.battle.naming import printed
from domain.games.golem_arcana.battle.terrain import is_water
from domain.games.golem_arcana.battle.victory import check_end
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.vocabulary import AncientPower, Blessing, Curse, Miracle
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import ManaChanged, PowerPlaced
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import on_board
from domain.kernel.rulings import Refused


def find_power(battle: Battle, seat: Seat, ancient: str, power: str) -> AncientPower | Refused:
    """A power of an Ancient One of this seat's army."""
    if ancient not in battle.state.seats[seat].ancients:
        why = f"{ENGLISH.format(f'seat.{seat}')} has no Ancient One {printed(battle, ancient)}"
        return Refused("ga.ancient.unknown", why)
    card = battle.pack.ancients[ancient]
    for each in card.power:
        if each.id == power:
            return each
    has = ", ".join(each.name for each in card.power)
    why = f"{card.name} has no power {printed(battle, power)}, but {has}"
    return Refused("ga.ability.unknown", why)


def refuse_invoke(
    battle: Battle, seat: Seat, ancient: str, power: AncientPower, region: str | None
) -> Refused | None:
    """Why a power cannot be invoked so."""
    mana = battle.state.seats[seat].mana
    if isinstance(power, Miracle):
        if region is not None:
            return Refused("ga.syntax", f"{power.name} is a miracle: name no Region")
    else:
        if region is None:
            return Refused("ga.syntax", f"{power.name} is laid in a Region: name it")
        if region not in battle.board.number:
            return Refused("ga.region.unknown", f"{region} is not a Region of this board")
        if is_water(battle.terrain(region)):
            why = f"{region} is water: no Blessing or Curse can lie there"
            return Refused("ga.ancient.water", why)
        if laid_in(battle, seat, ancient, power) == region:
            why = f"{power.name} lies in {region} already: it moves to another Region"
            return Refused("ga.ancient.same-region", why)
    price = mana_cost(battle, seat, ancient, power)
    return None if price <= mana else refuse_mana(power.name, price, mana)


def laid_in(battle: Battle, seat: Seat, ancient: str, power: Blessing | Curse) -> str | None:
    """The Region in which a Blessing or Curse lies."""
    return battle.state.powers.get(f"{seat}.{ancient}.{power.id}")


def mana_cost(battle: Battle, seat: Seat, ancient: str, power: AncientPower) -> int:
    """What a power costs now: one that is laid already is moved for its movement cost."""
    if isinstance(power, Miracle) or laid_in(battle, seat, ancient, power) is None:
        return power.mana
    return power.move


def invocations(battle: Battle, seat: Seat) -> Iterator[tuple[str, str, str | None]]:
    """What a seat can invoke now: Ancient One, power, Region."""
    mana = battle.state.seats[seat].mana
    dry = [name for name, terrain in battle.board.terrain.items() if not is_water(terrain)]
    for ancient in battle.state.seats[seat].ancients:
        for power in battle.pack.ancients[ancient].power:
            if mana_cost(battle, seat, ancient, power) > mana:
                continue
            if isinstance(power, Miracle):
                yield ancient, power.id, None
                continue
            lies = laid_in(battle, seat, ancient, power)
            for region in dry:
                if region != lies:
                    yield ancient, power.id, region


def invoke(
    course: Resolution, seat: Seat, ancient: str, power: AncientPower, region: str | None
) -> None:
    """Pay for a power and carry it out."""
    price = mana_cost(course.battle, seat, ancient, power)
    if price:
        course.record(ManaChanged(seat, -price), "ga.mana.short", cost=price)
    if isinstance(power, Miracle):
        _work_miracle(course, seat, ancient, power)
        return
    assert region is not None, "refused without a Region"
    rule = "ga.ancient.blessing" if isinstance(power, Blessing) else "ga.ancient.curse"
    course.record(PowerPlaced(seat, ancient, power.id, region), rule, cost=price)


def _work_miracle(course: Resolution, seat: Seat, ancient: str, power: Miracle) -> None:
    battle = course.battle
    group = [
        name
        for name in battle.golems
        if on_board(battle.golem(name).where)
        and battle.hostile(name, seat) == (power.group == "enemy")
        and battle.size(name) in power.sizes
    ]
    course.note("ga.ancient.miracle", golems=", ".join(group) or "none")
    deed = Deed(seat, f"{ancient}.{power.id}")
    for name in group:
        apply_effects(course, deed, power.effects, name)
    check_end(course)
