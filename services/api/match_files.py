"""Export and import of whole matches as signed files."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Set
from contextlib import aclosing
from functools import partial
from io import BytesIO
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import SPECTATOR
from domain.match import AnyMatch, DowntimeCredited
from projections.queries import devices
from projections.queries.player_names import with_player_names
from services.accounts.context import RequestContext, can_export, require_admin, require_viewer
from services.accounts.tokens import token_digest
from services.api.background_work import BackgroundWork
from services.api.origins import hide_unknown_origins
from services.mapping import match_messages
from services.proof.attestations import Attestations
from services.proof.match_file import FileVerification, FileVerifier, attest, file_chunks
from services.proof.published_tree import PublishedTree
from services.proof.signing import Signer
from services.proof.tap_evidence import TapKey, taps_in
from services.proof.taps_of_match import match_tap_evidence, smallest_tree_size, taps_of
from services.runtime.errors import ApiError, Reason
from services.store.errors import MatchUnknown, VersionConflict
from services.store.log import Log
from services.store.match_cache import MatchCache
from services.store.read_models import ReadModelQueries
from services.store.table_cache import TableCache
from services.wire.emeth.v1 import history_pb2 as pb

CHUNK_BYTES: Final = 65_536
"""Maximum size of a chunk in bytes."""


class MatchFileDependencies(Struct, frozen=True):
    """What exports and imports of matches depend on."""

    log: Log
    tables: TableCache
    signer: Signer
    attestations: Attestations
    published_tree: PublishedTree
    admin_key: str
    max_bytes: int
    """Maximum size of an imported file in bytes."""
    work: BackgroundWork


class ExportedFile(Struct, frozen=True):
    """A file of a match that is being written."""

    game: str
    version: int
    """Version of the last event in the file."""
    content: AsyncGenerator[bytes, None]


async def chunks(raw: bytes) -> AsyncGenerator[bytes, None]:
    """Cut a file into chunks; an empty file is one empty chunk."""
    for begin in range(0, max(len(raw), 1), CHUNK_BYTES):
        yield raw[begin : begin + CHUNK_BYTES]


class MatchFiles:
    """Exports and imports matches as files."""

    def __init__(
        self, live: MatchCache, read_models: ReadModelQueries, exchange: MatchFileDependencies
    ) -> None:
        self._live = live
        self._read_models = read_models
        self._exchange = exchange
        self._admin_key = token_digest(exchange.admin_key)

    async def open(self, call: RequestContext, identity: UUID) -> ExportedFile:
        """Open the file of a match as it is now.

        Raises:
            ApiError: ROLE_NOT_ALLOWED if the caller may not export it.
        """
        match = (await self._live.get(identity)).state
        role = require_viewer(match, call)
        if not await self.can_know_origins(call, match, role):
            raise ApiError(
                Reason.ROLE_NOT_ALLOWED,
                "the match is a fork or rematch of a private match, whose ID its file would reveal",
                role=role,
            )
        if not can_export(match, role):
            raise ApiError(
                Reason.ROLE_NOT_ALLOWED,
                f"the token is {role}'s; {match.rules.name} has hidden information, so the export"
                " needs the referee's token",
                role=role,
            )
        return ExportedFile(match.game, match.version, self._content(call, match))

    async def can_know_origins(self, call: RequestContext, match: AnyMatch, role: str) -> bool:
        """Return whether the caller may know the origins of this match, which its file names.

        Players and the referee of a fork may: they have its origin's events up to the fork.
        """
        if role != SPECTATOR:
            return True
        return (await hide_unknown_origins(self._live, match, call)).terms == match.terms

    async def _content(self, call: RequestContext, match: AnyMatch) -> AsyncGenerator[bytes, None]:
        exchange = self._exchange
        kept = await asyncio.to_thread(exchange.attestations.find, match)
        evidence = await asyncio.to_thread(exchange.attestations.evidence, match)
        if kept is None:
            evidence += await self._evidence(call, match, taps_in(evidence))
        trailer = kept or attest(match, exchange.signer, evidence)
        events = exchange.log.events(match.id, until=match.version)
        file = file_chunks(match, events, trailer, evidence)
        async with aclosing(exchange.work.slices(file)) as slices:
            async for found in slices:
                for piece in found:
                    yield piece

    async def _evidence(
        self, call: RequestContext, match: AnyMatch, known: Set[TapKey]
    ) -> list[bytes]:
        """Return the evidence of the taps that the match refers to, without known ones."""
        exchange = self._exchange
        events = exchange.log.events(match.id, until=match.version)
        wanted = [
            taps
            for taps in await exchange.work.collect(taps_of(events))
            if taps is not None and not {(taps.table, each) for each in taps.versions} <= known
        ]
        newest = {taps.table: max(taps.versions) for taps in wanted}
        for identity, version in newest.items():
            table = await exchange.tables.find(identity)
            if table is not None:
                due = min(version, table.state.version)
                await self._read_models.wait_for_version(
                    identity, due, call.seconds_left, devices.version
                )

        size = await self._read_models.ask(partial(smallest_tree_size, wanted=wanted))
        await exchange.published_tree.until(size, call.seconds_left)

        def prove(connection: Connection) -> list[bytes]:
            return match_tap_evidence(connection, exchange.log, match.id, wanted, exchange.signer)

        return await self._read_models.ask(prove)

    async def import_match(
        self, call: RequestContext, requests: AsyncIterator[pb.ImportMatchRequest]
    ) -> pb.ImportMatchResponse:
        """Import a match if its file verifies. Importing the same file again changes nothing."""
        require_admin(call, self._admin_key)
        lines = BytesIO(await self._receive(requests))
        checking = FileVerifier(lines, library=self._live.library)
        await self._exchange.work.collect(checking.steps())
        verified = checking.verified
        _check(verified)
        match = verified.match
        assert match is not None
        if not await self._has(match):
            await self._record(verified, match)
        return pb.ImportMatchResponse(
            match=match_messages.match(
                with_player_names(match, self._live.names), verified.events[-1].event.at
            )
        )

    async def _receive(self, requests: AsyncIterator[pb.ImportMatchRequest]) -> bytes:
        raw = bytearray()
        async for request in requests:
            raw += request.data
            if len(raw) > self._exchange.max_bytes:
                raise ApiError(
                    Reason.FILE_TOO_LARGE,
                    "the file is too large: the service accepts files of up to"
                    f" {self._exchange.max_bytes} bytes",
                    most=self._exchange.max_bytes,
                )
        return bytes(raw)

    async def _has(self, match: AnyMatch) -> bool:
        """Return whether the match is in the log. Raise MATCH_CONFLICT if its events differ."""
        try:
            present = (await self._live.get(match.id)).state
        except MatchUnknown:
            return False
        if (present.version, present.digest) == (match.version, match.digest):
            return True
        if await self._has_continued(match, present):
            return True
        raise ApiError(
            Reason.MATCH_CONFLICT,
            f"the log has match {match.id} with {present.version} events, the last with digest"
            f" {present.digest}; the file has {match.version} and {match.digest}",
            match=match.id,
            version=present.version,
            digest=present.digest,
        )

    async def _has_continued(self, match: AnyMatch, present: AnyMatch) -> bool:
        """Return whether the match only paused its clocks since it was imported."""
        if present.version != match.version + 1:
            return False
        live = await self._live.get(match.id)
        (later,) = await self._live.events_of(live, (range(present.version, present.version + 1),))
        state = await self._live.at(live, match.version)
        return isinstance(later.event, DowntimeCredited) and state.digest == match.digest

    async def _record(self, verified: FileVerification, match: AnyMatch) -> None:
        assert verified.trailer is not None
        try:
            # Before the events, since evidence without its match does no harm.
            await asyncio.to_thread(
                self._exchange.attestations.keep, match, verified.trailer, verified.evidence
            )
            await self._live.import_events(verified.events)
            if self._live.clock_keeper is not None:
                await self._live.clock_keeper.note_import(match)
        except VersionConflict:
            await self._has(match)  # a concurrent import recorded it first
        except OSError as error:
            raise ApiError(
                Reason.LOG_UNAVAILABLE,
                "the file's attestation cannot be stored, so the match was not imported:"
                f" {error.strerror or 'the disk failed'}",
            ) from error


def _check(verified: FileVerification) -> None:
    """Raise MATCH_FILE_INVALID for a file that does not verify."""
    if verified.report.sound:
        return
    first = verified.report.findings[0]
    place = f"event {first.version}" if first.version else "the file"
    raise ApiError(
        Reason.MATCH_FILE_INVALID,
        f"{place}, {first.check}: {first.sentence}",
        version=first.version,
        check=first.check,
        findings=len(verified.report.findings),
    )
