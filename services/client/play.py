"""The client's calls of PlayService: actions, proposals and conditional moves."""

from collections.abc import Iterable
from typing import Final, TypeVar

from grpc.aio import UnaryUnaryMultiCallable

from services.client.connection import Connection, ServiceError, new_request
from services.wire.emeth.v1 import conditional_moves_pb2 as conditional
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1.actions_pb2 import Action

LONGEST_PAGE: Final = 500
"""Entries on a page, at most."""

Act = TypeVar(
    "Act", play.SubmitActionRequest, play.CreateProposalRequest, play.RespondToProposalRequest
)
Acted = TypeVar(
    "Acted", play.SubmitActionResponse, play.CreateProposalResponse, play.RespondToProposalResponse
)


class PlayCalls(Connection):
    """Calls of PlayService. Every method raises ServiceError."""

    async def list_actions(
        self, token: str, match_id: str, seat: str = "", wanted: str = "", group: str = ""
    ) -> list[Action]:
        """List what a seat may do now and fits a filter, as `verb = move`; in groups where the game
        has them.

        `group` is an action's own, and asks for the actions that it stands for.
        """
        actions: list[Action] = []
        page = ""
        while True:
            request = play.ListActionsRequest(
                match_id=match_id,
                seat=seat,
                filter=wanted,
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
            include_changes=changes,
            seat=seat,
            view=play.RESPONSE_VIEW_BASIC if basic else play.RESPONSE_VIEW_FULL,
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
    ) -> play.SubmitActionResponse:
        """Return what submitting one action would do; with how it would change the scene, if
        asked."""
        request = play.SubmitActionRequest(
            request_id=new_request(),
            match_id=match_id,
            seat=seat,
            validate_only=True,
            include_changes=changes,
        )
        if score_notation:
            request.score_notation = action
        else:
            request.action = action
        return await self._call(self._play.SubmitAction, request, token)

    async def preview_order(
        self, token: str, match_id: str, notations: Iterable[str], *, seat: str = ""
    ) -> play.PreviewOrderResponse:
        """Return a forecast of what each of some actions would do."""
        request = play.PreviewOrderRequest(match_id=match_id, seat=seat, notations=notations)
        return await self._call(self._play.PreviewOrder, request, token)

    async def resign(
        self, token: str, match_id: str, request_id: str | None = None, *, seat: str = ""
    ) -> play.SubmitActionResponse:
        """Resign."""
        request = play.SubmitActionRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            resignation=True,
            client=self._name,
            seat=seat,
        )
        return await self._take(self._play.SubmitAction, request, token)

    # --- proposals -------------------------------------------------------------------------------

    async def create_proposal(
        self, token: str, request: play.CreateProposalRequest
    ) -> play.CreateProposalResponse:
        """Propose an undo, a redo, a draw or a rematch. A request without an id is given one."""
        request.request_id = request.request_id or new_request()
        return await self._take(self._play.CreateProposal, request, token)

    async def respond_to_proposal(
        self,
        token: str,
        match_id: str,
        decision: play.ProposalDecision.ValueType,
        *,
        proposal_id: str = "",
        seat: str = "",
        entropy: str = "",
        request_id: str | None = None,
    ) -> play.RespondToProposalResponse:
        """Accept, reject or withdraw a proposal; without its id, the one that is pending."""
        request = play.RespondToProposalRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            seat=seat,
            proposal_id=proposal_id,
            decision=decision,
            entropy=entropy,
        )
        return await self._take(self._play.RespondToProposal, request, token)

    async def withdraw(
        self, token: str, match_id: str, proposal_id: str = "", *, seat: str = ""
    ) -> play.Acceptance:
        """Withdraw one's own proposal."""
        answer = await self.respond_to_proposal(
            token,
            match_id,
            play.PROPOSAL_DECISION_WITHDRAW,
            proposal_id=proposal_id,
            seat=seat,
        )
        return answer.accepted

    async def offer_draw(
        self, token: str, match_id: str, request_id: str | None = None, *, seat: str = ""
    ) -> play.CreateProposalResponse:
        """Propose a draw."""
        request = play.CreateProposalRequest(
            request_id=request_id or "", match_id=match_id, seat=seat, draw=play.DrawProposal()
        )
        return await self.create_proposal(token, request)

    async def answer_draw(
        self,
        token: str,
        match_id: str,
        *,
        accepted: bool,
        request_id: str | None = None,
        seat: str = "",
    ) -> play.RespondToProposalResponse:
        """Accept or reject the draw that is proposed."""
        return await self.respond_to_proposal(
            token, match_id, _decision(yes=accepted), seat=seat, request_id=request_id
        )

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
    ) -> play.Acceptance:
        """Go back to version `to`, or propose it; without one, to before the seat's last action, or
        if `turn` to before its last turn."""
        scope = play.UNDO_SCOPE_LAST_TURN if turn else play.UNDO_SCOPE_LAST_ACTION
        target = play.UndoProposal(scope=scope) if to is None else play.UndoProposal(version=to)
        request = play.CreateProposalRequest(
            request_id=request_id or "",
            match_id=match_id,
            seat=seat,
            expected_version=expected_version,
            undo=target,
        )
        return (await self.create_proposal(token, request)).accepted

    async def redo(
        self,
        token: str,
        match_id: str,
        to: int = 0,
        *,
        seat: str = "",
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> play.Acceptance:
        """Go on from version `to` of an undone branch, or propose it; without one, from the end of
        the branch that was undone last."""
        request = play.CreateProposalRequest(
            request_id=request_id or "",
            match_id=match_id,
            seat=seat,
            expected_version=expected_version,
            redo=play.RedoProposal(version=to),
        )
        return (await self.create_proposal(token, request)).accepted

    async def answer_undo(
        self,
        token: str,
        match_id: str,
        *,
        granted: bool,
        seat: str = "",
        request_id: str | None = None,
    ) -> play.Acceptance:
        """Accept or reject the undo or redo that is proposed."""
        answer = await self.respond_to_proposal(
            token, match_id, _decision(yes=granted), seat=seat, request_id=request_id
        )
        return answer.accepted

    async def rematch(
        self, token: str, match_id: str, request_id: str | None = None, *, entropy: str = ""
    ) -> play.RematchSeat:
        """Propose or accept a rematch, and join it. The token is that of a seat in the match that
        is over."""
        request = play.CreateProposalRequest(
            request_id=request_id or "",
            match_id=match_id,
            rematch=play.RematchProposal(entropy=entropy),
        )
        return (await self.create_proposal(token, request)).rematch_seat

    # --- conditional moves -----------------------------------------------------------------------

    async def set_conditional_moves(
        self,
        token: str,
        match_id: str,
        moves: Iterable[conditional.ConditionalMove],
        *,
        expected_version: int | None = None,
        seat: str = "",
        request_id: str | None = None,
    ) -> conditional.ConditionalMoves:
        """Set the conditional moves of a seat, in place of any that it had. Who has several seats
        names one."""
        request = conditional.SetConditionalMovesRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            moves=moves,
            expected_version=expected_version,
            seat=seat,
        )
        answer = await self._call(self._play.SetConditionalMoves, request, token)
        return answer.conditional_moves

    async def conditional_moves(
        self, token: str, match_id: str, seat: str = ""
    ) -> conditional.ConditionalMoves | None:
        """Return the conditional moves of a seat, how far they have come, and why they ended; None
        if it never set any."""
        request = conditional.GetConditionalMovesRequest(match_id=match_id, seat=seat)
        answer = await self._call(self._play.GetConditionalMoves, request, token)
        return answer.conditional_moves if answer.HasField("conditional_moves") else None

    async def delete_conditional_moves(
        self, token: str, match_id: str, *, seat: str = "", request_id: str | None = None
    ) -> conditional.ConditionalMoves:
        """Delete the conditional moves of a seat."""
        request = conditional.DeleteConditionalMovesRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat
        )
        answer = await self._call(self._play.DeleteConditionalMoves, request, token)
        return answer.conditional_moves

    async def _take(
        self, method: UnaryUnaryMultiCallable[Act, Acted], request: Act, token: str
    ) -> Acted:
        """Make a call that may act, in a log that still has all that was signed."""
        await self._check_witness(request.match_id)
        request.group_receipt = self._shares_signatures
        answer = await self._call(method, request, token)
        if answer.accepted.HasField("receipt"):
            await self._witnessed(answer.accepted.receipt)
        return answer


def _decision(*, yes: bool) -> play.ProposalDecision.ValueType:
    return play.PROPOSAL_DECISION_ACCEPT if yes else play.PROPOSAL_DECISION_REJECT
