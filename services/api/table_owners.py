"""Administration of tables by their owners or the admin: gateways, keys and tap maps.

The owner's key is issued once, with the first gateway of a table, which stores its digest. Gateways
have no say in this, so that a stolen key opens no more than one gateway's calls.
"""

from hmac import compare_digest
from typing import Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain import table as tables
from domain.kernel.rulings import Refused
from domain.log.origin import CommandContext
from domain.table import Table
from services.accounts.context import RequestContext, require_admin
from services.accounts.count_limits import CountLimits
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.field_masks import update_paths
from services.api.idempotency import IdempotentRequest, caller_identity, is_of_earlier_request
from services.api.requests import parse_id_field, parse_name
from services.api.table_changes import TableChanges
from services.devices.certificates import digest_of_pem
from services.devices.gateway_keys import authenticated_gateway, is_owner
from services.devices.gateway_streams import GatewayStreams
from services.devices.intake import TapIntake
from services.devices.one_time_codes import OneTimeCodes
from services.devices.pairing import Pairings
from services.mapping import messages
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.errors import VersionConflict
from services.wire.emeth.devices.v1 import gateways_pb2 as pb
from services.wire.emeth.devices.v1 import styluses_pb2 as styluses

MAX_NAME_LENGTH: Final = 80
MAX_TEXT_LENGTH: Final = 160


class TableAdmin(Struct, frozen=True):
    """Who may create tables."""

    key: str
    """The admin key of the service."""
    is_open: bool
    """Whether no key is needed, since only this machine can call."""
    count_limits: CountLimits
    """Limits for callers without a key."""


