"""The right to tap for a seat without its token: given by a code, used by a stylus, withdrawn."""

from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match import AnyMatch
from domain.table import Table, grants_of, withdraw
from projections import devices
from services import messages
from services.api.repetitions import caller_of
from services.api.requests import identifier, short_text
from services.callers import Call, role_in
from services.errors import ApiError, Reason, malformed
from services.reads import Reads
from services.store.live import Decision
from services.store.live_tables import LiveTable
from services.tables.gateway_streams import GatewayStreams
from services.tables.intake import TapIntake
from services.tables.one_time_codes import OneTimeCodes
from services.tokens import key_of
from services.wire.emeth.v1 import gateways_pb2 as pb

LONGEST_GRANT: Final = 40
MOST_TABLES: Final = 200
"""On which a match is looked for."""


class Granted(Struct, frozen=True):
    """What a code for a stylus stands for."""

    grant: str
    match: UUID
    seat: str
    key: str
    """The digest of the seat's token: the right ends with it."""


class TapRights:
    """Gives, lists and takes back the rights of a seat's styluses."""

    def __init__(
        self, intake: TapIntake, streams: GatewayStreams, reads: Reads, codes: OneTimeCodes
    ) -> None:
        self._intake = intake
        self._streams = streams
        self._reads = reads
        self._codes = codes

    async def grant(self, call: Call, request: pb.GrantTapsRequest) -> pb.GrantTapsResponse:
        """A code by which one stylus may tap for the caller's seat."""
        request_id = str(identifier("request_id", request.request_id))
        match, seat = await self._seat(call, request.match_id)
        grant = self._codes.mint.seal("grant", str(match.id), seat, request_id)[:16]
        means = Granted(grant, match.id, seat, key_of(call.token))
        # Another caller's request of the same id is another code.
        issued = self._codes.issue(
            "taps", f"{match.id} {seat} {caller_of(call)} {request_id}", means
        )
        return pb.GrantTapsResponse(
            grant_id=grant,
            code=issued.code,
            uri=f"emeth:taps?code={issued.code}",
            expires_at=messages.timestamp(issued.expires),
        )

    async def listed(
        self, call: Call, request: pb.ListTapRightsRequest
    ) -> pb.ListTapRightsResponse:
        """The styluses that may tap for the caller's seat."""
        match, seat = await self._seat(call, request.match_id)
        return pb.ListTapRightsResponse(
            rights=[
                pb.TapRight(
                    grant_id=grant,
                    table_id=str(table.id),
                    table_name=table.name,
                    stylus=name,
                    stylus_name=table.styluses[name].name,
                )
                for table in await self._tables(match)
                for name, grant in grants_of(table, match.id, seat).items()
            ]
        )

    async def withdraw(
        self, call: Call, request: pb.WithdrawTapsRequest
    ) -> pb.WithdrawTapsResponse:
        """Take a right back, or all that the caller's seat has given. Twice is as good as once."""
        identifier("request_id", request.request_id)
        grant = short_text("grant_id", request.grant_id, LONGEST_GRANT)
        match, seat = await self._seat(call, request.match_id)
        count = 0
        for table in await self._tables(match):
            before = len(grants_of(table, match.id, seat))

            async def take_back(live: LiveTable) -> Decision[Table, Table]:
                taken = withdraw(live.state, match.id, seat, grant, self._intake.stamp(live.state))
                return taken, taken.state if taken else live.state

            after = await self._intake.tables.command(table.id, take_back)
            count += before - len(grants_of(after, match.id, seat))
            self._streams.look_again(after)
        return pb.WithdrawTapsResponse(withdrawn=count)

    def redeem(self, request: pb.SeatStylusRequest) -> list[Granted]:
        """What the codes of a request stand for: seats of one match, and of the one it names."""
        found = [self._codes.redeem("taps", code, request.request_id) for code in request.codes]
        matches = {str(each.match) for each in found} | {request.match_id} - {""}
        if len(matches) > 1:
            raise malformed("codes", "they are for seats of another match")
        return found

    def give_back(self, request: pb.SeatStylusRequest) -> None:
        """Let the codes of a request count again that was refused."""
        for code in request.codes:
            self._codes.give_back(code)

    async def _seat(self, call: Call, match_id: str) -> tuple[AnyMatch, str]:
        """The match, and the seat that the caller has."""
        match = (await self._intake.live.get(identifier("match_id", match_id))).state
        role = role_in(match, call)
        if role not in match.seats:
            why = f"the token is {role}'s; a seat gives the right to tap for itself"
            raise ApiError(Reason.ROLE_NOT_ALLOWED, why, role=role)
        return match, role

    async def _tables(self, match: AnyMatch) -> list[Table]:
        """The tables on which a match is played, as they stand."""
        await self._reads.recent()
        page = await self._reads.ask(
            lambda connection: devices.playing(connection, match.id, MOST_TABLES)
        )
        return [(await self._intake.tables.get(each)).state for each in page]


def digests(found: list[Granted]) -> tuple[dict[str, str], dict[str, str]]:
    """The seats of some codes with the digests of their tokens, and with their grants."""
    return {each.seat: each.key for each in found}, {each.seat: each.grant for each in found}
