"""A client of the service, for programs written in Python: the command line, tests and benches.

It makes request ids, so that every call may be repeated; repeats calls that found the service
away; follows a watched match over restarts; and turns errors into `ServiceError`.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct as StructMessage
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from grpc_status.rpc_status import from_call

from services.client_armies import ArmyCalls
from services.client_audit import AuditCalls, new_request
from services.client_past import PastCalls
from services.client_proofs import ProofCalls
from services.client_versions import SeenVersions
from services.wire.emeth.v1 import admin_pb2 as admin
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import matches_pb2 as matches
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1 import views_pb2 as views
from services.wire.emeth.v1.actions_pb2 import Action, Event
from services.wire.emeth.v1.admin_pb2_grpc import AdminServiceStub
from services.wire.emeth.v1.armies_pb2_grpc import ArmiesServiceStub
from services.wire.emeth.v1.audit_pb2_grpc import AuditServiceStub
from services.wire.emeth.v1.history_pb2_grpc import HistoryServiceStub
from services.wire.emeth.v1.matches_pb2_grpc import MatchesServiceStub
from services.wire.emeth.v1.play_pb2_grpc import PlayServiceStub
from services.wire.emeth.v1.views_pb2_grpc import ViewsServiceStub

if TYPE_CHECKING:  # it is made of this module
    from services.witness import Witness

DEADLINE_SECONDS: Final = 30.0
"""For one call, repetitions and all; a stream has none."""
PATIENCE_SECONDS: Final = 2.0
"""How long calls are repeated that find the service away, unless the client is told otherwise."""
SHORTEST_PAUSE_SECONDS: Final = 0.05
LONGEST_PAUSE_SECONDS: Final = 1.0
"""Between two repetitions: the first pause, and where doubling it ends."""
LONGEST_PAGE: Final = 500

_CHANNEL: Final = (
    # A service that starts anew is found within a second, not within gRPC's two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
)

Q = TypeVar("Q", bound=Message)
P = TypeVar("P", bound=Message)


class ServiceError(Exception):
    """A call that the service could not answer, or that never reached it."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str] | None = None,
        violations: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        """UPPER_SNAKE_CASE; empty if the error is not the service's own but the transport's."""
        self.message = message
        self.metadata = dict(metadata or {})
        self.violations = dict(violations or {})
        """What is wrong with each field of a malformed request."""

    @classmethod
    def from_rpc(cls, error: grpc.aio.AioRpcError) -> "ServiceError":
        """The error with the details that the service packed into it."""
        reason, metadata, violations = "", {}, {}
        status = from_call(error)  # type: ignore[arg-type]  # it has all that is read of a Call
        for detail in status.details if status else ():
            info, bad = ErrorInfo(), BadRequest()
            if detail.Unpack(info):
                reason, metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(bad):
                violations = {v.field: v.description for v in bad.field_violations}
        return cls(error.code(), reason, error.details() or "", metadata, violations)

    @property
    def unreachable(self) -> bool:
        """Did the call never reach a service?"""
        return self.code is grpc.StatusCode.UNAVAILABLE and not self.reason


