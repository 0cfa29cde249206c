"""The whole service does as a model of it that fits in a page."""

from hypothesis.stateful import run_state_machine_as_test

from tests.service_model import FEW, ServiceMachine


def test_the_service_does_as_the_model() -> None:
    run_state_machine_as_test(ServiceMachine, settings=FEW)  # type: ignore[no-untyped-call]
