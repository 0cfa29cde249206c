"""The client's calls that prove and move matches: verifying, checkpoints, proofs, files."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from services.client.connection import Connection
from services.wire.emeth.v1 import audit_pb2 as audit
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import matches_pb2 as matches

PIECE = 65_536
"""Bytes of a file that are sent at once."""


class ProofCalls(Connection):
    """Calls of AuditService and HistoryService about proofs and files."""

    # --- judging again ---------------------------------------------------------------------------

    async def verify_match(self, token: str, match_id: str) -> audit.VerifyMatchResponse:
        """Have the service check a match of its log, and judge every action again."""
        request = audit.VerifyMatchRequest(match_id=match_id)
        return await self._call(self._audit.VerifyMatch, request, token)

    async def readjudicate(
        self, token: str, match_id: str = ""
    ) -> AsyncGenerator[audit.ReadjudicateResponse, None]:
        """Have a match judged again, or with the admin key all matches; tells how far it is."""
        request = audit.ReadjudicateRequest(match_id=match_id)
        async with aclosing(self._stream(self._audit.Readjudicate, request, token)) as steps:
            async for step in steps:
                yield step

    # --- the whole log ---------------------------------------------------------------------------

    async def checkpoint(self) -> audit.GetCheckpointResponse:
        """The log as it stands, signed, and the key to check it with."""
        return await self._call(self._audit.GetCheckpoint, audit.GetCheckpointRequest())

    async def inclusion(self, match_id: str, version: int, size: int = 0) -> audit.GetProofResponse:
        """The proof that an event is in the log, as it is or was with `size` events."""
        wanted = audit.Inclusion(match_id=match_id, version=version)
        request = audit.GetProofRequest(inclusion=wanted, size=size)
        return await self._call(self._audit.GetProof, request)

    async def growth(self, old: int, size: int = 0) -> audit.GetProofResponse:
        """The proof that the log of `size` events, or the present one, begins with the `old`."""
        request = audit.GetProofRequest(consistency_from=old, size=size)
        return await self._call(self._audit.GetProof, request)

    # --- files -----------------------------------------------------------------------------------

    async def export_match(self, token: str, match_id: str) -> AsyncGenerator[bytes, None]:
        """The file of a match, in pieces."""
        request = history.ExportMatchRequest(match_id=match_id)
        stream = self._stream(self._history.ExportMatch, request, token)
        async with aclosing(stream):
            async for response in stream:
                yield response.piece

    async def import_match(self, admin_key: str, raw: bytes) -> matches.Match:
        """Have a file taken in, with the admin key."""
        return (await self._upload(self._history.ImportMatch, lambda: _cut(raw), admin_key)).match


async def _cut(raw: bytes) -> AsyncIterator[history.ImportMatchRequest]:
    for begin in range(0, len(raw), PIECE):
        yield history.ImportMatchRequest(piece=raw[begin : begin + PIECE])
