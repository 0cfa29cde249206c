"""StylusesService: pairs and updates styluses, and lists taps."""

from typing import Final

from domain import table as tables
from domain.kernel.game import REFEREE
from domain.kernel.rulings import Refused
from domain.log.origin import CommandContext
from domain.match import AnyMatch, role_of, seats_of_player
from domain.table import Table
from services.accounts.authentication import Authenticator
from services.accounts.context import RequestContext
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.devices import DeviceQueries
from services.api.field_masks import update_paths
from services.api.idempotency import is_of_earlier_request
from services.api.requests import parse_id_field
from services.api.table_changes import TableChanges
from services.api.table_owners import TableOwners
from services.api.tap_grants import TapGrants, digests_and_grants
from services.devices.gateway_keys import authenticated_gateway
from services.devices.gateway_streams import GatewayStreams
from services.devices.intake import TapIntake
from services.devices.pairing import Pairings
from services.mapping import messages
from services.runtime import display_names
from services.runtime.errors import ApiError, Reason, field_invalid
from services.wire.emeth.devices.v1 import styluses_pb2 as pb
from services.wire.emeth.v1 import tables_pb2

MAX_SEAT_TOKENS: Final = 16
"""Maximum number of tokens and codes in one request to seat a stylus."""
UPDATES: Final = ({"name", "pin"}, {"seating"}, {"locked"})
"""The fields that UpdateStylus updates together."""
UPDATABLE: Final = ("name", "pin", "seating", "locked")


