"""GatewaysService: tables, gateways and styluses. `domain.table` decides."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from domain import table as tables
from domain.kernel.game import Refused
from domain.log.digests import digest
from domain.log.stamps import Stamp
from domain.match import role_of
from domain.table import Table
from domain.table.events import LONGEST_CODE, LONGEST_STYLUS
from services import messages
from services.api.devices import Devices
from services.api.requests import identifier, short_text
from services.api.table_changes import TableChanges
from services.callers import Call, check_admin
from services.errors import ApiError, Reason, malformed
from services.reads import Reads
from services.store.errors import VersionConflict
from services.store.live import Decision
from services.store.live_tables import LiveTable
from services.tables.gateway_keys import gateway_of
from services.tables.gateway_stream import GatewayStream, GatewayStreams
from services.tables.intake import TapIntake
from services.tables.pairing import Pairings
from services.tokens import Mint, key_of
from services.wire.emeth.v1 import gateways_pb2 as pb

HELLO_SECONDS: Final = 20.0
"""How long a new stream may be silent."""
LONGEST_NAME: Final = 80
LONGEST_EPOCH: Final = 40


class GatewaysHandlers:
    """The rpcs of GatewaysService."""

    def __init__(
        self,
        intake: TapIntake,
        streams: GatewayStreams,
        reads: Reads,
        mint: Mint,
        admin_key: str,
        devices: Devices,
    ) -> None:
        self._intake = intake
        self._tables = intake.tables
        self._streams = streams
        self._mint = mint
        self._admin_key = key_of(admin_key)
        self._changes = TableChanges(intake.tables, mint)
        self._devices = devices
        self._pairings = Pairings(self._tables, reads, streams.__contains__)

    # --- gateways --------------------------------------------------------------------------------

    async def register_gateway(
        self, call: Call, request: pb.RegisterGatewayRequest
    ) -> pb.RegisterGatewayResponse:
        """Let a gateway connect from now on."""
        check_admin(call, self._admin_key)
        request_id = str(identifier("request_id", request.request_id))
        name = short_text("name", request.name, LONGEST_NAME, 1)
        table_id = self._mint.match_id(f"table {request_id}")
        if request.table_id:
            table_id = identifier("table_id", request.table_id)
        else:
            await self._open(table_id, name)
        gateway = f"{table_id}.{digest(request_id.encode())[:8]}"
        key = f"{gateway}.{self._mint.token('gateway', gateway)}"

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.register(table, gateway, name, key_of(key), stamp)

        # The answer gives out a key, so only a digest of the request's id is kept.
        await self._changes.make(table_id, digest(request_id.encode()), request, decide)
        return pb.RegisterGatewayResponse(table_id=str(table_id), gateway_id=gateway, key=key)

    async def _open(self, table_id: UUID, name: str) -> None:
        """Set the table up, unless this request did so before."""
        if await self._tables.find(table_id) is not None:
            return
        opened = tables.open_table(table_id, name, Stamp(datetime.now(UTC), ""))
        try:
            await self._tables.create(opened)
        except VersionConflict:
            return  # the same request, sent twice at once

    async def connect(
        self, call: Call, requests: AsyncIterator[pb.ConnectRequest]
    ) -> AsyncIterator[pb.ConnectResponse]:
        """A gateway's stream."""
        gateway, table = await self._gateway(call)
        hello = await _hello(requests)
        if hello.gateway_id != gateway:
            raise ApiError(Reason.GATEWAY_KEY_WRONG, "the key is another gateway's")
        epoch = short_text("epoch", hello.epoch, LONGEST_EPOCH, 1)
        software = short_text("software", hello.software, LONGEST_NAME)
        first = min(hello.first_kept, (1 << 53) - 1)

        async def greet(live: LiveTable) -> Decision[Table, Table]:
            stamp = Stamp(datetime.now(UTC), "")
            greeted = tables.hello(live.state, gateway, epoch, first, software, stamp)
            return greeted, greeted.state if greeted else live.state

        table = await self._tables.command(table.id, greet)
        with self._streams.open(GatewayStream(self._intake, gateway, epoch)) as stream:
            async for answer in stream.run(table, requests):
                yield answer

    # --- styluses --------------------------------------------------------------------------------

    async def pair_stylus(self, call: Call, request: pb.PairStylusRequest) -> pb.PairStylusResponse:
        """Pair a stylus with the gateway whose key the call has, and with no other table's."""
        gateway, table = await self._gateway(call)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        typed, factory = (
            self._changes.pin(stylus, pin) for pin in (request.pin, tables.FACTORY_PIN)
        )
        attempt = tables.PairingAttempt(gateway, stylus, typed, factory)

        async with self._pairings.of(stylus):
            elsewhere = await self._pairings.elsewhere(stylus, table.id)

            def decide(table: Table, stamp: Stamp) -> tables.Answer:
                return tables.pair(table, attempt, stamp, elsewhere)

            answer = await self._changes.ask(table.id, request, decide)
            if isinstance(answer, Refused):
                return pb.PairStylusResponse(refused=await self._intake.refusal(table, answer))
            # A request that is repeated may be about a stylus that went on to another table.
            if answer.stylus(stylus).gateway:
                for left in await self._pairings.settle(stylus, answer, call):
                    self._streams.look_again(left)
        self._streams.look_again(answer)
        return pb.PairStylusResponse(paired=_stylus(answer, stylus))

    async def rename_stylus(
        self, call: Call, request: pb.RenameStylusRequest
    ) -> pb.RenameStylusResponse:
        """Give a stylus a name and a PIN."""
        _, table = await self._gateway(call)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        key = self._changes.pin(stylus, request.pin)

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.rename(table, stylus, request.name, request.pin, key, stamp)

        answer = await self._changes.ask(table.id, request, decide)
        if isinstance(answer, Refused):
            return pb.RenameStylusResponse(refused=await self._intake.refusal(table, answer))
        return pb.RenameStylusResponse(renamed=_stylus(answer, stylus))

    async def seat_stylus(self, call: Call, request: pb.SeatStylusRequest) -> pb.SeatStylusResponse:
        """Say for whom a stylus acts, in which match."""
        _, table = await self._gateway(call)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        match = (await self._intake.live.get(identifier("match_id", request.match_id))).state
        if not 1 <= len(request.tokens) <= 16:
            raise malformed("tokens", "there are 1 to 16 of them")
        keys = [key_of(token) for token in request.tokens]
        roles = {role_of(match, key): key for key in keys}
        if None in roles:
            raise ApiError(Reason.TOKEN_FOREIGN, match=match.id)
        seats = {seat: roles[seat] for seat in match.seats if seat in roles}
        shared = len(seats) == len(match.seats)

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.seat(table, stylus, match.id, seats, stamp, shared=shared)

        answer = await self._changes.ask(table.id, request, decide)
        if isinstance(answer, Refused):
            return pb.SeatStylusResponse(refused=await self._intake.refusal(table, answer))
        self._streams.look_again(answer)
        return pb.SeatStylusResponse(seated=_stylus(answer, stylus))

    async def set_tap_map(self, call: Call, request: pb.SetTapMapRequest) -> pb.SetTapMapResponse:
        """Give the table its own tap map."""
        _, table = await self._gateway(call)
        for code, target in request.codes.items():
            short_text("codes", code, LONGEST_CODE, 1)
            if not tables.is_target(target):
                raise malformed("codes", f"{target[:40]!r} is not a target, such as `base s1`")

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.map_codes(table, request.codes, stamp)

        answer = await self._changes.ask(table.id, request, decide)
        assert isinstance(answer, Table), "a tap map is never refused"
        return pb.SetTapMapResponse(map_version=answer.map_version)

    async def list_styluses(
        self, call: Call, request: pb.ListStylusesRequest
    ) -> pb.ListStylusesResponse:
        """The styluses of the table."""
        del request
        _, table = await self._gateway(call)
        return pb.ListStylusesResponse(
            styluses=[_stylus(table, name) for name in table.styluses],
            match_id=str(table.match or ""),
            map_version=table.map_version,
        )

    # --- what is there, and was tapped -----------------------------------------------------------

    async def list_devices(
        self, call: Call, request: pb.ListDevicesRequest
    ) -> pb.ListDevicesResponse:
        """A page of tables, with their gateways and styluses."""
        return await self._devices.list_devices(call, request)

    async def list_taps(self, call: Call, request: pb.ListTapsRequest) -> pb.ListTapsResponse:
        """A page of the taps and signs of a table."""
        return await self._devices.list_taps(call, request)

    async def _gateway(self, call: Call) -> tuple[str, Table]:
        return await gateway_of(self._tables, call)


async def _hello(requests: AsyncIterator[pb.ConnectRequest]) -> pb.Hello:
    try:
        first = await asyncio.wait_for(anext(requests, None), HELLO_SECONDS)
    except TimeoutError:
        first = None
    if first is None or first.WhichOneof("what") != "hello":
        raise malformed("hello", "the first message of a connection says who the gateway is")
    return first.hello


def _stylus(table: Table, name: str) -> pb.Stylus:
    stylus = table.stylus(name)
    return pb.Stylus(
        stylus=name,
        name=stylus.name,
        gateway_id=stylus.gateway,
        lost=stylus.lost is not None,
        lost_since=messages.timestamp(stylus.lost) if stylus.lost else None,
        battery_percent=stylus.battery,
        seats=sorted(stylus.seats),
        shared=stylus.shared,
    )
