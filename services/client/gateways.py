"""A client that also looks after tables: registers gateways, pairs, names and seats styluses."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from typing import Any

import grpc.aio
from google.protobuf.field_mask_pb2 import FieldMask

from services.client import Client, new_request
from services.wire.emeth.devices.v1 import connections_pb2, gateways_pb2, styluses_pb2
from services.wire.emeth.devices.v1.gateways_pb2_grpc import GatewaysServiceStub
from services.wire.emeth.devices.v1.styluses_pb2_grpc import StylusesServiceStub
from services.wire.emeth.v1 import subscriptions_pb2 as subscriptions
from services.wire.emeth.v1 import tables_pb2


class TableClient(Client):
    """As `Client`. A `key` is a gateway's own, from `create_gateway`."""

    def _use(self, channel: grpc.aio.Channel) -> None:
        super()._use(channel)
        # The stub is typed for blocking channels only.
        gateways: Any = GatewaysServiceStub
        styluses: Any = StylusesServiceStub
        self._gateways, self._styluses = gateways(channel), styluses(channel)

    async def create_gateway(
        self,
        admin_key: str,
        name: str,
        table_id: str = "",
        request_id: str | None = None,
        *,
        code: str = "",
    ) -> gateways_pb2.CreateGatewayResponse:
        """Let a gateway connect, at a new table or at one that there is. With a code of
        `create_gateway_invite` the key may be empty."""
        request = gateways_pb2.CreateGatewayRequest(
            request_id=request_id or new_request(),
            name=name,
            table_id=table_id,
            code=code,
            client_secret=self._client_secret,
        )
        return await self._call(self._gateways.CreateGateway, request, admin_key)

    async def listen(
        self, key: str, epoch: str, first_kept: int = 1
    ) -> AsyncGenerator[connections_pb2.ConnectResponse, None]:
        """What the service sends to a gateway that cannot stream both ways."""
        hello = connections_pb2.Hello(
            gateway_id=key.rpartition(".")[0], epoch=epoch, first_kept_seq=first_kept
        )
        request = gateways_pb2.ListenRequest(hello=hello)
        async with aclosing(self._stream(self._gateways.Listen, request, key)) as answers:
            async for each in answers:
                yield each.response

    async def send(
        self, key: str, epoch: str, messages: Iterable[connections_pb2.ConnectRequest]
    ) -> None:
        """Hand messages to the gateway's own `listen`."""
        await self._call(
            self._gateways.Send, gateways_pb2.SendRequest(epoch=epoch, messages=messages), key
        )

    async def pair_stylus(
        self,
        key: str,
        stylus: str,
        pin: str,
        request_id: str | None = None,
        *,
        gateway_id: str = "",
    ) -> styluses_pb2.PairStylusResponse:
        """Pair a stylus with the gateway: if several share the key, with the one of this id."""
        request = styluses_pb2.PairStylusRequest(
            request_id=request_id or new_request(), stylus_id=stylus, pin=pin, gateway_id=gateway_id
        )
        return await self._call(self._styluses.PairStylus, request, key)

    async def rename_stylus(
        self, key: str, stylus: str, name: str, pin: str, request_id: str | None = None
    ) -> styluses_pb2.UpdateStylusResponse:
        """Give a stylus a name and a PIN of its own."""
        request = styluses_pb2.UpdateStylusRequest(
            request_id=request_id or new_request(),
            stylus_id=stylus,
            update_mask=FieldMask(paths=("name", "pin")),
            name=name,
            pin=pin,
        )
        return await self._call(self._styluses.UpdateStylus, request, key)

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
    ) -> styluses_pb2.UpdateStylusResponse:
        """Set the seats for which a stylus acts: those of these tokens and codes."""
        request = styluses_pb2.UpdateStylusRequest(
            request_id=request_id or new_request(),
            stylus_id=stylus,
            gateway_id=gateway_id,
            update_mask=FieldMask(paths=("seating",)),
            seating=styluses_pb2.StylusSeating(match_id=match_id, tokens=tokens, codes=codes),
        )
        return await self._call(self._styluses.UpdateStylus, request, key)

    async def create_gateway_invite(
        self, owner_key: str, table_id: str = "", request_id: str | None = None
    ) -> gateways_pb2.CreateGatewayInviteResponse:
        """A code by which a gateway registers itself, at this table or at a new one."""
        request = gateways_pb2.CreateGatewayInviteRequest(
            request_id=request_id or new_request(), table_id=table_id
        )
        return await self._call(self._gateways.CreateGatewayInvite, request, owner_key)

    async def create_tap_grant(
        self, token: str, match_id: str, request_id: str | None = None
    ) -> styluses_pb2.CreateTapGrantResponse:
        """A code by which a stylus may tap for the seat of this token."""
        request = styluses_pb2.CreateTapGrantRequest(
            request_id=request_id or new_request(), match_id=match_id
        )
        return await self._call(self._styluses.CreateTapGrant, request, token)

    async def list_tap_grants(self, token: str, match_id: str) -> list[styluses_pb2.TapGrant]:
        """The styluses that may tap for the seat of this token."""
        request = styluses_pb2.ListTapGrantsRequest(match_id=match_id)
        answer = await self._call(self._styluses.ListTapGrants, request, token)
        return list(answer.tap_grants)

    async def delete_tap_grant(
        self, token: str, match_id: str, grant_id: str = "-", request_id: str | None = None
    ) -> int:
        """Take a right to tap back, or all that the seat of this token has given; how many."""
        request = styluses_pb2.DeleteTapGrantRequest(
            request_id=request_id or new_request(), match_id=match_id, grant_id=grant_id
        )
        answer = await self._call(self._styluses.DeleteTapGrant, request, token)
        return int(answer.deleted_count)

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
        request = gateways_pb2.CertifyGatewayRequest(
            request_id=request_id or new_request(),
            gateway_id=gateway_id,
            certificate=certificate,
            required=required,
        )
        answer = await self._call(self._gateways.CertifyGateway, request, owner_key)
        return str(answer.sha256)

    async def command_device(
        self, owner_key: str, gateway_id: str, command: connections_pb2.DeviceCommand
    ) -> gateways_pb2.CommandDeviceResponse:
        """Have a device do something; what it answered."""
        request = gateways_pb2.CommandDeviceRequest(gateway_id=gateway_id, command=command)
        return await self._call(self._gateways.CommandDevice, request, owner_key)

    async def watch_devices(
        self, key: str, table_id: str = ""
    ) -> AsyncGenerator[tables_pb2.Table, None]:
        """A table with its devices, now and whenever anything about them changes, over restarts of
        the service."""
        topic = subscriptions.Topic(table=subscriptions.TableTopic(table_id=table_id))
        async with aclosing(self._follow(key, topic)) as stream:
            async for response in stream:
                yield response.table

    async def rotate_gateway_key(
        self, owner_key: str, gateway_id: str, request_id: str | None = None
    ) -> gateways_pb2.RotateGatewayKeyResponse:
        """Give a gateway another key, with the table's owner's key or the admin key."""
        request = gateways_pb2.RotateGatewayKeyRequest(
            request_id=request_id or new_request(), gateway_id=gateway_id
        )
        return await self._call(self._gateways.RotateGatewayKey, request, owner_key)

    async def delete_gateway(
        self, owner_key: str, gateway_id: str, request_id: str | None = None
    ) -> gateways_pb2.DeleteGatewayResponse:
        """Let a gateway connect no more, with the table's owner's key or the admin key."""
        request = gateways_pb2.DeleteGatewayRequest(
            request_id=request_id or new_request(), gateway_id=gateway_id
        )
        return await self._call(self._gateways.DeleteGateway, request, owner_key)

    async def release_stylus(
        self,
        key: str,
        stylus: str,
        *,
        pin: str = "",
        table_id: str = "",
        request_id: str | None = None,
    ) -> styluses_pb2.ReleaseStylusResponse:
        """Let a stylus go: with its own gateway's key, with another's and its PIN, or with its
        table's owner's key or the admin key, and the table."""
        request = styluses_pb2.ReleaseStylusRequest(
            request_id=request_id or new_request(), stylus_id=stylus, pin=pin, table_id=table_id
        )
        return await self._call(self._styluses.ReleaseStylus, request, key)

    async def unlock_stylus(
        self, owner_key: str, stylus: str, table_id: str, request_id: str | None = None
    ) -> None:
        """Let a stylus be paired at once, however many wrong PINs were tried, with the owner's key
        of the table or the admin key."""
        request = styluses_pb2.UpdateStylusRequest(
            request_id=request_id or new_request(),
            stylus_id=stylus,
            table_id=table_id,
            update_mask=FieldMask(paths=("locked",)),
        )
        await self._call(self._styluses.UpdateStylus, request, owner_key)

    async def close_table(
        self, owner_key: str, table_id: str, request_id: str | None = None
    ) -> gateways_pb2.CloseTableResponse:
        """Give a table up, with its owner's key or the admin key."""
        request = gateways_pb2.CloseTableRequest(
            request_id=request_id or new_request(), table_id=table_id
        )
        return await self._call(self._gateways.CloseTable, request, owner_key)

    async def update_tap_map(
        self,
        key: str,
        codes: Mapping[str, str],
        request_id: str | None = None,
        *,
        table_id: str = "",
    ) -> styluses_pb2.UpdateTapMapResponse:
        """Say which printed code is which target: for a gateway, or with its owner's key for all of
        a table that have no map of their own."""
        request = styluses_pb2.UpdateTapMapRequest(
            request_id=request_id or new_request(),
            table_id=table_id,
            update_mask=FieldMask(paths=("codes",)),
            codes=codes,
        )
        return await self._call(self._styluses.UpdateTapMap, request, key)

    async def list_devices(
        self,
        key: str,
        *,
        table_id: str = "",
        gateway_id: str = "",
        wanted: str = "",
        at_least_version: int = 0,
    ) -> list[tables_pb2.Table]:
        """List the tables that fit a filter, as `match_id = ID`, with their gateways and styluses:
        all of them with the admin key, its own with a gateway's key."""
        found: list[tables_pb2.Table] = []
        page = ""
        while True:
            request = gateways_pb2.ListDevicesRequest(
                table_id=table_id,
                gateway_id=gateway_id,
                filter=wanted,
                at_least_version=at_least_version,
                page_token=page,
            )
            answer = await self._call(self._gateways.ListDevices, request, key)
            found.extend(answer.tables)
            page = answer.next_page_token
            if not page:
                return found

    async def list_taps(
        self, key: str, *, table_id: str = "", match_id: str = "", wanted: str = ""
    ) -> list[tables_pb2.RecordedTap]:
        """List the taps and signs of a table that fit a filter, as `stylus_id = ID`: all with the
        admin key, those that it sent with a gateway's key, those of a match with its referee's
        token."""
        found: list[tables_pb2.RecordedTap] = []
        page = ""
        while True:
            request = styluses_pb2.ListTapsRequest(
                table_id=table_id,
                match_id=match_id,
                filter=wanted,
                page_size=500,
                page_token=page,
            )
            answer = await self._call(self._styluses.ListTaps, request, key)
            found.extend(answer.taps)
            page = answer.next_page_token
            if not page:
                return found
