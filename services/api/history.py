"""HistoryService: what was played. What a viewer may see is decided by `projections`."""

from typing import Final

import msgspec

from domain.match import LONGEST_NAME
from projections import history
from services import messages
from services.api.requests import Pages, identifier, page_size, short_text
from services.callers import Call
from services.reads import Reads
from services.wire.emeth.v1 import history_pb2 as pb

USUAL_PAGE: Final = 100
LARGEST_PAGE: Final = 500
LONGEST_SEARCH: Final = 200
"""Characters in the words that are searched for, at most."""


class HistoryHandlers:
    """The rpcs of HistoryService."""

    def __init__(self, reads: Reads, pages: Pages) -> None:
        self._reads = reads
        self._pages = pages

    async def list_history(
        self, call: Call, request: pb.ListHistoryRequest
    ) -> pb.ListHistoryResponse:
        """A page of the match's events, the first event first."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        wanted = history.Query(
            seat=short_text("seat", request.seat, LONGEST_NAME),
            kind=short_text("kind", request.kind, LONGEST_NAME),
            text=short_text("text", request.text, LONGEST_SEARCH),
        )
        filters = msgspec.structs.astuple(wanted)
        query = ("history", identity, viewer, *filters)
        begin = int(self._pages.read(request.page_token, *query)) if request.page_token else 0

        page = await self._reads.ask(
            lambda connection: history.page(
                connection, identity, viewer, size, begin, wanted if any(filters) else None
            )
        )
        return pb.ListHistoryResponse(
            events=map(messages.event, page.events),
            next_page_token=self._pages.write(str(page.next), *query) if page.next else "",
        )

    async def get_record(self, call: Call, request: pb.GetRecordRequest) -> pb.GetRecordResponse:
        """The match's record, as people write it."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        record = await self._reads.ask(
            lambda connection: history.record(connection, identity, viewer)
        )
        return pb.GetRecordResponse(record=record.text, version=record.version)
