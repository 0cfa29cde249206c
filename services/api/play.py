"""PlayService: actions, proposals and conditional moves."""

from services.accounts.context import RequestContext
from services.api.conditional_moves import ConditionalMovesHandlers
from services.api.legal_actions import LegalActions
from services.api.proposals import Proposals
from services.api.submissions import Submissions
from services.wire.emeth.v1 import conditional_moves_pb2 as conditional
from services.wire.emeth.v1 import play_pb2 as pb


class PlayHandlers:
    """Handlers of the rpcs of PlayService."""

    def __init__(
        self,
        actions: LegalActions,
        submissions: Submissions,
        proposals: Proposals,
        conditional_moves: ConditionalMovesHandlers,
    ) -> None:
        self._actions = actions
        self._submissions = submissions
        self._proposals = proposals
        self._conditional = conditional_moves

    async def list_actions(
        self, call: RequestContext, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """List the legal actions of a seat."""
        return await self._actions.list_actions(call, request)

    async def preview_order(
        self, call: RequestContext, request: pb.PreviewOrderRequest
    ) -> pb.PreviewOrderResponse:
        """Return a forecast of several actions."""
        return await self._submissions.preview_order(call, request)

    async def submit_action(
        self, call: RequestContext, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Record one action or resignation, once."""
        return await self._submissions.submit_action(call, request)

    async def create_proposal(
        self, call: RequestContext, request: pb.CreateProposalRequest
    ) -> pb.CreateProposalResponse:
        """Create a proposal to the other players."""
        return await self._proposals.create_proposal(call, request)

    async def respond_to_proposal(
        self, call: RequestContext, request: pb.RespondToProposalRequest
    ) -> pb.RespondToProposalResponse:
        """Accept, reject or withdraw a proposal."""
        return await self._proposals.respond_to_proposal(call, request)

    async def set_conditional_moves(
        self, call: RequestContext, request: conditional.SetConditionalMovesRequest
    ) -> conditional.SetConditionalMovesResponse:
        """Set the conditional moves of a seat, once."""
        return await self._conditional.set_conditional_moves(call, request)

    async def get_conditional_moves(
        self, call: RequestContext, request: conditional.GetConditionalMovesRequest
    ) -> conditional.GetConditionalMovesResponse:
        """Return the conditional moves of a seat."""
        return await self._conditional.get_conditional_moves(call, request)

    async def delete_conditional_moves(
        self, call: RequestContext, request: conditional.DeleteConditionalMovesRequest
    ) -> conditional.DeleteConditionalMovesResponse:
        """Delete the conditional moves of a seat, once."""
        return await self._conditional.delete_conditional_moves(call, request)
