"""Lives in which the service once did otherwise than its model: lived again."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service_model import ServiceMachine


def resigned_by_a_plan(life: Any) -> None:
    """Told as dropped, since the match was over, though the plan itself had ended it."""
    life.plan(told=life.create_with_clocks(increment=0), pick=1, amid=False, killed=False)


def corrected_while_a_clock_ran_and_a_plan_waited(life: Any) -> None:
    """No defect, but what came nearest to one: the turn passes, and with it what it gives."""
    told = life.create_with_clocks(increment=2000)
    life.plan(told=told, pick=489, amid=True, killed=True)
    life.correct(told=told, pick=5002, amid=False, killed=True)
    life.take_back(told=told, pick=679)


def tapped_over_starts_and_undone(life: Any) -> None:
    """A table, a restart with something selected, a wish to go back, and an answer in a race."""
    told = life.create(game="agog")
    life.set_up_table(told=told, shared=True, granted=False)
    for pick, how in ((11, "taps"), (12, "journal"), (13, "again")):
        life.tap(told=told, pick=pick, how=how)
    life.start_again(killed=True)
    life.fumble(told=told, pick=15)
    life.request_undo(told=told, pick=16)
    life.answer_undo(told=told, pick=17, granted=True, race=True)
    life.tap_too_late(told=told, pick=18)


def tapped_with_clocks_and_taken_elsewhere(life: Any) -> None:
    """The file was refused: its taps had microseconds, and its events whole milliseconds."""
    told = life.create_with_clocks(increment=0)
    life.set_up_table(told=told, shared=True, granted=True)
    life.tap(told=told, pick=65536, how="again")
    life.import_elsewhere(pick=1)


def tapped_in_secret_by_a_right(life: Any) -> None:
    """No defect, but the model took it for one: a right to tap shows no hand."""
    told = life.create(game="res-arcana")
    life.set_up_table(told=told, shared=False, granted=True)
    life.tap(told=told, pick=0, how="taps")


@pytest.mark.parametrize(
    "lived",
    [
        tapped_with_clocks_and_taken_elsewhere,
        tapped_in_secret_by_a_right,
        resigned_by_a_plan,
        corrected_while_a_clock_ran_and_a_plan_waited,
        tapped_over_starts_and_undone,
    ],
)
def test_what_once_went_wrong_goes_right(lived: Callable[[Any], None]) -> None:
    life = ServiceMachine()
    try:
        lived(life)
    finally:
        life.teardown()
