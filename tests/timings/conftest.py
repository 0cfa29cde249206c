"""What is promised in milliseconds: medians of several rounds, on a quiet machine (`make timings`).

The other tests wait for what has to come, and never ask how long it took; so these are not among
them. On a machine that is busy with other work, a promise that is not kept is not judged.
"""

import os
from collections.abc import Callable, Sequence
from statistics import median
from typing import Final

import pytest

from tests.console.conftest import served

__all__ = ["served"]

LOAD: Final = os.getloadavg()[0]
"""Of the machine, before anything is measured."""
PROCESSORS: Final = os.cpu_count() or 1
Promise = Callable[[str, Sequence[float], float], None]
ROWS: Final[list[str]] = []
"""What was measured, for the end of the run."""


@pytest.fixture
def promise() -> Promise:
    """Holds the median of so many milliseconds to the most that is promised."""

    def hold(what: str, milliseconds: Sequence[float], most: float) -> None:
        found = median(milliseconds)
        row = (
            f"{what}: {found:.0f} ms at the median of {len(milliseconds)}, {min(milliseconds):.0f}"
            f" to {max(milliseconds):.0f}; promised {most:.0f} ms; load before {LOAD:.1f} on"
            f" {PROCESSORS} processors"
        )
        ROWS.append(row)
        if found > most and LOAD > PROCESSORS:
            pytest.skip("the machine is too busy to judge")
        assert found <= most, row

    return hold


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for row in ROWS:
        terminalreporter.write_line(row)
