"""GatewaysService: tables, gateways and styluses. `domain.table` decides."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Final

from domain import table as tables
from domain.kernel.game import REFEREE
from domain.kernel.rulings import Refused
from domain.log.stamps import Stamp
from domain.match import AnyMatch, role_of, seats_of_player
from domain.table import Table
from domain.table.events import LONGEST_STYLUS
from services import messages, names
from services.accounts.identities import Identities
from services.api.devices import Devices
from services.api.greetings import LONGEST_EPOCH, first_hello, greeting
from services.api.repetitions import is_of_earlier_request
from services.api.requests import identifier, short_text
from services.api.table_changes import TableChanges
from services.api.table_owners import TableAdmin, TableOwners
from services.api.tap_rights import TapRights, digests
from services.callers import Call
from services.errors import ApiError, Reason, malformed
from services.reads import Reads
from services.store.live import Decision
from services.store.live_tables import LiveTable
from services.tables.gateway_keys import gateway_of
from services.tables.gateway_streams import GatewayStreams
from services.tables.inboxes import Inbox, Inboxes
from services.tables.intake import TapIntake
from services.tables.one_time_codes import OneTimeCodes
from services.tables.pairing import Pairings
from services.tables.shared_lines import Beside
from services.tokens import Mint, key_of
from services.wire.emeth.v1 import gateways_pb2 as pb

LONGEST_NAME: Final = 80
MOST_SENT: Final = 100
"""Messages that one Send hands over, at most."""


class GatewaysHandlers:
    """The rpcs of GatewaysService."""

    def __init__(
        self,
        intake: TapIntake,
        streams: GatewayStreams,
        reads: Reads,
        mint: Mint,
        admin: TableAdmin,
        devices: Devices,
        identities: Identities,
    ) -> None:
        self._identities = identities
        self._intake = intake
        self._tables = intake.tables
        self._streams = streams
        codes = OneTimeCodes(mint)
        self._pairings = Pairings(self._tables, reads, streams.__contains__, mint)
        self._owners = TableOwners(intake, streams, mint, admin, codes, self._pairings)
        self._rights = TapRights(intake, streams, reads, codes)
        self._changes = TableChanges(intake.tables, mint)
        self._devices = devices
        self._inboxes = Inboxes()

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

    def connect(
        self, call: Call, requests: AsyncIterator[pb.ConnectRequest]
    ) -> AsyncGenerator[pb.ConnectResponse, None]:
        """A gateway's stream."""
        return self._line(call, None, requests, Beside())

    async def _line(
        self,
        call: Call,
        hello: pb.Hello | None,
        requests: AsyncIterator[pb.ConnectRequest],
        beside: Beside,
    ) -> AsyncGenerator[pb.ConnectResponse, None]:
        """The stream of one gateway, whose hello comes first if it has not come; those of other
        tables that share it run `beside`."""
        if hello is None:
            await self._gateway(call)  # before anything is read
            hello = await first_hello(requests)
        gateway, table = await self._gateway(call, hello.gateway_id)
        said = greeting(hello)
        del hello  # a message takes a kilobyte or more, and the line may be open for days

        async def greet(live: LiveTable) -> Decision[Table, Table]:
            stamp = self._intake.stamp(live.state)
            greeted = tables.hello(live.state, gateway, said, stamp)
            return greeted, greeted.state if greeted else live.state

        table = await self._tables.command(table.id, greet)
        with self._streams.open(self._intake, gateway, said.epoch) as stream:

            def another(
                hello: pb.Hello, requests: AsyncIterator[pb.ConnectRequest]
            ) -> AsyncGenerator[pb.ConnectResponse, None]:
                return self._line(call, hello, requests, beside)

            own = beside.own(stream, requests, another)
            try:
                async for answer in stream.run(table, own):
                    yield answer
                    del answer
            finally:
                await beside.stop(stream)

    async def listen(
        self, call: Call, request: pb.ListenRequest
    ) -> AsyncIterator[pb.ListenResponse]:
        """A gateway's stream that is fed by `send`."""
        if not request.HasField("hello"):
            raise malformed("hello", "it says who the gateway is")
        inbox = Inbox(pb.ConnectRequest(hello=request.hello))
        with self._inboxes.open(call, request.hello.epoch, inbox):
            async with aclosing(self.connect(call, inbox.messages())) as answers:
                async for answer in answers:
                    yield pb.ListenResponse(answer=answer)

    async def send(self, call: Call, request: pb.SendRequest) -> pb.SendResponse:
        """Messages of a gateway that listens."""
        await self._gateway(call)
        if not 1 <= len(request.messages) <= MOST_SENT:
            raise malformed("messages", f"there are 1 to {MOST_SENT} of them")
        if any(message.WhichOneof("what") == "hello" for message in request.messages):
            raise malformed("messages", "`hello` goes to Listen")
        inbox = self._inboxes.find(call, short_text("epoch", request.epoch, LONGEST_EPOCH, 1))
        for message in request.messages:
            await inbox.put(message)
        return pb.SendResponse()

    # --- styluses --------------------------------------------------------------------------------

    async def pair_stylus(self, call: Call, request: pb.PairStylusRequest) -> pb.PairStylusResponse:
        """Pair a stylus with the gateway whose key the call has, and with no other table's."""
        gateway, table = await self._gateway(call, request.gateway_id)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        typed, factory = (
            self._changes.pin(stylus, pin) for pin in (request.pin, tables.FACTORY_PIN)
        )

        async with self._pairings.of(stylus):
            elsewhere = await self._pairings.elsewhere(stylus, table.id)
            wrong = await self._pairings.wrong_elsewhere(stylus, table, gateway)
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
        gateway, table = await self._gateway(call, request.gateway_id)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        key = self._changes.pin(stylus, request.pin)
        naming = tables.Naming(gateway, stylus, names.visible_name(request.name), request.pin, key)

        await names.prepare()

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            answer = tables.rename(table, naming, stamp)
            others = (each.name for known, each in table.styluses.items() if known != stylus)
            like = next((each for each in others if names.look_alike(each, naming.name)), "")
            if like and not isinstance(answer, Refused):
                return Refused("stylus.name", f"another stylus of this table is called {like}")
            return answer

        answer = await self._changes.ask(table.id, request, decide)
        if isinstance(answer, Refused):
            return pb.RenameStylusResponse(refused=await self._intake.refusal(table, answer))
        return pb.RenameStylusResponse(renamed=_stylus(answer, stylus))

    async def seat_stylus(self, call: Call, request: pb.SeatStylusRequest) -> pb.SeatStylusResponse:
        """Say for whom a stylus acts, in which match."""
        gateway, table = await self._gateway(call, request.gateway_id)
        stylus = short_text("stylus", request.stylus, LONGEST_STYLUS, 1)
        given = len(request.tokens) + len(request.codes)
        if not 1 <= given <= 16:
            raise malformed("tokens", "there are 1 to 16 tokens and codes")
        granted, grants = digests(found := self._rights.redeem(request))
        identity = found[0].match if found else identifier("match_id", request.match_id)
        match = (await self._intake.live.get(identity)).state
        roles: dict[str, str] = {}
        for token in request.tokens:
            roles |= await self._roles(match, token)
        acting = (*match.seats, *match.rules.scribes, REFEREE)
        grants = {seat: grant for seat, grant in grants.items() if seat not in roles}
        held = granted | roles
        seats = {role: held[role] for role in acting if role in held}
        shared = all(seat in seats for seat in match.seats)
        seating = tables.Seating(gateway, stylus, match.id, seats, shared, grants)
        present = await self._intake.match(table)

        def decide(table: Table, stamp: Stamp) -> tables.Answer:
            return tables.seat(table, seating, present, stamp)

        try:
            answer = await self._changes.ask(table.id, request, decide)
        except ApiError as error:
            if not is_of_earlier_request(error):
                self._rights.give_back(request)  # they count again for what is done in its place
            raise
        if isinstance(answer, Refused):
            self._rights.give_back(request)
            return pb.SeatStylusResponse(refused=await self._intake.refusal(table, answer))
        self._streams.look_again(answer)
        return pb.SeatStylusResponse(seated=_stylus(answer, stylus))

    async def _roles(self, match: AnyMatch, token: str) -> dict[str, str]:
        """The roles that a token stands for, each with what is stored for it."""
        if (player := await self._identities.player_of(token)) is not None:
            held = {seat: match.holders[seat].claim for seat in seats_of_player(match, player)}
        else:
            key = key_of(token)
            role = role_of(match, key)
            held = {} if role is None else {role: key}
        if not held:
            raise ApiError(Reason.TOKEN_WRONG_MATCH, match=match.id)
        return held

    async def grant_taps(self, call: Call, request: pb.GrantTapsRequest) -> pb.GrantTapsResponse:
        """A code by which a stylus may tap for a seat."""
        return await self._rights.grant(call, request)

    async def list_tap_rights(
        self, call: Call, request: pb.ListTapRightsRequest
    ) -> pb.ListTapRightsResponse:
        """The styluses that may tap for a seat."""
        return await self._rights.listed(call, request)

    async def withdraw_taps(
        self, call: Call, request: pb.WithdrawTapsRequest
    ) -> pb.WithdrawTapsResponse:
        """Take the right to tap back."""
        return await self._rights.withdraw(call, request)

    async def invite_gateway(
        self, call: Call, request: pb.InviteGatewayRequest
    ) -> pb.InviteGatewayResponse:
        """A code by which a gateway registers itself."""
        return await self._owners.invite(call, request)

    async def certify_gateway(
        self, call: Call, request: pb.CertifyGatewayRequest
    ) -> pb.CertifyGatewayResponse:
        """Let a gateway show a certificate in place of its key."""
        return await self._owners.certify(call, request)

    async def command_device(
        self, call: Call, request: pb.CommandDeviceRequest
    ) -> pb.CommandDeviceResponse:
        """Have a device do something."""
        return await self._owners.command(call, request)

    async def watch_devices(
        self, call: Call, request: pb.WatchDevicesRequest
    ) -> AsyncIterator[pb.WatchDevicesResponse]:
        """A table with its devices, whenever anything about them changes."""
        async for each in self._devices.watch_devices(call, request):
            yield each

    async def set_tap_map(self, call: Call, request: pb.SetTapMapRequest) -> pb.SetTapMapResponse:
        """Give the table its own tap map."""
        return await self._owners.set_tap_map(call, request)

    async def release_stylus(
        self, call: Call, request: pb.ReleaseStylusRequest
    ) -> pb.ReleaseStylusResponse:
        """Let a stylus go."""
        return await self._owners.release(call, request)

    async def unlock_stylus(
        self, call: Call, request: pb.UnlockStylusRequest
    ) -> pb.UnlockStylusResponse:
        """Let a stylus be paired at once."""
        await self._owners.unlock(call, request)
        return pb.UnlockStylusResponse()

    async def list_styluses(
        self, call: Call, request: pb.ListStylusesRequest
    ) -> pb.ListStylusesResponse:
        """The styluses of the table."""
        gateway, table = await self._gateway(call, request.gateway_id)
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

    async def _gateway(self, call: Call, wanted: str = "") -> tuple[str, Table]:
        return await gateway_of(self._tables, call, wanted)


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
        granted_seats=sorted(stylus.grants),
        ended_seats=stylus.ended,
    )
