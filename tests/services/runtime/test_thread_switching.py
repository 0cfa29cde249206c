"""Threads switch at short intervals during CPU-bound work, and only then."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from services.runtime.thread_switching import SWITCH_INTERVAL_SECONDS, cpu_bound

USUAL = 0.005


@pytest.fixture(autouse=True)
def _usual_turns() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(USUAL)
    yield
    sys.setswitchinterval(before)


def turn() -> float:
    return round(sys.getswitchinterval(), 6)


def test_turns_are_short_while_something_is_computed_and_as_they_were_afterwards() -> None:
    with cpu_bound():
        assert turn() == SWITCH_INTERVAL_SECONDS
    assert turn() == USUAL


def test_what_fails_leaves_turns_as_they_were() -> None:
    @cpu_bound()
    def fail() -> None:
        raise ValueError("not computed")

    for _ in range(2):  # what is decorated may be called again
        with pytest.raises(ValueError, match="not computed"):
            fail()
    assert turn() == USUAL


def test_turns_stay_short_until_the_last_thread_that_computes_is_done() -> None:
    both, first_done = Barrier(2), Barrier(2)

    def first() -> None:
        with cpu_bound():
            both.wait(10)
        first_done.wait(10)

    def second() -> float:
        with cpu_bound():
            both.wait(10)
            first_done.wait(10)
            return sys.getswitchinterval()

    with ThreadPoolExecutor(2) as threads:
        ended, lasting = threads.submit(first), threads.submit(second)
        ended.result(10)
        assert round(lasting.result(10), 6) == SWITCH_INTERVAL_SECONDS
    assert turn() == USUAL


def test_turns_that_are_shorter_already_stay_as_they_are() -> None:
    sys.setswitchinterval(1e-5)
    with cpu_bound():
        assert turn() == 1e-5
    assert turn() == 1e-5
