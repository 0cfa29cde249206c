"""Setting up: what lies where at first, deployment, and the reserves (GAME SETUP)."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import enter_hazard
from domain.games.golem_arcana.battle.stacking import fits, refuse_blocking, refuse_full
from domain.games.golem_arcana.battle.surprises import come_to_rest
from domain.games.golem_arcana.content.armies import ready_army
from domain.games.golem_arcana.content.cards import Army, Scenario, Seat
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import ApChanged, GolemDeployed, GolemEntered, GolemHeld
from domain.games.golem_arcana.options import Options, variants_of
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import (
    OFF,
    UNPLACED,
    Begin,
    DealQuest,
    DeployArmy,
    Golem,
    HiddenEncounter,
    Hide,
    Item,
    Purse,
    State,
    on_board,
)
from domain.kernel.rulings import Refused


def fielded(options: Options) -> dict[Seat, Army]:
    """The army of each seat, in Turn order: the scenario's, the one built, or a ready one."""
    pack = options.pack
    scenario = pack.scenarios[options.scenario]
    armies = {**scenario.armies, **options.armies}
    return {
        seat: armies.get(seat) or ready_army(pack, scenario.apv, n)
        for n, seat in enumerate(scenario.seats)
    }


def mustered(options: Options) -> dict[str, Golem]:
    """Every Golem of every army as it begins, by id."""
    pack = options.pack
    return {
        f"{seat[0]}{n}": Golem(
            type=golem.type,
            where=golem.at or UNPLACED,
            hp=pack.golems[golem.type].hp,
            knight=golem.knight,
            relic=golem.relic,
            charges=pack.relics[golem.relic].charges if golem.relic else 0,
        )
        for seat, army in fielded(options).items()
        for n, golem in enumerate(army.golems, 1)
    }


def set_up(options: Options) -> State:
    """The state before anybody has done anything; its work is not yet taken up."""
    pack = options.pack
    scenario = pack.scenarios[options.scenario]
    armies, golems = fielded(options), mustered(options)
    unplaced = {name[0] for name, golem in golems.items() if golem.where == UNPLACED}
    sure, uncertain = _hidden(scenario)
    todo: list[Item] = [Hide(name) for name in uncertain]
    todo += [DealQuest(seat) for seat in scenario.seats if scenario.quests]
    todo += [DeployArmy(seat) for seat in scenario.seats if seat[0] in unplaced]
    return State(
        pack=pack,
        scenario=scenario.id,
        variants=variants_of(options),
        round=0,
        turn=None,
        seats={
            seat: Purse(vp=scenario.start_vp.get(seat, 0), ancients=army.ancients)
            for seat, army in armies.items()
        },
        golems=golems,
        constructs={},
        wells={well.at: "L" for well in scenario.wells},
        powers={},
        quests={},
        encounters={name: HiddenEncounter(region) for name, region in sure.items()},
        todo=(*todo, Begin()),
    )


def _hidden(scenario: Scenario) -> tuple[dict[str, str], list[str]]:
    """Where the encounters lie that have but one Region to lie in, and the names of those that have
    a choice, in scenario order. One that takes a Region may leave another a single one, or none:
    then that is out of the match."""
    left = {each.id: each.candidates for each in scenario.encounters}
    sure: dict[str, str] = {}
    while (name := next((n for n, regions in left.items() if len(regions) < 2), None)) is not None:
        for region in left.pop(name):
            sure[name] = region
            left = {n: tuple(r for r in each if r != region) for n, each in left.items()}
    return {each.id: sure[each.id] for each in scenario.encounters if each.id in sure}, [*left]


def unplaced(battle: Battle, seat: str) -> list[str]:
    """The Golems that a seat has still to deploy."""
    return [
        name
        for name in battle.golems
        if battle.golem(name).where == UNPLACED and name[0] == seat[0]
    ]


