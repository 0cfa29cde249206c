"""Asks the read models, off the event loop, and waits for them where a caller wants the newest."""

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
"""How often a question is asked of read models that turned out to be damaged."""
PATIENCE_SECONDS: Final = 5.0
"""How long a read waits for the version that it wants, unless its deadline comes first."""

SHORT_PATIENCE_SECONDS: Final = 0.5
"""How long a read that wants no version waits for the latest."""

INDEXING_SECONDS: Final = 0.5
"""How long somebody who searches waits for the index."""


class ReadModelQueries:
    """The read models, as handlers ask them."""

    def __init__(
        self,
        models: ReadModels,
        follower: ProjectionRunner,
        watchers: Watchers,
        live: MatchCache,
        executor: Executor,
    ) -> None:
        self._follower = follower
        self._live = live
        self._models = models
        self._watchers = watchers
        self._executor = executor

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """What a query answers. It runs in another thread, with a connection of its own.

        If the read models are being rebuilt, since the service began or found them damaged, it
        waits: REPLICA_LAG if that takes too long. So nobody gets half an answer, or a wrong one.
        """
        loop = asyncio.get_running_loop()
        for _ in range(MAX_ATTEMPTS):
            if not self._follower.is_complete:
                await asyncio.to_thread(self._follower.wait_until_complete, PATIENCE_SECONDS)
            question = CancellableQuery()
            try:
                return await loop.run_in_executor(
                    self._executor, cpu_bound()(self.now), query, question
                )
            except ReadFileDamagedError:
                continue
            except asyncio.CancelledError:
                question.cancel()  # the thread is free for who waits yet
                raise
        raise self._anew()

    async def ask_until_ready(self, query: Callable[[Connection], T]) -> T:
        """The same for who can wait, however long the read models take."""
        while True:
            try:
                return await self.ask(query)
            except ApiError as error:
                if error.reason is not Reason.REPLICA_LAG:
                    raise

    def now(self, query: Callable[[Connection], T], question: CancellableQuery | None = None) -> T:
        """The same for who is in another thread already, and does not wait. Blocks on the disk.
        GivenUpError if the question is given up meanwhile; FileDamaged if the read models turned
        out to be so."""
        if not self._follower.is_complete:
            raise self._anew()
        try:
            asked = question or CancellableQuery()
            with self._models.reading() as connection, asked.running_on(connection):
                return query(connection)
        except ProjectionStoppedError as error:
            raise _refused(error.projection_error) from None

    def _anew(self) -> ApiError:
        status = self._follower.cached_status()
        percent = 100 * status.position // max(1, status.newest)  # not how many there are
        return ApiError(
            Reason.REPLICA_LAG,
            f"the read models are being rebuilt, and have {percent}% of all events: ask again"
            " shortly",
            percent=percent,
        )

    def known_version(self, kind: str, identity: UUID) -> int:
        """How many events of a match, army or table the read models have: the log, which is another
        file, must have as many. Blocks on the disk."""
        try:
            with self._models.reading() as connection:
                return VERSIONS[kind](connection, identity)
        except Error as error:  # they can only tell of what is missing, and need not
            log.warning("length_not_known", identity=str(identity), why=str(error))
            return 0

    async def known(self, identity: UUID) -> AnyMatch | None:
        """Return the match as the read models have it, or None if they do not have it yet."""

        def read(connection: Connection) -> AnyMatch | None:
            projection_errors.require_projected(connection, [identity])
            found = board_views.find_match_row(connection, identity)
            return found.match if found else None

        return await self.ask(read)

    async def newest(self, identity: UUID) -> AnyMatch:
        """Return the match as the log has it. MATCH_NOT_FOUND if there is none."""
        return (await self._live.get(identity)).state

    async def standing(self, identity: UUID) -> MatchRow:
        """The match as it stands. MATCH_NOT_FOUND if there is none."""

        def read(connection: Connection) -> MatchRow | None:
            projection_errors.require_projected(connection, [identity])
            return board_views.find_match_row(connection, identity)

        found = await self.ask(read)
        if found is None:
            await self.reached(identity, (await self.newest(identity)).version)
            found = await self.ask(read)
            assert found is not None
        return found

    async def reached(
        self,
        identity: UUID,
        wanted: int,
        seconds_left: float | None = None,
        known: VersionQuery = board_views.latest_version,
    ) -> None:
        """Wait until the read models have this version.

        Raises REPLICA_LAG if that takes too long, and VERSION_OUT_OF_RANGE for a version that the
        match has not reached. Neither tells the present version: the caller may have no right yet.

        Who wants no version waits shortly for what was acknowledged here last, so that whoever acts
        and then looks sees it; should that take longer, older is better than nothing.
        `known` asks for the version that they have: of a match, unless told otherwise.
        """

        async def now() -> int:
            return await self.ask(lambda connection: known(connection, identity))

        least, wanted = wanted, wanted or self._live.version(identity)
        if not wanted or await now() >= wanted:
            return
        if (
            known is board_views.latest_version
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
                f"the read models have not reached version {wanted}",
                match=identity,
                wanted=wanted,
            ) from None

    async def recent(self) -> None:
        """Wait shortly for what the log has now, so that whoever acts and then asks for a list sees
        it there; should that take longer, older is better than nothing."""
        with suppress(PersistenceError):
            await asyncio.to_thread(self._follower.catch_up, SHORT_PATIENCE_SECONDS)

    async def told(self) -> None:
        """Have events put into the index of what public matches tell, for a moment at most."""
        await self.recent()
        await asyncio.to_thread(self._follower.index_events, INDEXING_SECONDS)

    async def caught_up(self) -> None:
        """Wait for all that the log has now, for questions about the whole of it. REPLICA_LAG if
        that takes too long."""
        if not await asyncio.to_thread(self._follower.catch_up, PATIENCE_SECONDS):
            raise ApiError(Reason.REPLICA_LAG, "the read models are far behind the log")


