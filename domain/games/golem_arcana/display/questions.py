"""What players ask before they act: where a Golem can go, what it sees, what an attack would do."""

from msgspec import Struct

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.battle.attacks import aims
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.cover import CoverShare
from domain.games.golem_arcana.battle.movement import path_of, stops, ways
from domain.games.golem_arcana.battle.sight import Block, block
from domain.games.golem_arcana.content.vocabulary import Fly, Walk
from domain.games.golem_arcana.decide import decide
from domain.games.golem_arcana.state import Roll, State
from domain.kernel.rulings import Refused


class AttackFigures(Struct, frozen=True):
    """What an attack on one target would do. Penalties are negative; all but damage in percent."""

    target: str
    accuracy: int
    dodge: int
    cover: int
    cover_from: tuple[CoverShare, ...]
    """Which Region gives it, and why."""
    between: int
    between_from: tuple[CoverShare, ...]
    """Each Region between that gives some, before it is halved."""
    engaged: int
    pit: int
    chance: int
    damage: int
    """Hit Points that a hit costs."""
    critical: int
    """Hit Points that a critical hit costs."""


class Reach(Struct, frozen=True):
    """A Region that a movement ability leads to."""

    region: str
    path: tuple[str, ...]
    points: int
    """Movement Points spent."""
    damage: int
    """Terrain damage on the way."""


class SightLine(Struct, frozen=True):
    """The line between two Regions."""

    regions: tuple[str, ...]
    """Those it crosses, without the two ends."""
    blocked: Block | None


def attack_figures(
    state: State, seat: str, action: a.Attack | a.Charge
) -> tuple[AttackFigures, ...] | Refused:
    """The figures of an attack or Charge for each of its targets, or why it cannot be made."""
    answer = decide(state, seat, action)
    if isinstance(answer, Refused):
        return answer
    charging = isinstance(action, a.Charge)
    ability = action.attack if isinstance(action, a.Charge) else action.ability
    return _figures(Battle(state), Roll(action.golem, ability, action.target, charging))


def open_figures(state: State) -> tuple[AttackFigures, ...]:
    """The figures of the attack whose dice are awaited; none if there is no such attack."""
    item = state.todo[0] if state.todo else None
    return _figures(Battle(state), item) if isinstance(item, Roll) else ()


def _figures(battle: Battle, item: Roll) -> tuple[AttackFigures, ...]:
    return tuple(
        AttackFigures(
            target=aim.target,
            accuracy=aim.accuracy,
            dodge=-aim.dodge,
            cover=-aim.cover,
            cover_from=aim.cover_shares,
            between=-aim.between,
            between_from=aim.between_shares,
            engaged=-aim.engaged,
            pit=-aim.pit,
            chance=aim.chance,
            damage=aim.hit,
            critical=aim.critical,
        )
        for aim in aims(battle, item)
    )


def reach(state: State, golem: str, ability: str) -> tuple[Reach, ...]:
    """Every Region in which this movement of a Golem on the board may end, in order.

    What it costs and whether it is allowed now is another question: `decide` answers it.
    """
    return reach_in(Battle(state), golem, ability)


def reach_in(battle: Battle, golem: str, ability: str) -> tuple[Reach, ...]:
    """The same, in a state that is read already."""
    movement = battle.abilities(golem)[ability]
    assert isinstance(movement, Walk | Fly), "only movement abilities reach Regions"
    found = ways(battle, golem, movement)
    ends = sorted(stops(battle, golem, movement), key=battle.board.number.__getitem__)
    return tuple(
        Reach(region, path_of(battle, way), way.points, way.damage)
        for region in ends
        for way in (found[region],)
    )


def sight_line(state: State, start: str, end: str) -> SightLine:
    """What lies between two Regions of the board, and what blocks the view there."""
    battle = Battle(state)
    return SightLine(battle.board.between(start, end), block(battle, start, end))
