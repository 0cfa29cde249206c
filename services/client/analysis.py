"""The client's calls of AnalysisService: looking back at a match with a bot's eyes."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import analysis_pb2 as analysis


class AnalysisCalls(Connection):
    """Calls of AnalysisService. Every method raises ServiceError."""

    async def analyse(
        self, token: str, match_id: str, *, nodes: int = 0, seat: str = "", from_version: int = 0
    ) -> AsyncGenerator[analysis.AnalyseMatchResponse, None]:
        """What each event of a finished match was worth, one after the other; with a `seat`, better
        actions are told of that seat's alone. `nodes` positions are looked at for a judgement."""
        request = analysis.AnalyseMatchRequest(
            match_id=match_id, nodes=nodes, seat=seat, from_version=from_version
        )
        stream = self._stream(self._analysis.AnalyseMatch, request, token)
        async with aclosing(stream):
            async for found in stream:
                yield found

    async def hint(
        self, token: str, match_id: str, *, nodes: int = 0, request_id: str | None = None
    ) -> analysis.GiveHintResponse:
        """What a bot would do for the token's seat, where the match allows hints: everybody is told
        that it was asked."""
        request = analysis.GiveHintRequest(
            request_id=request_id or new_request(), match_id=match_id, nodes=nodes
        )
        return await self._call(self._analysis.GiveHint, request, token)