class Client(ArmyCalls, AuditCalls, PastCalls, ProofCalls):
    """A connection to one service. Use it as an async context manager.

    What it reads of a match is never older than what it has done there itself.

    Every method raises ServiceError. A `token` is one of the match's; see `MatchesService`. A
    `request_id` is made for each call unless given: give one to be able to repeat the call later.
    """

    def __init__(
        self,
        address: str,
        *,
        name: str = "",
        credentials: grpc.ChannelCredentials | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
        witness: "Witness | None" = None,
    ) -> None:
        """`address` is `host:port`; `name` goes into the log with each action.

        `credentials` are `grpc.ssl_channel_credentials(...)` for a service with TLS. For
        `patience_seconds`, a call that finds the service away is repeated, which its request id
        makes safe, and a watched match is joined again. With a `witness`, actions are taken only
        in a log that extends what it has kept, and it keeps each receipt; see `witness.Rewritten`.
        """
        self.address = address
        self._name = name
        self._patience = patience_seconds
        self._witness = witness
        self._seen = SeenVersions()
        self._channel = (
            grpc.aio.secure_channel(address, credentials, _CHANNEL)
            if credentials
            else grpc.aio.insecure_channel(address, _CHANNEL)
        )
        self._matches = MatchesServiceStub(self._channel)
        self._play = PlayServiceStub(self._channel)
        self._views = ViewsServiceStub(self._channel)
        self._history = HistoryServiceStub(self._channel)
        self._armies = ArmiesServiceStub(self._channel)
        self._audit = AuditServiceStub(self._channel)
        self._admin = AdminServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    # --- games and matches ---------------------------------------------------------------------

    async def games(self) -> list[matches.GameSummary]:
        """The games that the service has."""
        answer = await self._call(self._matches.ListGames, matches.ListGamesRequest())
        return list(answer.games)

    async def game(self, slug: str) -> matches.GetGameResponse:
        """All of one game: options, seats, rules, notation."""
        return await self._call(self._matches.GetGame, matches.GetGameRequest(game=slug))

    async def create_match(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        title: str = "",
        request_id: str | None = None,
        *,
        chance: matches.Chance.ValueType = matches.CHANCE_UNSPECIFIED,
        undo: matches.UndoPolicy.ValueType = matches.UNDO_POLICY_UNSPECIFIED,
        pause_on_dispute: bool = False,
        armies: Mapping[str, str] | None = None,
    ) -> matches.CreateMatchResponse:
        """A new match, and its tokens by role. Unless told otherwise, the players enter what chance
        shows, and every opponent must consent to an undo. `armies` are ids of saved armies by
        seat."""
        given = StructMessage()
        given.update(dict(options or {}))
        request = matches.CreateMatchRequest(
            request_id=request_id or new_request(),
            game=game,
            options=given,
            title=title,
            chance=chance,
            undo=undo,
            pause_on_dispute=pause_on_dispute,
            armies=armies,
        )
        return await self._call(self._matches.CreateMatch, request)

    async def match(self, match_id: str, at_least_version: int = 0) -> matches.Match:
        """Who plays, what is asked, how it ended."""
        request = matches.GetMatchRequest(match_id=match_id, at_least_version=at_least_version)
        return (await self._call(self._matches.GetMatch, request)).match

    async def list_matches(
        self, request: matches.ListMatchesRequest
    ) -> matches.ListMatchesResponse:
        """One page of matches."""
        return await self._call(self._matches.ListMatches, request)

    async def claim_seat(
        self,
        token: str,
        match_id: str,
        seat: str,
        player: str,
        request_id: str | None = None,
        *,
        entropy: str = "",
    ) -> matches.ClaimSeatResponse:
        """Take a seat. The answer's token replaces the one that was shown.

        `entropy` is the player's own share in all later draws of the service.
        """
        request = matches.ClaimSeatRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            seat=seat,
            player=player,
            entropy=entropy,
        )
        return await self._call(self._matches.ClaimSeat, request, token)

    async def leave_seat(
        self, token: str, match_id: str, seat: str, request_id: str | None = None
    ) -> matches.LeaveSeatResponse:
        """Give a seat back."""
        request = matches.LeaveSeatRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat
        )
        return await self._call(self._matches.LeaveSeat, request, token)

    # --- play ----------------------------------------------------------------------------------

    async def list_actions(
        self, token: str, match_id: str, seat: str = "", verb: str = "", group: str = ""
    ) -> list[Action]:
        """What a seat may do now, or all of one verb; in groups where the game has them.

        `group` is an action's own, and asks for the actions that it stands for.
        """
        actions: list[Action] = []
        page = ""
        while True:
            request = play.ListActionsRequest(
                match_id=match_id,
                seat=seat,
                verb=verb,
                group=group,
                page_size=LONGEST_PAGE,
                page_token=page,
            )
            try:
                answer = await self._call(self._play.ListActions, request, token)
            except ServiceError as error:
                if not page or error.reason != "VERSION_STALE":
                    raise
                actions, page = [], ""  # the match moved on between two pages: begin again
                continue
            actions.extend(answer.actions)
            page = answer.next_page_token
            if not page:
                return actions

    async def list_every_action(self, token: str, match_id: str, seat: str = "") -> list[Action]:
        """Everything a seat may do now, one by one; there may be thousands."""
        actions: list[Action] = []
        for action in await self.list_actions(token, match_id, seat):
            if action.group:
                actions += await self.list_actions(token, match_id, seat, group=action.group)
            else:
                actions.append(action)
        return actions

    async def submit(
        self,
        token: str,
        match_id: str,
        action: str,
        *,
        human: bool = False,
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> play.SubmitActionResponse:
        """Take one action, in machine notation or, if `human`, in the rulebook's.

        With an `expected_version` it is taken only if the match is still at that version.
        """
        request = play.SubmitActionRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            expected_version=expected_version,
            client=self._name,
        )
        if human:
            request.human = action
        else:
            request.action = action
        await self._check_witness(match_id)
        answer = await self._call(self._play.SubmitAction, request, token)
        if answer.HasField("accepted"):
            await self._witnessed(answer.accepted.receipt)
        return answer

    async def preview(
        self, token: str, match_id: str, action: str, *, human: bool = False
    ) -> play.PreviewActionResponse:
        """What an action would do."""
        request = play.PreviewActionRequest(match_id=match_id)
        if human:
            request.human = action
        else:
            request.action = action
        return await self._call(self._play.PreviewAction, request, token)

    async def resign(
        self, token: str, match_id: str, request_id: str | None = None
    ) -> play.ResignResponse:
        """Give the match up."""
        request = play.ResignRequest(
            request_id=request_id or new_request(), match_id=match_id, client=self._name
        )
        await self._check_witness(match_id)
        answer = await self._call(self._play.Resign, request, token)
        if answer.HasField("accepted"):
            await self._witnessed(answer.accepted.receipt)
        return answer

    async def _check_witness(self, match_id: str) -> None:
        if self._witness is not None:
            await self._witness.check(self, match_id)

    async def _witnessed(self, receipt: play.Receipt) -> None:
        if self._witness is not None:
            await self._witness.keep(self, receipt)

    # --- looking -------------------------------------------------------------------------------

    async def scene(
        self,
        token: str,
        match_id: str,
        *,
        version: int | None = None,
        time: datetime | None = None,
        at_least_version: int = 0,
        form: views.SceneFormat.ValueType = views.SCENE_FORMAT_TEXT,
        viewer: str = "",
        focus: str = "",
    ) -> views.GetSceneResponse:
        """What the match looks like, now, at a version or at a time (with its zone); to a `viewer`,
        if the referee asks; all of it, or with a `focus` one space."""
        request = views.GetSceneRequest(
            match_id=match_id,
            version=version,
            at_least_version=at_least_version,
            format=form,
            viewer=viewer,
            focus=focus,
        )
        if time is not None:
            request.time.FromDatetime(time)
        return await self._call(self._views.GetScene, request, token)

    async def watch(
        self,
        token: str,
        match_id: str,
        *,
        after_version: int = 0,
        form: views.SceneFormat.ValueType = views.SCENE_FORMAT_UNSPECIFIED,
        until_over: bool = False,
        patience_seconds: float | None = None,
    ) -> AsyncGenerator[views.WatchedEvent, None]:
        """The match's events as they are recorded, each once, over restarts of the service.

        `patience_seconds` is how long to wait for a service that went away; without it, as long
        as any other call does.
        """
        patience = self._patience if patience_seconds is None else patience_seconds
        pauses = _Pauses(patience)
        while True:
            request = views.WatchMatchRequest(
                match_id=match_id, after_version=after_version, format=form, until_over=until_over
            )
            call = self._views.WatchMatch(request, metadata=_bearer(token))
            try:
                async for response in call:
                    pauses = _Pauses(patience)
                    if response.WhichOneof("news") == "resume_after":
                        after_version = response.resume_after
                        break
                    after_version = response.event.event.version
                    yield response.event
                else:
                    return
            except grpc.aio.AioRpcError as error:
                await pauses.after(ServiceError.from_rpc(error))
            finally:
                call.cancel()

    async def list_history(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> list[Event]:
        """All events of a match, the first one first."""
        events: list[Event] = []
        page = ""
        while True:
            request = history.ListHistoryRequest(
                match_id=match_id,
                at_least_version=at_least_version,
                page_size=LONGEST_PAGE,
                page_token=page,
            )
            answer = await self._call(self._history.ListHistory, request, token)
            events.extend(answer.events)
            page = answer.next_page_token
            if not page:
                return events

    async def record(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> history.GetRecordResponse:
        """The match as the rulebook's players would write it down."""
        request = history.GetRecordRequest(match_id=match_id, at_least_version=at_least_version)
        return await self._call(self._history.GetRecord, request, token)

    # --- keeping the service: with the admin key -------------------------------------------------

    async def rebuild(
        self, admin_key: str
    ) -> AsyncGenerator[admin.RebuildProjectionsResponse, None]:
        """Make the read models anew; tells how far it is."""
        request = admin.RebuildProjectionsRequest()
        stream = self._stream(self._admin.RebuildProjections, request, admin_key)
        async with aclosing(stream):
            async for progress in stream:
                yield progress

    async def stats(self, admin_key: str) -> dict[str, int]:
        """The service's figures by name."""
        answer = await self._call(self._admin.GetStats, admin.GetStatsRequest(), admin_key)
        return dict(answer.figures)

    async def _stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Q, P], request: Q, token: str = ""
    ) -> AsyncGenerator[P, None]:
        self._seen.ask(request)
        call = method(request, metadata=_bearer(token))
        try:
            async for message in call:
                yield message
        except grpc.aio.AioRpcError as error:
            raise ServiceError.from_rpc(error) from None
        finally:
            call.cancel()

    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Q, P], request: Q, token: str = ""
    ) -> P:
        self._seen.ask(request)
        pauses = _Pauses(self._patience)
        until = asyncio.get_running_loop().time() + DEADLINE_SECONDS
        while True:
            left = until - asyncio.get_running_loop().time()
            try:
                response = await method(request, timeout=left, metadata=_bearer(token))
            except grpc.aio.AioRpcError as error:
                await pauses.after(ServiceError.from_rpc(error))
            else:
                self._seen.learn(request, response)
                return response

    async def _upload(
        self,
        method: grpc.aio.StreamUnaryMultiCallable[Q, P],
        requests: AsyncIterator[Q],
        token: str = "",
    ) -> P:
        try:
            return await method(requests, metadata=_bearer(token))
        except grpc.aio.AioRpcError as error:
            raise ServiceError.from_rpc(error) from None


class _Pauses:
    """Between repetitions of a call that finds the service away: longer each time, then an end."""

    def __init__(self, patience_seconds: float) -> None:
        self._until = asyncio.get_running_loop().time() + patience_seconds
        self._pause = SHORTEST_PAUSE_SECONDS

    async def after(self, error: ServiceError) -> None:
        """Wait before the next try. Raises the error if there is to be none."""
        ends = asyncio.get_running_loop().time() + self._pause > self._until
        if ends or error.code is not grpc.StatusCode.UNAVAILABLE:
            raise error from None
        await asyncio.sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)


def _bearer(token: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {token}"),) if token else ()
