"""AuditService: why a match stands as it does, and that it was recorded so."""

from collections.abc import AsyncIterator

from services.accounts.context import RequestContext
from services.api.disputes import Disputes
from services.api.explanations import Explanations
from services.api.proofs import Proofs
from services.wire.emeth.v1 import audit_pb2 as pb


class AuditHandlers:
    """The rpcs of AuditService."""

    def __init__(self, explanations: Explanations, disputes: Disputes, proofs: Proofs) -> None:
        self._explanations = explanations
        self._disputes = disputes
        self._proofs = proofs

    async def explain_event(
        self, call: RequestContext, request: pb.ExplainEventRequest
    ) -> pb.ExplainEventResponse:
        """All there is to say of one event."""
        return await self._explanations.explain_event(call, request)

    async def list_citations(
        self, call: RequestContext, request: pb.ListCitationsRequest
    ) -> pb.ListCitationsResponse:
        """The events of a match that rest on a rule, or on each."""
        return await self._explanations.list_citations(call, request)

    async def create_dispute(
        self, call: RequestContext, request: pb.CreateDisputeRequest
    ) -> pb.CreateDisputeResponse:
        """Question an event."""
        return await self._disputes.create_dispute(call, request)

    async def list_disputes(
        self, call: RequestContext, request: pb.ListDisputesRequest
    ) -> pb.ListDisputesResponse:
        """A page of disputes, the latest raised first."""
        return await self._disputes.list_disputes(call, request)

    async def resolve_dispute(
        self, call: RequestContext, request: pb.ResolveDisputeRequest
    ) -> pb.ResolveDisputeResponse:
        """Answer a dispute."""
        return await self._disputes.resolve_dispute(call, request)

    async def verify_match(
        self, call: RequestContext, request: pb.VerifyMatchRequest
    ) -> pb.VerifyMatchResponse:
        """Check one match in the log."""
        return await self._proofs.verify_match(call, request)

    def readjudicate_matches(
        self, call: RequestContext, request: pb.ReadjudicateMatchesRequest
    ) -> AsyncIterator[pb.ReadjudicateMatchesResponse]:
        """Judge one match or all again, and tell of each match when it is done."""
        return self._proofs.readjudicate_matches(call, request)

    async def get_checkpoint(
        self, call: RequestContext, request: pb.GetCheckpointRequest
    ) -> pb.GetCheckpointResponse:
        """The log as it stands, signed."""
        return await self._proofs.get_checkpoint(call, request)

    async def get_proof(
        self, call: RequestContext, request: pb.GetProofRequest
    ) -> pb.GetProofResponse:
        """That an event is in the log, or that the log only grew."""
        return await self._proofs.get_proof(call, request)
