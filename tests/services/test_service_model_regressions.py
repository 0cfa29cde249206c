"""Lives in which the service once did otherwise than its model: lived again."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.service_model import ServiceMachine


def resigned_by_a_plan(life: Any) -> None:
    """Told as dropped, since the match was over, though the plan itself had ended it."""
    life.plan(model=life.create_with_clocks(increment=0), pick=1, amid=False, killed=False)


def corrected_while_a_clock_ran_and_a_plan_waited(life: Any) -> None:
    """No defect, but what came nearest to one: the turn passes, and with it what it gives."""
    model = life.create_with_clocks(increment=2000)
    life.plan(model=model, pick=489, amid=True, killed=True)
    life.correct(model=model, pick=5002, amid=False, killed=True)
    life.take_back(model=model, pick=679)


def tapped_over_starts_and_undone(life: Any) -> None:
    """A table, a restart with something selected, a wish to go back, and an answer in a race."""
    model = life.create(game="agog")
    life.set_up_table(model=model, shared=True, granted=False)
    for pick, how in ((11, "taps"), (12, "journal"), (13, "again")):
        life.tap(model=model, pick=pick, how=how)
    life.start_again(killed=True)
    life.fumble(model=model, pick=15)
    life.request_undo(model=model, pick=16)
    life.answer_undo(model=model, pick=17, granted=True, race=True)
    life.tap_too_late(model=model, pick=18)


def tapped_with_clocks_and_taken_elsewhere(life: Any) -> None:
    """The file was refused: its taps had microseconds, and its events whole milliseconds."""
    model = life.create_with_clocks(increment=0)
    life.set_up_table(model=model, shared=True, granted=True)
    life.tap(model=model, pick=65536, how="again")
    life.import_elsewhere(pick=1)


def tapped_in_secret_by_a_right(life: Any) -> None:
    """No defect, but the model took it for one: a right to tap shows no hand."""
    model = life.create(game="res-arcana")
    life.set_up_table(model=model, shared=False, granted=True)
    life.tap(model=model, pick=0, how="taps")


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
