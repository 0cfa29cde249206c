"""What all tests share: how Hypothesis looks for counterexamples."""

import os

import pytest
from hypothesis import settings

# No deadlines: a slow machine is no counterexample. In CI the same examples each time, so that a
# failure there is always of the change at hand; everywhere else new ones.
settings.register_profile("emeth", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("emeth")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--secret-pairs", type=int, help="soak the law of secrets with so many pairs")
