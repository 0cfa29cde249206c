"""A client that also looks after tables: registers gateways, pairs, names and seats styluses."""

from collections.abc import Iterable, Mapping
from typing import Any

import grpc

from services.client import PATIENCE_SECONDS, Client, new_request
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.gateways_pb2_grpc import GatewaysServiceStub


class TableClient(Client):
    """As `Client`. A `key` is a gateway's own, from `register_gateway`."""

    def __init__(
        self,
        address: str,
        *,
        name: str = "",
        credentials: grpc.ChannelCredentials | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        super().__init__(
            address, name=name, credentials=credentials, patience_seconds=patience_seconds
        )
        # The stub is typed for blocking channels only.
        stub: Any = GatewaysServiceStub
        self._gateways = stub(self._channel)

    async def register_gateway(
        self, admin_key: str, name: str, table_id: str = "", request_id: str | None = None
    ) -> pb.RegisterGatewayResponse:
        """Let a gateway connect, at a new table or at one that there is."""
        request = pb.RegisterGatewayRequest(
            request_id=request_id or new_request(), name=name, table_id=table_id
        )
        return await self._call(self._gateways.RegisterGateway, request, admin_key)

    async def pair_stylus(
        self, key: str, stylus: str, pin: str, request_id: str | None = None
    ) -> pb.PairStylusResponse:
        """Pair a stylus with the gateway."""
        request = pb.PairStylusRequest(
            request_id=request_id or new_request(), stylus=stylus, pin=pin
        )
        return await self._call(self._gateways.PairStylus, request, key)

    async def rename_stylus(
        self, key: str, stylus: str, name: str, pin: str, request_id: str | None = None
    ) -> pb.RenameStylusResponse:
        """Give a stylus a name and a PIN of its own."""
        request = pb.RenameStylusRequest(
            request_id=request_id or new_request(), stylus=stylus, name=name, pin=pin
        )
        return await self._call(self._gateways.RenameStylus, request, key)

    async def seat_stylus(
        self,
        key: str,
        stylus: str,
        match_id: str,
        tokens: Iterable[str],
        request_id: str | None = None,
    ) -> pb.SeatStylusResponse:
        """Say for whom a stylus acts: for the seats whose tokens these are."""
        request = pb.SeatStylusRequest(
            request_id=request_id or new_request(), stylus=stylus, match_id=match_id, tokens=tokens
        )
        return await self._call(self._gateways.SeatStylus, request, key)

    async def set_tap_map(
        self, key: str, codes: Mapping[str, str], request_id: str | None = None
    ) -> pb.SetTapMapResponse:
        """Say which printed code is which target at this table."""
        request = pb.SetTapMapRequest(request_id=request_id or new_request(), codes=codes)
        return await self._call(self._gateways.SetTapMap, request, key)

    async def list_styluses(self, key: str) -> pb.ListStylusesResponse:
        """The styluses of the gateway's table."""
        return await self._call(self._gateways.ListStyluses, pb.ListStylusesRequest(), key)

    async def list_devices(
        self, key: str, *, table_id: str = "", match_id: str = "", at_least_version: int = 0
    ) -> list[pb.Table]:
        """Tables with their gateways and styluses: all of them with the admin key, its own with a
        gateway's key."""
        found: list[pb.Table] = []
        page = ""
        while True:
            request = pb.ListDevicesRequest(
                table_id=table_id,
                match_id=match_id,
                at_least_version=at_least_version,
                page_token=page,
            )
            answer = await self._call(self._gateways.ListDevices, request, key)
            found.extend(answer.tables)
            page = answer.next_page_token
            if not page:
                return found

    async def list_taps(
        self, key: str, *, table_id: str = "", match_id: str = "", stylus: str = ""
    ) -> list[pb.RecordedTap]:
        """The taps and signs of a table: all with the admin key, those that it sent with a
        gateway's key, those of a match with its referee's token."""
        found: list[pb.RecordedTap] = []
        page = ""
        while True:
            request = pb.ListTapsRequest(
                table_id=table_id,
                match_id=match_id,
                stylus=stylus,
                page_size=500,
                page_token=page,
            )
            answer = await self._call(self._gateways.ListTaps, request, key)
            found.extend(answer.taps)
            page = answer.next_page_token
            if not page:
                return found
