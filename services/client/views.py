"""The client's calls that look at a match: scenes, streams, history."""

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Final

import grpc.aio

from services.client.connection import Connection, Pauses, ServiceError, bearer
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import views_pb2 as views
from services.wire.emeth.v1.actions_pb2 import Event

LONGEST_PAGE: Final = 500
"""Entries on a page, at most."""


class ViewCalls(Connection):
    """Calls of ViewsService and HistoryService about a match as it is and was."""

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
        pauses = Pauses(patience)
        while True:
            request = views.WatchMatchRequest(
                match_id=match_id, after_version=after_version, format=form, until_over=until_over
            )
            call = self._views.WatchMatch(request, metadata=bearer(token))
            try:
                async for response in call:
                    pauses = Pauses(patience)
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
