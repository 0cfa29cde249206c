"""The checker of histories finds what it should: it agrees with a search through all orders."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.linearizability import Operation, find_anomaly, unacknowledged


def could_be(history: list[Operation], length: int = 0) -> bool:
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
def histories(draw: st.DrawFn) -> list[Operation]:
    """A few appends with all versions from 1 on, and looks, at any times."""
    appends = draw(st.integers(0, 3))
    versions = [(each, False) for each in range(1, appends + 1)]
    versions += [(each, True) for each in draw(st.lists(st.integers(0, appends), max_size=3))]
    found = []
    for version, looks in versions:
        began, ended = sorted((draw(TIMES), draw(TIMES)))
        found.append(Operation(began, ended, version, looks))
    return found


@given(histories())
def test_it_agrees_with_a_search_through_all_orders(history: list[Operation]) -> None:
    assert (find_anomaly(history) is None) == could_be(history)


def test_a_stale_read_is_found() -> None:
    acknowledged, looked = Operation(0, 1, 2), Operation(2, 3, 1, looks=True)
    found = find_anomaly([Operation(0, 0.5, 1), acknowledged, looked])
    assert found is not None
    assert (found.first, found.then) == (looked, acknowledged) or found.then == acknowledged


def test_an_append_before_one_that_had_been_answered_is_found() -> None:
    found = find_anomaly([Operation(0, 1, 2), Operation(2, 3, 1)])
    assert found == (Operation(2, 3, 1), Operation(0, 1, 2))


def test_what_overlaps_may_have_been_in_any_order() -> None:
    assert (
        find_anomaly([Operation(0, 3, 2), Operation(1, 4, 1), Operation(2, 5, 1, looks=True)])
        is None
    )


def test_an_unanswered_append_may_have_happened_later_but_not_before_its_start() -> None:
    assert find_anomaly([unacknowledged(2, 0), Operation(5, 6, 1)]) is None
    assert find_anomaly([unacknowledged(1, 5), Operation(1, 2, 2)]) is not None


def test_no_version_is_given_out_twice() -> None:
    with pytest.raises(ValueError, match="same version"):
        find_anomaly([Operation(0, 1, 1), Operation(2, 3, 1)])