def refuse_deploy(battle: Battle, seat: Seat, name: str, region: str) -> Refused | None:
    """Why a Golem cannot be placed here before the battle."""
    refusal = _refuse_placed(battle, name)
    if refusal is not None:
        return refusal
    if region not in battle.board.number:
        return Refused("ga.region.unknown", f"{region} is not a Region of this board")
    if region not in battle.pack.zone(battle.scenario.id, seat):
        return Refused("ga.deploy.zone", _outside(region, seat))
    return refuse_blocking(battle, region) or refuse_full(battle, name, region)


def _outside(region: str, seat: Seat) -> str:
    return f"{region} is not in {ENGLISH.format(f'seat.{seat}')}'s deployment zone"


def _refuse_placed(battle: Battle, name: str) -> Refused | None:
    if battle.golem(name).where == UNPLACED:
        return None
    return Refused("ga.deploy.done", f"{battle.named(name)} has its place already")


def refuse_hold(battle: Battle, seat: Seat, name: str) -> Refused | None:
    """Why a Golem cannot be kept in reserve."""
    refusal = _refuse_placed(battle, name)
    if refusal is not None:
        return refusal
    held = sum(
        golem.where == OFF and other[0] == seat[0] for other, golem in battle.state.golems.items()
    )
    most = battle.scenario.reserve.max
    zone = battle.pack.zone(battle.scenario.id, seat)
    if held < most or not any(fits(battle, name, region) for region in zone):
        return None
    why = (
        f"the scenario lets a seat hold {most} Golems in reserve: {battle.named(name)} must deploy"
    )
    return Refused("ga.deploy.reserve", why, {"held": held, "most": most})


def deploy(course: Resolution, name: str, region: str) -> None:
    """Place a Golem: no encounter, no terrain damage."""
    course.record(GolemDeployed(name, region), "ga.deploy.zone", region=region)


def hold(course: Resolution, name: str) -> None:
    """Keep a Golem in reserve."""
    most = course.battle.scenario.reserve.max
    course.record(GolemHeld(name), "ga.deploy.reserve", most=most)


def refuse_enter(battle: Battle, seat: Seat, name: str, region: str) -> Refused | None:
    """Why a Golem cannot come in from the reserve here and now."""
    where = battle.golem(name).where
    if where != OFF:
        there = f"in {where}" if on_board(where) else "not deployed"
        return Refused("ga.reserve.on-board", f"{battle.named(name)} is {there}, not in reserve")
    if region not in battle.board.number:
        return Refused("ga.region.unknown", f"{region} is not a Region of this board")
    reserve = battle.scenario.reserve
    if battle.state.round < reserve.round:
        why = (
            f"reserves enter from Round {reserve.round} on, and this is Round {battle.state.round}"
        )
        return Refused("ga.reserve.round", why)
    pool = battle.state.seats[seat].ap
    if pool < reserve.ap:
        why = f"entering costs {reserve.ap} AP, but only {pool} are left"
        return Refused("ga.ap.short", why, {"cost": reserve.ap, "pool": pool})
    return _refuse_entry(battle, seat, name, region)


def _refuse_entry(battle: Battle, seat: Seat, name: str, region: str) -> Refused | None:
    if region not in battle.pack.zone(battle.scenario.id, seat):
        return Refused("ga.reserve.zone", _outside(region, seat))
    refusal = refuse_blocking(battle, region)
    if refusal is not None:
        return refusal
    enemies = battle.enemies_at(seat, region)
    if enemies:
        why = f"{battle.named(enemies[0])} stands in {region}: reserves enter without an enemy"
        return Refused("ga.reserve.enemy", why)
    return refuse_full(battle, name, region)


def enter(course: Resolution, seat: Seat, name: str, region: str) -> None:
    """Bring a Golem in: a pit or swamp hurts, an encounter is met."""
    price = course.battle.scenario.reserve.ap
    if price:
        course.record(ApChanged(seat, -price))
    course.record(
        GolemEntered(name, region), "ga.reserve.zone", "ga.reserve.round", cost=price, to=region
    )
    enter_hazard(course, name)
    come_to_rest(course, name)
