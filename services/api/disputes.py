"""Disputes and verdicts. `domain.match` decides."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.kernel.game import REFEREE, AnyGame
from domain.log.ledger import Denied
from domain.log.origin import Stamp
from domain.log.sealed_events import Sealed
from domain.match import (
    AnyMatch,
    Decided,
    DisputeRaised,
    Event,
    Judgement,
    Recall,
    Seeds,
    Verdict,
    VerdictGiven,
    correct,
    moved,
    raise_dispute,
    revert,
    uphold,
    verdict_asked,
)
from projections.queries import disputes
from projections.queries.projection_errors import Trouble, troubles
from services.accounts.context import Call, acting_seat, check_admin, role_in
from services.accounts.count_limits import Bounds
from services.accounts.tokens import Mint, key_of
from services.api.filters import choice_field, ordering, parse_values, text_field
from services.api.permissions import viewing_role
from services.api.requests import PageTokens, check_same, not_denied, page_size, stamped, uuid_of
from services.mapping import messages
from services.runtime.errors import ApiError, Reason, malformed
from services.store.first_answers import first_answer
from services.store.match_cache import Decision, LiveMatch, LiveMatches
from services.store.read_models import Reads
from services.wire.emeth.v1 import audit_pb2 as pb

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200
FIELDS: Final = {
    "state": choice_field({"OPEN": True, "RESOLVED": False}, "="),
    "text": text_field(":"),
}
"""What disputes can be filtered by."""
ORDERS: Final = {"create_time desc": True, "create_time": False}
"""Whether the latest dispute comes first."""


class VerdictRequested(msgspec.Struct, frozen=True):
    """A referee's answer to a dispute, as it was asked for."""

    dispute: int
    verdict: Verdict
    reason: str
    rules: tuple[str, ...]
    to: int | None = None
    facts: tuple[Any, ...] = ()


class Disputes:
    """Takes and lists disputes, and gives verdicts."""

    def __init__(
        self,
        live: LiveMatches,
        reads: Reads,
        pages: PageTokens,
        mint: Mint,
        admin_key: str,
        bounds: Bounds,
    ) -> None:
        self._live = live
        self._bounds = bounds
        self._reads = reads
        self._pages = pages
        self._mint = mint
        self._admin_key = key_of(admin_key)

    async def create_dispute(
        self, call: Call, request: pb.CreateDisputeRequest
    ) -> pb.CreateDisputeResponse:
        """Create a dispute about an event."""
        identity = uuid_of(request.match_id)
        request_id = request.request_id.lower()
        reason = _reason(request.reason)

        async def decide(live: LiveMatch) -> Decision[Event]:
            match = live.state
            seat = acting_seat(match, role_in(match, call), "")
            if (first := await first_answer(self._live, live, request_id)) is not None:
                asked = ["dispute", seat, request.version, reason]
                check_same(request_id, first.version, first.asked, asked)
                return None, first.events[0].event
            stamp = stamped(self._mint, identity, request_id)
            outcome = raise_dispute(match, seat, request.version, reason, stamp)
            recorded = not_denied(outcome)
            self._bounds.ask(identity, seat)
            return recorded, recorded.events[0].event

        raised = await self._live.command(identity, decide)
        return pb.CreateDisputeResponse(dispute=_dispute(identity, raised))

    async def list_disputes(
        self, call: Call, request: pb.ListDisputesRequest
    ) -> pb.ListDisputesResponse:
        """List a page of disputes."""
        identity = uuid_of(request.match_id) if request.match_id else None
        given, descending = parse_values(request.filter, FIELDS), ordering(request.order_by, ORDERS)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        if identity is None:
            check_admin(call, self._admin_key)
        else:
            await self._reads.reached(identity, request.at_least_version, call.seconds_left)
            await viewing_role(self._reads, identity, call)
        wanted = disputes.DisputeQuery(identity, given.get("state"), given.get("text", ""))
        query = ("disputes", identity, request.filter, request.order_by)
        place = self._pages.begin(request.page_token, *query)

        def read(connection: Connection) -> tuple[disputes.DisputePage, list[Trouble]]:
            page = disputes.page(connection, wanted, size, place, descending=descending)
            # Who has a role in one match learns nothing of others.
            return page, troubles(connection) if identity is None else []

        page, damaged = await self._reads.ask(read)
        return pb.ListDisputesResponse(
            unreachable=[str(each.match) for each in damaged],
            disputes=map(messages.dispute, page.disputes),
            next_page_token=self._pages.next(page.next, *query),
        )

    async def resolve_dispute(
        self, call: Call, request: pb.ResolveDisputeRequest
    ) -> pb.ResolveDisputeResponse:
        """Resolve a dispute with a verdict."""
        identity = uuid_of(request.match_id)
        request_id = request.request_id.lower()

        async def decide(live: LiveMatch) -> Decision[pb.ResolveDisputeResponse]:
            match = live.state
            if (role := role_in(match, call)) != REFEREE:
                raise ApiError(
                    Reason.ROLE_NOT_ALLOWED, "only the referee gives verdicts", role=role
                )
            answer = _answer(match.rules, request)
            if (first := await first_answer(self._live, live, request_id)) is not None:
                asked = ["judge", *verdict_asked(answer)]
                check_same(request_id, first.version, first.asked, asked)
                stood = await self._live.at(live, first.events[-1].event.version)
                given = first.events[0].event
                return None, await self._resolved(live, given, stood.position)
            stamp = stamped(self._mint, identity, request_id)
            recall, left = await self._moved(live, answer.to)
            seeds = self._mint.seeds(identity)
            outcome = not_denied(_judge(match, answer, stamp, recall, seeds, left))
            given = outcome.events[0].event
            return outcome, await self._resolved(live, given, outcome.state.position)

        return await self._live.command(identity, decide)

    async def _resolved(
        self, live: LiveMatch, given: Event, position: Any
    ) -> pb.ResolveDisputeResponse:
        """The response for a verdict, given after the dispute in the same match."""
        assert isinstance(given, VerdictGiven)
        numbers = range(given.dispute, given.dispute + 1)
        (raised,) = await self._live.events_of(live, (numbers,))
        return pb.ResolveDisputeResponse(
            dispute=_dispute(live.state.id, raised.event, given),
            rolled_versions=given.rolled,
            revealed_versions=given.revealed,
            position=live.state.rules.write_view(position, REFEREE),
        )

    async def _moved(self, live: LiveMatch, to: int | None) -> tuple[Recall, list[Event]]:
        """Knows the match at the version to go back to, if there is one, and what is left or taken
        up again by that."""
        stood, left = live.state, list[Sealed[Event]]()
        if to is not None and 1 <= to < stood.version:
            left = await self._live.events_of(live, moved(stood, to))
            stood, _ = await self._live.back_to(live, to)
        return lambda _: stood, [each.event for each in left]


