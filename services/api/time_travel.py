"""A match as it stood: branches that were undone."""

from sqlite3 import Connection
from typing import Final

from projections import board_views, branches
from services import messages
from services.api.requests import PageTokens, check_version, identifier, page_size
from services.callers import Call
from services.reads import Reads
from services.wire.emeth.v1 import history_pb2 as pb

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200


class TimeTravel:
    """Shows matches as they stood."""

    def __init__(self, reads: Reads, pages: PageTokens) -> None:
        self._reads = reads
        self._pages = pages

    async def list_branches(
        self, call: Call, request: pb.ListBranchesRequest
    ) -> pb.ListBranchesResponse:
        """A page of the match's branches, the mainline first."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = ("branches", identity, viewer)
        token = self._pages.read(request.page_token, *query) if request.page_token else "0-0"
        version, begin = map(int, token.split("-"))

        def answer(connection: Connection) -> pb.ListBranchesResponse:
            standing = board_views.present(connection, identity)
            assert standing is not None
            if begin:
                check_version(standing.match, version)
            found = branches.listed(connection, standing.match, viewer, begin, size + 1)
            more = f"{standing.match.version}-{begin + size}" if len(found) > size else ""
            return pb.ListBranchesResponse(
                branches=[messages.branch(each) for each in found[:size]],
                next_page_token=self._pages.write(more, *query) if more else "",
            )

        return await self._reads.ask(answer)
