"""Client methods that read and prove what was played, built on HistoryService and AuditService."""

import asyncio
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from services.client.connection import DEADLINE_SECONDS, Connection, ServiceError
from services.wire.emeth.v1 import audit_pb2 as audit
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import matches_pb2 as matches

CHUNK_BYTES: Final = 65_536
"""Bytes of a file that are sent at once."""
CHECKPOINT_PENDING: Final = "CHECKPOINT_PENDING"
"""The reason of the error for a proof of an event that is newer than the newest checkpoint."""


class ExportedMatch(Struct, frozen=True):
    """The file of a match."""

    data: bytes
    version: int
    """Version of the last event in the file."""

    @property
    def text(self) -> str:
        """Return the file as text."""
        return self.data.decode()


class HistoryCalls(Connection):
    """Methods that read what was played. Every method raises ServiceError."""

    async def export(
        self,
        token: str,
        match_id: str,
        export_format: history.ExportFormat.ValueType = history.EXPORT_FORMAT_MATCH_FILE,
        at_least_version: int = 0,
    ) -> ExportedMatch:
        """Return the file of a match."""
        chunks = [
            chunk
            async for chunk in self.export_match(
                token, match_id, format=export_format, at_least_version=at_least_version
            )
        ]
        return ExportedMatch(b"".join(chunk.data for chunk in chunks), chunks[0].version)

    async def transcript(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> ExportedMatch:
        """Return the match as a readable text."""
        return await self.export(
            token, match_id, history.EXPORT_FORMAT_TRANSCRIPT, at_least_version
        )

    async def score(self, token: str, match_id: str, at_least_version: int = 0) -> ExportedMatch:
        """Return the match in the rulebook's score notation."""
        return await self.export(token, match_id, history.EXPORT_FORMAT_SCORE, at_least_version)

    async def import_file(self, admin_key: str, raw: bytes) -> matches.Match:
        """Import the file of a match with the admin key."""

        def cut() -> Iterator[history.ImportMatchRequest]:
            for begin in range(0, len(raw), CHUNK_BYTES):
                yield history.ImportMatchRequest(data=raw[begin : begin + CHUNK_BYTES])

        return await self.import_match(cut, admin_key)

    async def citations(
        self,
        token: str,
        match_id: str,
        wanted: str = "",
        at_least_version: int = 0,
        page_size: int = 0,
    ) -> list[audit.Citation]:
        """Return the rules that events of a match cite, with the versions of all pages merged.

        Args:
            token: Token of a role; empty for a public match.
            match_id: ID of the match.
            wanted: A filter, such as `rule = agog.move.step`.
            at_least_version: Version of the match to wait for.
            page_size: Number of citations in a response.
        """
        found: dict[str, audit.Citation] = {}
        for each in await self.list_citations(
            token,
            match_id,
            filter=wanted,
            at_least_version=at_least_version,
            page_size=page_size,
        ):
            known = found.setdefault(each.rule.rule, each)
            if known is not each:
                known.versions.extend(each.versions)
        return list(found.values())

    async def inclusion(
        self, match_id: str, version: int, size: int = 0, *, wait: bool = True
    ) -> audit.GetProofResponse:
        """Return the inclusion proof of an event in the log, or in its first `size` events.

        The next checkpoint, within seconds, covers a new event: with `wait`, wait for that.
        """
        event = audit.EventReference(match_id=match_id, version=version)
        end = asyncio.get_running_loop().time() + DEADLINE_SECONDS
        while True:
            try:
                return await self.get_proof(event=event, log_size=size)
            except ServiceError as error:
                pause, now = error.retry_seconds, asyncio.get_running_loop().time()
                if error.reason != CHECKPOINT_PENDING or not wait or now + pause > end:
                    raise
            await asyncio.sleep(pause)
