"""Queries of the read models, off the event loop, with optional waiting for a version."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from datetime import datetime
from sqlite3 import Connection, Error
from typing import Final, TypeVar
from uuid import UUID

import structlog
from eventsourcing.persistence import PersistenceError

from domain.match import AnyMatch
from domain.storage.topics import ARMY, FRONTEND, MATCH, PLAN, PLAYER, SERVICE, TABLE
from projections.projector.runner import ProjectionRunner
from projections.queries import armies, conditional_moves, devices, frontends, projection_errors
from projections.queries.cancellation import CancellableQuery
from projections.queries.projection_errors import ProjectionError, ProjectionStoppedError
from projections.queries.read_files import ReadFileDamagedError, ReadModels
from projections.views import board_views
from projections.views.board_views import MatchRow
from services.runtime.errors import ApiError, Reason, time_out_of_range, version_out_of_range
from services.runtime.roles import wrong_replica
from services.runtime.thread_switching import cpu_bound
from services.store.match_cache import MatchCache
from services.store.watchers import Watchers

T = TypeVar("T")
log = structlog.get_logger(__name__)

VersionQuery = Callable[[Connection, UUID], int]

VERSIONS: Final[dict[str, VersionQuery]] = {
    MATCH: board_views.latest_version,
    ARMY: armies.version,
    TABLE: devices.version,
    FRONTEND: frontends.version,
    PLAYER: frontends.version,
    PLAN: conditional_moves.version,
    SERVICE: lambda connection, identity: 0,
}

MAX_ATTEMPTS: Final = 3
"""How often a query is tried on read models that turned out to be damaged."""
PATIENCE_SECONDS: Final = 5.0
"""How long a read waits for a requested version, unless its deadline comes first."""

SHORT_PATIENCE_SECONDS: Final = 0.5
"""How long a read without a requested version waits for the latest."""

INDEXING_SECONDS: Final = 0.5
"""How long a search waits for the search index."""


class ReadModelQueries:
    """The read models as request handlers query them."""

    def __init__(
        self,
        models: ReadModels,
        runner: ProjectionRunner,
        watchers: Watchers,
        live: MatchCache,
        executor: Executor,
    ) -> None:
        self._runner = runner
        self._live = live
        self._models = models
        self._watchers = watchers
        self._executor = executor

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """Run a query in another thread, with its own connection, and return its result.

        While read models are being rebuilt, the query waits. Raises REPLICA_LAG if that takes too
        long, so that nobody gets a partial or wrong result.
        """
        loop = asyncio.get_running_loop()
        for _ in range(MAX_ATTEMPTS):
            if not self._runner.is_complete:
                await asyncio.to_thread(self._runner.wait_until_complete, PATIENCE_SECONDS)
            question = CancellableQuery()
            try:
                return await loop.run_in_executor(
                    self._executor, cpu_bound()(self.ask_blocking), query, question
                )
            except ReadFileDamagedError:
                continue
            except asyncio.CancelledError:
                question.cancel()  # frees the thread for other queries
                raise
        raise self._rebuild_error()

    async def ask_until_ready(self, query: Callable[[Connection], T]) -> T:
        """Run a query and return its result, however long the read models take."""
        while True:
            try:
                return await self.ask(query)
            except ApiError as error:
                if error.reason is not Reason.REPLICA_LAG:
                    raise

    def ask_blocking(
        self, query: Callable[[Connection], T], question: CancellableQuery | None = None
    ) -> T:
        """Run a query in the current thread, without waiting for a rebuild. Blocks.

        Raises:
            QueryCancelledError: The query was canceled meanwhile.
            ReadFileDamagedError: The read models turned out to be damaged.
            ApiError: REPLICA_LAG during a rebuild, or RECORD_DAMAGED.
        """
        if not self._runner.is_complete:
            raise self._rebuild_error()
        try:
            asked = question or CancellableQuery()
            with self._models.reading() as connection, asked.running_on(connection):
                return query(connection)
        except ProjectionStoppedError as error:
            raise _record_damaged(error.projection_error) from None

    def _rebuild_error(self) -> ApiError:
        status = self._runner.cached_status()
        percent = (
            100 * status.position // max(1, status.newest)
        )  # the number of events is not public
        return ApiError(
            Reason.REPLICA_LAG,
            f"the read models are being rebuilt and have {percent}% of all events: try again"
            " shortly",
            percent=percent,
        )

    def known_version(self, kind: str, identity: UUID) -> int:
        """Return the number of an aggregate's events in the read models. Blocks.

        The log must have as many.
        """
        try:
            with self._models.reading() as connection:
                return VERSIONS[kind](connection, identity)
        except Error as error:  # an optional check
            log.warning("length_not_known", identity=str(identity), why=str(error))
            return 0

    async def projected_match(self, identity: UUID) -> AnyMatch | None:
        """Return the match as the read models have it, or None if they do not have it yet."""

        def read(connection: Connection) -> AnyMatch | None:
            projection_errors.require_projected(connection, [identity])
            found = board_views.find_match_row(connection, identity)
            return found.match if found else None

        return await self.ask(read)

    async def current_match(self, identity: UUID) -> AnyMatch:
        """Return the match as the log has it. Raises an error if there is none."""
        return (await self._live.get(identity)).state

    async def match_row(self, identity: UUID) -> MatchRow:
        """Return the current match from the read models. Raises an error if there is none."""

        def read(connection: Connection) -> MatchRow | None:
            projection_errors.require_projected(connection, [identity])
            return board_views.find_match_row(connection, identity)

        found = await self.ask(read)
        if found is None:
            await self.wait_for_version(identity, (await self.current_match(identity)).version)
            found = await self.ask(read)
            assert found is not None
        return found

    async def wait_for_version(
        self,
        identity: UUID,
        wanted: int,
        seconds_left: float | None = None,
        version_query: VersionQuery = board_views.latest_version,
    ) -> None:
        """Wait until the read models have a version.

        Without a version, wait briefly for the last one acknowledged here, so that a caller sees
        the effect of its own command. If that takes longer, an older state is returned.

        Args:
            identity: The aggregate.
            wanted: The version; 0 for none.
            seconds_left: Time until the caller's deadline.
            version_query: Returns the version in the read models: of a match by default.

        Raises:
            ApiError: REPLICA_LAG if it takes too long; VERSION_OUT_OF_RANGE if the match has not
                that
                version. Neither contains the current version, which the caller may not be allowed
                    to see.
        """

        async def now() -> int:
            return await self.ask(lambda connection: version_query(connection, identity))

        least, wanted = wanted, wanted or self._live.version(identity)
        if not wanted or await now() >= wanted:
            return
        if (
            version_query is board_views.latest_version
            and (await self._live.get(identity)).state.version < wanted
        ):
            raise ApiError(
                Reason.VERSION_OUT_OF_RANGE,
                f"the match has not reached version {wanted}",
                match=identity,
                wanted=wanted,
            )
        patience = PATIENCE_SECONDS if least else SHORT_PATIENCE_SECONDS
        patience = min(patience, seconds_left or patience)
        try:
            async with asyncio.timeout(patience):
                with self._watchers.watching(identity) as woken:
                    while await now() < wanted:
                        await woken.wait()
                        woken.clear()
        except TimeoutError:
            if not least:
                return
            raise ApiError(
                Reason.REPLICA_LAG,
                f"the read models have not reached version {wanted} in time: try again",
                match=identity,
                wanted=wanted,
            ) from None

    async def catch_up_briefly(self) -> None:
        """Wait briefly for all events in the log, so that lists show a caller's last command."""
        with suppress(PersistenceError):
            await asyncio.to_thread(self._runner.catch_up, SHORT_PATIENCE_SECONDS)

    async def wait_for_search_index(self) -> None:
        """Update the search index for public matches, for at most `INDEXING_SECONDS`."""
        await self.catch_up_briefly()
        await asyncio.to_thread(self._runner.index_events, INDEXING_SECONDS)

    async def wait_until_caught_up(self) -> None:
        """Wait until the read models contain all events of the log.

        Raises:
            ApiError: REPLICA_LAG if that takes too long.
        """
        if not await asyncio.to_thread(self._runner.catch_up, PATIENCE_SECONDS):
            raise ApiError(Reason.REPLICA_LAG, "the read models are far behind the log")


