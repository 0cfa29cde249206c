"""Makes the read models anew from the log while the service goes on, then puts them in place."""

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
"""Events in one transaction. Python runs one thread at a time, so while a batch is folded the
service waits, some milliseconds; after each, this thread rests for as long as it took."""


class RebuildProgress(Struct, frozen=True):
    """How far a rebuild is."""

    done: int
    """The log's number of the last event that is in the new file."""
    total: int
    """The same of the present file, which the new one must reach."""
    finished: bool
    """The new file is in place."""


class RebuildRunningError(Exception):  # it says what is so, as the store's errors do
    """Another rebuild is under way."""

    def __init__(self) -> None:
        super().__init__("the read models are being rebuilt already: wait until that is done")


def rebuild(
    recorder: ApplicationRecorder,
    read_models: ReadModels,
    mapper: EventMapper,
    follower: ProjectionRunner,
) -> Generator[RebuildProgress, None, None]:
    """Rebuild, one batch a step, and tell of each; the last step says `finished`.

    Closing the iterator before leaves everything as it was. Blocks, so use it in a thread; all its
    steps may be in different ones. The first step raises RebuildRunning if there is another; any
    may raise sqlite3.Error or the library's PersistenceError, and nothing is changed then.
    """
    if not read_models.rebuilding.acquire(blocking=False):
        raise RebuildRunningError
    try:
        yield from _rebuild(recorder, read_models, mapper, follower)
    finally:
        read_models.rebuilding.release()


def _rebuild(
    recorder: ApplicationRecorder,
    read_models: ReadModels,
    mapper: EventMapper,
    follower: ProjectionRunner,
) -> Generator[RebuildProgress, None, None]:
    path = read_models.next_path()
    projector = _new_projector(path, read_models.library, mapper)
    try:
        while projector.position < (total := follower.position):
            began = time.monotonic()
            projector.apply(read_events_between(recorder, projector.position, total, BATCH_SIZE))
            took = time.monotonic() - began
            yield RebuildProgress(projector.position, total, finished=False)
            time.sleep(took)
        follower.adopt(projector, path)
    finally:
        if read_models.path != path:
            projector.close()
            read_files.delete_file(path)
    _LOG.info("read_models_rebuilt", file=path.name, position=projector.position)
    yield RebuildProgress(projector.position, follower.position, finished=True)


def _new_projector(path: Path, library: Library, mapper: EventMapper) -> Projector:
    connection = schema.connect_writer(path, library)
    schema.create_tables(connection, ready=False)
    return Projector(connection, mapper)
