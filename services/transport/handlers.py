"""Construction of the handlers of all proto services from the parts of a running service."""

from collections.abc import Callable
from types import ModuleType

from msgspec import Struct

from services.accounts.authentication import Authenticator
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer
from services.api.admin import AdminHandlers, Rebuild
from services.api.analysis import AnalysisHandlers
from services.api.armies import ArmiesHandlers
from services.api.audit import AuditHandlers
from services.api.background_work import BackgroundWork
from services.api.conditional_moves import ConditionalMovesHandlers
from services.api.devices import DeviceQueries
from services.api.disputes import Disputes
from services.api.explanations import Explanations
from services.api.exports import Exports
from services.api.forks import Forks
from services.api.frontends import FrontendsHandlers
from services.api.games import GamesHandlers
from services.api.gateways import GatewaysHandlers
from services.api.history import HistoryHandlers
from services.api.legal_actions import LegalActions
from services.api.lobby import Lobby
from services.api.match_files import MatchFileDependencies, MatchFiles
from services.api.match_management import MatchManagement
from services.api.match_topics import MatchTopics
from services.api.matches import MatchesHandlers
from services.api.new_matches import NewMatches
from services.api.play import PlayHandlers
from services.api.player_invites import PlayerInvites
from services.api.players import PlayersHandlers
from services.api.proofs import Proofs
from services.api.proposals import Proposals
from services.api.rematches import Rematches
from services.api.replay_pages import ReplayPages
from services.api.requests import PageTokens
from services.api.saved_army_options import SavedArmyOptions
from services.api.seat_conditional_moves import SeatPlans
from services.api.seating import Seating
from services.api.statistics import StatisticsHandlers
from services.api.stream_tickets import StreamTickets
from services.api.styluses import StylusesHandlers
from services.api.submissions import Submissions
from services.api.subscriptions import AdmitTopic, Subscriptions, ToStatus
from services.api.table_owners import TableAdmin, TableOwners
from services.api.tap_grants import TapGrants
from services.api.transcripts import Transcripts
from services.api.views import ViewsHandlers
from services.bots.host import BotHost
from services.bots.process_pool import SearchPool
from services.devices.gateway_streams import GatewayStreams
from services.devices.intake import TapIntake
from services.devices.one_time_codes import OneTimeCodes
from services.devices.pairing import Pairings
from services.proof.attestations import Attestations
from services.proof.published_tree import PublishedTree
from services.proof.receipts import ReceiptSigner
from services.proof.signing import Signer
from services.runtime.limits import Limits
from services.runtime.settings import Settings, is_local
from services.scheduler.conditional_moves import ConditionalMoveRunner
from services.scheduler.webhooks import WebhookDispatcher
from services.store.account_cache import FrontendCache, PlayerCache
from services.store.army_cache import ArmyCache
from services.store.conditional_moves_cache import ConditionalMovesCache
from services.store.log import Log
from services.store.match_cache import MatchCache
from services.store.player_profiles import PlayerProfiles
from services.store.read_models import ReadModelQueries
from services.store.table_cache import TableCache
from services.store.watchers import Watchers
from services.wire.emeth.admin.v1 import admin_pb2
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    games_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)


class ServiceDependencies(Struct, frozen=True):
    """The parts of a service that its handlers depend on."""

    settings: Settings
    limits: Limits
    log: Log
    live: MatchCache
    tables: TableCache
    gateways: GatewayStreams
    """Gateways that are connected."""
    armies: ArmyCache
    frontends: FrontendCache
    players: PlayerCache
    profiles: PlayerProfiles
    authenticator: Authenticator
    quotas: Quotas
    webhooks: WebhookDispatcher
    conditional_moves: ConditionalMovesCache
    conditional_move_runner: ConditionalMoveRunner
    """Executes conditional moves when their triggers occur."""
    bots: BotHost
    analysis_pool: SearchPool | None
    """Process pool for analysis; None if the service has no bots."""
    read_models: ReadModelQueries
    watchers: Watchers
    """Notifies streams of changes in the read models."""
    token_issuer: TokenIssuer
    signer: Signer
    admin_key: str
    rebuild: Rebuild
    published: PublishedTree
    admit_topic: AdmitTopic
    """Authenticates and admits topics of subscriptions."""
    rich_status: ToStatus
    cosigned: Callable[[], str]
    """Returns the newest checkpoint that witnesses cosigned; empty if there is none."""


