"""The client's calls of HistoryService: what was played, and matches made of others."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from datetime import timedelta
from typing import Final

from services.client.connection import Connection, new_request
from services.client.views import event_mask
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import matches_pb2 as matches
from services.wire.emeth.v1 import views_pb2 as views
from services.wire.emeth.v1.actions_pb2 import Event

LONGEST_PAGE: Final = 500
"""Entries on a page, at most."""
PIECE: Final = 65_536
"""Bytes of a file that are sent at once."""


class HistoryCalls(Connection):
    """Calls of HistoryService. Every method raises ServiceError."""

    async def list_history(
        self,
        token: str,
        match_id: str,
        at_least_version: int = 0,
        *,
        changes: bool = False,
        text: str = "",
    ) -> list[Event]:
        """All events of a match, the first one first, or those that are told with all the words of
        a text; with how they changed the scene, if asked."""
        events: list[Event] = []
        page = ""
        while True:
            request = history.ListHistoryRequest(
                match_id=match_id,
                at_least_version=at_least_version,
                page_size=LONGEST_PAGE,
                page_token=page,
                changes=changes,
                text=text,
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

    async def branches(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> list[history.Branch]:
        """The present line, and all branches that were undone, the latest first."""
        found: list[history.Branch] = []
        page = ""
        while True:
            request = history.ListBranchesRequest(
                match_id=match_id, at_least_version=at_least_version, page_token=page
            )
            answer = await self._call(self._history.ListBranches, request, token)
            found.extend(answer.branches)
            page = answer.next_page_token
            if not page:
                return found

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
        request = history.ReplayRequest(
            match_id=match_id,
            after_version=after_version,
            until_version=until_version,
            line_only=line_only,
            read_mask=event_mask(fields),
            view_from=view_from,
        )
        if interval_seconds is not None:
            request.pace = history.PACE_CONSTANT
            request.interval.FromTimedelta(timedelta(seconds=interval_seconds))
        elif speed is not None:
            request.pace = history.PACE_REAL
            request.speed = speed
        async with aclosing(self._stream(self._history.Replay, request, token)) as stream:
            async for response in stream:
                yield response.event

    async def transcript(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> history.GetTranscriptResponse:
        """The match as text for people."""
        request = history.GetTranscriptRequest(match_id=match_id, at_least_version=at_least_version)
        return await self._call(self._history.GetTranscript, request, token)

    async def import_transcript(
        self, transcript: str, request_id: str | None = None
    ) -> history.ImportTranscriptResponse:
        """A new match that plays a transcript again, and its tokens by role."""
        request = history.ImportTranscriptRequest(
            request_id=request_id or new_request(),
            transcript=transcript,
            client_secret=self._client_secret,
        )
        return await self._call(self._history.ImportTranscript, request)

    # --- files -----------------------------------------------------------------------------------

    async def export_match(self, token: str, match_id: str) -> AsyncGenerator[bytes, None]:
        """The file of a match, in pieces."""
        request = history.ExportMatchRequest(match_id=match_id)
        stream = self._stream(self._history.ExportMatch, request, token)
        async with aclosing(stream):
            async for response in stream:
                yield response.piece

    async def export_replay(self, token: str, match_id: str) -> AsyncGenerator[bytes, None]:
        """A page that replays the match with no network, as the token's role may see it, in
        pieces; with the match's file in it where the role may have that."""
        request = history.ExportReplayRequest(match_id=match_id)
        stream = self._stream(self._history.ExportReplay, request, token)
        async with aclosing(stream):
            async for response in stream:
                yield response.piece

    async def import_match(self, admin_key: str, raw: bytes) -> matches.Match:
        """Have a file taken in, with the admin key."""
        return (await self._upload(self._history.ImportMatch, lambda: _cut(raw), admin_key)).match


async def _cut(raw: bytes) -> AsyncIterator[history.ImportMatchRequest]:
    for begin in range(0, len(raw), PIECE):
        yield history.ImportMatchRequest(piece=raw[begin : begin + PIECE])
