"""The client's calls of ViewsService: how matches look, now and as they change."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable
from contextlib import aclosing
from datetime import datetime
from typing import Final

from google.protobuf.field_mask_pb2 import FieldMask

from services.client.connection import Connection, bearer
from services.wire.emeth.v1 import views_pb2 as views
from services.wire.emeth.v1.conditional_moves_pb2 import ConditionalMoves

STANDING: Final = (
    "position", "prompts", "announcements", "result", "status", "proposal", "open_disputes",
    "clocks",
)  # fmt: skip
"""Fields of a view that say where a match stands."""


class ViewsCalls(Connection):
    """Calls of ViewsService. Every method raises ServiceError."""

    async def view(
        self,
        token: str,
        match_id: str,
        *fields: str,
        mask: Iterable[str] = (),
        version: int | None = None,
        time: datetime | None = None,
        at_least_version: int = 0,
        viewer: str = "",
        focus: str = "",
        mark_legal: bool = False,
        selected: str = "",
        narrow: bool = False,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
        army_seat: str = "",
    ) -> views.View:
        """Return how a match looks and stands, now, at a version or at a time (with its zone).

        Args:
            token: of a role; empty for a public match.
            match_id: ID of the match.
            fields: fields of `View` beside those of `STANDING`, such as `text` or `svg`.
            mask: exactly these fields, in place of `fields` and `STANDING`.
            version: version to show; None for the present.
            time: time to show, instead of a version.
            at_least_version: version of the match to wait for.
            viewer: whose view it is, if a referee asks.
            focus: name of a space, zone or piece that is shown alone.
            mark_legal: whether what the viewer may do is marked.
            selected: ID of the piece whose actions are marked.
            narrow: whether drawings are for a phone.
            view_from: side of the board from which drawings are seen.
            army_seat: seat whose army status is given; empty for all.
        """
        request = views.GetViewRequest(
            match_id=match_id,
            at_least_version=at_least_version,
            viewer=viewer,
            read_mask=FieldMask(paths=mask or (*STANDING, *fields)),
            focus=focus,
            mark_legal=mark_legal,
            selected=selected,
            narrow=narrow,
            view_from=view_from,
            army_seat=army_seat,
        )
        if version is not None:
            request.version = version
        if time is not None:
            request.time.FromDatetime(time)
        return (await self._call(self._views.GetView, request, token)).view

    async def watch(
        self,
        token: str,
        match_id: str,
        *fields: str,
        latest: Iterable[str] = (),
        after_version: int = 0,
        until_over: bool = False,
        narrow: bool = False,
        mark_legal: bool = False,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
        on_plan: Callable[[ConditionalMoves | None], None] | None = None,
        patience_seconds: float | None = None,
    ) -> AsyncGenerator[views.MatchEvent, None]:
        """The match's events as they are recorded, each once, over restarts of the service.

        Args:
            token: of a role; empty for a public match.
            match_id: ID of the match.
            fields: fields of `View` that come with each event beside those of `STANDING`.
            latest: fields of `View` that come with the newest event in addition.
            after_version: version after which to begin; 0 for the whole match.
            until_over: whether the stream ends with the match.
            narrow: whether drawings are for a phone.
            mark_legal: whether the newest event's drawing marks what the viewer may do.
            view_from: side of the board from which drawings are seen.
            on_plan: is told the plan of the viewer's seat, at first and whenever it has changed.
            patience_seconds: how long to wait for a service that went away; by default as long as
                any other call does.
        """
        is_stopping = False

        def start() -> AsyncIterable[views.WatchMatchResponse]:
            nonlocal is_stopping
            is_stopping = False
            request = views.WatchMatchRequest(
                match_id=match_id,
                after_version=after_version,
                read_mask=event_mask(fields),
                latest_read_mask=event_mask((*fields, *latest)),
                until_over=until_over,
                narrow=narrow,
                mark_legal=mark_legal,
                view_from=view_from,
                plan=on_plan is not None,
            )
            return self._views.WatchMatch(request, metadata=bearer(token, self._frontend_key))

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


def event_mask(fields: Iterable[str]) -> FieldMask:
    """Return the mask of an event with where the match stands after it, and these fields."""
    return FieldMask(paths=("event", *(f"view.{name}" for name in (*STANDING, *fields))))
