"""The client's calls of AuditService: explanations, disputes, verdicts."""

from collections.abc import Sequence

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import audit_pb2 as audit
from services.wire.emeth.v1 import views_pb2 as views


class AuditCalls(Connection):
    """Calls of AuditService. Every method raises ServiceError."""

    async def explain(
        self,
        token: str,
        match_id: str,
        version: int,
        *,
        form: views.SceneFormat.ValueType = views.SCENE_FORMAT_UNSPECIFIED,
        at_least_version: int = 0,
    ) -> audit.ExplainEventResponse:
        """All there is to say of one event, with the scenes before and after if a form is given."""
        request = audit.ExplainEventRequest(
            match_id=match_id, version=version, format=form, at_least_version=at_least_version
        )
        return await self._call(self._audit.ExplainEvent, request, token)

    async def citations(
        self, token: str, match_id: str, rule: str = "", at_least_version: int = 0
    ) -> list[audit.Citation]:
        """The events of a match that cite a rule, or each."""
        request = audit.ListCitationsRequest(
            match_id=match_id, rule=rule, at_least_version=at_least_version
        )
        return list((await self._call(self._audit.ListCitations, request, token)).citations)

    async def raise_dispute(
        self, token: str, match_id: str, version: int, reason: str, request_id: str | None = None
    ) -> int:
        """Question an event; the number of the dispute."""
        request = audit.RaiseDisputeRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            version=version,
            reason=reason,
        )
        return (await self._call(self._audit.RaiseDispute, request, token)).dispute

    async def list_disputes(
        self, token: str, request: audit.ListDisputesRequest
    ) -> audit.ListDisputesResponse:
        """One page of disputes: of a match, or with the admin key of all."""
        return await self._call(self._audit.ListDisputes, request, token)

    async def give_verdict(
        self,
        token: str,
        match_id: str,
        dispute: int,
        reason: str,
        *,
        revert_to: int | None = None,
        facts: Sequence[str] = (),
        rules: Sequence[str] = (),
        request_id: str | None = None,
    ) -> audit.GiveVerdictResponse:
        """Answer a dispute: go back to a version, or state facts (as JSON); else it is upheld."""
        request = audit.GiveVerdictRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            dispute=dispute,
            reason=reason,
            rules=rules,
        )
        if revert_to is not None:
            request.revert_to = revert_to
        elif facts:
            request.correct.facts.extend(facts)
        else:
            request.uphold = True
        return await self._call(self._audit.GiveVerdict, request, token)
