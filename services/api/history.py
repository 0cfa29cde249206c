"""HistoryService: events of matches, as far as the viewer may see them."""

from collections.abc import AsyncIterator
from sqlite3 import Connection
from typing import Final

from projections.queries import branches, history
from projections.views import board_views
from services.accounts.context import RequestContext
from services.api.exports import Exports
from services.api.filters import parse_order, parse_values, text_field
from services.api.match_files import MatchFiles
from services.api.permissions import viewing_role
from services.api.requests import PageTokens, check_version, page_size, parse_uuid
from services.api.transcripts import Transcripts
from services.mapping import messages
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import history_pb2 as pb

DEFAULT_PAGE_SIZE: Final = 100
MAX_PAGE_SIZE: Final = 500
DEFAULT_BRANCHES_PAGE_SIZE: Final = 50
MAX_BRANCHES_PAGE_SIZE: Final = 200
FIELDS: Final = {
    "seat": text_field(),
    "kind": text_field(),
    "rule": text_field(),
    "text": text_field(":"),
}
"""Fields of a `HistoryQuery` by which events can be filtered."""
ORDERS: Final = {"version": False, "version desc": True}
"""Sort orders, and whether the newest event comes first."""


class HistoryHandlers:
    """Handlers of the rpcs of HistoryService."""

    def __init__(
        self,
        read_models: ReadModelQueries,
        pages: PageTokens,
        transcripts: Transcripts,
        files: MatchFiles,
        exports: Exports,
    ) -> None:
        self._read_models = read_models
        self._pages = pages
        self._transcripts = transcripts
        self._files = files
        self._exports = exports

    async def list_events(
        self, call: RequestContext, request: pb.ListEventsRequest
    ) -> pb.ListEventsResponse:
        """List a page of the events of a match."""
        identity = parse_uuid(request.match_id)
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        viewer = await viewing_role(self._read_models, identity, call)
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        wanted = history.HistoryQuery(**parse_values(request.filter, FIELDS))
        descending = parse_order(request.order_by, ORDERS)
        query = ("history", identity, viewer, request.filter, request.order_by)
        begin = self._pages.start(request.page_token, *query)

        page = await self._read_models.ask(
            lambda connection: history.history_page(
                connection,
                identity,
                viewer,
                size,
                begin,
                wanted if request.filter.strip() else None,
                descending=descending,
                changes=request.include_changes,
            )
        )
        return pb.ListEventsResponse(
            events=map(messages.event, page.events),
            next_page_token=self._pages.next(page.next, *query),
        )

    async def list_branches(
        self, call: RequestContext, request: pb.ListBranchesRequest
    ) -> pb.ListBranchesResponse:
        """List the branches of a match in pages, the mainline first."""
        identity = parse_uuid(request.match_id)
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        viewer = await viewing_role(self._read_models, identity, call)
        size = page_size(request.page_size, DEFAULT_BRANCHES_PAGE_SIZE, MAX_BRANCHES_PAGE_SIZE)
        query = ("branches", identity, viewer)
        token = self._pages.read(request.page_token, *query) if request.page_token else "0-0"
        version, begin = map(int, token.split("-"))

        def answer(connection: Connection) -> pb.ListBranchesResponse:
            standing = board_views.find_match_row(connection, identity)
            assert standing is not None
            if begin:
                check_version(standing.match, version)
            found = branches.list_branches(connection, standing.match, viewer, begin, size + 1)
            more = f"{standing.match.version}-{begin + size}" if len(found) > size else ""
            return pb.ListBranchesResponse(
                branches=[messages.branch(each) for each in found[:size]],
                next_page_token=self._pages.write(more, *query) if more else "",
            )

        return await self._read_models.ask(answer)

    async def import_transcript(
        self, call: RequestContext, request: pb.ImportTranscriptRequest
    ) -> pb.ImportTranscriptResponse:
        """Create a match that replays a transcript."""
        return await self._transcripts.import_transcript(call, request)

    def export_match(
        self, call: RequestContext, request: pb.ExportMatchRequest
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """Export a match as a file, in chunks."""
        return self._exports.export_match(call, request)

    async def import_match(
        self, call: RequestContext, requests: AsyncIterator[pb.ImportMatchRequest]
    ) -> pb.ImportMatchResponse:
        """Import a match if its file verifies."""
        return await self._files.import_match(call, requests)