def _dispute(match: UUID, raised: Event, given: VerdictGiven[Any] | None = None) -> pb.Dispute:
    assert isinstance(raised, DisputeRaised)
    return messages.dispute(disputes.listed(match, raised, given))


def _reason(text: str) -> str:
    if not text.strip():
        raise malformed("reason", "say why, in words")
    return text


def _answer(game: AnyGame, request: pb.ResolveDisputeRequest) -> VerdictRequested:
    """The verdict in a request, which has one."""
    rules = tuple(dict.fromkeys(request.rules))
    said = (request.dispute_number, _reason(request.reason), rules)
    dispute, reason, cited = said
    match request.WhichOneof("decision"):
        case "uphold":
            return VerdictRequested(dispute, "upheld", reason, cited)
        case "revert_to":
            return VerdictRequested(dispute, "reverted", reason, cited, request.revert_to)
        case _:
            facts = _facts(game, request.correction)
            return VerdictRequested(dispute, "corrected", reason, cited, None, facts)


def _facts(game: AnyGame, correction: pb.Correction) -> tuple[Any, ...]:
    """The facts of a correction, in the game's own types."""
    decoder = msgspec.json.Decoder(game.facts)
    return tuple(
        _fact(game, decoder, text, f"correction.facts_json[{number}]")
        for number, text in enumerate(correction.facts_json)
    )


def _fact(game: AnyGame, decoder: msgspec.json.Decoder[Any], text: str, field: str) -> Any:
    try:
        fact = decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise malformed(field, f"it is not a fact of {game.name}: {error}") from None
    # Stored facts may have fields that later versions no longer know; a referee's may not, for
    # what is left out without a word would not be what was decided.
    known = {fact.__struct_config__.tag_field, *fact.__struct_encode_fields__}
    if strange := sorted(msgspec.json.decode(text).keys() - known):
        raise malformed(field, f"{fact.__struct_config__.tag} has no field {strange[0][:40]!r}")
    return fact


def _judge(
    match: AnyMatch,
    answer: VerdictRequested,
    stamp: Stamp,
    recall: Recall,
    seeds: Seeds,
    left: Sequence[Event],
) -> Decided[AnyMatch] | Denied:
    said = (match, Judgement(answer.dispute, answer.reason, answer.rules))
    if answer.verdict == "upheld":
        return uphold(*said, stamp, seeds)
    if answer.verdict == "corrected":
        return correct(*said, answer.facts, stamp, seeds)
    assert answer.to is not None
    return revert(*said, answer.to, stamp, recall, seeds, left)
