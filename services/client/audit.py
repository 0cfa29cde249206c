"""The client's calls of AuditService: explanations, disputes, verdicts, proofs."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Final

from google.protobuf.field_mask_pb2 import FieldMask

from services.client.connection import DEADLINE_SECONDS, Connection, ServiceError, new_request
from services.client.views import STANDING
from services.wire.emeth.v1 import audit_pb2 as audit
from services.wire.emeth.v1 import match_views_pb2 as views

CHECKPOINT_PENDING: Final = "CHECKPOINT_PENDING"
"""The reason of the error for a proof of an event that is newer than the newest checkpoint."""


class AuditCalls(Connection):
    """Calls of AuditService. Every method raises ServiceError."""

    async def explain(
        self,
        token: str,
        match_id: str,
        version: int,
        *fields: str,
        at_least_version: int = 0,
        view_from: views.ViewFrom.ValueType = views.VIEW_FROM_UNSPECIFIED,
    ) -> audit.ExplainEventResponse:
        """All there is to say of one event, and how the match stood before and after it, with these
        `fields` of `View`, drawn `view_from` another side of the board than the viewer's."""
        request = audit.ExplainEventRequest(
            match_id=match_id,
            version=version,
            view_mask=FieldMask(paths=(*STANDING, *fields)),
            at_least_version=at_least_version,
            view_from=view_from,
        )
        return await self._call(self._audit.ExplainEvent, request, token)

    async def citations(
        self,
        token: str,
        match_id: str,
        wanted: str = "",
        at_least_version: int = 0,
        page_size: int = 0,
    ) -> list[audit.Citation]:
        """List the rules that events of a match cite and that fit a filter, as
        `rule = agog.move.step`, page by page."""
        found: dict[str, audit.Citation] = {}
        request = audit.ListCitationsRequest(
            match_id=match_id, filter=wanted, at_least_version=at_least_version, page_size=page_size
        )
        while True:
            answer = await self._call(self._audit.ListCitations, request, token)
            for each in answer.citations:
                known = found.setdefault(each.rule.rule, each)
                if known is not each:
                    known.versions.extend(each.versions)
            if not answer.next_page_token:
                return list(found.values())
            request.page_token = answer.next_page_token

    async def create_dispute(
        self, token: str, match_id: str, version: int, reason: str, request_id: str | None = None
    ) -> int:
        """Create a dispute about an event, and return its number."""
        request = audit.CreateDisputeRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            version=version,
            reason=reason,
        )
        return (await self._call(self._audit.CreateDispute, request, token)).dispute.number

    async def list_disputes(
        self, token: str, request: audit.ListDisputesRequest
    ) -> audit.ListDisputesResponse:
        """One page of disputes: of a match, or with the admin key of all."""
        return await self._call(self._audit.ListDisputes, request, token)

    async def resolve_dispute(
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
    ) -> audit.ResolveDisputeResponse:
        """Answer a dispute: go back to a version, or state facts (as JSON); else it is upheld."""
        request = audit.ResolveDisputeRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            dispute_number=dispute,
            reason=reason,
            rules=rules,
        )
        if revert_to is not None:
            request.revert_to = revert_to
        elif facts:
            request.correction.facts_json.extend(facts)
        else:
            request.uphold = True
        return await self._call(self._audit.ResolveDispute, request, token)

    # --- judging again ---------------------------------------------------------------------------

    async def verify_match(self, token: str, match_id: str) -> audit.VerifyMatchResponse:
        """Have the service check a match of its log, and judge every action again."""
        request = audit.VerifyMatchRequest(match_id=match_id)
        return await self._call(self._audit.VerifyMatch, request, token)

    async def readjudicate(
        self, token: str, match_id: str = ""
    ) -> AsyncGenerator[audit.ReadjudicateMatchesResponse, None]:
        """Have a match judged again, or with the admin key all matches; tells how far it is."""
        request = audit.ReadjudicateMatchesRequest(match_id=match_id)
        async with aclosing(self._stream(self._audit.ReadjudicateMatches, request, token)) as steps:
            async for step in steps:
                yield step

    # --- the whole log ---------------------------------------------------------------------------

    async def checkpoint(self) -> audit.GetCheckpointResponse:
        """The log as it stands, signed, and the key to check it with."""
        return await self._call(self._audit.GetCheckpoint, audit.GetCheckpointRequest())

    async def inclusion(
        self, match_id: str, version: int, size: int = 0, *, wait: bool = True
    ) -> audit.GetProofResponse:
        """Return the proof that an event is in the log, as it is or was with `size` events.

        A new event is in the next checkpoint, which comes within seconds: `wait` for that.
        """
        event = audit.EventReference(match_id=match_id, version=version)
        request = audit.GetProofRequest(event=event, log_size=size)
        end = asyncio.get_running_loop().time() + DEADLINE_SECONDS
        while True:
            try:
                return await self._call(self._audit.GetProof, request)
            except ServiceError as error:
                pause, now = error.retry_seconds, asyncio.get_running_loop().time()
                if error.reason != CHECKPOINT_PENDING or not wait or now + pause > end:
                    raise
            await asyncio.sleep(pause)

    async def growth(self, old: int, size: int = 0) -> audit.GetProofResponse:
        """The proof that the log of `size` events, or the present one, begins with the `old`."""
        request = audit.GetProofRequest(extended_size=old, log_size=size)
        return await self._call(self._audit.GetProof, request)
