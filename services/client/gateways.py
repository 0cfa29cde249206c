"""A client that also looks after tables: registers gateways, pairs, names and seats styluses."""

from collections.abc import Iterable, Mapping
from typing import Any

import grpc.aio

from services.client import Client, new_request
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.gateways_pb2_grpc import GatewaysServiceStub


class TableClient(Client):
    """As `Client`. A `key` is a gateway's own, from `register_gateway`."""

    def _use(self, channel: grpc.aio.Channel) -> None:
        super()._use(channel)
        # The stub is typed for blocking channels only.
        stub: Any = GatewaysServiceStub
        self._gateways = stub(channel)

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

    async def rotate_gateway_key(
        self, owner_key: str, gateway_id: str, request_id: str | None = None
    ) -> pb.RotateGatewayKeyResponse:
        """Give a gateway another key, with the table's owner's key or the admin key."""
        request = pb.RotateGatewayKeyRequest(
            request_id=request_id or new_request(), gateway_id=gateway_id
        )
        return await self._call(self._gateways.RotateGatewayKey, request, owner_key)

    async def revoke_gateway(
        self, owner_key: str, gateway_id: str, request_id: str | None = None
    ) -> pb.RevokeGatewayResponse:
        """Let a gateway connect no more, with the table's owner's key or the admin key."""
        request = pb.RevokeGatewayRequest(
            request_id=request_id or new_request(), gateway_id=gateway_id
        )
        return await self._call(self._gateways.RevokeGateway, request, owner_key)

    async def release_stylus(
        self,
        key: str,
        stylus: str,
        *,
        pin: str = "",
        table_id: str = "",
        request_id: str | None = None,
    ) -> pb.ReleaseStylusResponse:
        """Let a stylus go: with its own gateway's key, with another's and its PIN, or with its
        table's owner's key or the admin key, and the table."""
        request = pb.ReleaseStylusRequest(
            request_id=request_id or new_request(), stylus=stylus, pin=pin, table_id=table_id
        )
        return await self._call(self._gateways.ReleaseStylus, request, key)

    async def close_table(
        self, owner_key: str, table_id: str, request_id: str | None = None
    ) -> pb.CloseTableResponse:
        """Give a table up, with its owner's key or the admin key."""
        request = pb.CloseTableRequest(request_id=request_id or new_request(), table_id=table_id)
        return await self._call(self._gateways.CloseTable, request, owner_key)

    async def set_tap_map(
        self,
        key: str,
        codes: Mapping[str, str],
        request_id: str | None = None,
        *,
        table_id: str = "",
    ) -> pb.SetTapMapResponse:
        """Say which printed code is which target: for a gateway, or with its owner's key for all of
        a table that have no map of their own."""
        request = pb.SetTapMapRequest(
            request_id=request_id or new_request(), codes=codes, table_id=table_id
        )
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
