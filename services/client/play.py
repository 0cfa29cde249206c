"""The client's ways to act in a match, beside the calls of PlayService."""

from services.client.connection import Connection
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1.actions_pb2 import Action


class PlayCalls(Connection):
    """Acts in matches. Every method raises ServiceError."""

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
        validate_only: bool = False,
    ) -> play.SubmitActionResponse:
        """Submit one action, in machine notation or, if `score_notation`, in the rulebook's. The
        referee names the `seat` to stand in for, in a match that lets the referee.

        With an `expected_version` it is taken only if the match is still at that version. The
        events of the answer tell how they changed the scene if `changes` are asked for. A `basic`
        answer has the version, the result and the receipt alone. With `validate_only` nothing is
        done: the answer is what would be.
        """
        return await self.submit_action(
            token,
            match_id,
            request_id=request_id or "",
            expected_version=expected_version,
            action=None if score_notation else action,
            score_notation=action if score_notation else None,
            include_changes=changes,
            seat=seat,
            view=play.RESPONSE_VIEW_BASIC if basic else play.RESPONSE_VIEW_FULL,
            validate_only=validate_only,
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
        answer = await self.create_proposal(
            token,
            match_id,
            request_id=request_id or "",
            seat=seat,
            expected_version=expected_version,
            undo=target,
        )
        return answer.accepted

    async def answer(
        self,
        token: str,
        match_id: str,
        *,
        accepted: bool,
        seat: str = "",
        request_id: str = "",
    ) -> play.RespondToProposalResponse:
        """Accept or reject the proposal that is pending."""
        decision = play.PROPOSAL_DECISION_ACCEPT if accepted else play.PROPOSAL_DECISION_REJECT
        return await self.respond_to_proposal(
            token, match_id, seat, decision=decision, request_id=request_id
        )

    async def list_every_action(self, token: str, match_id: str, seat: str = "") -> list[Action]:
        """Everything a seat may do now, one by one; there may be thousands."""
        actions: list[Action] = []
        for action in await self.list_actions(token, match_id, seat):
            if action.group:
                actions += await self.list_actions(token, match_id, seat, group=action.group)
            else:
                actions.append(action)
        return actions
