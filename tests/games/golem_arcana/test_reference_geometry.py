"""Movement, Line of Sight and distances once more, read plainly from the reference and slowly."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import Board
from domain.games.golem_arcana.battle.movement import movement_points, path_of, ways
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.content.vocabulary import Fly, Walk
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted

COSTS = {"ground": 1, "medium": 2, "elevated": 2, "deep": 2}
BOARD = CORE.board("proving-ground")


def neighbours(region: str, board: Board, *, nimble: bool) -> Iterator[str]:
    x, y = ord(region[0]), int(region[1:])
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            there = f"{chr(x + dx)}{y + dy}"
            straight = abs(dx) + abs(dy) == 1
            if there in board.terrain and (straight or (nimble and dx and dy)):
                yield there


def paths(battle: Battle, name: str, ability: Walk | Fly) -> Iterator[tuple[str, ...]]:
    """Every way to enter Regions one after the other that the rules of movement leave."""
    golem, board = battle.golem(name), battle.board
    fly, giant = isinstance(ability, Fly), battle.size(name) == "colossus"

    def enters(region: str) -> int:
        terrain = board.terrain[region]
        if fly or giant:
            return 1
        worst = max(COSTS.get(terrain.base, 1), COSTS.get(terrain.cover, 1))
        return max(worst, 2 if terrain.obstructions else 1)

    def passable(region: str) -> bool:
        standing = [n for n, g in battle.state.golems.items() if g.where == region]
        taken = sum({"titan": 2, "colossus": 4}.get(battle.size(n), 1) for n in standing)
        enemy = any(n[0] != name[0] for n in standing)
        return not enemy and taken < 4 - board.terrain[region].obstructions

    def go(path: tuple[str, ...], left: int) -> Iterator[tuple[str, ...]]:
        here = path[-1] if path else golem.where
        if path:
            yield path
            if not passable(here):
                return
        for there in neighbours(here, board, nimble=ability.nimble):
            walkable = fly or board.terrain[there].base != "blocking"
            if walkable and there not in path and there != golem.where and enters(there) <= left:
                yield from go((*path, there), left - enters(there))

    yield from go((), movement_points(battle, name, ability))


def best_paths(battle: Battle, name: str, ability: Walk | Fly) -> dict[str, tuple[str, ...]]:
    """For each Region the path with the least damage, then points, then Regions, then the first."""
    found: dict[str, list[tuple[object, tuple[str, ...]]]] = {}
    fly, giant = isinstance(ability, Fly), battle.size(name) == "colossus"
    harmless = fly and battle.state.variants.flyer_hazard == "land"
    for path in paths(battle, name, ability):
        kinds = [battle.board.terrain[region] for region in path]
        damage = 0 if harmless else sum({"pit": 10, "swamp": 5}.get(t.base, 0) for t in kinds)
        points = len(path) if fly or giant else sum(
            max(COSTS.get(t.base, 1), COSTS.get(t.cover, 1), 2 if t.obstructions else 1)
            for t in kinds
        )  # fmt: skip
        order = [(region[0], int(region[1:])) for region in path]
        found.setdefault(path[-1], []).append(((damage, points, len(path), order), path))
    return {region: min(ways)[1] for region, ways in found.items()}


def later(options: Options, chance: Random, steps: int) -> State:
    state = GAME.start(options)
    for _ in range(steps):
        prompts = GAME.turn(state)
        if not prompts:
            break
        action = chance.choice(list(GAME.legal(state, prompts[0].seat)))
        outcome = GAME.decide(state, prompts[0].seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(GAME, state, outcome.facts)
    return state


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from([s for s in CORE.scenarios if s != "war-for-the-wells"]),
    st.randoms(use_true_random=True),
    st.integers(0, 60),
)
def test_every_region_is_reached_by_its_best_path(
    scenario: str, chance: Random, steps: int
) -> None:
    battle = Battle(later(Options(scenario=scenario), chance, steps))
    for name, golem in battle.state.golems.items():
        if golem.where not in battle.board.number:
            continue
        for ability in battle.abilities(name).values():
            if isinstance(ability, Walk | Fly) and movement_points(battle, name, ability) <= 4:
                found = ways(battle, name, ability)
                got = {region: path_of(battle, way) for region, way in found.items()}
                assert got == best_paths(battle, name, ability), (name, ability.id)


def crossed(one: str, other: str) -> list[str]:
    """The Regions between, by the definition of the reference, in exact fractions."""
    x0, y0 = ord(one[0]) - 97 + Fraction(1, 2), int(one[1:]) - Fraction(1, 2)
    x1, y1 = ord(other[0]) - 97 + Fraction(1, 2), int(other[1:]) - Fraction(1, 2)

    def inside(low: int, start: Fraction, change: Fraction) -> tuple[Fraction, Fraction]:
        """The open interval of t for which start + t * change is within (low, low + 1)."""
        if not change:
            return (
                (Fraction(0), Fraction(1)) if low < start < low + 1 else (Fraction(1), Fraction(0))
            )
        ends = sorted(((low - start) / change, (low + 1 - start) / change))
        return max(ends[0], Fraction(0)), min(ends[1], Fraction(1))

    found = []
    for i in range(floor(min(x0, x1)), ceil(max(x0, x1))):
        for j in range(floor(min(y0, y1)), ceil(max(y0, y1))):
            across, up = inside(i, x0, x1 - x0), inside(j, y0, y1 - y0)
            start, end = max(across[0], up[0]), min(across[1], up[1])
            region = f"{chr(97 + i)}{j + 1}"
            if start < end and region not in (one, other):
                found.append((start, region))
    return [region for _, region in sorted(found)]


@pytest.mark.parametrize("one", ["a1", "e5", "i9", "c7", "h2"])
def test_the_line_crosses_the_regions_that_the_definition_says(one: str) -> None:
    for other in BOARD.regions:
        if other != one:
            assert list(BOARD.between(one, other)) == crossed(one, other), other


def test_neighbours_are_at_distance_one() -> None:
    for region in BOARD.regions:
        near = {r for r in BOARD.regions if BOARD.distance(region, r, "square") == 1}
        assert set(BOARD.touching[region]) == near
        assert set(BOARD.adjacent[region]) == {r for r in near if BOARD.steps(region, r) == 1}
    order = [(region[0], int(region[1:])) for region in BOARD.regions]
    assert all(before < after for before, after in pairwise(order))
