"""Ways contain exactly the amounts of the actions that they stand for, and proposals are wise."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.amounts import MAX_WAYS, Stocks, Vector, choice_of, propose, ways_of

POOL = Stocks({"elan": 3, "life": 5, "gold": 9}, frozenset({"gold"}))
NAMES = ("elan", "life", "gold")

vectors = st.integers(1, 4).flatmap(
    lambda size: st.frozensets(st.tuples(*[st.integers(0, 4)] * size), min_size=1, max_size=24)
)


@given(vectors)
def test_each_vector_is_in_exactly_one_way_and_no_other_is(wanted: frozenset[Vector]) -> None:
    ways = ways_of(wanted)
    assert ways is not None
    size = len(next(iter(wanted)))
    for vector in product(range(6), repeat=size):
        assert sum(way.allows(vector) for way in ways) == (vector in wanted)


def test_a_cost_of_any_essences_is_one_way() -> None:
    paid = frozenset(each for each in product(range(5), repeat=4) if sum(each) == 4)
    (way,) = ways_of(paid) or ()
    assert (way.min, way.max, way.least, way.most) == ((0,) * 4, (4,) * 4, 4, 4)


def test_scattered_amounts_have_no_ways() -> None:
    scattered = frozenset((n, n * n % 97, n * 7 % 31) for n in range(2 * MAX_WAYS))
    assert ways_of(scattered) is None


@pytest.mark.parametrize(
    ("purpose", "allowed", "proposed"),
    [
        ("pay", [(1, 1, 0), (0, 2, 0), (2, 0, 0), (0, 0, 2)], (0, 2, 0)),
        ("pay", [(0, 0, 1), (1, 1, 0)], (0, 0, 1)),
        ("pay", [(2, 0, 1), (1, 1, 1), (0, 0, 3)], (1, 1, 1)),
        ("gain", [(1, 0, 0), (0, 1, 0), (0, 0, 0)], (1, 0, 0)),
        ("gain", [(1, 0, 0), (0, 1, 0), (0, 0, 1)], (0, 0, 1)),
        ("put", [(0, 0, 0), (0, 1, 0)], (0, 0, 0)),
    ],
)
def test_a_proposal_takes_from_the_largest_stocks_and_precious_things_last(
    purpose: str, allowed: list[Vector], proposed: Vector
) -> None:
    assert propose(purpose, NAMES, allowed, POOL) == proposed  # type: ignore[arg-type]


def test_the_amounts_of_two_actions_must_differ() -> None:
    assert choice_of("pay", [{"elan": 1}, {"elan": 1, "life": 0}], NAMES, POOL) is None


def test_symbols_that_no_action_uses_are_left_out() -> None:
    choice = choice_of("pay", [{"life": 2}, {"elan": 1, "life": 1}], NAMES, POOL)
    assert choice is not None
    assert choice.symbols == ("elan", "life")
    assert choice.proposal == (0, 2)
