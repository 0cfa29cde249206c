"""Who stands better, by rules of thumb: Victory Points, the Golems that are left, what is held.

The points began as a fit to how battles between bots ended (logistic regression).
"""

from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.state import State, on_board
from domain.kernel.win_probabilities import win_probabilities

LEAD: Final = (0.3, 3.0)
"""For a Victory Point, and how much more at the end of the last Round."""
UNHURT: Final = (2.0, 7.0)
"""For all Hit Points of an army as large as the scenario allows, and how much more at the end."""
HELD: Final = 0.5
"""For a Victory Point a Round that is held, or a well."""
FAR: Final = -0.05
"""For each Region between a Golem and what it wants: an enemy, or a place."""
MANA: Final = 0.01
AP: Final = 0.15
MANA_COUNTED: Final = 20


def evaluate(state: State) -> dict[str, float]:
    """How likely each seat wins: of partners, as likely as all of their side."""
    battle = Battle(state)
    goals = _goals(battle)
    rounds = battle.scenario.rounds
    late = min(1.0, state.round / rounds) if rounds else 0.0
    standing: dict[str, float] = {}
    for side in battle.sides:
        seats = [seat for seat in side if not battle.is_out(seat)]
        worth = sum(_standing(battle, seat, goals, late) for seat in seats)
        if seats:
            standing |= dict.fromkeys(seats, worth)
    return dict.fromkeys(battle.seats, 0.0) | win_probabilities(standing)


def _standing(battle: Battle, seat: Seat, goals: dict[str, int], late: float) -> float:
    state, pack = battle.state, battle.pack
    purse = state.seats[seat]
    worth = (LEAD[0] + LEAD[1] * late) * purse.vp
    worth += MANA * min(purse.mana, MANA_COUNTED) + AP * purse.ap
    unhurt = (UNHURT[0] + UNHURT[1] * late) / battle.scenario.apv
    enemies = [
        each.where
        for name, each in state.golems.items()
        if on_board(each.where) and battle.hostile(seat, name)
    ]
    wanted = {*enemies, *goals}
    for name, golem in state.golems.items():
        if name[0] != seat[0]:
            continue
        card = pack.golems[golem.type]
        worth += unhurt * card.apv * golem.hp / card.hp
        if on_board(golem.where):
            worth += HELD * goals.get(golem.where, 0) * (golem.where not in enemies)
            worth += FAR * min((_distance(golem.where, each) for each in wanted), default=0)
    return worth


def _goals(battle: Battle) -> dict[str, int]:
    """The Regions that bring something, and how much."""
    found = dict.fromkeys(battle.state.wells, 1)
    for location in battle.scenario.locations:
        for region in battle.pack.regions(battle.scenario.id, location.regions):
            found[region] = location.vp
    return found


@lru_cache(maxsize=16384)
def _distance(one: str, other: str) -> int:
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1:]) - int(other[1:])))
