"""GatewaysService: tables, gateways and styluses. `domain.table` decides."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Final

from domain import table as tables
from domain.kernel.game import REFEREE, Refused
from domain.log.stamps import Stamp
from domain.match import role_of
from domain.table import Table
from domain.table.events import LONGEST_STYLUS
from services import messages
from services.api.devices import Devices
from services.api.requests import identifier, short_text
from services.api.table_changes import TableChanges
from services.api.table_owners import TableOwners
from services.callers import Call
from services.errors import ApiError, Reason, malformed
from services.reads import Reads
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
        self._owners = TableOwners(intake, streams, mint, admin_key)
        self._changes = TableChanges(intake.tables, mint)
        self._devices = devices
        self._pairings = Pairings(self._tables, reads, streams.__contains__)

    # --- gateways --------------------------------------------------------------------------------

    async def register_gateway(
        self, call: Call, request: pb.RegisterGatewayRequest
    ) -> pb.RegisterGatewayResponse:
        """Let a gateway connect from now on."""
        return await self._owners.register(call, request)

    async def rotate_gateway_key(
        self, call: Call, request: pb.RotateGatewayKeyRequest
    ) -> pb.RotateGatewayKeyResponse:
        """Give a gateway another key."""
        return await self._owners.rotate(call, request)

    async def revoke_gateway(
        self, call: Call, request: pb.RevokeGatewayRequest
    ) -> pb.RevokeGatewayResponse:
        """Let a gateway connect no more."""
        await self._owners.revoke(call, request)
        return pb.RevokeGatewayResponse()

    async def close_table(self, call: Call, request: pb.CloseTableRequest) -> pb.CloseTableResponse:
        """Give a table up."""
        await self._owners.close(call, request)
        return pb.CloseTableResponse()

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

        async with self._pairings.of(stylus):
            elsewhere = await self._pairings.elsewhere(stylus, table.id)
            wrong = await self._pairings.wrong_elsewhere(stylus, table.id)
            heard = table.stylus(stylus).gateway in self._streams
            attempt = tables.PairingAttempt(gateway, stylus, typed, factory, heard, wrong)

            def decide(table: Table, stamp: Stamp) -> tables.Answer:
                return tables.pair(table, attempt, stamp, elsewhere)

            answer = await self._changes.ask(table.id, request, decide)
            if isinstance(answer, Refused):
                await self._pairings.listed(table.id, call)
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
        gateway, table = await self._gateway(call)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        key = self._changes.pin(stylus, request.pin)
        naming = tables.Naming(gateway, stylus, request.name, request.pin, key)

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.rename(table, naming, stamp)

        answer = await self._changes.ask(table.id, request, decide)
        if isinstance(answer, Refused):
            return pb.RenameStylusResponse(refused=await self._intake.refusal(table, answer))
        return pb.RenameStylusResponse(renamed=_stylus(answer, stylus))

    async def seat_stylus(self, call: Call, request: pb.SeatStylusRequest) -> pb.SeatStylusResponse:
        """Say for whom a stylus acts, in which match."""
        gateway, table = await self._gateway(call)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        match = (await self._intake.live.get(identifier("match_id", request.match_id))).state
        if not 1 <= len(request.tokens) <= 16:
            raise malformed("tokens", "there are 1 to 16 of them")
        keys = [key_of(token) for token in request.tokens]
        roles = {role_of(match, key): key for key in keys}
        if None in roles:
            raise ApiError(Reason.TOKEN_FOREIGN, match=match.id)
        acting = (*match.seats, *match.rules.scribes, REFEREE)
        seats = {role: roles[role] for role in acting if role in roles}
        shared = all(seat in seats for seat in match.seats)
        seating = tables.Seating(gateway, stylus, match.id, seats, shared)
        present = await self._intake.match(table)

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.seat(table, seating, present, stamp)

        answer = await self._changes.ask(table.id, request, decide)
        if isinstance(answer, Refused):
            return pb.SeatStylusResponse(refused=await self._intake.refusal(table, answer))
        self._streams.look_again(answer)
        return pb.SeatStylusResponse(seated=_stylus(answer, stylus))

    async def set_tap_map(self, call: Call, request: pb.SetTapMapRequest) -> pb.SetTapMapResponse:
        """Give the table its own tap map."""
        return await self._owners.set_tap_map(call, request)

    async def release_stylus(
        self, call: Call, request: pb.ReleaseStylusRequest
    ) -> pb.ReleaseStylusResponse:
        """Let a stylus go."""
        return await self._owners.release(call, request)

    async def list_styluses(
        self, call: Call, request: pb.ListStylusesRequest
    ) -> pb.ListStylusesResponse:
        """The styluses of the table."""
        del request
        gateway, table = await self._gateway(call)
        return pb.ListStylusesResponse(
            styluses=[_stylus(table, name) for name in table.styluses],
            match_id=str(table.match or ""),
            map_version=table.gateways[gateway].map_version or table.map_version,
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
