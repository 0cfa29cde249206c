"""The checker of histories finds what it should: it agrees with a search through all orders."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.linearizability import Done, contradiction, unacknowledged


def could_be(history: list[Done], length: int = 0) -> bool:
    """Is there an order in which a log would have answered so? By trying them all."""
    for order in permutations(history):
        version, fits = length, True
        for number, each in enumerate(order):
            version += not each.looks
            late = any(later.ended < each.began for later in order[number + 1 :])
            fits = fits and not late and each.version == version
        if fits:
            return True
    return False


TIMES = st.integers(0, 7)


@st.composite
def histories(draw: st.DrawFn) -> list[Done]:
    """A few appends with all versions from 1 on, and looks, at any times."""
    appends = draw(st.integers(0, 3))
    versions = [(each, False) for each in range(1, appends + 1)]
    versions += [(each, True) for each in draw(st.lists(st.integers(0, appends), max_size=3))]
    found = []
    for version, looks in versions:
        began, ended = sorted((draw(TIMES), draw(TIMES)))
        found.append(Done(began, ended, version, looks))
    return found


@given(histories())
def test_it_agrees_with_a_search_through_all_orders(history: list[Done]) -> None:
    assert (contradiction(history) is None) == could_be(history)


def test_a_look_that_is_told_of_the_past_is_found() -> None:
    acknowledged, looked = Done(0, 1, 2), Done(2, 3, 1, looks=True)
    found = contradiction([Done(0, 0.5, 1), acknowledged, looked])
    assert found is not None
    assert (found.first, found.then) == (looked, acknowledged) or found.then == acknowledged


def test_an_append_before_one_that_had_been_answered_is_found() -> None:
    found = contradiction([Done(0, 1, 2), Done(2, 3, 1)])
    assert found == (Done(2, 3, 1), Done(0, 1, 2))


def test_what_overlaps_may_have_been_in_any_order() -> None:
    assert contradiction([Done(0, 3, 2), Done(1, 4, 1), Done(2, 5, 1, looks=True)]) is None


def test_what_nobody_was_told_may_have_happened_later_but_not_before_it_began() -> None:
    assert contradiction([unacknowledged(2, 0), Done(5, 6, 1)]) is None
    assert contradiction([unacknowledged(1, 5), Done(1, 2, 2)]) is not None


def test_no_version_is_given_out_twice() -> None:
    with pytest.raises(ValueError, match="same version"):
        contradiction([Done(0, 1, 1), Done(2, 3, 1)])
