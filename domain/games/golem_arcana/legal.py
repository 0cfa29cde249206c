"""Who may act, what they may do, and how the battle ended."""

from collections.abc import Iterator
from itertools import chain

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.ancients import invocations
from domain.games.golem_arcana.battle.attacks import area_has_enemy, refuse_aim
from domain.games.golem_arcana.battle.battle import Battle, units_in_order
from domain.games.golem_arcana.battle.charges import refuse_charging_attack
from domain.games.golem_arcana.battle.cooldown import cost, refuse_ap, refuse_price
from domain.games.golem_arcana.battle.deployment import refuse_enter
from domain.games.golem_arcana.battle.movement import breakaway, refuse_motion, ways
from domain.games.golem_arcana.battle.powers import refuse_target
from domain.games.golem_arcana.battle.prompts import WANTS, answers, is_entry
from domain.games.golem_arcana.battle.stacking import room
from domain.games.golem_arcana.battle.victory import reason
from domain.games.golem_arcana.content.cards import SEATS, Seat
from domain.games.golem_arcana.content.vocabulary import Attack, Fly, Power, Walk
from domain.games.golem_arcana.decide import acting
from domain.games.golem_arcana.state import OFF, DealQuest, State, on_board, seat_of
from domain.kernel.game import Prompt, Result


def turn(state: State) -> tuple[Prompt, ...]:
    """Who is asked for what; nobody once the battle is over."""
    seat = acting(state)
    if seat is None:
        return ()
    if not state.todo:
        return (Prompt(seat, "turn"),)
    item = state.todo[0]
    return (
        Prompt(seat, WANTS[type(item)], is_entry(item), is_face_down=isinstance(item, DealQuest)),
    )


def result(state: State) -> Result | None:
    """How the battle ended, or None."""
    outcome = state.outcome
    if outcome is None:
        return None
    score = f"{'win' if outcome.won else 'draw'}:{'+'.join(outcome.leaders)}"
    return Result(outcome.leaders if outcome.won else (), reason(Battle(state)), score)


def legal(state: State, seat: str) -> Iterator[Action]:
    """Everything this seat may do now."""
    return legal_in(Battle(state), seat)


def legal_in(battle: Battle, seat: str) -> Iterator[Action]:
    """The same, in a state that is read already."""
    state = battle.state
    if state.outcome is not None or seat != acting(state):
        return
    if state.todo:
        yield from answers(battle, state.todo[0])
        return
    own = next(each for each in SEATS if each == seat)
    for name in battle.golems:
        if name[0] != seat[0]:
            continue
        where = battle.golem(name).where
        if on_board(where):
            yield from _on_board(battle, name)
        elif where == OFF:
            yield from _entries(battle, own, name)
    for ancient, power, region in invocations(battle, own):
        yield a.Invoke(ancient, power, region)
    yield a.EndTurn()


def _entries(battle: Battle, seat: Seat, name: str) -> Iterator[Action]:
    for region in battle.pack.zone(battle.scenario.id, seat):
        if refuse_enter(battle, seat, name, region) is None:
            yield a.Enter(name, region)


def _on_board(battle: Battle, name: str) -> Iterator[Action]:
    for ability in battle.abilities(name).values():
        match ability:
            case Walk() | Fly():
                if refuse_motion(battle, name, ability) is None:
                    yield from _movements(battle, name, ability)
            case Attack():
                if refuse_ap(battle, name, ability) is None:
                    yield from _attacks(battle, name, ability)
            case Power():
                if refuse_price(battle, name, ability, relic=False) is None:
                    for target in _targets(battle, name, ability):
                        yield a.Use(name, ability.id, target)
    relic = battle.relic(name)
    if relic is not None and not battle.spent(name):
        power = relic.ability
        if refuse_price(battle, name, power, relic=True) is None:
            for target in _targets(battle, name, power):
                yield a.UseRelic(name, power.id, target)


def _movements(battle: Battle, name: str, movement: Walk | Fly) -> Iterator[Action]:
    """Where a movement ability leads, and whom it can be used to charge."""
    terrain, need = battle.board.terrain, battle.base_size(name)
    found = ways(battle, name, movement)
    for region in found:
        if terrain[region].base != "blocking" and room(battle, region) >= need:
            yield a.Move(name, movement.id, region)
    held = {*battle.standing, *battle.constructs_at}
    foes = {
        region: enemies
        for region in found
        if region in held
        and (enemies := [u for u in units_in_order(battle, region) if battle.hostile(name, u)])
    }
    if not foes:
        return
    pool = battle.state.seats[seat_of(name)].ap
    left = pool - cost(battle, name, movement) - breakaway(battle, name, movement)
    for attack in battle.abilities(name).values():
        if not isinstance(attack, Attack) or refuse_charging_attack(battle, attack) is not None:
            continue
        if cost(battle, name, attack) <= left:
            for target in foes if attack.area else chain.from_iterable(foes.values()):
                yield a.Charge(name, attack.id, movement.id, target)


def _attacks(battle: Battle, name: str, attack: Attack) -> Iterator[Action]:
    occupied = dict.fromkeys((*battle.standing, *battle.constructs_at))
    for region in occupied:
        if not area_has_enemy(battle, name, region):
            continue
        if refuse_aim(battle, name, attack, region) is not None:
            continue
        if attack.area:
            yield a.Attack(name, attack.id, region)
            continue
        for unit in units_in_order(battle, region):
            if battle.hostile(name, unit):
                yield a.Attack(name, attack.id, unit)


def _targets(battle: Battle, name: str, power: Power) -> Iterator[str | None]:
    candidates: list[str | None]
    if power.target == "self":
        candidates = [None]
    elif power.target == "region":
        candidates = list(battle.board.regions)
    else:
        candidates = list(battle.golems)
    for target in candidates:
        if refuse_target(battle, name, power, target) is None:
            yield target
