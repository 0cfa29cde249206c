"""AuditService, the part that explains: events, and the rules that they rest on."""

from sqlite3 import Connection

from domain.match import LONGEST_NAME
from projections import boards, citations, explanations
from projections.explanations import Explanation
from services import messages
from services.door import Call
from services.errors import ApiError, Reason
from services.reads import Reads
from services.requests import identifier, short_text, version_unknown
from services.views import check_format, watched
from services.wire.emeth.v1 import audit_pb2 as pb


class ExplainHandlers:
    """The rpcs that explain."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads

    async def explain_event(
        self, call: Call, request: pb.ExplainEventRequest
    ) -> pb.ExplainEventResponse:
        """All there is to say of one event."""
        identity = identifier("match_id", request.match_id)
        check_format(request.format)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)

        def answer(connection: Connection) -> pb.ExplainEventResponse:
            found = explanations.explain(connection, identity, request.version, viewer)
            if found is None:
                present = boards.version(connection, identity)
                raise version_unknown(identity, present, request.version)
            return _explained(found, viewer, request.format)

        return await self._reads.ask(answer)

    async def list_citations(
        self, call: Call, request: pb.ListCitationsRequest
    ) -> pb.ListCitationsResponse:
        """The events of a match that rest on a rule, or on each."""
        identity = identifier("match_id", request.match_id)
        rule = short_text("rule", request.rule, LONGEST_NAME)
        await self._reads.reached(identity, request.at_least_version, call)
        viewer = await self._reads.role(identity, call)
        found = await self._reads.ask(
            lambda connection: citations.citations(connection, identity, viewer, rule)
        )
        if found is None:
            raise ApiError(Reason.RULE_UNKNOWN, f"the game has no rule {rule}", rule=rule)
        return pb.ListCitationsResponse(
            citations=[
                pb.Citation(rule=messages.cited_rule(each.rule), versions=each.versions)
                for each in found
            ]
        )


def _explained(found: Explanation, viewer: str, form: int) -> pb.ExplainEventResponse:
    after = watched(found.step, viewer, form)
    response = pb.ExplainEventResponse(
        event=after.event,
        rules=map(messages.cited_rule, found.rules),
        after=after,
        viewers=[
            pb.FactViewers(fact=number, viewers=viewers)
            for number, viewers in enumerate(found.seen_by)
        ],
        disputes=map(messages.dispute, found.disputes),
        facts=found.facts,
    )
    if found.before is not None:
        response.before.CopyFrom(watched(found.before, viewer, form))
    return response
