"""The client's calls that take a match back, and look back at it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime, timedelta

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import history_pb2 as history
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1 import views_pb2 as views


class PastCalls(Connection):
    """Calls about what was played. Every method raises ServiceError."""

    # --- taking back -----------------------------------------------------------------------------

    async def undo(
        self,
        token: str,
        match_id: str,
        to: int | None = None,
        *,
        turn: bool = False,
        seat: str = "",
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> play.Consent:
        """Take back to version `to`, or ask for it; without one, to before the seat's last action,
        or if `turn` to before its last turn."""
        request = play.UndoRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            seat=seat,
            expected_version=expected_version,
        )
        if to is not None:
            request.version = to
        elif turn:
            request.start_of_my_turn = True
        else:
            request.my_last_action = True
        await self._check_witness(match_id)
        answer = await self._call(self._play.Undo, request, token)
        await self._witnessed(answer.consent.receipt)
        return answer.consent

    async def redo(
        self,
        token: str,
        match_id: str,
        to: int = 0,
        *,
        seat: str = "",
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> play.Consent:
        """Go on from version `to` of an undone branch, or ask for it; without one, from the end of
        the branch that was undone last."""
        request = play.RedoRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            seat=seat,
            version=to,
            expected_version=expected_version,
        )
        await self._check_witness(match_id)
        answer = await self._call(self._play.Redo, request, token)
        await self._witnessed(answer.consent.receipt)
        return answer.consent

    async def answer_undo(
        self,
        token: str,
        match_id: str,
        *,
        granted: bool,
        seat: str = "",
        request_id: str | None = None,
    ) -> play.Consent:
        """Grant or refuse the undo or redo that somebody asked for."""
        request = play.AnswerUndoRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat, granted=granted
        )
        await self._check_witness(match_id)
        answer = await self._call(self._play.AnswerUndo, request, token)
        await self._witnessed(answer.consent.receipt)
        return answer.consent

    async def offer_draw(
        self, token: str, match_id: str, request_id: str | None = None
    ) -> play.OfferDrawResponse:
        """Offer a draw."""
        request = play.OfferDrawRequest(request_id=request_id or new_request(), match_id=match_id)
        await self._check_witness(match_id)
        answer = await self._call(self._play.OfferDraw, request, token)
        if answer.HasField("accepted"):
            await self._witnessed(answer.accepted.receipt)
        return answer

    async def answer_draw(
        self, token: str, match_id: str, *, accepted: bool, request_id: str | None = None
    ) -> play.AnswerDrawResponse:
        """Accept or decline the draw that somebody offered."""
        request = play.AnswerDrawRequest(
            request_id=request_id or new_request(), match_id=match_id, accepted=accepted
        )
        await self._check_witness(match_id)
        answer = await self._call(self._play.AnswerDraw, request, token)
        if answer.HasField("accepted"):
            await self._witnessed(answer.accepted.receipt)
        return answer

    # --- looking back ----------------------------------------------------------------------------

    async def position(
        self,
        token: str,
        match_id: str,
        *,
        version: int | None = None,
        time: datetime | None = None,
        at_least_version: int = 0,
    ) -> history.GetPositionResponse:
        """The position now, at a version, or at a time (with its zone)."""
        request = history.GetPositionRequest(match_id=match_id, at_least_version=at_least_version)
        if version is not None:
            request.version = version
        if time is not None:
            request.time.FromDatetime(time)
        return await self._call(self._history.GetPosition, request, token)

    async def branches(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> list[history.Branch]:
        """The present line, and all branches that were undone, the latest first."""
        found: list[history.Branch] = []
        page = ""
        while True:
            request = history.ListBranchesRequest(
                match_id=match_id, at_least_version=at_least_version, page_token=page
            )
            answer = await self._call(self._history.ListBranches, request, token)
            found.extend(answer.branches)
            page = answer.next_page_token
            if not page:
                return found

    async def replay(
        self,
        token: str,
        match_id: str,
        *,
        after_version: int = 0,
        until_version: int = 0,
        line_only: bool = False,
        interval_seconds: float | None = None,
        speed: float | None = None,
        form: views.SceneFormat.ValueType = views.SCENE_FORMAT_UNSPECIFIED,
    ) -> AsyncGenerator[views.WatchedEvent, None]:
        """The match again: as fast as it is read, an event each `interval_seconds`, or `speed`
        times as fast as it was played."""
        request = history.ReplayRequest(
            match_id=match_id,
            after_version=after_version,
            until_version=until_version,
            line_only=line_only,
            format=form,
        )
        if interval_seconds is not None:
            request.pace = history.PACE_CONSTANT
            request.interval.FromTimedelta(timedelta(seconds=interval_seconds))
        elif speed is not None:
            request.pace = history.PACE_REAL
            request.speed = speed
        async with aclosing(self._stream(self._history.Replay, request, token)) as stream:
            async for response in stream:
                yield response.event

    async def fork(
        self,
        token: str,
        match_id: str,
        version: int = 0,
        title: str = "",
        request_id: str | None = None,
    ) -> history.ForkMatchResponse:
        """A new match from a version of this one, or from the present, and its tokens by role."""
        request = history.ForkMatchRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            version=version,
            title=title,
        )
        return await self._call(self._history.ForkMatch, request, token)

    async def transcript(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> history.GetTranscriptResponse:
        """The match as text for people."""
        request = history.GetTranscriptRequest(match_id=match_id, at_least_version=at_least_version)
        return await self._call(self._history.GetTranscript, request, token)

    async def import_transcript(
        self, transcript: str, request_id: str | None = None
    ) -> history.ImportTranscriptResponse:
        """A new match that plays a transcript again, and its tokens by role."""
        request = history.ImportTranscriptRequest(
            request_id=request_id or new_request(), transcript=transcript
        )
        return await self._call(self._history.ImportTranscript, request)
