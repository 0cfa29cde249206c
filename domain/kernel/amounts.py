"""Amounts: actions that differ only in what they pay, gain or put are listed as one action.

The amounts of such actions are a set of vectors, one number for each symbol. The set is described
by *ways*: bounds of each number and of the sum. Together the ways contain the vectors of the set,
each once, and no others.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, Literal

from msgspec import Struct

Purpose = Literal["pay", "gain", "put"]

MAX_WAYS: Final = 64
"""The greatest number of ways. Actions that need more are listed one by one."""
MAX_SPLIT_VECTORS: Final = 2_000
"""The greatest number of vectors that are divided into several ways."""
MAX_SYMBOLS: Final = 12
"""The greatest number of symbols: counting the vectors of a way takes 2 to this power steps."""

Vector = tuple[int, ...]


class Way(Struct, frozen=True):
    """The vectors within bounds."""

    min: Vector
    """The least amount of each symbol."""
    max: Vector
    """The greatest amount of each symbol."""
    least: int
    """The least sum."""
    most: int
    """The greatest sum."""

    def allows(self, vector: Sequence[int]) -> bool:
        """Return whether a vector is within the bounds."""
        return self.least <= sum(vector) <= self.most and all(
            low <= n <= high for low, n, high in zip(self.min, vector, self.max, strict=True)
        )


class AmountChoice(Struct, frozen=True):
    """The amounts among which a player chooses."""

    purpose: Purpose
    symbols: tuple[str, ...]
    """What is counted, keys of the theme's symbols."""
    ways: tuple[Way, ...]
    proposal: Vector


class Stocks(Struct, frozen=True):
    """What a proposal takes into account."""

    counts: Mapping[str, int] = {}
    """What the seat has, by symbol."""
    precious: Collection[str] = ()
    """The symbols that are paid last."""


def choice_of(
    purpose: Purpose, counts: Sequence[Mapping[str, int]], symbols: Iterable[str], stocks: Stocks
) -> AmountChoice | None:
    """Return the choice among amounts of actions that are otherwise equal.

    Args:
        purpose: What the amounts are for.
        counts: The amounts of each action, by symbol.
        symbols: The symbols in order. Symbols that no action has are left out.
        stocks: What the seat has.

    Returns:
        The choice; None if two actions have the same amounts, or more than `MAX_WAYS` ways are
        needed.
    """
    used = {symbol for each in counts for symbol in each}
    names = tuple(symbol for symbol in symbols if symbol in used)
    vectors = tuple([vector_of(each, names) for each in counts])
    if len(names) > MAX_SYMBOLS or len({*vectors}) < len(vectors):
        return None
    ways = ways_of(frozenset(vectors))
    if ways is None:
        return None
    return AmountChoice(purpose, names, ways, propose(purpose, names, vectors, stocks))


def vector_of(counts: Mapping[str, int], symbols: Iterable[str]) -> Vector:
    """Return amounts by symbol as a vector."""
    return tuple([counts.get(symbol, 0) for symbol in symbols])


# --- ways ----------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def ways_of(vectors: frozenset[Vector]) -> tuple[Way, ...] | None:
    """Return the ways that contain exactly these vectors; None if more than `MAX_WAYS` are needed.

    >>> ways_of(frozenset({(2, 0), (1, 1), (0, 2)}))
    (Way(min=(0, 0), max=(2, 2), least=2, most=2),)
    """
    parts = [sorted(vectors)]
    found: list[Way] = []
    while parts:
        part = parts.pop()
        way = _bounds(part)
        if _count(way) == len(part):
            found.append(way)
        elif len(vectors) > MAX_SPLIT_VECTORS or len(found) + len(parts) + 2 > MAX_WAYS:
            return None
        else:
            parts += _split(part)
    return tuple(sorted(found, key=lambda way: (way.least, way.min, way.max)))


