"""HistoryService's room for matches that are made of others: forks and transcripts."""

import asyncio
from uuid import UUID

from msgspec.structs import replace

from domain.kernel.game import REFEREE
from domain.match import LONGEST_NAME, AnyMatch, Origin, create
from projections import transcripts
from projections.transcripts import TranscriptError
from services import messages
from services.api import transcript_import
from services.api.new_matches import Maker
from services.api.requests import identifier, short_text
from services.callers import Call, role_in
from services.errors import ApiError, Reason, malformed, version_unknown
from services.reads import Reads
from services.store.errors import MatchUnknown
from services.store.live_matches import Live
from services.tokens import Mint
from services.wire.emeth.v1 import history_pb2 as pb

LARGEST_TRANSCRIPT = 1 << 20
"""Characters of a transcript that is read, at most."""


class ForkHandlers:
    """Rpcs of HistoryService that make matches, and the text that one can be made of."""

    def __init__(self, live: Live, reads: Reads, mint: Mint) -> None:
        self._live = live
        self._reads = reads
        self._mint = mint
        self._maker = Maker(live, mint)
        # Judging a long transcript takes seconds: one at a time, in a thread that nobody waits for.
        self._retelling = asyncio.Lock()

    async def fork_match(self, call: Call, request: pb.ForkMatchRequest) -> pb.ForkMatchResponse:
        """Start a match from a version of another."""
        identity = identifier("match_id", request.match_id)
        request_id = str(identifier("request_id", request.request_id))
        title = short_text("title", request.title, LONGEST_NAME)
        live = await self._live.get(identity)
        origin = live.match
        _check_may_fork(origin, role_in(origin, call))
        beginning = self._maker.begin(request_id, origin.rules, origin.options)
        version = request.version or await self._forked_before(beginning.identity, identity)
        version = version or origin.version
        if version > origin.version:
            raise version_unknown(identity, origin.version, version)
        stood = await self._live.at(live, version)
        made = create(
            origin.rules,
            beginning.identity,
            origin.options,
            beginning.invitations,
            beginning.stamp,
            title or origin.title,
            terms=replace(origin.terms, origin=Origin(identity, version)),
            start=origin.rules.write_position(stood.position),
            seeds=self._mint.seeds(beginning.identity),
        )
        match = await self._maker.keep(made, request_id)
        return pb.ForkMatchResponse(
            match=messages.match(match, match.created), tokens=beginning.tokens
        )

    async def get_transcript(
        self, call: Call, request: pb.GetTranscriptRequest
    ) -> pb.GetTranscriptResponse:
        """The match as text for people."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        told = await self._reads.ask(
            lambda connection: transcripts.write(connection, identity, viewer)
        )
        return pb.GetTranscriptResponse(transcript=told.text, version=told.version)

    async def import_transcript(
        self, call: Call, request: pb.ImportTranscriptRequest
    ) -> pb.ImportTranscriptResponse:
        """Start a match that plays a transcript again."""
        del call
        request_id = str(identifier("request_id", request.request_id))
        if len(request.transcript) > LARGEST_TRANSCRIPT:
            raise malformed("transcript", f"it has at most {LARGEST_TRANSCRIPT} characters")
        try:
            transcript = transcripts.read(request.transcript)
            setting = transcript_import.setting(transcript)
            beginning = self._maker.begin(request_id, setting.game, setting.options)
            async with self._retelling:
                made = await asyncio.to_thread(
                    transcript_import.retell,
                    transcript,
                    setting,
                    beginning.identity,
                    beginning.invitations,
                    beginning.stamp,
                )
        except TranscriptError as error:
            raise ApiError(
                Reason.TRANSCRIPT_INVALID,
                str(error),
                violations={"transcript": str(error)},
                line=error.at,
            ) from None
        match = await self._maker.keep(made, request_id)
        return pb.ImportTranscriptResponse(
            match=messages.match(match, match.created), tokens=beginning.tokens
        )

    async def _forked_before(self, made: UUID, origin: UUID) -> int:
        """The version from which this request has forked this match already; 0 for a new one."""
        try:
            found = (await self._live.get(made)).match.terms.origin
        except MatchUnknown:
            return 0
        return found.version if found and found.match == origin else 0


def _check_may_fork(match: AnyMatch, role: str) -> None:
    """Who makes a fork is given all its tokens, and so is shown all that is hidden in it."""
    if role not in (*match.seats, REFEREE):
        raise ApiError(Reason.ROLE_FORBIDS, "to fork a match takes a seat's token", role=role)
    if match.rules.hides and role != REFEREE:
        raise ApiError(
            Reason.ROLE_FORBIDS,
            "a fork shows all that is hidden: until the match is over, only the referee makes one",
            role=role,
        )
