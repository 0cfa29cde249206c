"""Puts the service of a page together, and answers its calls.

A call is what the Connect door would be sent: the name of a method, a token, and the request's
bytes. So the client and all that is built on it need not know where the service is.
"""

import hmac
from base64 import b64encode
from collections.abc import AsyncIterator, Generator, Mapping, Sequence
from concurrent.futures import Executor, Future
from hashlib import sha256
from types import ModuleType
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import StoredEvent
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from domain.kernel.game import REFEREE
from domain.kernel.packs import OWN
from projections.following.copying import ReadsCopy
from projections.following.rebuild import RebuildProgress
from services.accounts.bounds import Bounds
from services.accounts.identities import Identities
from services.accounts.quotas import Quotas
from services.accounts.webhooks import Webhooks
from services.bots.hosting import BotHost
from services.callers import Call
from services.doors.gate import snake_case
from services.doors.statuses import rich_status
from services.errors import ApiError, Reason, api_error
from services.handlers import ServiceParts, handlers_of
from services.offline.log import PageLog
from services.offline.reads import PageFollower, PageModels, PageReads
from services.planned_actions import PlannedActions
from services.proof.imported_files import ImportedFiles
from services.proof.match_file import Verified
from services.proof.signing import Signer
from services.roles import elsewhere
from services.settings import Settings
from services.store.deliveries import Deliveries
from services.store.errors import StoreError
from services.store.live_accounts import LiveFrontends, LivePlayers
from services.store.live_armies import LiveArmies
from services.store.live_matches import LiveMatches
from services.store.live_plans import LivePlans
from services.store.live_tables import LiveTables
from services.store.people import People
from services.store.sqlite.beside import BesideFile
from services.store.watchers import Watchers
from services.tables.gateway_stream import GatewayStreams
from services.timekeeper import Timekeeper
from services.tokens import Mint

TRUSTED: Final = f"as:{REFEREE}"
"""The token of whoever looks at a match from a file: who has the file has all that is in it."""


class Failed(Exception):  # noqa: N818  # it is the answer to a call
    """A call that failed. `told` is why, as the Connect door would tell it: in JSON."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(error.message)
        status = rich_status(error)
        details = [
            {"type": each.TypeName(), "value": b64encode(each.value).decode()}
            for each in status.details
        ]
        self.told = msgspec.json.encode(
            {"code": status.code, "message": status.message, "details": details}
        )


class _AtOnce(Executor):
    """Runs everything where it is asked for: a page has one thread."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:
            done.set_exception(error)
        return done


