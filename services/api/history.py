"""HistoryService: what was played. What a viewer may see is decided by `projections`."""

from collections.abc import AsyncIterator
from typing import Final

import msgspec

from domain.match import LONGEST_NAME
from projections import history
from services import messages
from services.api.exports import Exports
from services.api.match_files import MatchFiles
from services.api.requests import LONGEST_SEARCH, PageTokens, identifier, page_size, short_text
from services.api.time_travel import TimeTravel
from services.api.transcripts import Transcripts
from services.callers import Call
from services.reads import Reads
from services.wire.emeth.v1 import history_pb2 as pb

USUAL_PAGE: Final = 100
LARGEST_PAGE: Final = 500


class HistoryHandlers:
    """The rpcs of HistoryService."""

    def __init__(
        self,
        reads: Reads,
        pages: PageTokens,
        time_travel: TimeTravel,
        transcripts: Transcripts,
        files: MatchFiles,
        exports: Exports,
    ) -> None:
        self._reads = reads
        self._pages = pages
        self._time_travel = time_travel
        self._transcripts = transcripts
        self._files = files
        self._exports = exports

    async def list_events(self, call: Call, request: pb.ListEventsRequest) -> pb.ListEventsResponse:
        """List the events of a match in pages, the first event first."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        wanted = history.HistoryQuery(
            seat=short_text("seat", request.seat, LONGEST_NAME),
            kind=short_text("kind", request.kind, LONGEST_NAME),
            rule=short_text("rule", request.rule, LONGEST_NAME),
            text=short_text("text", request.text, LONGEST_SEARCH),
        )
        filters = msgspec.structs.astuple(wanted)
        query = ("history", identity, viewer, *filters)
        begin = self._pages.begin(request.page_token, *query)

        page = await self._reads.ask(
            lambda connection: history.page(
                connection,
                identity,
                viewer,
                size,
                begin,
                wanted if any(filters) else None,
                changes=request.include_changes,
            )
        )
        return pb.ListEventsResponse(
            events=map(messages.event, page.events),
            next_page_token=self._pages.next(page.next, *query),
        )

    async def list_branches(
        self, call: Call, request: pb.ListBranchesRequest
    ) -> pb.ListBranchesResponse:
        """A page of the match's branches, the mainline first."""
        return await self._time_travel.list_branches(call, request)

    async def import_transcript(
        self, call: Call, request: pb.ImportTranscriptRequest
    ) -> pb.ImportTranscriptResponse:
        """Start a match that plays a transcript again."""
        return await self._transcripts.import_transcript(call, request)

    def export_match(
        self, call: Call, request: pb.ExportMatchRequest
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """Export a match as a file, in chunks."""
        return self._exports.export_match(call, request)

    async def import_match(
        self, call: Call, requests: AsyncIterator[pb.ImportMatchRequest]
    ) -> pb.ImportMatchResponse:
        """Take in a match, if its file verifies."""
        return await self._files.import_match(call, requests)
