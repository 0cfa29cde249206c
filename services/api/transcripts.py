"""ImportTranscript: creates a match that replays a transcript."""

from msgspec.structs import replace

from projections.views import transcripts
from projections.views.transcripts import TranscriptError
from services.accounts.context import RequestContext
from services.api import transcript_import
from services.api.background_work import BackgroundWork
from services.api.idempotency import caller_identity
from services.api.new_matches import NewMatches
from services.mapping import match_messages
from services.runtime.errors import ApiError, Reason
from services.runtime.thread_switching import run_cpu_bound
from services.wire.emeth.v1 import history_pb2 as pb


class Transcripts:
    """Creates matches from transcripts."""

    def __init__(self, new_matches: NewMatches, work: BackgroundWork) -> None:
        self._new_matches = new_matches
        self._work = work

    async def import_transcript(
        self, call: RequestContext, request: pb.ImportTranscriptRequest
    ) -> pb.ImportTranscriptResponse:
        """Create a match that replays a transcript."""
        request_id = request.request_id.lower()
        caller = caller_identity(call, request.client_secret)
        try:
            transcript = await run_cpu_bound(transcripts.read, request.transcript)
            setting = transcript_import.setting(transcript, self._new_matches.library)
            terms = replace(setting.terms, frontend=call.frontend)
            setting = replace(setting, terms=terms)
            beginning = self._new_matches.begin(
                request_id, setting.game, setting.options, caller=caller
            )
            steps = transcript_import.replay(
                transcript,
                setting,
                beginning.identity,
                beginning.invitations,
                beginning.command_context,
            )
            made = transcript_import.join_changesets(await self._work.collect(steps))
        except TranscriptError as error:
            raise ApiError(
                Reason.TRANSCRIPT_INVALID,
                str(error),
                violations={"transcript": str(error)},
                line=error.at,
            ) from None
        match = await self._new_matches.record(call, made, beginning.request)
        return pb.ImportTranscriptResponse(
            match=match_messages.match(match, match.created), tokens=beginning.tokens
        )