class NoReadModels(ReadModelQueries):
    """Where no read models are kept: what memory and log can answer is answered."""

    def __init__(self, live: MatchCache) -> None:
        self._live = live

    async def ask(self, query: Callable[[Connection], T]) -> T:
        """READ_MODELS_DISABLED."""
        raise wrong_replica()

    def now(self, query: Callable[[Connection], T], question: CancellableQuery | None = None) -> T:
        """READ_MODELS_DISABLED."""
        raise wrong_replica()

    async def ask_until_ready(self, query: Callable[[Connection], T]) -> T:
        """READ_MODELS_DISABLED."""
        raise wrong_replica()

    def known_version(self, kind: str, identity: UUID) -> int:
        """Nobody here can tell of what is missing at the end of the log."""
        return 0

    async def known(self, identity: UUID) -> AnyMatch | None:
        """Return the match as the log has it."""
        return await self.newest(identity)

    async def reached(
        self,
        identity: UUID,
        wanted: int,
        seconds_left: float | None = None,
        known: VersionQuery = board_views.latest_version,
    ) -> None:
        """There is nothing to wait for."""

    async def recent(self) -> None:
        """There is nothing to wait for."""

    async def told(self) -> None:
        """READ_MODELS_DISABLED."""
        raise wrong_replica()

    async def caught_up(self) -> None:
        """READ_MODELS_DISABLED."""
        raise wrong_replica()


def version_of(
    connection: Connection, identity: UUID, wanted: int | None, time: datetime | None
) -> int:
    """The version that is meant by a number or a time; the present one by neither.
    VERSION_OUT_OF_RANGE if the match has none such."""
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


def _refused(trouble: ProjectionError) -> ApiError:
    """RECORD_DAMAGED for what the read models could not follow."""
    return ApiError(
        Reason.RECORD_DAMAGED,
        f"{trouble.match}: {trouble.why}; it is refused until the log is put right",
        identity=trouble.match,
        version=trouble.version,
    )
