"""What all tests share: how Hypothesis looks for counterexamples, where files are written, and how
programs are started."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
import structlog
from hypothesis import settings

from tests import hypothesis_settings

if TYPE_CHECKING:
    from tests.postgres import Databases

# Many tests start programs of ours. Where nothing may be compiled for later, each of them would
# compile a few hundred modules, which takes twice as long as all else that it does.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


MEMORY = Path("/dev/shm")  # noqa: S108  # pytest makes a folder of its own there
ENOUGH = 4 * 2**30
"""Bytes that must be free there."""


def pytest_configure(config: pytest.Config) -> None:
    """Before any test is read: how Hypothesis goes about it, and where files are written."""
    hypothesis_settings.EXAMPLES_FACTOR = config.getoption("--often")
    # No deadlines: a slow machine is no counterexample. In CI the same examples each time, so that
    # a failure there is always of the change at hand; everywhere else new ones.
    settings.register_profile(
        "emeth",
        deadline=None,
        derandomize="CI" in os.environ,
        max_examples=100 * hypothesis_settings.EXAMPLES_FACTOR,
    )
    settings.load_profile("emeth")
    # Files are written into memory where there is room: services sync a disk thousands of times.
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while thousands of tests are collected, and never again among them: they
    all stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


WAITING = (
    "tests/sixth_game/",
    "tests/services/cli/test_certification.py",
    "tests/services/transport/test_fuzzed_streams.py",
    "tests/services/scheduler/test_flag_falls.py",
    "tests/bench/",
    "tests/console/",
)
"""Tests that take long and wait for most of it: for other programs, or for time to pass."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that wait come first, so that others keep the cores busy meanwhile, and the end of a
    run is of short ones: these are shared out until all workers have done."""
    items.sort(key=lambda item: not item.nodeid.startswith(WAITING))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--often", type=int, default=1, help="try each law on so many times as many examples"
    )
    parser.addoption("--secret-pairs", type=int, help="soak the law of secrets with so many pairs")


@pytest.fixture(autouse=True)
def default_logs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Undo how a command that runs in this process configures logs. Loggers must not keep it, or
    later tests that capture logs would miss what is below its level."""
    configure = structlog.configure
    monkeypatch.setattr(structlog, "configure", lambda **given: configure(**given | NOT_CACHED))
    yield
    structlog.reset_defaults()


NOT_CACHED: Final = {"cache_logger_on_first_use": False}


@pytest.fixture(scope="session")
def postgres() -> Iterator["Databases"]:
    """A PostgreSQL server, one for all worker processes."""
    from tests.postgres import Databases  # only here: few tests need one

    # Not in pytest's folder: PostgreSQL never runs as root, and no other user may enter that.
    root = Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir())
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or os.getpid()
    databases = Databases(root / f"emeth-postgres-{run}")
    yield databases
    databases.close()


@pytest.fixture
def database(postgres: "Databases") -> Iterator[str]:
    """The URI of an empty database of this test's own."""
    uri = postgres.make()
    yield uri
    postgres.drop(uri)


@pytest.fixture
def store(request: pytest.FixtureRequest) -> str:
    """Where the log of a test is: in a file, unless the test is to run on another store too."""
    on_postgres = getattr(request, "param", "sqlite") == "postgresql"
    return str(request.getfixturevalue("database")) if on_postgres else ""
