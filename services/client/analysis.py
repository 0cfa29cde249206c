"""The client's calls of AnalysisService."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import analysis_pb2 as analysis


class AnalysisCalls(Connection):
    """Calls of AnalysisService. Every method raises ServiceError."""

    async def analyze(
        self, token: str, match_id: str, *, nodes: int = 0, seat: str = "", from_version: int = 0
    ) -> AsyncGenerator[analysis.AnalyzeMatchResponse, None]:
        """Analyze a finished match, one event after the other; with a `seat`, only that seat's
        actions are judged. `nodes` positions are evaluated for a judgement."""
        request = analysis.AnalyzeMatchRequest(
            match_id=match_id, nodes=nodes, seat=seat, from_version=from_version
        )
        stream = self._stream(self._analysis.AnalyzeMatch, request, token)
        async with aclosing(stream):
            async for found in stream:
                yield found

    async def hint(
        self, token: str, match_id: str, *, nodes: int = 0, request_id: str | None = None
    ) -> analysis.GetHintResponse:
        """Get what a bot would do for the token's seat, where the match allows hints. Everyone is
        told that the seat asked."""
        request = analysis.GetHintRequest(
            request_id=request_id or new_request(), match_id=match_id, nodes=nodes
        )
        return await self._call(self._analysis.GetHint, request, token)
