"""The client's calls of HistoryService: what was played, and matches made of others."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

from msgspec import Struct

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import matches_pb2 as matches
from services.wire.emeth.v1.actions_pb2 import Event

LONGEST_PAGE: Final = 500
"""Entries on a page, at most."""
CHUNK: Final = 65_536
"""Bytes of a file that are sent at once."""


class ExportedText(Struct, frozen=True):
    """A match as text."""

    text: str
    version: int
    """Version of the last event in it."""


class HistoryCalls(Connection):
    """Calls of HistoryService. Every method raises ServiceError."""

    async def list_events(
        self,
        token: str,
        match_id: str,
        at_least_version: int = 0,
        *,
        wanted: str = "",
        order_by: str = "",
        changes: bool = False,
    ) -> list[Event]:
        """List all events of a match that fit a filter, as `seat = white`, by default the first one
        first; with how they changed the scene, if asked."""
        events: list[Event] = []
        page = ""
        while True:
            request = history.ListEventsRequest(
                match_id=match_id,
                at_least_version=at_least_version,
                page_size=LONGEST_PAGE,
                page_token=page,
                filter=wanted,
                order_by=order_by,
                include_changes=changes,
            )
            answer = await self._call(self._history.ListEvents, request, token)
            events.extend(answer.events)
            page = answer.next_page_token
            if not page:
                return events

    async def branches(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> list[history.Branch]:
        """The mainline, and all branches that were undone, the latest first."""
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

    async def transcript(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> ExportedText:
        """The match as text for people."""
        return await self._text(token, match_id, history.EXPORT_FORMAT_TRANSCRIPT, at_least_version)

    async def score(self, token: str, match_id: str, at_least_version: int = 0) -> ExportedText:
        """The match as the rulebook's players would write it down."""
        return await self._text(token, match_id, history.EXPORT_FORMAT_SCORE, at_least_version)

    async def _text(
        self,
        token: str,
        match_id: str,
        export_format: history.ExportFormat.ValueType,
        at_least_version: int,
    ) -> ExportedText:
        request = history.ExportMatchRequest(
            match_id=match_id, format=export_format, at_least_version=at_least_version
        )
        raw, version = b"", 0
        async with aclosing(self._stream(self._history.ExportMatch, request, token)) as chunks:
            async for chunk in chunks:
                raw += chunk.data
                version = version or chunk.version
        return ExportedText(raw.decode(), version)

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

    async def export_match(
        self,
        token: str,
        match_id: str,
        export_format: history.ExportFormat.ValueType = history.EXPORT_FORMAT_MATCH_FILE,
        at_least_version: int = 0,
    ) -> AsyncGenerator[bytes, None]:
        """A file of a match, in chunks."""
        request = history.ExportMatchRequest(
            match_id=match_id, format=export_format, at_least_version=at_least_version
        )
        async with aclosing(self._stream(self._history.ExportMatch, request, token)) as chunks:
            async for chunk in chunks:
                yield chunk.data

    async def import_match(self, admin_key: str, raw: bytes) -> matches.Match:
        """Have a file taken in, with the admin key."""
        return (await self._upload(self._history.ImportMatch, lambda: _cut(raw), admin_key)).match


async def _cut(raw: bytes) -> AsyncIterator[history.ImportMatchRequest]:
    for begin in range(0, len(raw), CHUNK):
        yield history.ImportMatchRequest(data=raw[begin : begin + CHUNK])
