"""Damage, and what becomes of the destroyed (Combat Resolution, GOLEM DESTRUCTION)."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.terrain import entry_damage
from domain.games.golem_arcana.content.cards import DestroyQuest, Seat, SecretQuest
from domain.games.golem_arcana.content.vocabulary import SIZES, Size
from domain.games.golem_arcana.facts import (
    DamageTaken,
    ManaChanged,
    QuestFulfilled,
    UnitDestroyed,
    VpGained,
)
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import State, seat_of


def hurt(
    course: Resolution, unit: str, amount: int, by: Seat | None, *rules: str, **figures: int | str
) -> None:
    """Take Hit Points from a unit, and carry out what follows if none are left.

    `by` is the seat that did it, None for terrain, prices and encounters.
    """
    had = hit_points(course.state, unit)
    taken = min(amount, had)
    if taken:
        course.record(DamageTaken(unit, taken), *rules, **figures)
    if taken == had:
        _destroy(course, unit, by)


def hit_points(state: State, unit: str) -> int:
    """The Hit Points of a Golem or Construct."""
    construct = state.constructs.get(unit)
    return state.golems[unit].hp if construct is None else construct.hp


def enter_hazard(course: Resolution, name: str) -> None:
    """A Golem has entered its Region: a pit or swamp hurts at once, armor does not help."""
    terrain = course.battle.terrain(course.state.golems[name].where)
    damage = entry_damage(terrain)
    if damage:
        rule = "ga.terrain.pit" if terrain.base == "pit" else "ga.terrain.swamp"
        hurt(course, name, damage, None, rule, damage=damage)


def _destroy(course: Resolution, unit: str, by: Seat | None) -> None:
    battle = course.battle
    owner = seat_of(unit)
    credited = credit(battle, owner, by)
    if unit in battle.state.constructs:
        course.record(UnitDestroyed(unit), "ga.damage.destroy", hit_points=0)
        _award(course, credited, unit, kill_points(battle, "construct"))
        return
    size, mana = battle.size(unit), released_mana(battle, unit)
    figures: dict[str, int | str] = {
        "golem_apv": battle.card(unit).apv,
        "percent": battle.scenario.mana_percent,
        "mana": mana,
    }
    knight = battle.knight(unit)
    if knight is not None:
        figures["knight_apv"] = knight.apv
    course.record(UnitDestroyed(unit), "ga.damage.destroy", hit_points=0)
    if mana:
        course.record(ManaChanged(owner, mana), "ga.mana.destroyed", **figures)
    _award(course, credited, unit, kill_points(battle, size))
    if credited is not None:
        _destroyed(course, credited, size)


def released_mana(battle: Battle, name: str) -> int:
    """The Mana that a Golem and its Knight release, each share rounded down (GA-R35)."""
    percent = battle.scenario.mana_percent
    knight = battle.knight(name)
    return battle.card(name).apv * percent // 100 + (knight.apv * percent // 100 if knight else 0)


def kill_points(battle: Battle, size: Size | str) -> int:
    """The Victory Points for a destroyed Golem of a size, or for a `construct`."""
    table = battle.scenario.kill_vp or battle.pack.tables.kill_vp
    return {str(kind): points for kind, points in table.items()}[size]


def credit(battle: Battle, owner: Seat, by: Seat | None) -> Seat | None:
    """Who earns the points for a unit of `owner` that `by` destroyed (GA-R36).

    Among two sides, what is nobody's deed or one's own is to the credit of the other's first seat.
    """
    if by is not None and battle.hostile(by, owner):
        return by
    others = [side for side in battle.sides if battle.hostile(side[0], owner)]
    return others[0][0] if len(others) == 1 else None


def _award(course: Resolution, seat: Seat | None, unit: str, points: int) -> None:
    if seat is not None and points:
        course.record(VpGained(seat, points), "ga.vp.kill", unit=unit, points=points)


def _destroyed(course: Resolution, seat: Seat, size: Size) -> None:
    """A secret quest to destroy a Golem is fulfilled at once (GA-R47)."""
    quest = open_quest(course.battle, seat)
    if isinstance(quest, DestroyQuest) and SIZES.index(size) >= SIZES.index(quest.size):
        fulfil(course, seat, quest)


def open_quest(battle: Battle, seat: Seat) -> SecretQuest | None:
    """The secret quest that a seat has still to fulfil; None if it has none that is known."""
    dealt = battle.state.quests.get(seat)
    return None if dealt is None or dealt.fulfilled else battle.quest(seat)


def fulfil(course: Resolution, seat: Seat, quest: SecretQuest) -> None:
    """Show the secret quest of a seat, and give its points."""
    number = course.state.quests[seat].number
    assert number is not None, "only a quest that is known is fulfilled"
    course.record(QuestFulfilled(seat, number), "ga.quest.fulfil", quest=quest.name)
    course.record(VpGained(seat, quest.vp), "ga.vp.quest", points=quest.vp)
