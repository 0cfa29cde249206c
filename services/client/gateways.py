"""A client that also looks after tables: registers gateways, pairs, names and seats styluses."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import Any

import grpc.aio

from services.client import Client, new_request
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1 import subscriptions_pb2 as subscriptions
from services.wire.emeth.v1.gateways_pb2_grpc import GatewaysServiceStub


class TableClient(Client):
    """As `Client`. A `key` is a gateway's own, from `register_gateway`."""

    def _use(self, channel: grpc.aio.Channel) -> None:
        super()._use(channel)
        # The stub is typed for blocking channels only.
        stub: Any = GatewaysServiceStub
        self._gateways = stub(channel)

    async def register_gateway(
        self,
        admin_key: str,
        name: str,
        table_id: str = "",
        request_id: str | None = None,
        *,
        code: str = "",
    ) -> pb.RegisterGatewayResponse:
        """Let a gateway connect, at a new table or at one that there is. With a code of
        `invite_gateway` the key may be empty."""
        request = pb.RegisterGatewayRequest(
            request_id=request_id or new_request(),
            name=name,
            table_id=table_id,
            code=code,
            client_secret=self._client_secret,
        )
        return await self._call(self._gateways.RegisterGateway, request, admin_key)

    async def listen(
        self, key: str, epoch: str, first_kept: int = 1
    ) -> AsyncGenerator[pb.ConnectResponse, None]:
        """What the service sends to a gateway that cannot stream both ways."""
        hello = pb.Hello(gateway_id=key.rpartition(".")[0], epoch=epoch, first_kept=first_kept)
        request = pb.ListenRequest(hello=hello)
        async with aclosing(self._stream(self._gateways.Listen, request, key)) as answers:
            async for each in answers:
                yield each.answer

    async def send(self, key: str, epoch: str, messages: Iterable[pb.ConnectRequest]) -> None:
        """Hand messages to the gateway's own `listen`."""
        await self._call(self._gateways.Send, pb.SendRequest(epoch=epoch, messages=messages), key)

    async def pair_stylus(
        self,
        key: str,
        stylus: str,
        pin: str,
        request_id: str | None = None,
        *,
        gateway_id: str = "",
    ) -> pb.PairStylusResponse:
        """Pair a stylus with the gateway: if several share the key, with the one of this id."""
        request = pb.PairStylusRequest(
            request_id=request_id or new_request(), stylus=stylus, pin=pin, gateway_id=gateway_id
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
        *,
        codes: Iterable[str] = (),
        gateway_id: str = "",
    ) -> pb.SeatStylusResponse:
        """Say for whom a stylus acts: for the seats whose tokens or codes these are."""
        request = pb.SeatStylusRequest(
            request_id=request_id or new_request(),
            stylus=stylus,
            match_id=match_id,
            tokens=tokens,
            codes=codes,
            gateway_id=gateway_id,
        )
        return await self._call(self._gateways.SeatStylus, request, key)

    async def invite_gateway(
        self, owner_key: str, table_id: str = "", request_id: str | None = None
    ) -> pb.InviteGatewayResponse:
        """A code by which a gateway registers itself, at this table or at a new one."""
        request = pb.InviteGatewayRequest(request_id=request_id or new_request(), table_id=table_id)
        return await self._call(self._gateways.InviteGateway, request, owner_key)

    async def grant_taps(
        self, token: str, match_id: str, request_id: str | None = None
    ) -> pb.GrantTapsResponse:
        """A code by which a stylus may tap for the seat of this token."""
        request = pb.GrantTapsRequest(request_id=request_id or new_request(), match_id=match_id)
        return await self._call(self._gateways.GrantTaps, request, token)

    async def list_tap_rights(self, token: str, match_id: str) -> list[pb.TapRight]:
        """The styluses that may tap for the seat of this token."""
        request = pb.ListTapRightsRequest(match_id=match_id)
        answer = await self._call(self._gateways.ListTapRights, request, token)
        return list(answer.rights)

    async def withdraw_taps(
        self, token: str, match_id: str, grant_id: str = "", request_id: str | None = None
    ) -> int:
        """Take a right to tap back, or all that the seat of this token has given; how many."""
        request = pb.WithdrawTapsRequest(
            request_id=request_id or new_request(), match_id=match_id, grant_id=grant_id
        )
        answer = await self._call(self._gateways.WithdrawTaps, request, token)
        return int(answer.withdrawn)

    async def certify_gateway(
        self,
        owner_key: str,
        gateway_id: str,
        certificate: str,
        request_id: str | None = None,
        *,
        required: bool = False,
    ) -> str:
        """Let a gateway show this certificate in place of its key, or none if it is empty. If it is
        `required`, the key opens nothing without it. Return the SHA-256 of the certificate."""
        request = pb.CertifyGatewayRequest(
            request_id=request_id or new_request(),
            gateway_id=gateway_id,
            certificate=certificate,
            required=required,
        )
        answer = await self._call(self._gateways.CertifyGateway, request, owner_key)
        return str(answer.sha256)

    async def command_device(
        self, owner_key: str, gateway_id: str, command: pb.DeviceCommand
    ) -> pb.CommandDeviceResponse:
        """Have a device do something; what it answered."""
        request = pb.CommandDeviceRequest(gateway_id=gateway_id, command=command)
        return await self._call(self._gateways.CommandDevice, request, owner_key)

    async def watch_devices(self, key: str, table_id: str = "") -> AsyncGenerator[pb.Table, None]:
        """A table with its devices, now and whenever anything about them changes, over restarts of
        the service."""
        topic = subscriptions.Topic(table=subscriptions.TableTopic(table_id=table_id))
        async with aclosing(self._follow(key, topic)) as stream:
            async for response in stream:
                yield response.table

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

    async def unlock_stylus(
        self, owner_key: str, stylus: str, table_id: str, request_id: str | None = None
    ) -> None:
        """Let a stylus be paired at once, however many wrong PINs were tried, with the table's
        owner's key or the admin key."""
        request = pb.UnlockStylusRequest(
            request_id=request_id or new_request(), stylus=stylus, table_id=table_id
        )
        await self._call(self._gateways.UnlockStylus, request, owner_key)

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

    async def list_styluses(self, key: str, *, gateway_id: str = "") -> pb.ListStylusesResponse:
        """The styluses of the gateway's table."""
        request = pb.ListStylusesRequest(gateway_id=gateway_id)
        return await self._call(self._gateways.ListStyluses, request, key)

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
