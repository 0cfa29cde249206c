"""A log in a real file, for the tests of the store."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent

from services.store.sqlite.recorder import Factory, LogRecorder


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    """Where the log of a test is, or will be."""
    return tmp_path / "log.sqlite"


@pytest.fixture
def factory(log_file: Path) -> Iterator[Factory]:
    """The log of a test, opened."""
    with closing(Factory({"SQLITE_DBNAME": str(log_file)})) as factory:
        factory.check()
        yield factory


@pytest.fixture
def recorder(factory: Factory) -> LogRecorder:
    """The recorder of the test's log."""
    recorder = factory.application_recorder()
    assert isinstance(recorder, LogRecorder)
    return recorder


@pytest.fixture
def event() -> Callable[..., StoredEvent]:
    """Makes a stored event of a match that is named by a number."""

    def make(match: int, version: int, state: bytes = b"{}") -> StoredEvent:
        return StoredEvent(UUID(int=match), version, "match.Tested", state)

    return make
