"""Disputes about events, and verdicts of referees."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.kernel.game import REFEREE, AnyGame
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.match import (
    AnyMatch,
    Changeset,
    DisputeRaised,
    Event,
    SeedSource,
    Verdict,
    VerdictGiven,
    VerdictKind,
    VersionLookup,
    correct,
    moved_ranges,
    raise_dispute,
    requested_verdict,
    revert,
    uphold,
)
from projections.queries import disputes
from projections.queries.projection_errors import ProjectionError, list_projection_errors
from services.accounts.context import RequestContext, acting_seat, require_admin, require_role
from services.accounts.count_limits import CountLimits
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.filters import choice_field, parse_order, parse_values, text_field
from services.api.permissions import viewing_role
from services.api.requests import (
    PageTokens,
    check_same,
    issue_context,
    page_size,
    parse_uuid,
    raise_if_denied,
)
from services.mapping import messages
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.match_cache import CachedMatch, Decision, MatchCache
from services.store.read_models import ReadModelQueries
from services.store.recorded_requests import find_recorded_request
from services.wire.emeth.v1 import audit_pb2 as pb

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
FIELDS: Final = {
    "state": choice_field({"OPEN": True, "RESOLVED": False}, "="),
    "text": text_field(":"),
}
"""Fields by which disputes can be filtered."""
ORDERS: Final = {"create_time desc": True, "create_time": False}
"""Sort orders, and whether the newest dispute comes first."""


class VerdictRequest(msgspec.Struct, frozen=True):
    """A request to resolve a dispute."""

    dispute: int
    verdict: VerdictKind
    reason: str
    rules: tuple[str, ...]
    to: int | None = None
    facts: tuple[Any, ...] = ()


class Disputes:
    """Creates, lists and resolves disputes."""

    def __init__(
        self,
        live: MatchCache,
        read_models: ReadModelQueries,
        pages: PageTokens,
        token_issuer: TokenIssuer,
        admin_key: str,
        count_limits: CountLimits,
    ) -> None:
        self._live = live
        self._count_limits = count_limits
        self._read_models = read_models
        self._pages = pages
        self._token_issuer = token_issuer
        self._admin_key = token_digest(admin_key)

    async def create_dispute(
        self, call: RequestContext, request: pb.CreateDisputeRequest
    ) -> pb.CreateDisputeResponse:
        """Create a dispute about an event."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        reason = _reason(request.reason)

        async def decide(live: CachedMatch) -> Decision[Event]:
            match = live.state
            seat = acting_seat(match, require_role(match, call), "")
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                asked = ["dispute", seat, request.version, reason]
                check_same(request_id, first.version, first.command, asked)
                return None, first.events[0].event
            command_context = issue_context(self._token_issuer, identity, request_id)
            outcome = raise_dispute(match, seat, request.version, reason, command_context)
            recorded = raise_if_denied(outcome)
            self._count_limits.count_request(identity, seat)
            return recorded, recorded.events[0].event

        raised = await self._live.command(identity, decide)
        return pb.CreateDisputeResponse(dispute=_dispute(identity, raised))

    async def list_disputes(
        self, call: RequestContext, request: pb.ListDisputesRequest
    ) -> pb.ListDisputesResponse:
        """List a page of disputes."""
        identity = parse_uuid(request.match_id) if request.match_id else None
        given, descending = (
            parse_values(request.filter, FIELDS),
            parse_order(request.order_by, ORDERS),
        )
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        if identity is None:
            require_admin(call, self._admin_key)
        else:
            await self._read_models.wait_for_version(
                identity, request.at_least_version, call.seconds_left
            )
            await viewing_role(self._read_models, identity, call)
        wanted = disputes.DisputeQuery(identity, given.get("state"), given.get("text", ""))
        query = ("disputes", identity, request.filter, request.order_by)
        place = self._pages.start(request.page_token, *query)

        def read(connection: Connection) -> tuple[disputes.DisputePage, list[ProjectionError]]:
            page = disputes.dispute_page(connection, wanted, size, place, descending=descending)
            # A role in one match gives no right to see others.
            return page, list_projection_errors(connection) if identity is None else []

        page, damaged = await self._read_models.ask(read)
        return pb.ListDisputesResponse(
            unreachable=[str(each.match) for each in damaged],
            disputes=map(messages.dispute, page.disputes),
            next_page_token=self._pages.next(page.next, *query),
        )

    async def resolve_dispute(
        self, call: RequestContext, request: pb.ResolveDisputeRequest
    ) -> pb.ResolveDisputeResponse:
        """Resolve a dispute with a verdict."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()

        async def decide(live: CachedMatch) -> Decision[pb.ResolveDisputeResponse]:
            match = live.state
            if (role := require_role(match, call)) != REFEREE:
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED,
                    "only the referee may resolve disputes: use the referee's token",
                    role=role,
                )
            answer = _parse_verdict(match.rules, request)
            if (first := await find_recorded_request(self._live, live, request_id)) is not None:
                asked = ["judge", *requested_verdict(answer)]
                check_same(request_id, first.version, first.command, asked)
                state_at_target = await self._live.at(live, first.events[-1].event.version)
                given = first.events[0].event
                return None, await self._resolution(live, given, state_at_target.position)
            command_context = issue_context(self._token_issuer, identity, request_id)
            version_lookup, left = await self._correction_context(live, answer.to)
            seeds = self._token_issuer.seeds(identity)
            outcome = raise_if_denied(
                _judge(match, answer, command_context, version_lookup, seeds, left)
            )
            given = outcome.events[0].event
            return outcome, await self._resolution(live, given, outcome.state.position)

        return await self._live.command(identity, decide)

    async def _resolution(
        self, live: CachedMatch, given: Event, position: Any
    ) -> pb.ResolveDisputeResponse:
        """Return the response to a verdict, with the dispute that it resolved."""
        assert isinstance(given, VerdictGiven)
        numbers = range(given.dispute, given.dispute + 1)
        (raised,) = await self._live.events_of(live, (numbers,))
        return pb.ResolveDisputeResponse(
            dispute=_dispute(live.state.id, raised.event, given),
            rolled_versions=given.rolled,
            revealed_versions=given.revealed,
            position=live.state.rules.write_view(position, REFEREE),
        )

    async def _correction_context(
        self, live: CachedMatch, to: int | None
    ) -> tuple[VersionLookup, list[Event]]:
        """Return a way to recall the match at version `to`, and the events that this affects."""
        state_at_target, left = live.state, list[SealedEvent[Event]]()
        if to is not None and 1 <= to < state_at_target.version:
            left = await self._live.events_of(live, moved_ranges(state_at_target, to))
            state_at_target, _ = await self._live.state_and_events_since(live, to)
        return lambda _: state_at_target, [each.event for each in left]


def _dispute(match: UUID, raised: Event, given: VerdictGiven[Any] | None = None) -> pb.Dispute:
    assert isinstance(raised, DisputeRaised)
    return messages.dispute(disputes.dispute_from_events(match, raised, given))


def _reason(text: str) -> str:
    if not text.strip():
        raise field_invalid("reason", "it is empty: give a reason")
    return text


def _parse_verdict(game: AnyGame, request: pb.ResolveDisputeRequest) -> VerdictRequest:
    """Parse the verdict in a request."""
    rules = tuple(dict.fromkeys(request.rules))
    said = (request.dispute_number, _reason(request.reason), rules)
    dispute, reason, cited = said
    match request.WhichOneof("decision"):
        case "uphold":
            return VerdictRequest(dispute, "upheld", reason, cited)
        case "revert_to":
            return VerdictRequest(dispute, "reverted", reason, cited, request.revert_to)
        case _:
            facts = _facts(game, request.correction)
            return VerdictRequest(dispute, "corrected", reason, cited, None, facts)


def _facts(game: AnyGame, correction: pb.Correction) -> tuple[Any, ...]:
    """Parse the facts of a correction to the game's own types."""
    decoder = msgspec.json.Decoder(game.facts)
    return tuple(
        _fact(game, decoder, text, f"correction.facts_json[{number}]")
        for number, text in enumerate(correction.facts_json)
    )


def _fact(game: AnyGame, decoder: msgspec.json.Decoder[Any], text: str, field: str) -> Any:
    try:
        fact = decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise field_invalid(field, f"it must be a fact of {game.name} as JSON: {error}") from None
    # Stored facts may have fields that later versions no longer know; a referee's may not, for
    # what is left out without a word would not be what was decided.
    known = {fact.__struct_config__.tag_field, *fact.__struct_encode_fields__}
    if strange := sorted(msgspec.json.decode(text).keys() - known):
        raise field_invalid(field, f"{fact.__struct_config__.tag} has no field {strange[0][:40]!r}")
    return fact


def _judge(
    match: AnyMatch,
    answer: VerdictRequest,
    command_context: CommandContext,
    version_lookup: VersionLookup,
    seeds: SeedSource,
    left: Sequence[Event],
) -> Changeset[AnyMatch] | Rejection:
    said = (match, Verdict(answer.dispute, answer.reason, answer.rules))
    if answer.verdict == "upheld":
        return uphold(*said, command_context, seeds)
    if answer.verdict == "corrected":
        return correct(*said, answer.facts, command_context, seeds)
    assert answer.to is not None
    return revert(*said, answer.to, command_context, version_lookup, seeds, left)
