"""What holds of every state and step of a battle, however it is fought: for tests and soaks."""

from collections.abc import Iterator

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.pending_items import waits
from domain.games.golem_arcana.battle.stacking import room
from domain.games.golem_arcana.state import State


def broken(before: State, after: State) -> Iterator[str]:
    """What does not hold after an action, in words; nothing if all is well.

    For the first state of a battle, `before` is the same as `after`.
    """
    battle = Battle(after)
    yield from _broken_board(battle)
    yield from _broken_units(battle)
    yield from _broken_losses(before, after)
    yield from _broken_course(battle)


def _broken_board(battle: Battle) -> Iterator[str]:
    for region in battle.standing:
        if room(battle, region) < 0:
            yield f"too many Golems stand in {region}"
        if battle.terrain(region).base == "blocking":
            yield f"a Golem stands in blocking {region}"
    for region, units in battle.constructs_at.items():
        if len(units) > 1:
            yield f"several Constructs stand in {region}"
    for seat, purse in battle.state.seats.items():
        if min(purse.ap, purse.mana, purse.vp) < 0:
            yield f"{seat} has less than nothing"
        if purse.ap and seat != battle.state.turn and battle.state.outcome is None:
            yield f"{seat} has Action Points in another's Turn"


def _broken_units(battle: Battle) -> Iterator[str]:
    for name, golem in battle.state.golems.items():
        if not 0 < golem.hp <= battle.card(name).hp:
            yield f"{name} has {golem.hp} Hit Points"
        if golem.charges is not None and golem.charges < 0:
            yield f"{name} has {golem.charges} charges"
        if any(not heat.pips and not heat.used for heat in golem.heat.values()):
            yield f"{name} remembers an ability that is cool"
        if any(status.left < 1 for status in golem.statuses):
            yield f"{name} has a status effect that has ended"
    for unit, construct in battle.state.constructs.items():
        if not 0 < construct.hp <= battle.construct_card(unit).hp:
            yield f"{unit} has {construct.hp} Hit Points"


def _broken_losses(before: State, after: State) -> Iterator[str]:
    """What is gone does not come back, and what was won or shown stays."""
    if not set(after.golems) <= set(before.golems):
        yield "a Golem has come from nowhere"
    if not set(after.wells) <= set(before.wells):
        yield "a well has come from nowhere"
    for seat, purse in before.seats.items():
        if after.seats[seat].vp < purse.vp:
            yield f"{seat} has lost Victory Points"
    for owner, quest in before.quests.items():
        if quest.fulfilled and not after.quests[owner].fulfilled:
            yield f"the quest of {owner} is open again"
    for name, encounter in before.encounters.items():
        if after.encounters[name].where != encounter.where:
            yield f"{name} has moved"


def _broken_course(battle: Battle) -> Iterator[str]:
    state = battle.state
    if (state.outcome is None) and not state.todo and state.turn is None:
        yield "nobody is asked for anything"
    if state.outcome is not None and (state.todo or state.turn is not None):
        yield "something is asked for after the end"
    if state.todo and not waits(battle, state.todo[0]):
        yield "what is asked for goes on by itself"
