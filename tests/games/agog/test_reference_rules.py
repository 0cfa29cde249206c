"""A second, plain implementation of the rules: slow, on files and ranks, sharing no code.

It lists all turns with the positions they lead to, and must agree with the package everywhere.
"""

from collections.abc import Callable, Iterator
from itertools import product
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from domain.conformance.perft import children
from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.state import State
from tests.hypothesis_settings import example_settings

Spot = tuple[int, int]
Units = dict[Spot, str]
WAYS: tuple[Spot, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
SPOTS = [(x, y) for x in range(8) for y in range(8)]


def name(spot: Spot) -> str:
    return "abcdefgh"[spot[0]] + "12345678"[spot[1]]


def ray(spot: Spot, way: Spot, reach: int) -> list[Spot]:
    line = [(spot[0] + way[0] * n, spot[1] + way[1] * n) for n in range(1, reach + 1)]
    return [place for place in line if place in SPOTS]


def walks(units: Units, at: Spot) -> Iterator[Spot]:
    """Where the unit on this spot can move."""
    forward = WAYS[:2] if units[at].isupper() else WAYS[2:]
    for way in forward:
        for to in ray(at, way, 7 if units[at] in "HChc" else 1):
            if to in units:
                break
            yield to


def chains(units: Units, unit: str, at: Spot, gone: tuple[Spot, ...]) -> Iterator[list[Spot]]:
    """Every way to go on jumping, as far as it goes: jumped spots and landings in turn."""
    stuck = True
    reach = 7 if unit in "HChc" else 2
    for way, far in product(WAYS, range(2, reach + 1)):
        line = ray(at, way, far)
        if len(line) < far or line[-1] in units:
            continue
        over = [place for place in line if place in units]
        if len(over) == 1 and over[0] not in gone and units[over[0]].isupper() != unit.isupper():
            stuck = False
            for rest in chains(units, unit, line[-1], (*gone, over[0])):
                yield [over[0], line[-1], *rest]
    if stuck:
        yield []


def captures(units: Units, white: bool) -> list[tuple[Spot, list[Spot]]]:
    found = []
    for at, unit in units.items():
        if unit.isupper() == white:
            lifted = {spot: other for spot, other in units.items() if spot != at}
            found += [(at, chain) for chain in chains(lifted, unit, at, ()) if chain]
    most = max((len(chain) for _, chain in found), default=0)
    return [(at, chain) for at, chain in found if len(chain) == most]


class Play:
    """A position as fields, and one turn taken in it."""

    def __init__(self, position: str) -> None:
        board, turn, white, black, self.flag, _ = position.split()
        for gap in "12345678":
            board = board.replace(gap, "." * int(gap))
        self.units = {
            (x, 7 - y): unit
            for y, row in enumerate(board.split("/"))
            for x, unit in enumerate(row)
            if unit != "."
        }
        self.white = turn == "w"
        self.supply = {True: int(white), False: int(black)}

    def turns(self) -> Iterator[tuple[str, str]]:
        """Every turn, and the position after it."""
        found = captures(self.units, self.white)
        for at, chain in found:
            for signs in product("x+", repeat=len(chain) // 2):
                yield from self.capture(at, chain, "".join(signs))
        if not found:
            for at, unit in self.units.items():
                if unit.isupper() == self.white:
                    for to in walks(self.units, at):
                        yield from self.finish(
                            f"{name(at)}-{name(to)}", at, to, dict(self.units), dict(self.supply)
                        )

    def capture(self, at: Spot, chain: list[Spot], signs: str) -> Iterator[tuple[str, str]]:
        units, supply = dict(self.units), dict(self.supply)
        own, unit, text, freed = self.white, units[at], name(at), 0
        for over, to, sign in zip(chain[::2], chain[1::2], signs, strict=True):
            victim = units[over].lower()
            text += sign + name(to)
            if sign == "+":
                left = self.supply[own] - text[:-3].count("+")
                if unit not in "Jj" or victim in "jc" or left + freed * (self.flag != "-") < 1:
                    return
                units[over] = "C" if own else "c"
                supply[own] -= 1
                supply[not own] += victim == "h"
            else:
                del units[over]
                supply[not own] += {"g": 1, "h": 2, "c": 1, "j": 0}[victim]
                supply[own] += victim == "c"
                freed += victim == "c"
        yield from self.finish(text, at, chain[-1], units, supply)

    def finish(
        self, text: str, at: Spot, to: Spot, units: Units, supply: dict[bool, int]
    ) -> Iterator[tuple[str, str]]:
        own, unit = self.white, units.pop(at)
        units[to] = unit
        foe_lives = ("j" if own else "J") in units.values()
        if to != ((7, 7) if own else (0, 0)) or unit in "Jj" or not foe_lives:
            yield text, self.ended(units, supply)
            return
        del units[to]
        for golem in [spot for spot, other in units.items() if other == ("G" if own else "g")]:
            left = dict(supply)
            left[own] += unit in "Hh"
            left[not own] += unit in "Cc"
            hulk = units | {golem: "H" if own else "h"}
            yield f"{text}={name(golem)}", self.ended(hulk, left)
        out = dict(supply)
        out[own] += 2 if unit in "Hh" else 1
        out[not own] += unit in "Cc"
        yield f"{text}=out", self.ended(units, out)

    def ended(self, units: Units, supply: dict[bool, int]) -> str:
        rows = ["".join(units.get((x, y), "1") for x in range(8)) for y in range(7, -1, -1)]
        board = "/".join(rows)
        for gap in range(8, 1, -1):
            board = board.replace("1" * gap, str(gap))
        own, goal = self.white, (7, 7) if self.white else (0, 0)
        reason = ""
        if ("j" if own else "J") not in units.values():
            reason = "capture"
        elif units.get(goal) == ("J" if own else "j"):
            reason = "sanctum"
        elif not captures(units, not own) and not any(
            next(walks(units, spot), None) for spot, unit in units.items() if unit.isupper() != own
        ):
            reason = "immobile"
        result = f"{'1-0' if own else '0-1'}:{reason}" if reason else "*"
        turn = "-" if reason else "b" if own else "w"
        return f"{board} {turn} {supply[True]} {supply[False]} {self.flag} {result}"


def agree(state: State) -> None:
    position = GAME.write_position(state)
    ours = {GAME.write_action(a): GAME.write_position(after) for a, after in children(GAME, state)}
    assert ours == dict(Play(position).turns()), position


@example_settings(100, deadline=None)
@given(st.randoms(use_true_random=True))
def test_both_readings_agree_wherever_units_stand(
    scattered: Callable[[Random], State], random: Random
) -> None:
    agree(scattered(random))


@example_settings(4, deadline=None)
@given(st.randoms(use_true_random=True))
def test_both_readings_agree_all_through_a_match(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    state, actions = wandered(random)
    for action in actions:
        agree(state)
        state = dict(children(GAME, state))[action]
