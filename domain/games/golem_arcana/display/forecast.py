"""What the stylus's screen tells beside an action that is armed, and of the abilities on cards.

Source: the reference, section 11.3, "Answer to every tap".
"""

from collections.abc import Iterable, Iterator

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.attacks import region_of
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.movement import path_of, ways
from domain.games.golem_arcana.battle.naming import find_attack
from domain.games.golem_arcana.content.vocabulary import Attack, Fly, Walk
from domain.games.golem_arcana.display.army_status import ability_row
from domain.games.golem_arcana.display.questions import AttackFigures, attack_figures
from domain.games.golem_arcana.state import State
from domain.kernel.armies import StatusRow
from domain.kernel.rulings import Figures, Refused
from domain.stylus.targets import Forecast

_TOLD = ("chance", "accuracy", "dodge", "cover", "between", "engaged", "pit", "damage", "critical")
"""Figures of an attack that are told: percentage points, the last two Hit Points."""


def forecast(battle: Battle, seat: str, action: Action) -> Forecast:
    """The chance to hit and the damage of an attack, the path of a movement, both of a Charge."""
    match action:
        case a.Attack():
            return Forecast(_figures(battle.state, seat, action))
        case a.Charge(golem, ability, movement, target):
            attack = find_attack(battle, golem, ability)
            assert isinstance(attack, Attack), "only attacks are made by charging"
            path = _path(battle, golem, movement, region_of(battle, attack, target))
            return Forecast(_figures(battle.state, seat, action), path)
        case a.Move(golem, ability, region):
            return Forecast(path=_path(battle, golem, ability, region))
        case _:
            return Forecast()


def abilities(battle: Battle, things: Iterable[str]) -> Iterator[tuple[str, StatusRow]]:
    """The abilities among things to tap, with their present costs and pips."""
    for thing in things:
        match thing.split(" "):
            case ["card", golem, name] if golem in battle.state.golems:
                yield thing, ability_row(battle, golem, battle.abilities(golem)[name])


def _figures(state: State, seat: str, action: a.Attack | a.Charge) -> Figures:
    found = attack_figures(state, seat, action)
    if isinstance(found, Refused):
        return {}
    if len(found) == 1:
        return _told(found[0])
    # An area attack is rolled once for each unit that it may hit.
    return {f"{aim.target} {name}": value for aim in found for name, value in _told(aim).items()}


def _told(aim: AttackFigures) -> Figures:
    found = {name: getattr(aim, name) for name in _TOLD}
    return {name: value for name, value in found.items() if value or name == "chance"}


def _path(battle: Battle, golem: str, ability: str, region: str) -> tuple[str, ...]:
    movement = battle.abilities(golem)[ability]
    assert isinstance(movement, Walk | Fly), "only movement abilities lead anywhere"
    return path_of(battle, ways(battle, golem, movement)[region])
