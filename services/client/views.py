"""Client methods that show matches and how they change, built on ViewsService."""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Final

from google.protobuf.field_mask_pb2 import FieldMask

from services.client.subscriptions import SubscriptionCalls
from services.wire.emeth.devices.v1.styluses_pb2 import StylusSeating, UpdateStylusResponse
from services.wire.emeth.v1 import match_views_pb2 as views
from services.wire.emeth.v1 import subscriptions_pb2 as pb
from services.wire.emeth.v1.audit_pb2 import ExplainEventResponse
from services.wire.emeth.v1.conditional_moves_pb2 import ConditionalMoves
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.players_pb2 import Notice
from services.wire.emeth.v1.tables_pb2 import Table

MATCH_STATE_FIELDS: Final = (
    "position", "prompts", "announcements", "result", "status", "proposal", "open_disputes",
    "clocks",
)  # fmt: skip
"""Fields of a view that describe the state of a match."""


class ViewsCalls(SubscriptionCalls):
    """Methods that show matches, lobbies, players and tables. Every method raises ServiceError."""

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
        """Return the view of a match: now, at a version, or at a time.

        Args:
            token: Token of a role; empty for a public match.
            match_id: ID of the match.
            fields: Fields of `View` in addition to `MATCH_STATE_FIELDS`, such as `text` or `svg`.
            mask: Exactly these fields, in place of `fields` and `MATCH_STATE_FIELDS`.
            version: Version to show; None for the newest.
            time: Time to show, with a zone, instead of a version.
            at_least_version: Version of the match to wait for.
            viewer: Viewer whose view a referee requests.
            focus: Name of the only space, zone or piece to show.
            mark_legal: Whether legal actions of the viewer are marked.
            selected: ID of the piece whose actions are marked.
            narrow: Whether drawings are for a phone.
            view_from: Side of the board from which drawings are seen.
            army_seat: Seat whose army status is included; empty for all.
        """
        return await self.get_view(
            token,
            match_id,
            at_least_version=at_least_version,
            version=version,
            time=time,
            viewer=viewer,
            read_mask=mask or (*MATCH_STATE_FIELDS, *fields),
            focus=focus,
            mark_legal=mark_legal,
            selected=selected,
            narrow=narrow,
            view_from=view_from,
            army_seat=army_seat,
        )

    async def match(self, match_id: str, at_least_version: int = 0, *, token: str = "") -> Match:
        """Return the match: its players, prompts and result.

        Without a token, the call uses a token of the match that this client has used or received; a
        private match needs one.
        """
        shown = token or self._match_tokens.get(match_id)
        return (await self.get_match(shown, match_id, at_least_version=at_least_version)).match

    async def explain(
        self,
        token: str,
        match_id: str,
        version: int,
        *fields: str,
        at_least_version: int = 0,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
    ) -> ExplainEventResponse:
        """Return the explanation of one event, with the views before and after it.

        Args:
            token: Token of a role; empty for a public match.
            match_id: ID of the match.
            version: Version of the event.
            fields: Fields of `View` to include.
            at_least_version: Version of the match to wait for.
            view_from: Side of the board from which drawings are seen; empty for the viewer's.
        """
        return await self.explain_event(
            token,
            match_id,
            version=version,
            view_mask=(*MATCH_STATE_FIELDS, *fields),
            at_least_version=at_least_version,
            view_from=view_from,
        )

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
        """Yield the events of a match as they are recorded, each once.

        The watch continues across restarts of the service.

        Args:
            token: Token of a role; empty for a public match.
            match_id: ID of the match.
            fields: Fields of `View` with each event, in addition to `MATCH_STATE_FIELDS`.
            latest: Additional fields of `View` with the newest event.
            after_version: Version after which to begin; 0 for the whole match.
            until_over: Whether the stream ends with the match.
            narrow: Whether drawings are for a phone.
            mark_legal: Whether the newest event's drawing marks legal actions of the viewer.
            view_from: Side of the board from which drawings are seen.
            on_conditional_moves: Called with the conditional moves of the viewer's seat, at first
                and after each change.
            patience_seconds: How long to wait for a service that is away; None for the client's own
                patience.
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
        stream = self._follow_one(token, pb.Topic(match=topic), patience_seconds)
        async with aclosing(stream):
            async for response in stream:
                if response.HasField("match_event"):
                    yield response.match_event
                elif on_conditional_moves is not None:
                    on_conditional_moves(_conditional_moves(response.conditional_moves))

    async def watch_conditional_moves(
        self, token: str, match_id: str, seat: str = ""
    ) -> AsyncGenerator[ConditionalMoves | None, None]:
        """Yield the conditional moves of the seat at first and after each change.

        The watch continues across restarts of the service.
        """
        mask = FieldMask(paths=("event.version",))
        topic = pb.MatchTopic(
            match_id=match_id, viewer=seat, read_mask=mask, conditional_moves=True
        )
        async with aclosing(self._follow_one(token, pb.Topic(match=topic))) as stream:
            async for response in stream:
                if response.HasField("conditional_moves"):
                    yield _conditional_moves(response.conditional_moves)

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
        """Yield the events of a match again, at a chosen pace.

        Events come as fast as they are read, one each `interval_seconds`, or `speed` times as fast
        as they were played. They include the given `fields` of `View`, with drawings seen from side
        `view_from`.
        """
        topic = pb.MatchTopic(
            match_id=match_id,
            after_version=after_version,
            mainline_only=line_only,
            read_mask=event_mask(fields),
            view_from=view_from,
        )
        self._seen_versions.ask(topic)
        if until_version:
            topic.until_version = until_version
        else:
            topic.until_now = True
        if interval_seconds is not None:
            topic.pace.interval.FromTimedelta(timedelta(seconds=interval_seconds))
        elif speed is not None:
            topic.pace.speed = speed
        async with aclosing(self._follow_one(token, pb.Topic(match=topic))) as stream:
            async for response in stream:
                yield response.match_event

    async def watch_lobby(
        self, wanted: str = "", *, cursor: str = "", tokens: Iterable[str] = ()
    ) -> AsyncGenerator[pb.SubscribeResponse, None]:
        """Yield the changes of a list of matches as `lobby_event`, across restarts of the service.

        Without a `cursor`, the first events are the current matches, or report that the list is
        empty. `tokens` open private matches that `wanted` names by ID.
        """
        lobby = pb.LobbyTopic(filter=wanted, tokens=tokens)
        topic = pb.Topic(lobby=lobby, cursor=cursor)
        async with aclosing(self._follow_one("", topic)) as stream:
            async for news in stream:
                yield news

    async def watch_player(
        self, token: str, player_id: str = "", *, cursor: str | None = None
    ) -> AsyncGenerator[Notice, None]:
        """Yield the notices to a player, each once, across restarts of the service.

        With a `cursor`, start after the notice with this ID, or with the oldest if the cursor is
        empty; without one, start now.
        """
        topic = pb.PlayerTopic(player_id=player_id, after_notice_id=cursor)
        async with aclosing(self._follow_one(token, pb.Topic(player=topic))) as stream:
            async for response in stream:
                yield response.notice

    async def watch_devices(self, key: str, table_id: str = "") -> AsyncGenerator[Table, None]:
        """Yield a table with its devices, now and after each change.

        The watch continues across restarts of the service.
        """
        topic = pb.Topic(table=pb.TableTopic(table_id=table_id))
        async with aclosing(self._follow_one(key, topic)) as stream:
            async for response in stream:
                yield response.table

    async def seat_stylus(
        self,
        key: str,
        stylus: str,
        match_id: str,
        tokens: Iterable[str],
        request_id: str = "",
        *,
        codes: Iterable[str] = (),
        gateway_id: str = "",
    ) -> UpdateStylusResponse:
        """Assign a stylus the seats of these tokens and codes."""
        return await self.update_stylus(
            key,
            stylus_id=stylus,
            gateway_id=gateway_id,
            seating=StylusSeating(match_id=match_id, tokens=tokens, codes=codes),
            update_mask=("seating",),
            request_id=request_id,
        )


def _conditional_moves(left: pb.SeatConditionalMoves) -> ConditionalMoves | None:
    return left.conditional_moves if left.HasField("conditional_moves") else None


def event_mask(fields: Iterable[str]) -> FieldMask:
    """Return a field mask for events with the match state after each, and these fields."""
    return FieldMask(paths=("event", *(f"view.{name}" for name in (*MATCH_STATE_FIELDS, *fields))))
