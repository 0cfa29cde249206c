"""The whole service does as a model of it that fits in a page, also if it is killed."""

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.service_model import FEW, KilledServiceMachine, ServiceMachine


@pytest.mark.parametrize("machine", [ServiceMachine, KilledServiceMachine])
def test_the_service_does_as_the_model(machine: type[ServiceMachine]) -> None:
    run_state_machine_as_test(machine, settings=FEW)  # type: ignore[no-untyped-call]
