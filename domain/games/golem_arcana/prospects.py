"""Who stands better, by rules of thumb: Victory Points, the Golems that are left, what is held."""

from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.state import OFF, State, on_board
from domain.kernel.odds import odds

LEAD: Final = 0.25
"""For a Victory Point in the first Round; in the last it counts three times as much."""
ARMY: Final = 6.0
"""For all Golems of an army, unhurt."""
STANDS: Final = 0.4
"""How much of that a Golem is worth for being there, however badly hurt."""
HELD: Final = 0.12
"""For a Victory Point that is held, or a well."""
NEAR: Final = 0.03
"""For a Golem, less for each Region between it and what it wants: an enemy, or a place."""
MANA: Final = 0.02
AP: Final = 0.03
HEAT: Final = 0.015
"""Lost for each pip of an ability that cools."""


def prospects(state: State) -> dict[str, float]:
    """How likely each seat wins: of partners, as likely as all of their side."""
    battle = Battle(state)
    goals = _goals(battle)
    late = 1 + 2 * min(1.0, state.round / battle.scenario.rounds) if battle.scenario.rounds else 1
    standing: dict[str, float] = {}
    for side in battle.sides:
        seats = [seat for seat in side if not battle.is_out(seat)]
        worth = sum(_standing(battle, seat, goals, LEAD * late) for seat in seats)
        if seats:
            standing |= dict.fromkeys(seats, worth)
    return dict.fromkeys(battle.seats, 0.0) | odds(standing)


def _standing(battle: Battle, seat: str, goals: dict[str, int], lead: float) -> float:
    state, pack = battle.state, battle.pack
    purse = next(each for name, each in state.seats.items() if name == seat)
    worth = lead * purse.vp + MANA * min(purse.mana, 20) + AP * purse.ap
    share = ARMY / battle.scenario.apv
    enemies = [
        each.where
        for name, each in state.golems.items()
        if on_board(each.where) and battle.hostile(seat, name)
    ]
    for name, golem in state.golems.items():
        if name[0] != seat[0]:
            continue
        card = pack.golems[golem.type]
        worth += share * card.apv * (STANDS + (1 - STANDS) * golem.hp / card.hp)
        worth -= HEAT * sum(heat.pips for heat in golem.heat.values())
        if golem.where != OFF and on_board(golem.where):
            worth += HELD * goals.get(golem.where, 0) * (golem.where not in enemies)
            wanted = [*enemies, *goals]
            if wanted:
                worth -= NEAR * min(_distance(golem.where, each) for each in wanted)
    return worth


def _goals(battle: Battle) -> dict[str, int]:
    """The Regions that bring something, and how much."""
    found = dict.fromkeys(battle.state.wells, 1)
    for location in battle.scenario.locations:
        for region in battle.pack.regions(battle.scenario.id, location.regions):
            found[region] = location.vp
    return found


def _distance(one: str, other: str) -> int:
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))
