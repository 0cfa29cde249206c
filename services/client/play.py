"""The client's calls of PlayService: acting in a match, and taking back."""

from typing import Final, TypeVar

from grpc.aio import UnaryUnaryMultiCallable

from services.client.connection import Connection, ServiceError, new_request
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1.actions_pb2 import Action

LONGEST_PAGE: Final = 500
"""Entries on a page, at most."""

Act = TypeVar(
    "Act",
    play.SubmitActionRequest,
    play.ResignRequest,
    play.OfferDrawRequest,
    play.AnswerDrawRequest,
)
Acted = TypeVar(
    "Acted",
    play.SubmitActionResponse,
    play.ResignResponse,
    play.OfferDrawResponse,
    play.AnswerDrawResponse,
)
Move = TypeVar("Move", play.UndoRequest, play.RedoRequest, play.AnswerUndoRequest)
Moved = TypeVar("Moved", play.UndoResponse, play.RedoResponse, play.AnswerUndoResponse)


class PlayCalls(Connection):
    """Calls of PlayService. Every method raises ServiceError."""

    async def list_actions(
        self, token: str, match_id: str, seat: str = "", verb: str = "", group: str = ""
    ) -> list[Action]:
        """What a seat may do now, or all of one verb; in groups where the game has them.

        `group` is an action's own, and asks for the actions that it stands for.
        """
        actions: list[Action] = []
        page = ""
        while True:
            request = play.ListActionsRequest(
                match_id=match_id,
                seat=seat,
                verb=verb,
                group=group,
                page_size=LONGEST_PAGE,
                page_token=page,
            )
            try:
                answer = await self._call(self._play.ListActions, request, token)
            except ServiceError as error:
                if not page or error.reason != "VERSION_STALE":
                    raise
                actions, page = [], ""  # the match moved on between two pages: begin again
                continue
            actions.extend(answer.actions)
            page = answer.next_page_token
            if not page:
                return actions

    async def list_every_action(self, token: str, match_id: str, seat: str = "") -> list[Action]:
        """Everything a seat may do now, one by one; there may be thousands."""
        actions: list[Action] = []
        for action in await self.list_actions(token, match_id, seat):
            if action.group:
                actions += await self.list_actions(token, match_id, seat, group=action.group)
            else:
                actions.append(action)
        return actions

    async def submit(
        self,
        token: str,
        match_id: str,
        action: str,
        *,
        score_notation: bool = False,
        expected_version: int | None = None,
        request_id: str | None = None,
        changes: bool = False,
        seat: str = "",
        basic: bool = False,
    ) -> play.SubmitActionResponse:
        """Submit one action, in machine notation or, if `score_notation`, in the rulebook's. The
        referee names the `seat` to stand in for, in a match that lets the referee.

        With an `expected_version` it is taken only if the match is still at that version. The
        events of the answer tell how they changed the scene if `changes` are asked for. A `basic`
        answer has the version, the result and the receipt alone.
        """
        request = play.SubmitActionRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            expected_version=expected_version,
            client=self._name,
            changes=changes,
            seat=seat,
            view=play.ANSWER_VIEW_BASIC if basic else play.ANSWER_VIEW_FULL,
        )
        if score_notation:
            request.score_notation = action
        else:
            request.action = action
        return await self._take(self._play.SubmitAction, request, token)

    async def preview(
        self,
        token: str,
        match_id: str,
        action: str,
        *,
        score_notation: bool = False,
        changes: bool = False,
        seat: str = "",
    ) -> play.PreviewActionResponse:
        """What an action would do; with how it would change the scene, if asked."""
        request = play.PreviewActionRequest(match_id=match_id, changes=changes, seat=seat)
        if score_notation:
            request.score_notation = action
        else:
            request.action = action
        return await self._call(self._play.PreviewAction, request, token)

    async def resign(
        self, token: str, match_id: str, request_id: str | None = None, *, seat: str = ""
    ) -> play.ResignResponse:
        """Give the match up."""
        request = play.ResignRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            client=self._name,
            seat=seat,
        )
        return await self._take(self._play.Resign, request, token)

    async def offer_draw(
        self, token: str, match_id: str, request_id: str | None = None, *, seat: str = ""
    ) -> play.OfferDrawResponse:
        """Offer a draw."""
        request = play.OfferDrawRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat
        )
        return await self._take(self._play.OfferDraw, request, token)

    async def answer_draw(
        self,
        token: str,
        match_id: str,
        *,
        accepted: bool,
        request_id: str | None = None,
        seat: str = "",
    ) -> play.AnswerDrawResponse:
        """Accept or decline the draw that somebody offered."""
        request = play.AnswerDrawRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            accepted=accepted,
            seat=seat,
        )
        return await self._take(self._play.AnswerDraw, request, token)

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
        return await self._move(self._play.Undo, request, token)

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
        return await self._move(self._play.Redo, request, token)

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
        return await self._move(self._play.AnswerUndo, request, token)

    # --- with a witness, if there is one ---------------------------------------------------------

    async def _take(
        self, method: UnaryUnaryMultiCallable[Act, Acted], request: Act, token: str
    ) -> Acted:
        """Make a call that may act, in a log that still has all that was signed."""
        await self._check_witness(request.match_id)
        request.group_receipt = self._shares_signatures
        answer = await self._call(method, request, token)
        if answer.HasField("accepted"):
            await self._witnessed(answer.accepted.receipt)
        return answer

    async def _move(
        self, method: UnaryUnaryMultiCallable[Move, Moved], request: Move, token: str
    ) -> play.Consent:
        """The same for a call that may move the line."""
        await self._check_witness(request.match_id)
        request.group_receipt = self._shares_signatures
        answer = await self._call(method, request, token)
        await self._witnessed(answer.consent.receipt)
        return answer.consent
