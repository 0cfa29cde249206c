"""State and fact to state. Nothing is judged here: old matches replay the same for ever."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.battle.sides import banners
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.state import (
    MOST,
    OFF,
    Construct,
    DealtQuest,
    Golem,
    Heat,
    HiddenEncounter,
    Outcome,
    Purse,
    State,
    seat_of,
    status_key,
)


def evolve(state: State, fact: Fact) -> State:
    """The state after this fact."""
    return _APPLY[type(fact)](state, fact)


# --- Golems --------------------------------------------------------------------------------------


def _with_golem(state: State, name: str, golem: Golem) -> State:
    return replace(state, golems={**state.golems, name: golem})


def _put(state: State, name: str, where: str) -> State:
    return _with_golem(state, name, replace(state.golems[name], where=where))


def _deployed(state: State, fact: f.GolemDeployed) -> State:
    return _put(state, fact.golem, fact.region)


def _held(state: State, fact: f.GolemHeld) -> State:
    return _put(state, fact.golem, OFF)


def _moved(state: State, fact: f.GolemMoved) -> State:
    return _put(state, fact.golem, fact.path[-1])


def _damaged(state: State, fact: f.DamageTaken) -> State:
    construct = state.constructs.get(fact.unit)
    if construct is not None:
        # At no Hit Points it is destroyed by the next fact, and is only named until then.
        harmed = Construct(construct.relic, construct.where, construct.hp - fact.amount)
        return replace(state, constructs={**state.constructs, fact.unit: harmed})
    golem = state.golems[fact.unit]
    return _with_golem(state, fact.unit, replace(golem, hp=golem.hp - fact.amount))


def _healed(state: State, fact: f.HitPointsRestored) -> State:
    golem = state.golems[fact.golem]
    return _with_golem(state, fact.golem, replace(golem, hp=golem.hp + fact.amount))


def _destroyed(state: State, fact: f.UnitDestroyed) -> State:
    if fact.unit in state.constructs:
        left = {name: c for name, c in state.constructs.items() if name != fact.unit}
        return replace(state, constructs=left)
    return replace(state, golems={n: golem for n, golem in state.golems.items() if n != fact.unit})


def _relic_used(state: State, fact: f.RelicUsed) -> State:
    golem = state.golems[fact.golem]
    left = None if golem.charges is None else golem.charges - 1
    return _with_golem(state, fact.golem, replace(golem, charges=left))


# --- Cooldown and status effects -----------------------------------------------------------------


def _heated(state: State, fact: f.CooldownGained) -> State:
    golem = state.golems[fact.golem]
    was = golem.heat.get(fact.ability, Heat(0, 0))
    now = Heat(was.pips + fact.pips, was.doublings + 1, fact.used)
    return _with_golem(state, fact.golem, replace(golem, heat={**golem.heat, fact.ability: now}))


def _used(state: State, fact: f.AbilityUsed) -> State:
    golem = state.golems[fact.golem]
    was = golem.heat.get(fact.ability, Heat(0, 0))
    now = replace(was, used=True)
    return _with_golem(state, fact.golem, replace(golem, heat={**golem.heat, fact.ability: now}))


def _cooled(state: State, fact: f.CooldownLost) -> State:
    golem = state.golems[fact.golem]
    now = _cooler(golem.heat[fact.ability], fact.pips)
    heat = {name: h for name, h in golem.heat.items() if name != fact.ability}
    if now is not None:
        heat[fact.ability] = now
    return _with_golem(state, fact.golem, replace(golem, heat=heat))


def _cooler(heat: Heat, pips: int) -> Heat | None:
    """An ability after it lost pips; None for one that leaves nothing to remember."""
    left = max(heat.pips - pips, 0)
    if left:
        return Heat(left, heat.doublings, heat.used)
    return Heat(0, 0, used=True) if heat.used else None


def _cooldowns_fell(state: State, fact: f.CooldownsFell) -> State:
    golems = dict(state.golems)
    for name, golem in state.golems.items():
        if golem.heat and seat_of(name) == fact.seat:
            heat = {
                ability: cooler
                for ability, h in golem.heat.items()
                if (cooler := _cooler(Heat(h.pips, h.doublings), 1)) is not None
            }
            golems[name] = replace(golem, heat=heat)
    return replace(state, golems=golems)


def _status_gained(state: State, fact: f.StatusGained) -> State:
    golem = state.golems[fact.golem]
    key = status_key(fact.status)
    kept = [status for status in golem.statuses if status_key(status) != key]
    statuses = tuple(sorted((*kept, fact.status), key=status_key))
    return _with_golem(state, fact.golem, replace(golem, statuses=statuses))


def _faded(state: State, fact: f.StatusesFaded | f.TurnSkipped) -> State:
    golems = dict(state.golems)
    for name, golem in state.golems.items():
        if any(status.seat == fact.seat for status in golem.statuses):
            statuses = tuple(
                status if status.seat != fact.seat else replace(status, left=status.left - 1)
                for status in golem.statuses
                if status.seat != fact.seat or status.left > 1
            )
            golems[name] = replace(golem, statuses=statuses)
    return replace(state, golems=golems)


def _cleansed(state: State, fact: f.StatusesCleansed) -> State:
    golem = state.golems[fact.golem]
    banner = banners(state.variants.teams)
    own = banner[fact.golem[0]]
    statuses = tuple(status for status in golem.statuses if banner[status.seat[0]] == own)
    return _with_golem(state, fact.golem, replace(golem, statuses=statuses))


# --- points --------------------------------------------------------------------------------------


def _with_purse(state: State, seat: Any, purse: Purse) -> State:
    return replace(state, seats={**state.seats, seat: purse})


def _ap(state: State, fact: f.ApChanged) -> State:
    has = state.seats[fact.seat]
    return _with_purse(state, fact.seat, replace(has, ap=min(has.ap + fact.by, MOST)))


def _mana(state: State, fact: f.ManaChanged) -> State:
    has = state.seats[fact.seat]
    return _with_purse(state, fact.seat, replace(has, mana=min(has.mana + fact.by, MOST)))


def _vp(state: State, fact: f.VpGained) -> State:
    has = state.seats[fact.seat]
    return _with_purse(state, fact.seat, replace(has, vp=min(has.vp + fact.amount, MOST)))


# --- what lies on the board ----------------------------------------------------------------------


def _harvested(state: State, fact: f.WellHarvested) -> State:
    wells = {region: side for region, side in state.wells.items() if region != fact.region}
    if state.wells[fact.region] == "L":
        wells = {region: "S" if region == fact.region else s for region, s in state.wells.items()}
    return replace(state, wells=wells)


def _construct_placed(state: State, fact: f.ConstructPlaced) -> State:
    placed = Construct(fact.relic, fact.region, fact.hp)
    return replace(state, constructs={**state.constructs, fact.construct: placed})


def _power_placed(state: State, fact: f.PowerPlaced) -> State:
    name = f"{fact.seat}.{fact.ancient}.{fact.power}"
    return replace(state, powers={**state.powers, name: fact.region})


def _encounter_hidden(state: State, fact: f.EncounterHidden) -> State:
    hidden = HiddenEncounter(fact.region)
    return replace(state, encounters={**state.encounters, fact.encounter: hidden})


def _encounter_triggered(state: State, fact: f.EncounterTriggered) -> State:
    shown = HiddenEncounter(fact.region, triggered=True)
    return replace(state, encounters={**state.encounters, fact.encounter: shown})


def _quest_dealt(state: State, fact: f.QuestDealt) -> State:
    assert fact.number is not None, "only a viewer's copy of a fact lacks the number"
    return replace(state, quests={**state.quests, fact.seat: DealtQuest(fact.number)})


def _quest_fulfilled(state: State, fact: f.QuestFulfilled) -> State:
    shown = DealtQuest(fact.number, fulfilled=True)
    return replace(state, quests={**state.quests, fact.seat: shown})


# --- the course of the battle --------------------------------------------------------------------


def _round(state: State, fact: f.RoundBegan) -> State:
    return replace(state, round=fact.round)


def _turn(state: State, fact: f.TurnBegan) -> State:
    return replace(state, turn=fact.seat)


def _queued(state: State, fact: f.WorkQueued) -> State:
    return replace(state, todo=(*fact.items, *state.todo))


def _done(state: State, fact: f.WorkDone) -> State:
    del fact
    return replace(state, todo=state.todo[1:])


def _ended(state: State, fact: f.GameEnded) -> State:
    outcome = Outcome(fact.leaders, fact.won)
    return replace(state, turn=None, todo=(), outcome=outcome)


def _resigned(state: State, fact: f.SeatResigned) -> State:
    return _with_purse(state, fact.seat, replace(state.seats[fact.seat], out=True))


def _put_region(state: State, fact: Any) -> State:
    return _put(state, fact.golem, fact.region)


_APPLY: Final[dict[type, Callable[[State, Any], State]]] = {
    f.EncounterHidden: _encounter_hidden,
    f.QuestDealt: _quest_dealt,
    f.GolemDeployed: _deployed,
    f.GolemHeld: _held,
    f.RoundBegan: _round,
    f.TurnBegan: _turn,
    f.TurnSkipped: _faded,
    f.ApChanged: _ap,
    f.ManaChanged: _mana,
    f.VpGained: _vp,
    f.WellHarvested: _harvested,
    f.DamageTaken: _damaged,
    f.HitPointsRestored: _healed,
    f.UnitDestroyed: _destroyed,
    f.CooldownGained: _heated,
    f.AbilityUsed: _used,
    f.CooldownLost: _cooled,
    f.CooldownsFell: _cooldowns_fell,
    f.StatusGained: _status_gained,
    f.StatusesFaded: _faded,
    f.StatusesCleansed: _cleansed,
    f.GolemMoved: _moved,
    f.GolemDisplaced: _put_region,
    f.GolemTeleported: _put_region,
    f.GolemEntered: _put_region,
    f.RelicUsed: _relic_used,
    f.ConstructPlaced: _construct_placed,
    f.PowerPlaced: _power_placed,
    f.EncounterTriggered: _encounter_triggered,
    f.QuestFulfilled: _quest_fulfilled,
    f.WorkQueued: _queued,
    f.WorkDone: _done,
    f.SeatResigned: _resigned,
    f.GameEnded: _ended,
}
