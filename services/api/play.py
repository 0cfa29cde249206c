"""PlayService: acting in a match, and taking back."""

from services.api.legal_actions import LegalActions
from services.api.submissions import Submissions
from services.api.undo import Undo
from services.callers import Call
from services.wire.emeth.v1 import play_pb2 as pb


class PlayHandlers:
    """The rpcs of PlayService."""

    def __init__(self, actions: LegalActions, submissions: Submissions, undo: Undo) -> None:
        self._actions = actions
        self._submissions = submissions
        self._undo = undo

    async def list_actions(
        self, call: Call, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """One page of what a seat may do now."""
        return await self._actions.list_actions(call, request)

    async def submit_action(
        self, call: Call, request: pb.SubmitActionRequest
    ) -> pb.SubmitActionResponse:
        """Take one action, once."""
        return await self._submissions.submit_action(call, request)

    async def preview_action(
        self, call: Call, request: pb.PreviewActionRequest
    ) -> pb.PreviewActionResponse:
        """What an action would do."""
        return await self._submissions.preview_action(call, request)

    async def resign(self, call: Call, request: pb.ResignRequest) -> pb.ResignResponse:
        """Give the match up."""
        return await self._submissions.resign(call, request)

    async def offer_draw(self, call: Call, request: pb.OfferDrawRequest) -> pb.OfferDrawResponse:
        """Offer to end the match without a winner."""
        return await self._submissions.offer_draw(call, request)

    async def answer_draw(self, call: Call, request: pb.AnswerDrawRequest) -> pb.AnswerDrawResponse:
        """Accept or decline the draw that is offered."""
        return await self._submissions.answer_draw(call, request)

    async def undo(self, call: Call, request: pb.UndoRequest) -> pb.UndoResponse:
        """Take back to an earlier version of the line, or ask for it."""
        return await self._undo.undo(call, request)

    async def redo(self, call: Call, request: pb.RedoRequest) -> pb.RedoResponse:
        """Take up an undone branch again, or ask for it."""
        return await self._undo.redo(call, request)

    async def answer_undo(self, call: Call, request: pb.AnswerUndoRequest) -> pb.AnswerUndoResponse:
        """Grant or refuse what is asked for."""
        return await self._undo.answer_undo(call, request)