class StylusesHandlers:
    """Handlers of the rpcs of StylusesService."""

    def __init__(
        self,
        intake: TapIntake,
        streams: GatewayStreams,
        token_issuer: TokenIssuer,
        pairings: Pairings,
        owners: TableOwners,
        grants: TapGrants,
        devices: DeviceQueries,
        identities: Authenticator,
    ) -> None:
        self._intake = intake
        self._tables = intake.tables
        self._streams = streams
        self._changes = TableChanges(intake.tables, token_issuer)
        self._pairings = pairings
        self._owners = owners
        self._grants = grants
        self._devices = devices
        self._identities = identities

    async def pair_stylus(
        self, call: RequestContext, request: pb.PairStylusRequest
    ) -> pb.PairStylusResponse:
        """Pair a stylus with the gateway whose key the call has."""
        gateway, table = await self._gateway(call, request.gateway_id)
        stylus = request.stylus_id
        typed, factory = (
            self._changes.pin(stylus, pin) for pin in (request.pin, tables.FACTORY_PIN)
        )

        async with self._pairings.lock(stylus):
            elsewhere = await self._pairings.other_pairing(stylus, table.id)
            wrong = await self._pairings.wrong_pins_elsewhere(stylus, table, gateway)
            heard = table.stylus(stylus).gateway in self._streams
            attempt = tables.PairingAttempt(gateway, stylus, typed, factory, heard, wrong)

            def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
                return tables.pair(table, attempt, command_context, elsewhere)

            answer = await self._changes.request(table.id, request, decide)
            if isinstance(answer, Refused):
                await self._pairings.wait_until_listed(table.id, call)
                return pb.PairStylusResponse(refusal=await self._intake.refusal(table, answer))
            # A request that is repeated may be about a stylus that went on to another table.
            if answer.stylus(stylus).gateway:
                for left in await self._pairings.unpair_others(stylus, answer, call):
                    self._streams.refresh(left)
        self._streams.refresh(answer)
        return pb.PairStylusResponse(stylus=_stylus(answer, stylus))

    async def update_stylus(
        self, call: RequestContext, request: pb.UpdateStylusRequest
    ) -> pb.UpdateStylusResponse:
        """Update the name and PIN of a stylus, its seats, or its lock."""
        stylus = request.stylus_id
        fields = {*update_paths(request, request.update_mask, UPDATABLE)}
        if fields not in UPDATES:
            why = (
                "it must be `name` and `pin`, or `seating`, or `locked`: one of the three at a time"
            )
            raise field_invalid("update_mask", why)
        if fields == {"locked"}:
            table = await self._owners.unlock(call, request)
            return pb.UpdateStylusResponse(stylus=_stylus(table, stylus))
        gateway, table = await self._gateway(call, request.gateway_id)
        if fields == {"seating"}:
            answer = await self._seat(request, gateway, table)
        else:
            answer = await self._name(request, gateway, table)
        if isinstance(answer, Refused):
            return pb.UpdateStylusResponse(refusal=await self._intake.refusal(table, answer))
        return pb.UpdateStylusResponse(stylus=_stylus(answer, stylus))

    async def _name(
        self, request: pb.UpdateStylusRequest, gateway: str, table: Table
    ) -> Table | Refused:
        """Set the name and the PIN of a stylus."""
        stylus = request.stylus_id
        key = self._changes.pin(stylus, request.pin)
        naming = tables.NamingRequest(
            gateway, stylus, display_names.visible_name(request.name), request.pin, key
        )
        await display_names.load_confusables()

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            answer = tables.rename(table, naming, command_context)
            others = (each.name for known, each in table.styluses.items() if known != stylus)
            like = next(
                (each for each in others if display_names.are_confusable(each, naming.name)), ""
            )
            if like and not isinstance(answer, Refused):
                return Refused("stylus.name", f"another stylus of this table is called {like}")
            return answer

        return await self._changes.request(table.id, request, decide)

    async def _seat(
        self, request: pb.UpdateStylusRequest, gateway: str, table: Table
    ) -> Table | Refused:
        """Set the match and the seats for which a stylus acts."""
        asked, request_id = request.seating, request.request_id
        if not 1 <= len(asked.tokens) + len(asked.codes) <= MAX_SEAT_TOKENS:
            raise field_invalid(
                "seating.tokens", f"there must be 1 to {MAX_SEAT_TOKENS} tokens and codes"
            )
        granted, grants = digests_and_grants(found := self._grants.redeem(asked, request_id))
        identity = found[0].match if found else parse_id_field("seating.match_id", asked.match_id)
        match = (await self._intake.live.get(identity)).state
        roles: dict[str, str] = {}
        for token in asked.tokens:
            roles |= await self._roles(match, token)
        acting = (*match.seats, *match.rules.entry_roles, REFEREE)
        grants = {seat: grant for seat, grant in grants.items() if seat not in roles}
        held = granted | roles
        seats = {role: held[role] for role in acting if role in held}
        shared = all(seat in seats for seat in match.seats)
        seating = tables.SeatingRequest(gateway, request.stylus_id, match.id, seats, shared, grants)
        present = await self._intake.match(table)

        def decide(table: Table, command_context: CommandContext) -> tables.TableCommandOutcome:
            return tables.seat(table, seating, present, command_context)

        try:
            answer = await self._changes.request(table.id, request, decide)
        except ApiError as error:
            if not is_of_earlier_request(error):
                self._grants.give_back(asked)  # the codes stay valid
            raise
        if isinstance(answer, Refused):
            self._grants.give_back(asked)
        else:
            self._streams.refresh(answer)
        return answer

    async def _roles(self, match: AnyMatch, token: str) -> dict[str, str]:
        """Return the roles that a token stands for, each with what is stored for it."""
        if (player := await self._identities.player_of(token)) is not None:
            held = {seat: match.holders[seat].claim for seat in seats_of_player(match, player)}
        else:
            key = token_digest(token)
            role = role_of(match, key)
            held = {} if role is None else {role: key}
        if not held:
            raise ApiError(Reason.TOKEN_WRONG_MATCH, match=match.id)
        return held

    async def release_stylus(
        self, call: RequestContext, request: pb.ReleaseStylusRequest
    ) -> pb.ReleaseStylusResponse:
        """End the pairing of a stylus."""
        return await self._owners.release(call, request)

    async def update_tap_map(
        self, call: RequestContext, request: pb.UpdateTapMapRequest
    ) -> pb.UpdateTapMapResponse:
        """Update the tap map of a gateway or of a table."""
        return await self._owners.update_tap_map(call, request)

    async def list_taps(
        self, call: RequestContext, request: pb.ListTapsRequest
    ) -> pb.ListTapsResponse:
        """List the taps and stylus statuses of a table."""
        return await self._devices.list_taps(call, request)

    async def create_tap_grant(
        self, call: RequestContext, request: pb.CreateTapGrantRequest
    ) -> pb.CreateTapGrantResponse:
        """Create a code with which a stylus may tap for a seat."""
        return await self._grants.create(call, request)

    async def list_tap_grants(
        self, call: RequestContext, request: pb.ListTapGrantsRequest
    ) -> pb.ListTapGrantsResponse:
        """List the styluses that may tap for a seat."""
        return await self._grants.list_page(call, request)

    async def delete_tap_grant(
        self, call: RequestContext, request: pb.DeleteTapGrantRequest
    ) -> pb.DeleteTapGrantResponse:
        """Delete a grant to tap for a seat, or all of them."""
        return await self._grants.delete(call, request)

    async def _gateway(self, call: RequestContext, wanted: str) -> tuple[str, Table]:
        return await authenticated_gateway(self._tables, call, wanted)


def _stylus(table: Table, name: str) -> tables_pb2.Stylus:
    stylus = table.stylus(name)
    return tables_pb2.Stylus(
        stylus_id=name,
        name=stylus.name,
        gateway_id=stylus.gateway,
        disconnect_time=messages.timestamp(stylus.lost) if stylus.lost else None,
        battery_percent=stylus.battery,
        seats=sorted(stylus.seats),
        shared=stylus.shared,
        granted_seats=sorted(stylus.grants),
        ended_seats=stylus.ended,
    )
