"""ExportMatch: a match as a file in one of four formats, in chunks."""

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from msgspec import Struct

from projections.queries import history
from projections.queries.history import GameRecord
from projections.views import transcripts
from services.accounts.context import RequestContext
from services.api.match_files import ExportedFile, MatchFiles, chunks
from services.api.permissions import viewing_role
from services.api.replay_pages import ReplayPages
from services.api.requests import parse_uuid
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import history_pb2 as pb


class FileType(Struct, frozen=True):
    """How files of an export format are served and named."""

    content_type: str
    suffix: str


TEXT: Final = FileType("text/plain; charset=utf-8", ".txt")
FILE_TYPES: Final = {
    pb.EXPORT_FORMAT_MATCH_FILE: FileType("application/x-ndjson", ".emeth"),
    pb.EXPORT_FORMAT_TRANSCRIPT: TEXT,
    pb.EXPORT_FORMAT_REPLAY_PAGE: FileType("text/html; charset=utf-8", ".html"),
    pb.EXPORT_FORMAT_SCORE: TEXT,
}
DIGITS: Final = 8
"""Digits of a match's ID that are in the name of its file."""


class Exports:
    """Exports matches as files."""

    def __init__(
        self, read_models: ReadModelQueries, files: MatchFiles, replays: ReplayPages
    ) -> None:
        self._read_models = read_models
        self._files = files
        self._replays = replays

    async def export_match(
        self, call: RequestContext, request: pb.ExportMatchRequest
    ) -> AsyncIterator[pb.ExportMatchResponse]:
        """Export a match as a file, in chunks; the first one says what the file is."""
        identity = parse_uuid(request.match_id)
        export_format = request.format or pb.EXPORT_FORMAT_MATCH_FILE
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        file = await self._open(call, identity, export_format)
        file_type = FILE_TYPES[export_format]
        response = pb.ExportMatchResponse(
            content_type=file_type.content_type,
            filename=f"{file.game}-{str(identity)[:DIGITS]}{file_type.suffix}",
            version=file.version,
        )
        async with aclosing(file.content) as content:
            async for data in content:
                response.data = data
                yield response
                response = pb.ExportMatchResponse()

    async def _open(
        self, call: RequestContext, identity: UUID, export_format: pb.ExportFormat.ValueType
    ) -> ExportedFile:
        match export_format:
            case pb.EXPORT_FORMAT_TRANSCRIPT:
                return await self._text(call, identity, transcripts.write)
            case pb.EXPORT_FORMAT_SCORE:
                return await self._text(call, identity, history.game_record)
            case pb.EXPORT_FORMAT_REPLAY_PAGE:
                return await self._replays.open(call, identity)
            case _:
                return await self._files.open(call, identity)

    async def _text(
        self,
        call: RequestContext,
        identity: UUID,
        write: Callable[[Connection, UUID, str], GameRecord],
    ) -> ExportedFile:
        viewer = await viewing_role(self._read_models, identity, call)
        game = (await self._read_models.match_row(identity)).match.game
        text = await self._read_models.ask(lambda connection: write(connection, identity, viewer))
        return ExportedFile(game, text.version, chunks(text.text.encode()))
