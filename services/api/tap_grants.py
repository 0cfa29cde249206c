"""Grants to tap for a seat without its token."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match import AnyMatch
from domain.table import Table, grants_of, withdraw_grants
from projections.queries import devices
from services.accounts.context import RequestContext, require_role
from services.accounts.tokens import token_digest
from services.api.idempotency import caller_identity
from services.api.requests import PageTokens, page_size, parse_uuid
from services.devices.gateway_streams import GatewayStreams
from services.devices.intake import TapIntake
from services.devices.one_time_codes import OneTimeCodes
from services.mapping import messages
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.aggregate_cache import Decision
from services.store.read_models import ReadModelQueries
from services.store.table_cache import CachedTable
from services.wire.emeth.devices.v1 import styluses_pb2 as pb

ALL_GRANTS: Final = "-"
"""The ID that stands for all grants of a seat."""
DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
MAX_TABLES: Final = 200
"""Maximum number of tables on which a match is searched."""


class TapGrantCode(Struct, frozen=True):
    """The right that a code for a stylus gives."""

    grant: str
    match: UUID
    seat: str
    key: str
    """Digest of the seat's token. The right ends when the token is replaced."""


class TapGrants:
    """Creates, lists and deletes the grants of seats."""

    def __init__(
        self,
        intake: TapIntake,
        streams: GatewayStreams,
        read_models: ReadModelQueries,
        codes: OneTimeCodes,
        pages: PageTokens,
    ) -> None:
        self._pages = pages
        self._intake = intake
        self._streams = streams
        self._read_models = read_models
        self._codes = codes

    async def create(
        self, call: RequestContext, request: pb.CreateTapGrantRequest
    ) -> pb.CreateTapGrantResponse:
        """Create a code with which one stylus may tap for the caller's seat."""
        request_id = request.request_id.lower()
        match, seat = await self._seat(call, request.match_id)
        grant = self._codes.token_issuer.seal("grant", str(match.id), seat, request_id)[:16]
        means = TapGrantCode(grant, match.id, seat, token_digest(call.token))
        # The same request ID of another caller gives another code.
        issued = self._codes.issue(
            "taps", f"{match.id} {seat} {caller_identity(call)} {request_id}", means
        )
        return pb.CreateTapGrantResponse(
            grant_id=grant,
            code=issued.code,
            uri=f"emeth:taps?code={issued.code}",
            expire_time=messages.timestamp(issued.expires),
        )

    async def list_page(
        self, call: RequestContext, request: pb.ListTapGrantsRequest
    ) -> pb.ListTapGrantsResponse:
        """List the styluses that may tap for the caller's seat."""
        match, seat = await self._seat(call, request.match_id)
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        query = ("tap grants", match.id, seat)
        first = self._pages.start(request.page_token, *query)
        grants = [
            pb.TapGrant(
                grant_id=grant,
                table_id=str(table.id),
                table_name=table.name,
                stylus_id=name,
                stylus_name=table.styluses[name].name,
            )
            for table in await self._tables(match)
            for name, grant in grants_of(table, match.id, seat).items()
        ]
        following = first + size if first + size < len(grants) else None
        return pb.ListTapGrantsResponse(
            tap_grants=grants[first : first + size],
            next_page_token=self._pages.next(following, *query),
        )

    async def delete(
        self, call: RequestContext, request: pb.DeleteTapGrantRequest
    ) -> pb.DeleteTapGrantResponse:
        """Delete a grant of the caller's seat, or all of them. Repeating this changes nothing."""
        grant = "" if request.grant_id == ALL_GRANTS else request.grant_id
        match, seat = await self._seat(call, request.match_id)
        count = 0
        for table in await self._tables(match):
            before = len(grants_of(table, match.id, seat))

            async def take_back(live: CachedTable) -> Decision[Table, Table]:
                taken = withdraw_grants(
                    live.state, match.id, seat, grant, self._intake.command_context(live.state)
                )
                return taken, taken.state if taken else live.state

            after = await self._intake.tables.command(table.id, take_back)
            count += before - len(grants_of(after, match.id, seat))
            self._streams.refresh(after)
        return pb.DeleteTapGrantResponse(deleted_count=count)

    def redeem(self, seating: pb.StylusSeating, request_id: str) -> list[TapGrantCode]:
        """Return the rights of the codes in a request, all for seats of one match."""
        found = [self._codes.redeem("taps", code, request_id) for code in seating.codes]
        matches = {str(each.match) for each in found} | {seating.match_id} - {""}
        if len(matches) > 1:
            raise field_invalid("seating.codes", "they belong to seats of another match")
        return found

    def give_back(self, seating: pb.StylusSeating) -> None:
        """Make codes valid again, since the request with them was refused."""
        for code in seating.codes:
            self._codes.give_back(code)

    async def _seat(self, call: RequestContext, match_id: str) -> tuple[AnyMatch, str]:
        """Return the match and the caller's seat. Raise ROLE_NOT_ALLOWED for other roles."""
        match = (await self._intake.live.get(parse_uuid(match_id))).state
        role = require_role(match, call)
        if role not in match.seats:
            why = f"the token is {role}'s; only a seat may grant taps for itself"
            raise ApiError(Reason.ROLE_NOT_ALLOWED, why, role=role)
        return match, role

    async def _tables(self, match: AnyMatch) -> list[Table]:
        """Return the tables on which a match is played."""
        await self._read_models.catch_up_briefly()
        page = await self._read_models.ask(
            lambda connection: devices.tables_of_match(connection, match.id, MAX_TABLES)
        )
        return [(await self._intake.tables.get(each)).state for each in page]


def digests_and_grants(found: list[TapGrantCode]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the digests of tokens, and the grants, by seat."""
    return {each.seat: each.key for each in found}, {each.seat: each.grant for each in found}
