"""The log as an application of the `eventsourcing` library: for whoever knows that, and not us.

Its repository gives a Match, Army or Table at any version; its notification log and subscriptions
give all that is recorded, by a service that runs meanwhile too; the library's own projections
follow it. `docs/read-models.md` shows one.
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
"""What users of the library expect where the store has its own word; all else is operational."""


class GroupCommitRecorder(LogRecorder):
    """A recorder whose inserts go through the writer: threads that save at once share a commit.

    A log has one writing process. It becomes that with the first event that it inserts, and stays
    it until it is closed; who only reads takes no lock.
    """

    _writer: Writer | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._opening = Lock()
        self._opened = ExitStack()

    def insert_events(
        self, stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> Sequence[int] | None:
        """Record these events, all or none; their notification ids, in order. Blocks.

        Raises IntegrityError if a version is taken, DataError for events that do not fit into the
        database, OperationalError if the log cannot be written, or another process writes to it.
        """
        if not stored_events:
            return ()
        try:
            return self._ready().write(stored_events)
        except StoreError as error:
            kind = LIBRARY_ERRORS.get(type(error), OperationalError)
            raise kind(str(error)) from error

    def close(self) -> None:
        """Write what waits, and let others write."""
        self._opened.close()

    def _ready(self) -> Writer:
        with self._opening:
            if self._writer is None:
                pool = self.datastore.pool
                with ExitStack() as opened:
                    if not pool.is_sqlite_memory_mode:
                        opened.enter_context(LogLock(Path(pool.db_name)))
                        self.datastore.file_identity.keep(Path(pool.db_name))
                    beneath = LogRecorder(self.datastore)
                    self._writer = opened.enter_context(Writer(beneath, on_failure=_failed))
                    self._opened = opened.pop_all()
            return self._writer


def _failed(failure: LogFailed) -> None:
    _LOG.critical("log_failed", why=failure.why, code=failure.code)


class LogRepository(Repository[UUID]):
    """Gives a Match, Army or Table by its id: as it stands, or as it stood at a version."""

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
        """The aggregate after its event `version`, or after its last.

        Raises AggregateNotFoundError if the log has none of it, BrokenChainError if its events are
        not those that were recorded. Blocks on the disk.
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
"""The environment of a log in PostgreSQL, but for `EMETH_POSTGRES_URI`, which names it."""


class LogApplication(Application[UUID]):
    """One log. `EMETH_SQLITE_DBNAME` in its environment names the file.

    `save` takes sealed events, of one aggregate or several, and writes all of them or none. Each
    object has connections of its own: close it, or use it as a context manager. Matches that are
    played with packs of others need these in its library.
    """

    name = "emeth"
    # With its name before them, so that the settings of a read model beside it change none of them.
    env: ClassVar[dict[str, str]] = {
        "EMETH_PERSISTENCE_MODULE": "services.store.sqlite.recorder",
        "EMETH_MAPPER_TOPIC": "domain.storage.mapper:EventMapper",
        "EMETH_APPLICATION_RECORDER_TOPIC": f"{__name__}:GroupCommitRecorder",
        "EMETH_IS_SNAPSHOTTING_ENABLED": "no",
        # It reads EMETH_CIPHER_KEYS, or the file that EMETH_CIPHER_KEYS_FILE names.
        "EMETH_CIPHER_TOPIC": "services.store.cipher_keys:CipherKeys",
    }

    def __init__(
        self, env: Mapping[str, str] | None = None, library: Library = BUILT_IN_PACKS
    ) -> None:
        self._library = library
        super().__init__(env)

    def construct_mapper(self) -> Mapper[UUID]:
        """The mapper of our events, ready for several threads."""
        register_topics()
        prepare_decoders()
        return super().construct_mapper()

    def construct_repository(self) -> Repository[UUID]:
        """A repository that folds from the first event.

        It keeps nothing: a match can be taken back to before any state that was kept.
        """
        return LogRepository(self.events, self._library)

    def close(self) -> None:
        """Write what waits, stop the subscriptions, and let go of the files."""
        if isinstance(self.recorder, GroupCommitRecorder):
            self.recorder.close()
        super().close()