class NoReadModels(ReadModelQueries):
    """The replacement in services without read models: answers from the cache and the log."""

    def __init__(self, live: MatchCache) -> None:
        self._live = live

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """Raise READ_MODELS_DISABLED: this replica keeps no read models."""
        raise wrong_replica()

    def ask_blocking(
        self, query: Callable[[Connection], T], question: CancellableQuery | None = None
    ) -> T:
        """Raise READ_MODELS_DISABLED: this replica keeps no read models."""
        raise wrong_replica()

    async def ask_until_ready(self, query: Callable[[Connection], T]) -> T:
        """Raise READ_MODELS_DISABLED: this replica keeps no read models."""
        raise wrong_replica()

    def known_version(self, kind: str, identity: UUID) -> int:
        """Return 0: without read models the minimum version is unknown."""
        return 0

    async def projected_match(self, identity: UUID) -> AnyMatch | None:
        """Return the match as the log has it."""
        return await self.current_match(identity)

    async def wait_for_version(
        self,
        identity: UUID,
        wanted: int,
        seconds_left: float | None = None,
        version_query: VersionQuery = board_views.latest_version,
    ) -> None:
        """Do nothing: there are no read models to wait for."""

    async def catch_up_briefly(self) -> None:
        """Do nothing: there are no read models to wait for."""

    async def wait_for_search_index(self) -> None:
        """Raise READ_MODELS_DISABLED: this replica keeps no read models."""
        raise wrong_replica()

    async def wait_until_caught_up(self) -> None:
        """Raise READ_MODELS_DISABLED: this replica keeps no read models."""
        raise wrong_replica()


def version_of(
    connection: Connection, identity: UUID, wanted: int | None, time: datetime | None
) -> int:
    """Return the version for a number or a time; the current version for neither.

    Raises:
        ApiError: VERSION_OUT_OF_RANGE if the match has no such version.
    """
    present = board_views.latest_version(connection, identity)
    if time is not None:
        version = board_views.version_at(connection, identity, time)
        if not version:
            raise time_out_of_range(identity, time)
        return version
    version = present if wanted is None else wanted
    if not 1 <= version <= present:
        raise version_out_of_range(identity, present, version)
    return version


def _record_damaged(error: ProjectionError) -> ApiError:
    """Return RECORD_DAMAGED for a projection error."""
    return ApiError(
        Reason.RECORD_DAMAGED,
        f"{error.match}: {error.why}; the match is unavailable until the operator repairs the log",
        identity=error.match,
        version=error.version,
    )
