"""AuditService: explanations, disputes and proofs of matches."""

from collections.abc import AsyncIterator

from services.accounts.context import RequestContext
from services.api.disputes import Disputes
from services.api.explanations import Explanations
from services.api.proofs import Proofs
from services.wire.emeth.v1 import audit_pb2 as pb


class AuditHandlers:
    """Handlers of the rpcs of AuditService."""

    def __init__(self, explanations: Explanations, disputes: Disputes, proofs: Proofs) -> None:
        self._explanations = explanations
        self._disputes = disputes
        self._proofs = proofs

    async def explain_event(
        self, call: RequestContext, request: pb.ExplainEventRequest
    ) -> pb.ExplainEventResponse:
        """Return the explanation of an event."""
        return await self._explanations.explain_event(call, request)

    async def list_citations(
        self, call: RequestContext, request: pb.ListCitationsRequest
    ) -> pb.ListCitationsResponse:
        """List the events of a match that cite a rule."""
        return await self._explanations.list_citations(call, request)

    async def create_dispute(
        self, call: RequestContext, request: pb.CreateDisputeRequest
    ) -> pb.CreateDisputeResponse:
        """Create a dispute about an event."""
        return await self._disputes.create_dispute(call, request)

    async def list_disputes(
        self, call: RequestContext, request: pb.ListDisputesRequest
    ) -> pb.ListDisputesResponse:
        """List disputes, the newest first."""
        return await self._disputes.list_disputes(call, request)

    async def resolve_dispute(
        self, call: RequestContext, request: pb.ResolveDisputeRequest
    ) -> pb.ResolveDisputeResponse:
        """Resolve a dispute as the referee."""
        return await self._disputes.resolve_dispute(call, request)

    async def verify_match(
        self, call: RequestContext, request: pb.VerifyMatchRequest
    ) -> pb.VerifyMatchResponse:
        """Verify one match in the log."""
        return await self._proofs.verify_match(call, request)

    def readjudicate_matches(
        self, call: RequestContext, request: pb.ReadjudicateMatchesRequest
    ) -> AsyncIterator[pb.ReadjudicateMatchesResponse]:
        """Adjudicate one match or all again, and yield the findings of each."""
        return self._proofs.readjudicate_matches(call, request)

    async def get_checkpoint(
        self, call: RequestContext, request: pb.GetCheckpointRequest
    ) -> pb.GetCheckpointResponse:
        """Return the signed checkpoint of the log."""
        return await self._proofs.get_checkpoint(call, request)

    async def get_proof(
        self, call: RequestContext, request: pb.GetProofRequest
    ) -> pb.GetProofResponse:
        """Return a proof that an event is in the log, or that the log only grew."""
        return await self._proofs.get_proof(call, request)
