"""The board: square Regions laid out from map tiles, and what can be measured on it."""

from functools import cached_property
from math import isqrt
from typing import Final, Literal

from msgspec import Struct

Base = Literal["plain", "elevated", "blocking", "shallow", "deep", "pit", "swamp"]
Cover = Literal["none", "ground", "medium"]
Ruler = Literal["square", "steps", "euclid"]

COLUMNS: Final = "abcdefghijklmnopqrstuvwxyz"
MOST_ROWS: Final = 99

_BASES: Final[dict[str, Base]] = {
    "P": "plain", "E": "elevated", "B": "blocking", "S": "shallow", "D": "deep", "X": "pit",
    "W": "swamp",
}  # fmt: skip
_COVERS: Final[dict[str, Cover]] = {"": "none", "g": "ground", "m": "medium"}


class Terrain(Struct, frozen=True):
    """What one Region is like."""

    base: Base
    cover: Cover = "none"
    obstructions: int = 0


def read_terrain(letters: str) -> Terrain | None:
    """The terrain that a tile's letters mean; None for letters without meaning.

    >>> read_terrain("Eg")
    Terrain(base='elevated', cover='ground', obstructions=0)
    """
    if letters in ("O1", "O2", "O3"):
        return Terrain("plain", obstructions=int(letters[1]))
    base = _BASES.get(letters[:1])
    cover = _COVERS.get(letters[1:])
    if base is None or cover is None or (cover != "none" and base not in ("plain", "elevated")):
        return None
    return Terrain(base, cover)


def turned(rows: list[list[Terrain]], quarters: int) -> list[list[Terrain]]:
    """A tile turned clockwise by so many quarters."""
    for _ in range(quarters):
        rows = [list(column) for column in zip(*reversed(rows), strict=True)]
    return rows


class Board:
    """Regions by name, from `a1` in the south-west. Their order is column, then row."""

    def __init__(self, rows: list[list[Terrain]]) -> None:
        """`rows` from north to south, each from west to east, all of one length."""
        self.width = len(rows[0])
        self.height = len(rows)
        self.regions: Final[tuple[str, ...]] = tuple(
            f"{COLUMNS[x]}{y + 1}" for x in range(self.width) for y in range(self.height)
        )
        self.terrain: Final[dict[str, Terrain]] = {
            region: rows[self.height - 1 - n % self.height][n // self.height]
            for n, region in enumerate(self.regions)
        }
        self.number: Final[dict[str, int]] = {region: n for n, region in enumerate(self.regions)}
        self._between: dict[tuple[str, str], tuple[str, ...]] = {}

    def place(self, region: str) -> tuple[int, int]:
        """Column and row of a Region, from 0."""
        return divmod(self.number[region], self.height)

    @cached_property
    def adjacent(self) -> dict[str, tuple[str, ...]]:
        """The Regions that share an edge with each, in order."""
        return {region: self._around(region, diagonal=False) for region in self.regions}

    @cached_property
    def touching(self) -> dict[str, tuple[str, ...]]:
        """The Regions that share an edge or a corner with each, in order."""
        return {region: self._around(region, diagonal=True) for region in self.regions}

    def _around(self, region: str, *, diagonal: bool) -> tuple[str, ...]:
        x, y = self.place(region)
        return tuple(
            f"{COLUMNS[x + dx]}{y + dy + 1}"
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if (dx or dy) and (diagonal or not (dx and dy))
            if 0 <= x + dx < self.width and 0 <= y + dy < self.height
        )

    def steps(self, one: str, other: str) -> int:
        """Difference of columns plus difference of rows."""
        (x0, y0), (x1, y1) = self.place(one), self.place(other)
        return abs(x0 - x1) + abs(y0 - y1)

    def distance(self, one: str, other: str, ruler: Ruler) -> int:
        """How far apart two Regions are for a range (GA-R20)."""
        (x0, y0), (x1, y1) = self.place(one), self.place(other)
        dx, dy = abs(x0 - x1), abs(y0 - y1)
        if ruler == "square":
            return max(dx, dy)
        return dx + dy if ruler == "steps" else isqrt(dx * dx + dy * dy)

    def between(self, one: str, other: str) -> tuple[str, ...]:
        """The Regions whose inside the line from centre to centre crosses, without the two ends.

        They are in order along the line; a corner that is only touched is not crossed (GA-R18).
        """
        found = self._between.get((one, other))
        if found is None:
            found = self._between[one, other] = self._crossed(one, other)
        return found

    def _crossed(self, one: str, other: str) -> tuple[str, ...]:
        (x0, y0), (x1, y1) = self.place(one), self.place(other)
        return tuple(f"{COLUMNS[x]}{y + 1}" for x, y in _crossed((x0, y0), (x1, y1)))


def _crossed(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Squares crossed by the segment from centre to centre, ends left out.

    Coordinates are doubled: centres are odd, borders even. The segment crosses its borders at
    parameters n/(2|dx|) and n/(2|dy|); compared as whole numbers by cross-multiplication.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    to_right, to_top = abs(dx), abs(dy)
    x, y = start
    crossed: list[tuple[int, int]] = []
    columns, rows = 1, 1  # half-units to the next border: 1, 3, 5 ...
    while (x, y) != end:
        sideways, upwards = columns * to_top, rows * to_right
        # Through a corner both borders are crossed at once, and neither neighbour is entered.
        if to_right and (not to_top or sideways <= upwards):
            x += 1 if dx > 0 else -1
            columns += 2
        if to_top and (not to_right or upwards <= sideways):
            y += 1 if dy > 0 else -1
            rows += 2
        crossed.append((x, y))
    return crossed[:-1]
