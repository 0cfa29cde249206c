"""Puts the service of a page together, and answers its calls.

A call is what the Connect door would be sent: the name of a method, a token, and the request's
bytes. So the client and all that is built on it need not know where the service is.
"""

from base64 import b64encode
from collections.abc import AsyncIterator, Generator, Mapping
from concurrent.futures import Executor, Future
from typing import Any, Final
from uuid import UUID

import msgspec
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from domain.kernel.game import REFEREE
from domain.kernel.packs import OWN
from projections.following.rebuild import RebuildProgress
from services.callers import Call
from services.doors.gate import snake_case
from services.doors.statuses import rich_status
from services.errors import ApiError, Reason, api_error
from services.handlers import ServiceParts, handlers_of
from services.offline.log import PageLog
from services.offline.reads import PageFollower, PageModels, PageReads
from services.proof.imported_files import ImportedFiles
from services.proof.match_file import Verified
from services.proof.signing import Signer
from services.settings import Settings
from services.store.errors import StoreError
from services.store.live_armies import LiveArmies
from services.store.live_matches import LiveMatches
from services.store.live_tables import LiveTables
from services.store.watchers import Watchers
from services.tables.gateway_stream import GatewayStreams
from services.tokens import Mint

KEY_NAME: Final = "a-page-without-a-service"
"""Whose key it is that vouches for matches that were played in a page."""
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

    def __init__(self, secret: bytes, signing: bytes, folder: str) -> None:
        """Both keys have 32 bytes and are drawn by whoever makes it. The folder is for what matches
        from files have beside their events."""
        settings = Settings(data=folder, secret=secret.hex(), key_name=KEY_NAME)
        settings.folder.mkdir(parents=True, exist_ok=True)
        at_once = _AtOnce()
        self._log = PageLog()
        models, watchers = PageModels(), Watchers()
        self.live = LiveMatches(self._log, at_once, OWN, snapshot_every=0)

        def found(versions: Mapping[UUID, int]) -> None:
            self.live.recorded(versions)
            watchers.wake(versions)

        follower = PageFollower(self._log, models, found)
        self._log.written = follower.follow
        self._imported = ImportedFiles(settings.folder / "vouchers")
        handlers = handlers_of(
            ServiceParts(
                settings=settings,
                log=self._log,
                live=self.live,
                tables=LiveTables(self._log, at_once),
                gateways=GatewayStreams(),
                armies=LiveArmies(self._log, at_once),
                reads=PageReads(models, follower, watchers, self.live, at_once),
                watchers=watchers,
                mint=Mint(secret),
                signer=Signer(signing, KEY_NAME),
                admin_key=secret.hex(),
                figures=dict[str, int],
                rebuild=_no_rebuild,
            )
        )
        self._methods = {
            f"{service.full_name}/{method.name}": (
                getattr(handler, snake_case(method.name), None),
                GetMessageClass(method.input_type),
            )
            for module, handler in handlers.items()
            for service in module.DESCRIPTOR.services_by_name.values()
            for method in service.methods
        }

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
        """Take in a match from a file that was checked, up to a version: all of a sound one, else
        as far as nothing was found. VersionConflict if it is there already."""
        report, match = verified.report, verified.match
        await self.live.take_in(verified.events[:until])
        if report.sound and match is not None and verified.trailer is not None:
            self._imported.keep(match, verified.trailer, verified.evidence)


def _call(token: str) -> Call:
    if token == TRUSTED:
        return Call("", None, trusted_as=REFEREE)
    return Call(token, None)


def _no_rebuild() -> Generator[RebuildProgress, None, None]:
    """The read models of a page are never kept, and never wrong."""
    yield from ()
