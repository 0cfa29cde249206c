"""The client's calls of ViewsService: how matches look, now and as they change."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Final

from google.protobuf.field_mask_pb2 import FieldMask

from services.client.subscriptions import SubscriptionCalls
from services.wire.emeth.v1 import match_views_pb2 as views
from services.wire.emeth.v1 import subscriptions_pb2 as pb
from services.wire.emeth.v1.conditional_moves_pb2 import ConditionalMoves
from services.wire.emeth.v1.views_pb2 import GetViewRequest

STANDING: Final = (
    "position", "prompts", "announcements", "result", "status", "proposal", "open_disputes",
    "clocks",
)  # fmt: skip
"""Fields of a view that say where a match stands."""


class ViewsCalls(SubscriptionCalls):
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
        request = GetViewRequest(
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
        on_conditional_moves: Callable[[ConditionalMoves | None], None] | None = None,
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
            on_conditional_moves: is given those of the viewer's seat, at first and whenever they
                have changed.
            patience_seconds: how long to wait for a service that went away; by default as long as
                any other call does.
        """
        topic = pb.MatchTopic(
            match_id=match_id,
            after_version=after_version,
            read_mask=event_mask(fields),
            latest_read_mask=event_mask((*fields, *latest)),
            narrow=narrow,
            view_from=view_from,
            mark_legal=mark_legal,
            conditional_moves=on_conditional_moves is not None,
        )
        if until_over:
            topic.until_over = True
        stream = self._follow(token, pb.Topic(match=topic), patience_seconds)
        async with aclosing(stream):
            async for response in stream:
                if response.HasField("match_event"):
                    yield response.match_event
                elif on_conditional_moves is not None:
                    on_conditional_moves(_moves(response.conditional_moves))

    async def watch_conditional_moves(
        self, token: str, match_id: str, seat: str = ""
    ) -> AsyncGenerator[ConditionalMoves | None, None]:
        """Yield the conditional moves of the seat now, and again whenever they have changed, over
        restarts of the service."""
        mask = FieldMask(paths=("event.version",))
        topic = pb.MatchTopic(
            match_id=match_id, viewer=seat, read_mask=mask, conditional_moves=True
        )
        async with aclosing(self._follow(token, pb.Topic(match=topic))) as stream:
            async for response in stream:
                if response.HasField("conditional_moves"):
                    yield _moves(response.conditional_moves)

    async def replay(
        self,
        token: str,
        match_id: str,
        *fields: str,
        after_version: int = 0,
        until_version: int = 0,
        line_only: bool = False,
        interval_seconds: float | None = None,
        speed: float | None = None,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
    ) -> AsyncGenerator[views.MatchEvent, None]:
        """The match again: as fast as it is read, an event each `interval_seconds`, or `speed`
        times as fast as it was played; with these `fields` of `View`, drawn `view_from` another
        side than the viewer's."""
        topic = pb.MatchTopic(
            match_id=match_id,
            after_version=after_version,
            mainline_only=line_only,
            read_mask=event_mask(fields),
            view_from=view_from,
        )
        self._seen.ask(topic)
        if until_version:
            topic.until_version = until_version
        else:
            topic.until_now = True
        if interval_seconds is not None:
            topic.pace.interval.FromTimedelta(timedelta(seconds=interval_seconds))
        elif speed is not None:
            topic.pace.speed = speed
        async with aclosing(self._follow(token, pb.Topic(match=topic))) as stream:
            async for response in stream:
                yield response.match_event


def _moves(left: pb.SeatConditionalMoves) -> ConditionalMoves | None:
    return left.conditional_moves if left.HasField("conditional_moves") else None


def event_mask(fields: Iterable[str]) -> FieldMask:
    """Return the mask of an event with where the match stands after it, and these fields."""
    return FieldMask(paths=("event", *(f"view.{name}" for name in (*STANDING, *fields))))
