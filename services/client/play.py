"""Client methods that act in a match, built on PlayService."""

from collections.abc import Iterable

from services.client.connection import Connection
from services.wire.emeth.v1 import play_pb2 as play
from services.wire.emeth.v1.actions_pb2 import Action, Order


class PlayCalls(Connection):
    """Methods that act in matches. Every method raises ServiceError."""

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
        amounts: Iterable[int] = (),
    ) -> play.SubmitActionResponse:
        """Submit one action.

        Args:
            token: Token of a seat, or of the referee.
            match_id: ID of the match.
            action: The action, in machine notation.
            score_notation: Whether `action` is in the rulebook's score notation instead.
            expected_version: Refuse the action if the match has another version.
            request_id: ID of the request; None for a new one.
            changes: Whether events of the response include their changes of the scene.
            seat: Seat for which the referee substitutes, where the match permits it.
            basic: Whether the response has only version, result and receipt.
            validate_only: Whether to return the response without recording the action.
            amounts: Amounts that replace those of the action, in the order of its symbols.
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
            amounts=amounts,
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
        """Undo to a version of the match, or propose that undo.

        Args:
            token: Token of a seat, or of the referee.
            match_id: ID of the match.
            to: Version to return to; None for the version before the seat's last action.
            turn: Whether to undo the seat's last turn instead of its last action.
            seat: Seat that proposes, if the token has several.
            expected_version: Refuse the proposal if the match has another version.
            request_id: ID of the request; None for a new one.
        """
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
        """Accept or reject the pending proposal."""
        decision = play.PROPOSAL_DECISION_ACCEPT if accepted else play.PROPOSAL_DECISION_REJECT
        return await self.respond_to_proposal(
            token, match_id, seat, decision=decision, request_id=request_id
        )

    async def list_every_action(self, token: str, match_id: str, seat: str = "") -> list[Action]:
        """Return every legal action of a seat, with groups expanded; there may be thousands."""
        actions: list[Action] = []
        for action in await self.list_actions(token, match_id, seat):
            if action.group:
                actions += await self.list_actions(token, match_id, seat, group=action.group)
            else:
                actions.append(action)
        return actions

    async def list_orders(self, token: str, match_id: str, seat: str = "") -> list[Order]:
        """Return all orders of a seat: its actions by acting piece, line and verb."""
        orders: list[Order] = []
        page_token = ""
        while True:
            page = await self.list_actions_page(
                token, match_id, seat, by_order=True, page_token=page_token
            )
            for order in page.orders:
                if orders and _names_of(orders[-1]) == _names_of(order):
                    orders[-1].actions.extend(order.actions)  # continued from the page before
                else:
                    orders.append(order)
            page_token = page.next_page_token
            if not page_token:
                return orders


def _names_of(order: Order) -> tuple[str, str, str]:
    return order.actor, order.line, order.verb