def build_handlers(parts: ServiceDependencies) -> dict[ModuleType, object]:
    """Return the handlers of each proto file's service."""
    pages = PageTokens(parts.token_issuer)
    new_matches = NewMatches(parts.live, parts.token_issuer, parts.quotas)
    work = BackgroundWork()
    actions = LegalActions(parts.live, pages, work)
    receipts = ReceiptSigner(parts.signer)
    seating = Seating(parts.live, parts.token_issuer)
    files = MatchFiles(parts.live, parts.read_models, _exchange(parts, work))
    proofs = Proofs(
        parts.live,
        parts.read_models,
        parts.log,
        parts.signer,
        parts.admin_key,
        work,
        parts.published,
        parts.cosigned,
    )
    moves = SeatPlans(parts.live, parts.conditional_moves, parts.conditional_move_runner)
    invites = PlayerInvites(parts.players, parts.token_issuer, parts.quotas.count_limits)
    management = MatchManagement(parts.live, parts.token_issuer, invites, parts.admin_key)
    rematches = Rematches(
        parts.live, parts.token_issuer, new_matches, seating, management, parts.quotas, parts.bots
    )
    players = PlayersHandlers(
        parts.players,
        parts.frontends,
        parts.profiles,
        parts.authenticator,
        parts.read_models,
        parts.token_issuer,
        parts.admin_key,
        parts.watchers,
        parts.quotas,
        invites,
    )
    devices = DeviceQueries(
        parts.tables,
        parts.read_models,
        parts.log,
        pages,
        parts.admin_key,
        parts.gateways,
        parts.watchers,
    )
    topics = MatchTopics(
        parts.read_models, parts.watchers, actions, parts.quotas, parts.profiles, moves
    )
    matches = MatchesHandlers(
        parts.live,
        parts.read_models,
        pages,
        parts.token_issuer,
        new_matches,
        SavedArmyOptions(new_matches, parts.armies),
        seating,
        parts.profiles,
        parts.bots,
        Forks(parts.live, parts.token_issuer, new_matches),
        management,
        parts.admin_key,
    )
    subscriptions = Subscriptions(
        {
            "match": topics.follow,
            "lobby": Lobby(parts.read_models, parts.watchers, pages, matches.lobby_filter).follow,
            "player": players.follow,
            "table": devices.follow,
        },
        parts.watchers,
        parts.admit_topic,
        parts.rich_status,
        StreamTickets(parts.token_issuer),
    )
    return {
        games_pb2: GamesHandlers(pages, parts.live.library, parts.bots.levels),
        matches_pb2: matches,
        play_service_pb2: PlayHandlers(
            actions,
            Submissions(parts.live, actions, parts.token_issuer, receipts, parts.quotas),
            Proposals(parts.live, parts.token_issuer, receipts, parts.quotas, rematches),
            ConditionalMovesHandlers(
                moves,
                parts.conditional_moves,
                parts.conditional_move_runner,
                parts.quotas,
                parts.token_issuer,
            ),
        ),
        views_pb2: ViewsHandlers(parts.read_models, actions, subscriptions),
        history_pb2: HistoryHandlers(
            parts.read_models,
            pages,
            Transcripts(new_matches, work),
            files,
            Exports(parts.read_models, files, ReplayPages(parts.read_models, files, proofs, work)),
        ),
        audit_pb2: AuditHandlers(
            Explanations(parts.read_models, parts.log, pages),
            Disputes(
                parts.live,
                parts.read_models,
                pages,
                parts.token_issuer,
                parts.admin_key,
                parts.quotas.count_limits,
            ),
            proofs,
        ),
        armies_pb2: ArmiesHandlers(
            parts.armies,
            parts.read_models,
            pages,
            parts.token_issuer,
            parts.live.library,
            parts.quotas.count_limits,
        ),
        **_device_handlers(parts, pages, devices),
        frontends_pb2: FrontendsHandlers(
            parts.frontends,
            parts.profiles,
            parts.read_models,
            parts.quotas,
            parts.token_issuer,
            parts.admin_key,
            parts.settings.outbound,
            parts.webhooks,
            parts.log.newest,
        ),
        players_pb2: players,
        statistics_pb2: StatisticsHandlers(
            parts.read_models, pages, parts.players, parts.live.library, parts.admin_key
        ),
        analysis_pb2: AnalysisHandlers(
            parts.live, parts.read_models, parts.token_issuer, parts.analysis_pool
        ),
        admin_pb2: AdminHandlers(parts.admin_key, parts.rebuild),
    }


def _device_handlers(
    parts: ServiceDependencies, pages: PageTokens, devices: DeviceQueries
) -> dict[ModuleType, object]:
    """Return the handlers of the services for gateways and styluses."""
    streams, read_models, token_issuer = parts.gateways, parts.read_models, parts.token_issuer
    intake = TapIntake(parts.tables, parts.live, token_issuer, parts.quotas)
    codes = OneTimeCodes(token_issuer)
    pairings = Pairings(parts.tables, read_models, streams.__contains__, token_issuer)
    admin = TableAdmin(
        parts.admin_key,
        is_open=not parts.settings.open and is_local(parts.settings),
        count_limits=parts.quotas.count_limits,
    )
    owners = TableOwners(intake, streams, token_issuer, admin, codes, pairings)
    grants = TapGrants(intake, streams, read_models, codes, pages)
    return {
        gateways_pb2: GatewaysHandlers(intake, streams, owners, devices),
        styluses_pb2: StylusesHandlers(
            intake, streams, token_issuer, pairings, owners, grants, devices, parts.authenticator
        ),
    }


def _exchange(parts: ServiceDependencies, work: BackgroundWork) -> MatchFileDependencies:
    return MatchFileDependencies(
        log=parts.log,
        tables=parts.tables,
        signer=parts.signer,
        attestations=Attestations(parts.log.side_store),
        published_tree=parts.published,
        admin_key=parts.admin_key,
        max_bytes=parts.limits.import_bytes,
        work=work,
    )
