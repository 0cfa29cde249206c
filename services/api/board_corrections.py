"""Who may say that a board misread: its gateway, who looks after the table, a seat, the referee."""

from hmac import compare_digest
from typing import Final

from domain import table as tables
from domain.kernel.game import REFEREE
from domain.kernel.rulings import Refused
from domain.log.stamps import Stamp
from domain.table import Table
from domain.table.events import LONGEST_STYLUS
from services.api.requests import identifier, short_text
from services.api.table_changes import TableChanges
from services.callers import Call, role_in
from services.errors import ApiError, Reason, malformed
from services.tables.gateway_keys import gateway_of, is_owner
from services.tables.gateway_stream import GatewayStreams
from services.tables.intake import TapIntake
from services.tokens import key_of
from services.wire.emeth.v1 import gateways_pb2 as pb

LONGEST_WHY: Final = 160


class BoardCorrections:
    """Has boards corrected."""

    def __init__(
        self, intake: TapIntake, streams: GatewayStreams, changes: TableChanges, admin_key: str
    ) -> None:
        self._intake = intake
        self._streams = streams
        self._changes = changes
        self._admin_key = key_of(admin_key)

    async def correct(self, call: Call, request: pb.CorrectBoardRequest) -> pb.CorrectBoardResponse:
        """Believe the caller rather than a board."""
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        why = short_text("why", request.why, LONGEST_WHY)
        table, by = await self._asking(call, request, stylus)
        spaces = {each.space: tuple(sorted(each.signs)) for each in request.spaces}
        if len(spaces) != len(request.spaces):
            raise malformed("spaces", "each space is given once")
        match = await self._intake.match(table)
        asked = tables.Correction(stylus, by, spaces or None, why)
        meet = self._intake.attaching.moments.meet

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.correct(table, asked, match, meet, stamp)

        answer = await self._changes.ask(table.id, request, decide)
        if isinstance(answer, Refused):
            return pb.CorrectBoardResponse(refused=await self._intake.refusal(table, answer))
        self._streams.look_again(answer)
        return pb.CorrectBoardResponse(corrected=len(answer.stylus(stylus).corrected))

    async def _asking(
        self, call: Call, request: pb.CorrectBoardRequest, stylus: str
    ) -> tuple[Table, str]:
        """The table, and as what the caller corrects its board."""
        if request.match_id:
            return await self._of_match(call, request, stylus)
        if not request.table_id:
            gateway, table = await gateway_of(self._intake.tables, call, request.gateway_id)
            if table.stylus(stylus).gateway not in ("", gateway):
                why = "the board is paired with another gateway: its owner corrects it"
                raise ApiError(Reason.GATEWAY_KEY_WRONG, why)
            return table, "gateway"
        if not call.token:
            raise ApiError(Reason.TOKEN_MISSING)
        identity = identifier("table_id", request.table_id)
        held = await self._intake.tables.find(identity)
        is_admin = compare_digest(key_of(call.token), self._admin_key)
        if held is None or not (is_admin or is_owner(held.state, call.token)):
            why = "the call needs the table's owner's key, or the service's admin key"
            raise ApiError(Reason.ADMIN_KEY_WRONG, why)
        return held.state, "owner"

    async def _of_match(
        self, call: Call, request: pb.CorrectBoardRequest, stylus: str
    ) -> tuple[Table, str]:
        """The table for who has a token of the match on it. ROLE_FORBIDS for other tables, whatever
        there is, and for seats that the board does not act for."""
        match = (await self._intake.live.get(identifier("match_id", request.match_id))).state
        role = role_in(match, call)
        held = await self._intake.tables.find(identifier("table_id", request.table_id))
        board = held.state.stylus(stylus) if held and held.state.match == match.id else None
        acts = board is not None and role in tables.seats_of(board, match)
        if held is None or board is None or not (role == REFEREE or acts):
            why = "a board is corrected by the referee of its match, or a seat that it acts for"
            raise ApiError(Reason.ROLE_FORBIDS, why, role=role)
        return held.state, role
