"""Rebuilds the read models from the log while the service runs, then replaces the old ones."""

import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

import structlog
from eventsourcing.persistence import ApplicationRecorder
from msgspec import Struct

from domain.kernel.packs import Library
from domain.storage.mapper import EventMapper
from projections.projector import schema
from projections.projector.projector import Projector
from projections.projector.runner import ProjectionRunner, read_events_between
from projections.queries import read_files
from projections.queries.read_files import ReadModels

_LOG: Final = structlog.get_logger("emeth.projections")

BATCH_SIZE: Final = 200
"""Events in one transaction. Folding a batch holds Python's interpreter lock for some milliseconds.
After each batch the rebuild pauses for as long as the batch took."""


class RebuildProgress(Struct, frozen=True):
    """The progress of a rebuild."""

    done: int
    """The log's number of the last event in the new file."""
    total: int
    """The log's number of the last event in the current file, which the new file must reach."""
    finished: bool
    """Whether the new file has replaced the old one."""


class RebuildRunningError(Exception):
    """The error raised when another rebuild is running."""

    def __init__(self) -> None:
        super().__init__("Another rebuild of the read models is running: wait until it ends.")


def rebuild(
    recorder: ApplicationRecorder,
    read_models: ReadModels,
    mapper: EventMapper,
    runner: ProjectionRunner,
) -> Generator[RebuildProgress, None, None]:
    """Rebuild the read models, and yield the progress after each batch.

    Each step blocks, so run it in a thread; steps may run in different threads. Closing the
    iterator early, or an error, leaves the current file in place.

    Yields:
        The progress. The last value has `finished` set.

    Raises:
        RebuildRunningError: Another rebuild is running; raised by the first step.
        sqlite3.Error: The new file cannot be written.
        PersistenceError: The log cannot be read.
    """
    if not read_models.rebuilding.acquire(blocking=False):
        raise RebuildRunningError
    try:
        yield from _rebuild(recorder, read_models, mapper, runner)
    finally:
        read_models.rebuilding.release()


def _rebuild(
    recorder: ApplicationRecorder,
    read_models: ReadModels,
    mapper: EventMapper,
    runner: ProjectionRunner,
) -> Generator[RebuildProgress, None, None]:
    path = read_models.next_path()
    projector = _new_projector(path, read_models.library, mapper)
    try:
        while projector.position < (total := runner.position):
            began = time.monotonic()
            projector.apply(read_events_between(recorder, projector.position, total, BATCH_SIZE))
            took = time.monotonic() - began
            yield RebuildProgress(projector.position, total, finished=False)
            time.sleep(took)
        runner.switch_to(projector, path)
    finally:
        if read_models.path != path:
            projector.close()
            read_files.delete_file(path)
    _LOG.info("read_models_rebuilt", file=path.name, position=projector.position)
    yield RebuildProgress(projector.position, runner.position, finished=True)


def _new_projector(path: Path, library: Library, mapper: EventMapper) -> Projector:
    connection = schema.connect_writer(path, library)
    schema.create_tables(connection, ready=False)
    return Projector(connection, mapper)