class TableOwners:
    """Handles the calls of table owners."""

    def __init__(
        self,
        intake: TapIntake,
        streams: GatewayStreams,
        token_issuer: TokenIssuer,
        admin: TableAdmin,
        codes: OneTimeCodes,
        pairings: Pairings,
    ) -> None:
        self._pairings = pairings
        self._count_limits = admin.count_limits
        self._intake = intake
        self._tables = intake.tables
        self._streams = streams
        self._token_issuer = token_issuer
        self._admin_key, self._is_open = token_digest(admin.key), admin.is_open
        self._changes = TableChanges(intake.tables, token_issuer)
        self._codes = codes

    async def create_gateway(
        self, call: RequestContext, request: pb.CreateGatewayRequest
    ) -> pb.CreateGatewayResponse:
        """Create a gateway, which may connect from now on."""
        request_id = request.request_id.lower()
        name = parse_name("name", request.name, MAX_NAME_LENGTH, 1)
        secret = request.client_secret
        own = IdempotentRequest(self._token_issuer, request_id, caller_identity(call, secret))
        table_id, owner_key = self._token_issuer.match_id(f"table {request_id}"), ""
        shares = bool(request.code and call.token)
        if shares:  # the gateway keeps the key that it has at another table
            await authenticated_gateway(self._tables, call)
        invited = self._codes.redeem("gateway", request.code, request_id) if request.code else None
        is_anybodys = self._is_open and not call.token
        if invited is None and not request.table_id and not is_anybodys:
            require_admin(call, self._admin_key)
        if invited is not None and request.table_id not in ("", invited):
            raise field_invalid("table_id", "the code is for another table")
        if invited:
            table_id = UUID(invited)
        elif invited is None and request.table_id:
            table_id = await self._owned_table(call, request.table_id)
        else:
            if is_anybodys and await self._tables.find(table_id) is None:
                self._count_limits.count_new(call, "tables")
            owner_key = f"{table_id}.owner.{self._token_issuer.token('table owner', str(table_id))}"
            await self._open(table_id, name, token_digest(owner_key))
        gateway = f"{table_id}.{self._token_issuer.seal('gateway', request_id)[:8]}"
        made = f"{gateway}.{self._token_issuer.token('gateway', gateway)}"
        key = call.token if shares else made

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            # A table remembers only its latest requests. Repeating an earlier one must not return
            # its keys, nor restore a key that was rotated since.
            if gateway in table.gateways or (owner_key and table.gateways):
                raise own.withheld()
            return tables.register(table, gateway, name, token_digest(key), command_context)

        try:
            await self._changes.create(table_id, own, request, decide)
        except ApiError as error:
            if not is_of_earlier_request(error):
                self._codes.give_back(request.code)
            raise
        return pb.CreateGatewayResponse(
            table_id=str(table_id),
            gateway_id=gateway,
            gateway_key="" if shares else key,
            owner_key=owner_key,
        )

    async def create_invite(
        self, call: RequestContext, request: pb.CreateGatewayInviteRequest
    ) -> pb.CreateGatewayInviteResponse:
        """Create a code with which one gateway is created, at a table or at a new one."""
        request_id = request.request_id.lower()
        if request.table_id:
            means = str(await self._owned_table(call, request.table_id))
        else:
            require_admin(call, self._admin_key)
            means = ""
        issued = self._codes.issue(
            "gateway", f"{means} {caller_identity(call)} {request_id}", means
        )
        return pb.CreateGatewayInviteResponse(
            code=issued.code,
            uri=f"emeth:gateway?code={issued.code}",
            expire_time=messages.timestamp(issued.expires),
        )

    async def certify(
        self, call: RequestContext, request: pb.CertifyGatewayRequest
    ) -> pb.CertifyGatewayResponse:
        """Let a gateway use a certificate instead of its key, or no longer."""
        table_id, gateway = await self._gateway(call, request.gateway_id)
        shown = ""
        if request.certificate:
            shown = digest_of_pem(request.certificate, gateway)
        elif request.required:
            raise field_invalid("required", "it needs a certificate in the same request")

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            return tables.set_certificate(
                table, gateway, shown, command_context, required=request.required
            )

        await self._changes.request(table_id, request, decide)
        if not shown:
            self._streams.disconnect(gateway, "the gateway's certificate was withdrawn")
        elif request.required:
            self._streams.disconnect(gateway, "the gateway has to show its certificate from now on")
        return pb.CertifyGatewayResponse(sha256=shown)

    async def command(
        self, call: RequestContext, request: pb.CommandDeviceRequest
    ) -> pb.CommandDeviceResponse:
        """Send a command to a device, and return its answer."""
        table_id, gateway = await self._gateway(call, request.gateway_id)
        table, command = (await self._tables.get(table_id)).state, request.command
        if command.stylus_id and not tables.is_paired(table, gateway, command.stylus_id):
            raise field_invalid("command", "no such stylus is paired with the gateway")
        report = await self._streams.command(gateway, command)
        why = "".join(filter(str.isprintable, report.message[:MAX_TEXT_LENGTH]))
        return pb.CommandDeviceResponse(succeeded=report.succeeded, message=why)

    async def rotate_key(
        self, call: RequestContext, request: pb.RotateGatewayKeyRequest
    ) -> pb.RotateGatewayKeyResponse:
        """Rotate the key of a gateway."""
        table_id, gateway = await self._gateway(call, request.gateway_id)
        request_id = request.request_id.lower()
        key = f"{gateway}.{self._token_issuer.token('gateway', gateway, request_id)}"

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            return tables.change_key(table, gateway, token_digest(key), command_context)

        own = IdempotentRequest(self._token_issuer, request_id, caller_identity(call))
        await self._changes.create(table_id, own, request, decide)
        self._streams.disconnect(gateway, "the gateway's key was changed")
        return pb.RotateGatewayKeyResponse(gateway_key=key)

    async def delete_gateway(self, call: RequestContext, request: pb.DeleteGatewayRequest) -> None:
        """Delete a gateway, which may not connect any more."""
        table_id, gateway = await self._gateway(call, request.gateway_id)

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            return tables.revoke(table, gateway, command_context)

        await self._changes.request(table_id, request, decide)
        self._streams.disconnect(gateway, "the gateway was deleted")

    async def close(self, call: RequestContext, request: pb.CloseTableRequest) -> None:
        """Close a table, and disconnect its gateways."""
        table_id = await self._owned_table(call, request.table_id, repeats=request.request_id)
        answer = await self._changes.request(table_id, request, tables.close_table)
        assert isinstance(answer, Table), "to close a table is never refused"
        for gateway in answer.gateways:
            self._streams.disconnect(gateway, "the table was closed")

    async def release(
        self, call: RequestContext, request: styluses.ReleaseStylusRequest
    ) -> styluses.ReleaseStylusResponse:
        """End the pairing of a stylus."""
        stylus = request.stylus_id
        table_id, gateway = await self._table_of_caller(call, request.table_id)
        asked = tables.ReleaseRequest(stylus, gateway, self._changes.pin(stylus, request.pin))
        async with self._pairings.lock(stylus):
            table = (await self._tables.get(table_id)).state
            if gateway:
                wrong = await self._pairings.wrong_pins_elsewhere(stylus, table, gateway)
                asked = replace(asked, wrong=wrong)

            def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
                return tables.release(table, asked, command_context)

            answer = await self._changes.request(table_id, request, decide)
            if isinstance(answer, Refused) and gateway:
                await self._pairings.wait_until_listed(table_id, call)
        if isinstance(answer, Refused):
            return styluses.ReleaseStylusResponse(refusal=await self._intake.refusal(table, answer))
        self._streams.refresh(answer)
        return styluses.ReleaseStylusResponse()

    async def unlock(self, call: RequestContext, request: styluses.UpdateStylusRequest) -> Table:
        """Unlock a stylus, so that it can be paired after too many wrong PINs."""
        table_id = await self._owned_table(call, request.table_id)
        stylus = request.stylus_id

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            return tables.unlock(table, stylus, command_context)

        answer = await self._changes.request(table_id, request, decide)
        assert isinstance(answer, Table), "to unlock a stylus is never refused"
        return answer

    async def update_tap_map(
        self, call: RequestContext, request: styluses.UpdateTapMapRequest
    ) -> styluses.UpdateTapMapResponse:
        """Set the tap map of a gateway, or of the table for gateways without their own."""
        table_id, gateway = await self._table_of_caller(call, request.table_id)
        if not update_paths(request, request.update_mask, ("codes",)):
            raise field_invalid("codes", "it is empty: there is nothing to update")
        for target in request.codes.values():
            if not tables.is_target(target):
                raise field_invalid("codes", f"{target[:40]!r} is not a target, such as `base s1`")

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            return tables.set_tap_map(table, gateway, request.codes, command_context)

        answer = await self._changes.request(table_id, request, decide)
        assert isinstance(answer, Table), "a tap map is never refused"
        own = answer.gateways[gateway].map_version if gateway else answer.map_version
        return styluses.UpdateTapMapResponse(tap_map_version=own)

    async def _table_of_caller(self, call: RequestContext, table_id: str) -> tuple[UUID, str]:
        """Return the table, and the calling gateway; empty for the owner or admin."""
        if table_id:
            return await self._owned_table(call, table_id), ""
        gateway, table = await authenticated_gateway(self._tables, call)
        return table.id, gateway

    async def _gateway(self, call: RequestContext, gateway: str) -> tuple[UUID, str]:
        """Return the table of a gateway, and the gateway's name, if the caller owns it."""
        table_id = await self._owned_table(call, gateway.partition(".")[0], "gateway_id")
        return table_id, gateway

    async def _owned_table(
        self, call: RequestContext, table_id: str, field: str = "table_id", repeats: str = ""
    ) -> UUID:
        """Return a table of which the caller has the owner's key, or any with the admin key.

        Args:
            call: Context with the key as its token.
            table_id: ID of the table in the request.
            field: Name of the field that has it.
            repeats: ID of a request that the owner may repeat after closing the table.

        Raises:
            ApiError: ADMIN_KEY_INVALID for other callers, even if the table does not exist.
        """
        if not call.token:
            raise ApiError(Reason.TOKEN_MISSING)
        identity = parse_id_field(field, table_id)
        if compare_digest(token_digest(call.token), self._admin_key):
            return (await self._tables.get(identity)).state.id
        held = await self._tables.find(identity)
        if held is None or not is_owner(held.state, call.token, repeats):
            why = "the method needs the key of the table's owner or the admin key"
            raise ApiError(Reason.ADMIN_KEY_INVALID, why)
        return identity

    async def _open(self, table_id: UUID, name: str, owner: str) -> None:
        """Create the table, unless this request did so before."""
        if await self._tables.find(table_id) is not None:
            return
        opened = tables.open_table(
            table_id, name, self._token_issuer.command_context(table_id, ""), owner
        )
        try:
            await self._tables.create(opened)
        except VersionConflict:
            return  # a concurrent duplicate of the request
