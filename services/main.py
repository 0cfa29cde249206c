"""Puts the service together, and takes it apart again without losing anything."""

import asyncio
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import ModuleType
from typing import Final
from uuid import UUID

import structlog

from domain.kernel.packs import Library
from domain.storage.mapper import prepare_decoders
from projections.projector.rebuild import RebuildProgress, rebuild
from projections.projector.runner import ProjectionRunner, ProjectionStatus
from projections.queries.read_files import ReadModels
from services.accounts.authentication import Authenticator
from services.accounts.count_limits import CountLimits
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.api.tree_files import TreeFiles
from services.bots.host import BotHost
from services.bots.process_pool import SearchPool
from services.devices.gateway_streams import GatewayStreams
from services.proof.published_tree import PublishedTree
from services.proof.signing import NoteError, Signer
from services.proof.witness.cosigning import CosignatureCollector, WitnessAddress, read_witnesses
from services.runtime import keys
from services.runtime.clock import current_clock
from services.runtime.limits import Limits
from services.runtime.metrics import MetricSources
from services.runtime.roles import wrong_replica
from services.runtime.settings import Settings, bot_processes
from services.scheduler.conditional_moves import ConditionalMoveRunner
from services.scheduler.flag_falls import FlagFallScheduler
from services.scheduler.low_time import LowTimeWarnings
from services.scheduler.webhooks import WebhookDispatcher
from services.store import runs
from services.store.account_cache import FrontendCache, PlayerCache
from services.store.army_cache import ArmyCache
from services.store.conditional_moves_cache import ConditionalMovesCache
from services.store.deliveries import Deliveries
from services.store.errors import LogFailed, StoreError
from services.store.log import Log
from services.store.log_tail import LogTail
from services.store.match_cache import MatchCache
from services.store.opened_log import Downtime
from services.store.player_profiles import PlayerProfiles
from services.store.read_models import NoReadModels, ReadModelQueries
from services.store.startup import (
    StartError,
    check_log_end,
    import_side_files,
    load_cipher_keys,
    load_library,
    prepare_folder,
    report_start_errors,
)
from services.store.table_cache import TableCache
from services.store.watchers import Watchers
from services.transport.handlers import ServiceDependencies, build_handlers
from services.transport.health import ServingStatus
from services.transport.pipeline import CallPipeline
from services.transport.ports import is_open
from services.transport.servers import TransportServers
from services.transport.statuses import rich_status

log = structlog.get_logger(__name__)

READER_THREADS: Final = 4
"""Threads for queries of the read models."""
LOADER_THREADS: Final = 2
"""Threads that load matches from the log, so that play never waits for queries."""
NO_READ_MODELS: Final = ProjectionStatus(position=0, newest=0, error_count=0, failures=0, error="")