def _bounds(vectors: Sequence[Vector]) -> Way:
    columns = [*zip(*vectors, strict=True)]
    sums = [*map(sum, vectors)]
    return Way(tuple(map(min, columns)), tuple(map(max, columns)), min(sums), max(sums))


def _count(way: Way) -> int:
    """Return how many vectors a way contains, by inclusion and exclusion."""
    spans = [high - low + 1 for low, high in zip(way.min, way.max, strict=True)]
    start = sum(way.min)
    return _count_up_to(spans, way.most - start) - _count_up_to(spans, way.least - start - 1)


def _count_up_to(spans: Sequence[int], total: int) -> int:
    """Return how many vectors below these spans have at most this sum."""
    number, size = 0, len(spans)
    for chosen in range(size + 1):
        for over in combinations(spans, chosen):
            left = total - sum(over)
            if left >= 0:
                number += (-1) ** chosen * comb(left + size, size)
    return number


def _split(vectors: Sequence[Vector]) -> tuple[list[Vector], list[Vector]]:
    """Return two parts whose bounds contain as few other vectors as possible."""
    keys = [*range(len(vectors[0])), None]
    best: tuple[int, list[Vector], list[Vector]] | None = None
    for key in keys:
        by_value: dict[int, list[Vector]] = {}
        for vector in vectors:
            by_value.setdefault(sum(vector) if key is None else vector[key], []).append(vector)
        values = sorted(by_value)
        low = _running_bounds([by_value[value] for value in values])
        high = _running_bounds([by_value[value] for value in reversed(values)])
        for cut in range(1, len(values)):
            excess = _count(low[cut - 1]) + _count(high[len(values) - cut - 1]) - len(vectors)
            if best is None or excess < best[0]:
                left = [each for value in values[:cut] for each in by_value[value]]
                right = [each for value in values[cut:] for each in by_value[value]]
                best = excess, left, right
    assert best is not None, "different vectors differ in some number"
    return best[1], best[2]


def _running_bounds(blocks: Sequence[Sequence[Vector]]) -> list[Way]:
    """Return the bounds of the first block, of the first two, and so on."""
    found: list[Way] = []
    for block in blocks:
        own = _bounds(block)
        if found:
            last = found[-1]
            own = Way(
                tuple(map(min, last.min, own.min)),
                tuple(map(max, last.max, own.max)),
                min(last.least, own.least),
                max(last.most, own.most),
            )
        found.append(own)
    return found


# --- proposals -----------------------------------------------------------------------------------


def propose(
    purpose: Purpose, symbols: Sequence[str], vectors: Iterable[Vector], stocks: Stocks
) -> Vector:
    """Return the proposed amounts.

    A proposal to pay or put has the least sum, then the fewest precious things, and takes the rest
    from the largest stocks. A proposal to gain has the greatest sum, then the most precious
    things, and adds the rest to the smallest stocks.

    >>> stocks = Stocks({"elan": 4, "life": 1, "gold": 9}, ("gold",))
    >>> propose("pay", ("elan", "life", "gold"), [(1, 1, 0), (2, 0, 0), (0, 0, 2)], stocks)
    (2, 0, 0)
    """
    sign = 1 if purpose == "gain" else -1
    held = [stocks.counts.get(symbol, 0) for symbol in symbols]
    precious = [symbol in stocks.precious for symbol in symbols]

    def rank(vector: Vector) -> tuple[int, int, list[int], Vector]:
        dear = sum(n for n, is_precious in zip(vector, precious, strict=True) if is_precious)
        after = [
            has + sign * n
            for has, n, is_precious in zip(held, vector, precious, strict=True)
            if not is_precious
        ]
        # The largest stock left is as small as possible, or the smallest as large as possible.
        uneven = sorted(after, reverse=True) if sign < 0 else [-n for n in sorted(after)]
        return -sign * sum(vector), -sign * dear, uneven, tuple(-n for n in vector)

    return min(vectors, key=rank)