class PageService:
    """A service with a log and read models of its own, which end with it."""

    def __init__(self, secret: bytes, folder: str) -> None:
        """The secret has 32 bytes, drawn by whoever makes it: draws, tokens and the signing key
        follow from it. The folder is for what matches from files have beside their events."""
        self._settings = Settings(data=folder)
        self._settings.folder.mkdir(parents=True, exist_ok=True)
        self._beside = BesideFile(self._settings.folder)
        self._imported = ImportedFiles(self._beside)
        self._secret = secret
        self._signer = _signer(secret)
        self._people = People(self._beside)
        self._deliveries = Deliveries(self._beside)
        self._timekeeper: Timekeeper | None = None
        self._planned: PlannedActions | None = None

    async def start(self, events: Sequence[StoredEvent] = ()) -> None:
        """Begin with a log that has these events, in place of what there was."""
        if self._timekeeper is not None:
            await self._timekeeper.stop()
        if self._planned is not None:
            await self._planned.close()
        at_once = _AtOnce()
        log, models, watchers = PageLog(self._beside, events), PageModels(), Watchers()
        live = LiveMatches(log, at_once, OWN, snapshot_every=0)

        def found(versions: Mapping[UUID, int]) -> None:
            live.recorded(versions)
            watchers.wake(versions)

        follower = PageFollower(log, models, found)
        follower.follow()
        log.written = follower.follow
        mint = Mint(self._secret)
        live.request_names = mint.request_names
        # Clocks run in matches that are played here, and stand in those that came as files.
        self._timekeeper = Timekeeper(live, mint, self._settings.folder / "alive")
        await self._timekeeper.start(_none)
        reads = PageReads(models, follower, watchers, live, at_once)
        plans = LivePlans(log, at_once)
        frontends, players = LiveFrontends(log, at_once), LivePlayers(log, at_once)
        quotas = Quotas(frontends, reads, Bounds(self._settings), is_open=True)
        self._planned = PlannedActions(live, plans, mint, quotas)
        outbound = self._settings.outbound
        self._log, self._live = log, live
        self._methods = _methods(
            handlers_of(
                ServiceParts(
                    settings=self._settings,
                    log=log,
                    live=live,
                    tables=LiveTables(log, at_once),
                    gateways=GatewayStreams(),
                    armies=LiveArmies(log, at_once),
                    frontends=frontends,
                    players=players,
                    people=self._people,
                    identities=Identities(frontends, players, self._people, reads, outbound),
                    quotas=quotas,
                    webhooks=Webhooks(frontends, reads, watchers, self._deliveries, mint, outbound),
                    plans=plans,
                    planned=self._planned,
                    coach=None,
                    bots=BotHost(live, mint, quotas, None, most=0),
                    reads=reads,
                    watchers=watchers,
                    mint=mint,
                    signer=self._signer,
                    admin_key=self._secret.hex(),
                    figures=dict[str, int],
                    rebuild=_no_rebuild,
                    copy=_no_copy,
                )
            )
        )
        await self._planned.start(reads)

    async def unary(self, method: str, token: str, raw: bytes) -> bytes:
        """The answer to a call, in bytes. Raises Failed."""
        try:
            handler, request = self._asked(method, raw)
            answer: Message = await handler(_call(token), request)
            return answer.SerializeToString()
        except (ApiError, StoreError) as error:
            raise Failed(api_error(error)) from error

    async def stream(self, method: str, token: str, raw: bytes) -> AsyncIterator[bytes]:
        """The answers to a call that has many. Raises Failed."""
        try:
            handler, request = self._asked(method, raw)
            async for answer in handler(_call(token), request):
                yield answer.SerializeToString()
        except (ApiError, StoreError) as error:
            raise Failed(api_error(error)) from error

    def _asked(self, method: str, raw: bytes) -> tuple[Any, Message]:
        handler, kind = self._methods[method]
        try:
            return handler, kind.FromString(raw)
        except DecodeError:
            raise ApiError(Reason.MESSAGE_UNREADABLE, f"this is no request of {method}") from None

    async def take_in(self, verified: Verified, until: int) -> None:
        """Have a match from a file that was checked in the log, up to a version: all of a sound
        one, else as far as nothing was found. What the log has of it otherwise is forgotten."""
        events = verified.events[:until]
        identity = events[0].originator_id
        held = await self._live.find(identity)
        if held is not None:
            if verified.report.sound and self._log.has(events[-1]):
                return  # it may have gone on here
            others = [each for each in self._log.all() if each.originator_id != identity]
            await self.start(others)
        await self._live.take_in(events)
        match, trailer = verified.match, verified.trailer
        if verified.report.sound and match is not None and trailer is not None:
            self._imported.keep(match, trailer, verified.evidence)


def _methods(handlers: Mapping[ModuleType, object]) -> dict[str, tuple[Any, type[Message]]]:
    """The handler of each method, by its full name, and the type of its request."""
    return {
        f"{service.full_name}/{method.name}": (
            getattr(handler, snake_case(method.name), None),
            GetMessageClass(method.input_type),
        )
        for module, handler in handlers.items()
        for service in module.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    }


def _signer(secret: bytes) -> Signer:
    """The key of this page, which is named as no service's is."""
    signing = hmac.digest(secret, b"signing", sha256)
    return Signer(signing, f"page/{Signer(signing).key.id.hex()}")


def _call(token: str) -> Call:
    if token == TRUSTED:
        return Call("", None, trusted_as=REFEREE)
    return Call(token, None)


async def _none(_: object) -> list[Any]:
    """No clock ran before."""
    return []


def _no_copy() -> ReadsCopy:
    raise elsewhere()


def _no_rebuild() -> Generator[RebuildProgress, None, None]:
    """The read models of a page are never kept, and never wrong."""
    yield from ()