class Service:
    """A running service. Use it as an asynchronous context manager."""

    def __init__(self, settings: Settings, limits: Limits | None = None) -> None:
        """Create a service; `limits` replace the usual ones in tests."""
        self.settings = settings
        self.limits = limits or Limits().scaled(settings.limits)
        self.address = ""
        """Address of the gRPC server with its actual port; empty until it listens."""
        self.http_address = ""
        """URL for browsers; empty until the HTTP server listens, or without one."""
        self.log_name = ""
        """Description of the log's location, for people."""
        self.admin_key = ""
        self.handlers: dict[ModuleType, object] = {}
        """Handlers of calls by the module of their service, the same for every port."""
        self.failed: LogFailed | None = None
        """The failure after which the log must not be written."""
        self.stopping = asyncio.Event()
        """Set by a signal, or when the log has failed: the service is to stop."""
        self._pipeline = CallPipeline(settings, self.limits)
        self._runner: ProjectionRunner | None = None
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> "Service":
        async with AsyncExitStack() as stack:
            try:
                await self._start(stack)
            except (StartError, StoreError):
                raise
            except Exception as error:  # the outermost layer: no start ends in a traceback
                log.debug("start failed", exc_info=True)
                raise StartError(
                    f"cannot start: {type(error).__name__}: {error} (start with --log-level"
                    " debug for details)"
                ) from error
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _start(self, stack: AsyncExitStack) -> None:
        """Start each part in order of dependency; they stop in the opposite order."""
        settings, loop = self.settings, asyncio.get_running_loop()
        folder = prepare_folder(settings)
        with report_start_errors("cannot read the keys of the log"):
            cipher = load_cipher_keys(settings)
        # First, since it takes the lock: of two services that start at once one alone makes keys.
        with report_start_errors(f"cannot open the log of {folder}"):
            self._log = Log(
                folder,
                lambda failure: loop.call_soon_threadsafe(self._fail, failure),
                settings.store,
                cipher,
                lambda: self._prepare(stack),
            )
        stack.push_async_callback(asyncio.to_thread, self._log.close)
        self.log_name = self._log.name
        secret, signing = self._read_keys(folder)
        prints = {"secret": keys.fingerprint(secret), "signing key": keys.fingerprint(signing)}
        self._log.trust_fingerprints(prints)
        if (last := self._log.newest_time()) is not None:
            current_clock().not_before(last)
        with report_start_errors(f"cannot bring what is in {folder} to {self._log.name}"):
            import_side_files(self._log, folder)
            library = load_library(settings, self._log)
        with report_start_errors(f"cannot keep players' names beside {self._log.name}"):
            profiles = PlayerProfiles(self._log.side_store, cipher)
        with report_start_errors(f"cannot keep which notices were posted beside {self._log.name}"):
            deliveries = Deliveries(self._log.side_store)
        readers = ThreadPoolExecutor(READER_THREADS, "reader")
        stack.callback(readers.shutdown)
        loaders = ThreadPoolExecutor(LOADER_THREADS, "loader")
        stack.callback(loaders.shutdown)
        self._live = MatchCache(
            self._log,
            loaders,
            library,
            max_entries=self.limits.cached_matches,
            snapshot_every=self.limits.snapshot_every,
            names=profiles.name,
        )
        stack.push_async_callback(self._live.close)
        self._armies = ArmyCache(self._log, loaders)
        self._tables = TableCache(self._log, loaders)
        self._tables.on_changed_elsewhere = self._on_table_changed
        frontends, players = FrontendCache(self._log, loaders), PlayerCache(self._log, loaders)
        self._plans = ConditionalMovesCache(self._log, loaders)
        self._caches = (
            self._live,
            self._tables,
            self._armies,
            self._plans,
            frontends,
            players,
        )
        stack.push_async_callback(self._tables.close)
        self._gateways = GatewayStreams()
        self._watchers = Watchers()

        with report_start_errors(f"cannot make the read models in {settings.reads_folder}"):
            read_models = self._start_read_models(stack, library, readers, profiles)
        self._log.known_version = read_models.known_version
        downtime = await asyncio.to_thread(self._log.register)
        serving = ServingStatus(self._log, self._runner, settings.role)
        run = await runs.join_or_start_run(self._log, prints["secret"], downtime)
        token_issuer = TokenIssuer(secret, run)
        self._live.request_names = token_issuer.request_names
        quotas = Quotas(frontends, read_models, CountLimits(self.limits), is_open=is_open(settings))
        self._bots = self._start_bots(token_issuer, quotas)
        self._planned = ConditionalMoveRunner(self._live, self._plans, token_issuer, quotas)
        warnings = LowTimeWarnings(self._live, players, token_issuer)
        self._flag_falls = self._new_flag_fall_scheduler(
            token_issuer, folder / "alive", downtime, warnings
        )
        identities = Authenticator(frontends, players, profiles, read_models, settings.outbound)
        self._pipeline.authenticate = identities.authenticate
        webhooks = WebhookDispatcher(
            frontends, read_models, self._watchers, deliveries, token_issuer, settings.outbound
        )
        signer = Signer(signing, settings.key_name)
        published = PublishedTree(read_models, self._log.side_store if self._log.shared else None)
        self._published = published
        asking = CosignatureCollector(
            _parse_witnesses(settings), read_models, published, signer, folder
        )
        parts = ServiceDependencies(
            settings=settings,
            limits=self.limits,
            log=self._log,
            live=self._live,
            tables=self._tables,
            gateways=self._gateways,
            armies=self._armies,
            frontends=frontends,
            players=players,
            profiles=profiles,
            authenticator=identities,
            quotas=quotas,
            webhooks=webhooks,
            conditional_moves=self._plans,
            conditional_move_runner=self._planned,
            bots=self._bots,
            analysis_pool=self._start_coach(stack),
            read_models=read_models,
            watchers=self._watchers,
            token_issuer=token_issuer,
            signer=signer,
            admin_key=self.admin_key,
            rebuild=self._rebuild,
            published=published,
            admit_topic=self._pipeline.topic,
            rich_status=rich_status,
            cosigned=asking.newest,
        )
        await self._flag_falls.start(read_models.ask_until_ready if self._runner else None)
        stack.push_async_callback(self._flag_falls.stop)
        if self._runner is not None:
            await self._planned.start(read_models)
        stack.push_async_callback(self._planned.close)
        self._pipeline.admission.remember_valid(self.admin_key)
        self.handlers = build_handlers(parts)
        self._listening = TransportServers(
            settings, self._pipeline, self.handlers, serving, self.admin_key, library
        )
        sources = MetricSources(
            self.figures,
            self._pipeline.metrics,
            self._gateways.metrics,
            self._log.stats,
            serving.now,
            self._log.pool,
            {"data": folder, "reads": settings.reads_folder},
        )
        tree = TreeFiles(read_models, self._log, signer, published, asking.newest)
        await self._listening.open(sources, tree, stack)
        self.address, self.http_address = self._listening.address, self._listening.http_address
        serving.start(self._listening.show_health)
        stack.push_async_callback(serving.close)
        stack.push_async_callback(self._drain)
        if self._runner is not None:
            lease = stack.enter_context(self._log.exclusive_lease("webhooks"))
            webhooks.start(lease, shared=self._log.shared)
            stack.push_async_callback(webhooks.close)
            self._bots.start(read_models, stack.enter_context(self._log.exclusive_lease("bots")))
            stack.push_async_callback(self._bots.close)
            published.start(stack.enter_context(self._log.exclusive_lease("checkpoints")))
            stack.push_async_callback(published.close)
            asking.start(stack.enter_context(self._log.exclusive_lease("witnesses")))
            stack.push_async_callback(asking.close)

    def _prepare(self, stack: AsyncExitStack) -> None:
        """Prepare all that does not need the log, once this process has the folder."""
        prepare_decoders()
        settings = self.settings
        if settings.role != "play":
            with report_start_errors(f"cannot make the read models in {settings.reads_folder}"):
                self._models = ReadModels(settings.reads_folder)
            stack.callback(self._models.close)

    def _start_bots(self, token_issuer: TokenIssuer, quotas: Quotas) -> BotHost:
        """Return the bot host after starting it; bots find their matches in the read models."""
        settings = self.settings
        processes = bot_processes(settings) if settings.role == "all" else 0
        pool = SearchPool(processes, settings.folder / "packs") if processes else None
        return BotHost(self._live, token_issuer, quotas, pool, max_seats=self.limits.bot_seats)

    def _start_coach(self, stack: AsyncExitStack) -> SearchPool | None:
        """Start the analysis in a separate process, so that it never delays a bot."""
        if not bot_processes(self.settings):
            return None
        pool = SearchPool(1, self.settings.folder / "packs")
        stack.push_async_callback(pool.close)
        return pool

    def _new_flag_fall_scheduler(
        self,
        token_issuer: TokenIssuer,
        heartbeat_file: Path,
        downtime: Downtime | None,
        warnings: LowTimeWarnings,
    ) -> FlagFallScheduler:
        """Return the scheduler of flag falls; on a shared log a heartbeat records downtime."""
        if downtime is None:
            return FlagFallScheduler(self._live, token_issuer, warnings, heartbeat_file)
        return FlagFallScheduler(self._live, token_issuer, warnings, None, downtime)

    def _start_read_models(
        self,
        stack: AsyncExitStack,
        library: Library,
        readers: ThreadPoolExecutor,
        profiles: PlayerProfiles,
    ) -> ReadModelQueries:
        """Follow the log into the read models; in a role without them, only for new versions."""
        loop, recorder = asyncio.get_running_loop(), self._log.recorder

        def found(versions: Mapping[UUID, int]) -> None:  # in the runner's thread
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(self._note_versions, versions)

        if self.settings.role == "play":
            tail = LogTail(recorder, found)
            stack.push_async_callback(asyncio.to_thread, tail.close)
            return NoReadModels(self._live)
        models = self._models
        models.library, models.names = library, profiles.name
        check_log_end(self._log, models)
        runner = ProjectionRunner(recorder, models, self._log.mapper, found)
        stack.push_async_callback(asyncio.to_thread, runner.close)
        self._runner = runner
        return ReadModelQueries(models, runner, self._watchers, self._live, readers)

    def _read_keys(self, folder: Path) -> tuple[bytes, bytes]:
        """Return the secret and the signing key. Raises StartError for a malformed key."""
        settings = self.settings
        with report_start_errors(f"cannot keep keys in {folder}"):
            secret = keys.load_key(settings.secret, "EMETH_SECRET", folder / "secret.key")
            signing = keys.load_key(
                settings.signing_key, "EMETH_SIGNING_KEY", folder / "signing.key"
            )
            if settings.admin_key:
                self.admin_key = keys.check_admin_key(settings.admin_key, "EMETH_ADMIN_KEY")
            else:
                self.admin_key = keys.load_key_file(folder / "admin.key").hex()
        return secret, signing

    async def _drain(self) -> None:
        """Refuse new calls, end all streams, and wait for the calls in progress."""
        await self._listening.refuse()
        await self._flag_falls.stop()
        self._watchers.close()
        self._plans.watchers.close()
        self._gateways.close()
        await self._listening.close()

    def _note_versions(self, versions: Mapping[UUID, int]) -> None:
        """Report that the read models have reached these versions."""
        for live in self._caches:
            live.note_versions(versions)  # first, so that nobody who is woken finds less there
        self._watchers.wake(versions)

    def _on_table_changed(self, identity: UUID) -> None:
        """Update the streams of a table that another service has changed."""
        if self._gateways.is_connected(identity):
            background_task = asyncio.ensure_future(self._notify_gateways(identity))
            self._background_tasks.add(background_task)
            background_task.add_done_callback(self._background_tasks.discard)

    async def _notify_gateways(self, identity: UUID) -> None:
        try:
            self._gateways.apply_change((await self._tables.get(identity)).state)
        except StoreError as error:  # the next tap reports it
            log.warning("gateways not told", table=str(identity), why=str(error))

    def _fail(self, failure: LogFailed) -> None:
        self.failed = self.failed or failure
        self.stopping.set()

    def reload_certificates(self) -> None:
        """Read the TLS certificate and its key again, for connections from now on."""
        self._listening.reload_certificates()

    def figures(self) -> dict[str, int]:
        """Return the figures of the metrics; `docs/operations.md` explains them."""
        writer = self._log.stats()
        runner = self._runner.cached_status() if self._runner else NO_READ_MODELS
        return {
            "log.batches": writer.batches,
            "log.jobs": writer.jobs,
            "log.largest_batch": writer.largest_batch,
            "log.waiting": writer.waiting,
            "log.last_commit_microseconds": round(writer.last_commit_seconds * 1e6),
            "matches.live": len(self._live),
            "clocks.running": len(self._flag_falls),
            "tables.live": len(self._tables),
            "gateways": len(self._gateways),
            "sessions": len(self._listening.sessions),
            "reads.position": runner.position,
            "reads.behind": runner.lag,
            "reads.troubles": runner.error_count,
            "watchers": len(self._watchers),
            "bots.seats": len(self._bots),
        }

    def _rebuild(self) -> Generator[RebuildProgress, None, None]:
        if self._runner is None:
            raise wrong_replica()
        return rebuild(self._log.recorder, self._models, self._log.mapper, self._runner)


def _parse_witnesses(settings: Settings) -> list[WitnessAddress]:
    """Return the witnesses that the settings name. Raises StartError for a malformed key."""
    try:
        return read_witnesses(settings.witnesses)
    except NoteError as error:
        raise StartError(f"EMETH_WITNESSES: {error}") from None
