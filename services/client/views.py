"""The client's calls of ViewsService: scenes, streams, and how sides stand."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable
from contextlib import aclosing
from datetime import datetime

from services.client.connection import Connection, bearer
from services.wire.emeth.v1 import views_pb2 as views
from services.wire.emeth.v1.plans_pb2 import Plan


class ViewsCalls(Connection):
    """Calls of ViewsService. Every method raises ServiceError."""

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
        legal: bool = False,
        selected: str = "",
        narrow: bool = False,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
    ) -> views.GetSceneResponse:
        """What the match looks like, now, at a version or at a time (with its zone); to a `viewer`,
        if the referee asks; all of it, or with a `focus` one space, zone or piece. `legal` marks
        what the viewer may do, with the piece `selected` only what it may; `narrow` draws for a
        phone, `view_from` from another side of the board than the viewer's."""
        request = views.GetSceneRequest(
            match_id=match_id,
            version=version,
            at_least_version=at_least_version,
            format=form,
            viewer=viewer,
            focus=focus,
            legal=legal,
            selected=selected,
            narrow=narrow,
            view_from=view_from,
        )
        if time is not None:
            request.time.FromDatetime(time)
        return await self._call(self._views.GetScene, request, token)

    async def known_state(
        self, token: str, match_id: str, *, version: int | None = None, at_least_version: int = 0
    ) -> views.GetKnownStateResponse:
        """The state as the token's role may know it, now or at a version, for programs that think
        about it: `domain.match.known_states.read_known` reads it."""
        request = views.GetKnownStateRequest(
            match_id=match_id, version=version, at_least_version=at_least_version
        )
        return await self._call(self._views.GetKnownState, request, token)

    async def watch(
        self,
        token: str,
        match_id: str,
        *,
        after_version: int = 0,
        form: views.SceneFormat.ValueType = views.SCENE_FORMAT_UNSPECIFIED,
        until_over: bool = False,
        narrow: bool = False,
        present: bool = False,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
        on_plan: Callable[[Plan | None], None] | None = None,
        patience_seconds: float | None = None,
    ) -> AsyncGenerator[views.WatchedEvent, None]:
        """The match's events as they are recorded, each once, over restarts of the service.

        With `present`, only the newest comes with a scene, and with the match and what the viewer
        may do. `on_plan` is told the plan of the viewer's seat, which comes in the same stream, at
        first and whenever it has changed.
        `patience_seconds` is how long to wait for a service that went away; without it, as long
        as any other call does.
        """
        is_stopping = False

        def start() -> AsyncIterable[views.WatchMatchResponse]:
            nonlocal is_stopping
            is_stopping = False
            request = views.WatchMatchRequest(
                match_id=match_id,
                after_version=after_version,
                format=form,
                until_over=until_over,
                narrow=narrow,
                present=present,
                view_from=view_from,
                plan=on_plan is not None,
            )
            return self._views.WatchMatch(request, metadata=bearer(token))

        stream = self._watch(start, patience_seconds, lambda: until_over and not is_stopping)
        async with aclosing(stream):
            async for response in stream:
                news = response.WhichOneof("news")
                if news == "resume_after":
                    after_version = response.resume_after
                    is_stopping = True
                elif news == "event":
                    after_version = response.event.event.version
                    yield response.event
                elif news == "plan" and on_plan is not None:
                    left = response.plan
                    on_plan(left.plan if left.HasField("plan") else None)

    async def army_status(
        self,
        token: str,
        match_id: str,
        *,
        version: int | None = None,
        seat: str = "",
        viewer: str = "",
        at_least_version: int = 0,
    ) -> views.GetArmyStatusResponse:
        """How the sides of a match stand, now or at a version: all, or that of one seat; to a
        `viewer`, if the referee asks."""
        request = views.GetArmyStatusRequest(
            match_id=match_id,
            version=version,
            seat=seat,
            viewer=viewer,
            at_least_version=at_least_version,
        )
        return await self._call(self._views.GetArmyStatus, request, token)
