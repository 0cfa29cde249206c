"""GatewaysService: connections of gateways, and which gateways may connect."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from domain import table as tables
from domain.table import Table
from services.accounts.context import RequestContext
from services.api.devices import DeviceQueries
from services.api.hello import parse_hello, receive_hello
from services.api.table_owners import TableOwners
from services.devices.gateway_keys import authenticated_gateway
from services.devices.gateway_streams import GatewayStreams
from services.devices.inboxes import Inbox, Inboxes
from services.devices.intake import TapIntake
from services.devices.shared_streams import SharedStream
from services.runtime.errors import field_invalid
from services.store.aggregate_cache import Decision
from services.store.table_cache import CachedTable
from services.wire.emeth.devices.v1 import connections_pb2 as connections
from services.wire.emeth.devices.v1 import gateways_pb2 as pb


class GatewaysHandlers:
    """Handlers of the rpcs of GatewaysService."""

    def __init__(
        self,
        intake: TapIntake,
        streams: GatewayStreams,
        owners: TableOwners,
        devices: DeviceQueries,
    ) -> None:
        self._intake = intake
        self._tables = intake.tables
        self._streams = streams
        self._owners = owners
        self._devices = devices
        self._inboxes = Inboxes()

    # --- connections -----------------------------------------------------------------------------

    def connect(
        self, call: RequestContext, requests: AsyncIterator[connections.ConnectRequest]
    ) -> AsyncGenerator[connections.ConnectResponse, None]:
        """Run the connection of a gateway."""
        return self._stream(call, None, requests, SharedStream())

    async def _stream(
        self,
        call: RequestContext,
        hello: connections.Hello | None,
        requests: AsyncIterator[connections.ConnectRequest],
        shared_stream: SharedStream,
    ) -> AsyncGenerator[connections.ConnectResponse, None]:
        """Run the stream of one gateway.

        It starts with a hello, unless that is given. Streams of other gateways on the same
        connection run in `shared_stream`.
        """
        if hello is None:
            await self._gateway(call)  # before any request is read
            hello = await receive_hello(requests)
        gateway, table = await self._gateway(call, hello.gateway_id)
        said = parse_hello(hello)
        del hello  # a message takes a kilobyte or more, and the connection may be open for days

        async def greet(live: CachedTable) -> Decision[Table, Table]:
            command_context = self._intake.command_context(live.state)
            greeted = tables.record_hello(live.state, gateway, said, command_context)
            return greeted, greeted.state if greeted else live.state

        table = await self._tables.command(table.id, greet)
        with self._streams.open(self._intake, gateway, said.epoch) as stream:

            def another(
                hello: connections.Hello, requests: AsyncIterator[connections.ConnectRequest]
            ) -> AsyncGenerator[connections.ConnectResponse, None]:
                return self._stream(call, hello, requests, shared_stream)

            own = shared_stream.responses(stream, requests, another)
            try:
                async for answer in stream.run(table, own):
                    yield answer
                    del answer
            finally:
                await shared_stream.stop(stream)

    async def listen(
        self, call: RequestContext, request: pb.ListenRequest
    ) -> AsyncIterator[pb.ListenResponse]:
        """Run the connection of a gateway whose messages arrive by `send`."""
        inbox = Inbox(connections.ConnectRequest(hello=request.hello))
        with self._inboxes.open(call, request.hello.epoch, inbox):
            async with aclosing(self.connect(call, inbox.messages())) as answers:
                async for answer in answers:
                    yield pb.ListenResponse(response=answer)

    async def send(self, call: RequestContext, request: pb.SendRequest) -> pb.SendResponse:
        """Handle messages of a gateway that listens."""
        await self._gateway(call)
        if any(message.WhichOneof("message") == "hello" for message in request.messages):
            raise field_invalid("messages", "`hello` is not allowed here: send it with Listen")
        inbox = self._inboxes.find(call, request.epoch)
        for message in request.messages:
            await inbox.put(message)
        return pb.SendResponse()

    # --- who may connect -------------------------------------------------------------------------

    async def create_gateway(
        self, call: RequestContext, request: pb.CreateGatewayRequest
    ) -> pb.CreateGatewayResponse:
        """Create a gateway of a table."""
        return await self._owners.create_gateway(call, request)

    async def create_gateway_invite(
        self, call: RequestContext, request: pb.CreateGatewayInviteRequest
    ) -> pb.CreateGatewayInviteResponse:
        """Create a code with which one gateway is created."""
        return await self._owners.create_invite(call, request)

    async def rotate_gateway_key(
        self, call: RequestContext, request: pb.RotateGatewayKeyRequest
    ) -> pb.RotateGatewayKeyResponse:
        """Rotate the key of a gateway."""
        return await self._owners.rotate_key(call, request)

    async def certify_gateway(
        self, call: RequestContext, request: pb.CertifyGatewayRequest
    ) -> pb.CertifyGatewayResponse:
        """Set the certificate that a gateway may use instead of its key."""
        return await self._owners.certify(call, request)

    async def delete_gateway(
        self, call: RequestContext, request: pb.DeleteGatewayRequest
    ) -> pb.DeleteGatewayResponse:
        """Delete a gateway of a table."""
        await self._owners.delete_gateway(call, request)
        return pb.DeleteGatewayResponse()

    async def close_table(
        self, call: RequestContext, request: pb.CloseTableRequest
    ) -> pb.CloseTableResponse:
        """Close a table, and disconnect its gateways."""
        await self._owners.close(call, request)
        return pb.CloseTableResponse()

    # --- devices ---------------------------------------------------------------------------------

    async def command_device(
        self, call: RequestContext, request: pb.CommandDeviceRequest
    ) -> pb.CommandDeviceResponse:
        """Send a command to a device."""
        return await self._owners.command(call, request)

    async def list_devices(
        self, call: RequestContext, request: pb.ListDevicesRequest
    ) -> pb.ListDevicesResponse:
        """List tables with their gateways and styluses."""
        return await self._devices.list_devices(call, request)

    async def _gateway(self, call: RequestContext, wanted: str = "") -> tuple[str, Table]:
        return await authenticated_gateway(self._tables, call, wanted)
