"""The log as an `Application` of the `eventsourcing` library, for other programs.

Its repository returns a Match, Army or Table at any version. Its notification log and subscriptions
include events that a running service records. The library's projections can follow it.
`docs/read-models.md` has an example.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Final
from uuid import UUID

import structlog
from eventsourcing.application import Application, Repository
from eventsourcing.persistence import (
    DataError,
    EventStore,
    IntegrityError,
    Mapper,
    OperationalError,
    PersistenceError,
    StoredEvent,
)

from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.storage.mapper import prepare_decoders
from domain.storage.projector import project
from domain.storage.topics import register_topics
from services.store.errors import EventsUnstorable, LogFailed, StoreError, VersionConflict
from services.store.sqlite.lock import LogLock
from services.store.sqlite.recorder import LogRecorder
from services.store.writer import Writer

_LOG: Final = structlog.get_logger(__name__)

LIBRARY_ERRORS: Final[dict[type[StoreError], type[PersistenceError]]] = {
    VersionConflict: IntegrityError,
    EventsUnstorable: DataError,
}
"""The library's errors for those of the store; all others are operational errors."""


class GroupCommitRecorder(LogRecorder):
    """A recorder with group commit: threads that save at once share a commit.

    A log has one writing process. A process becomes it with its first insert, until it closes the
    recorder. A process that only reads takes no lock.
    """

    _writer: Writer | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._opening = Lock()
        self._resources = ExitStack()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Record events, all or none, and return their notification ids in order. Blocks.

        Raises:
            IntegrityError: Another event has one of the versions.
            DataError: The events do not fit into the database.
            OperationalError: The log is not writable, or another process writes to it.
        """
        if not stored_events:
            return ()
        try:
            return self._ready().write(stored_events)
        except StoreError as error:
            kind = LIBRARY_ERRORS.get(type(error), OperationalError)
            raise kind(str(error)) from error

    def close(self) -> None:
        """Write waiting events and release the lock."""
        self._resources.close()

    def _ready(self) -> Writer:
        with self._opening:
            if self._writer is None:
                pool = self.datastore.pool
                with ExitStack() as opened:
                    if not pool.is_sqlite_memory_mode:
                        opened.enter_context(LogLock(Path(pool.db_name)))
                        self.datastore.file_identity.keep(Path(pool.db_name))
                    beneath = LogRecorder(self.datastore)
                    self._writer = opened.enter_context(Writer(beneath, on_failure=_log_failure))
                    self._resources = opened.pop_all()
            return self._writer


def _log_failure(failure: LogFailed) -> None:
    _LOG.critical("log_failed", why=failure.why, code=failure.code)


class LogRepository(Repository[UUID]):
    """A repository of matches, armies and tables, at their last or any earlier version."""

    def __init__(self, event_store: EventStore[UUID], library: Library) -> None:
        super().__init__(event_store)
        self._project = partial(project, library=library)

    def get(
        self,
        aggregate_id: UUID,
        *,
        version: int | None = None,
        projector_func: Callable[..., Any] | None = None,
        fastforward_skipping: bool = False,
        deepcopy_from_cache: bool = True,
    ) -> Any:
        """Return the aggregate at a version, by default the last. Blocks on the disk.

        Raises:
            AggregateNotFoundError: The log does not have the aggregate.
            BrokenChainError: Its events are not those that were recorded.
        """
        return super().get(
            aggregate_id,
            version=version,
            projector_func=projector_func or self._project,
            fastforward_skipping=fastforward_skipping,
            deepcopy_from_cache=deepcopy_from_cache,
        )


ON_POSTGRES: Final = {
    "EMETH_PERSISTENCE_MODULE": "services.store.postgres.recorder",
    "EMETH_APPLICATION_RECORDER_TOPIC": "services.store.postgres.recorder:LogRecorder",
}
"""The environment of a log in PostgreSQL, except for its URI, `EMETH_POSTGRES_URI`."""


class LogApplication(Application[UUID]):
    """An application with one log, whose file `EMETH_SQLITE_DBNAME` names.

    `save` writes sealed events of one or several aggregates, all or none. Each object has its own
    connections: close it, or use it as a context manager. Matches with added content packs need
    these in `library`.
    """

    name = "emeth"
    # Prefixed with its name, so that the settings of a read model do not affect it.
    env: ClassVar[dict[str, str]] = {
        "EMETH_PERSISTENCE_MODULE": "services.store.sqlite.recorder",
        "EMETH_MAPPER_TOPIC": "domain.storage.mapper:EventMapper",
        "EMETH_APPLICATION_RECORDER_TOPIC": f"{__name__}:GroupCommitRecorder",
        "EMETH_IS_SNAPSHOTTING_ENABLED": "no",
        # The cipher reads EMETH_CIPHER_KEYS, or the file that EMETH_CIPHER_KEYS_FILE names.
        "EMETH_CIPHER_TOPIC": "services.store.cipher_keys:CipherKeys",
    }

    def __init__(
        self, env: Mapping[str, str] | None = None, library: Library = BUILT_IN_PACKS
    ) -> None:
        self._library = library
        super().__init__(env)

    def construct_mapper(self) -> Mapper[UUID]:
        """Return a thread-safe mapper for the stored events."""
        register_topics()
        prepare_decoders()
        return super().construct_mapper()

    def construct_repository(self) -> Repository[UUID]:
        """Return a repository that folds from the first event.

        It caches nothing, since an undo can return to a state before any cached one.
        """
        return LogRepository(self.events, self._library)

    def close(self) -> None:
        """Write waiting events, stop the subscriptions and close the files."""
        if isinstance(self.recorder, GroupCommitRecorder):
            self.recorder.close()
        super().close()
