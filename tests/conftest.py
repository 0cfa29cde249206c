"""What all tests share: how Hypothesis looks for counterexamples, where files are written, and how
programs are started."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: a slow machine is no counterexample. In CI the same examples each time, so that a
# failure there is always of the change at hand; everywhere else new ones.
settings.register_profile("emeth", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("emeth")

# Many tests start programs of ours. Where nothing may be compiled for later, each of them would
# compile a few hundred modules, which takes twice as long as all else that it does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes a folder of its own there
ENOUGH = 4 * 2**30
"""Bytes that must be free there."""


def pytest_configure() -> None:
    """Write files into memory where there is room: services sync a disk thousands of times."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--secret-pairs", type=int, help="soak the law of secrets with so many pairs")
