"""ArmiesService: validates and stores armies by the rules of their games."""

from contextlib import suppress
from typing import Any, Final

import msgspec
import structlog
from google.protobuf.struct_pb2 import Struct as ProtoStruct

from domain.army import ArmyContent, SavedArmy, delete, request_payload, save
from domain.kernel.any_game import read_constraints
from domain.kernel.armies import ArmyReport
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.log.digests import encode_as_digest
from domain.match import MAX_NAME_LENGTH
from domain.registry import GAMES
from projections.queries import armies as shelves
from services.accounts.context import RequestContext
from services.accounts.count_limits import CountLimits
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.etags import check_etag
from services.api.field_masks import update_paths
from services.api.filters import choice_field, parse_order, parse_values, text_field
from services.api.idempotency import IdempotentRequest, caller_identity
from services.api.requests import (
    PageTokens,
    check_same,
    decode_field,
    find_game,
    page_size,
    parse_id_field,
    parse_name,
    parse_uuid,
    require_armies,
)
from services.mapping import army_messages
from services.runtime.errors import ApiError, Reason, field_invalid
from services.runtime.json_values import to_struct
from services.store.aggregate_cache import Decision
from services.store.army_cache import ArmyCache, CachedArmy
from services.store.errors import ArmyUnknown, VersionConflict
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import armies_pb2 as pb

log = structlog.get_logger(__name__)

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
UPDATABLE: Final = ("name", "roster", "constraints")
FIELDS: Final = {
    "game": choice_field({slug: slug for slug in GAMES}, "="),
    "name": text_field(":"),
}
"""Fields by which armies can be filtered."""
ORDERS: Final = {"create_time desc": True, "create_time": False}
"""Sort orders, and whether the newest army comes first."""


class ArmiesHandlers:
    """Handlers of the rpcs of ArmiesService."""

    def __init__(
        self,
        armies: ArmyCache,
        read_models: ReadModelQueries,
        pages: PageTokens,
        token_issuer: TokenIssuer,
        library: Library,
        count_limits: CountLimits,
    ) -> None:
        self._count_limits = count_limits
        self._armies = armies
        self._read_models = read_models
        self._pages = pages
        self._token_issuer = token_issuer
        self._library = library

    async def create_army(
        self, call: RequestContext, request: pb.CreateArmyRequest
    ) -> pb.CreateArmyResponse:
        """Save a new army without faults, once."""
        request_id = request.request_id.lower()
        game, given = find_game(request.army.game), request.army
        name = parse_name("army.name", given.name, MAX_NAME_LENGTH, 1)
        checked, content = self._check(
            game, name, _parse_roster(game, given.roster), self._read(game, given.constraints)
        )
        if checked.faults:
            return pb.CreateArmyResponse(refused=army_messages.validation(game, checked))
        identity = self._token_issuer.army_id(request_id)
        token = await self._owner_token(call, request_id)
        own = IdempotentRequest(
            self._token_issuer, request_id, caller_identity(call, request.client_secret)
        )
        owner, was_made = token_digest(token), False
        if await self._armies.find(identity) is None:
            if call.token:
                kept = await self._read_models.ask(
                    lambda connection: shelves.count_armies(connection, owner)
                )
                self._count_limits.check_army_count(kept)
            else:
                self._count_limits.count_new(call, "owners of armies")
            with suppress(VersionConflict):  # a concurrent duplicate of the request
                await self._armies.create(
                    save(None, identity, owner, content, own.command_context(identity))
                )
                was_made = True

        async def first(live: CachedArmy) -> Decision[SavedArmy, SavedArmy]:
            sealed, made = await self._armies.at(live, 1)
            asked = ["save", owner, content]
            if was_made:
                return None, made
            if call.token:  # the caller has an owner's token already
                check_same(request_id, 1, request_payload(sealed.event), asked)
            else:
                own.check(sealed.event.request, 1, request_payload(sealed.event), asked)
            return None, made

        made = await self._armies.command(identity, first)
        await self._wait_until_listed(made, call)
        return pb.CreateArmyResponse(
            army=army_messages.army(made), owner_token="" if call.token else token
        )

    async def get_army(
        self, call: RequestContext, request: pb.GetArmyRequest
    ) -> pb.GetArmyResponse:
        """Get a saved army."""
        del call
        army = await self._armies.saved(parse_uuid(request.army_id))
        return pb.GetArmyResponse(army=army_messages.army(army))

    async def list_armies(
        self, call: RequestContext, request: pb.ListArmiesRequest
    ) -> pb.ListArmiesResponse:
        """List the caller's armies."""
        owner = token_digest(_require_token(call))
        wanted = shelves.ArmyQuery(**parse_values(request.filter, FIELDS))
        descending = parse_order(request.order_by, ORDERS)
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        query = (owner, request.filter, request.order_by)
        place = self._pages.start(request.page_token, *query)
        page = await self._read_models.ask(
            lambda connection: shelves.army_page(
                connection, owner, size, place, wanted, descending=descending
            )
        )
        return pb.ListArmiesResponse(
            armies=[army_messages.army(army) for army in page.armies],
            next_page_token=self._pages.next(page.next, *query),
        )

    async def update_army(
        self, call: RequestContext, request: pb.UpdateArmyRequest
    ) -> pb.UpdateArmyResponse:
        """Change an army, once, unless the change breaks rules."""
        request_id = request.request_id.lower()
        identity, token = parse_id_field("army.army_id", request.army.army_id), _require_token(call)
        owner, paths = token_digest(token), _updated_fields(request)
        command_context = self._token_issuer.command_context(
            identity, self._token_issuer.request_key(request_id)
        )

        async def decide(live: CachedArmy) -> Decision[SavedArmy, SavedArmy | ArmyReport]:
            first = live.version_of_request(*self._token_issuer.request_names(request_id))
            if first is not None:
                sealed, made = await self._armies.at(live, first)
                _, before = await self._armies.at(live, max(1, first - 1))
                _, content = self._merge(before, request.army, paths)
                check_same(
                    request_id, first, request_payload(sealed.event), ["save", owner, content]
                )
                return None, made
            before = _require_owner(live.state, token)
            check_etag(request.army.etag, army_messages.etag_of(before))
            checked, content = self._merge(before, request.army, paths)
            if checked.faults:
                return None, checked
            changeset = save(before, identity, owner, content, command_context)
            return changeset, changeset.state

        outcome = await self._armies.command(identity, decide)
        if isinstance(outcome, ArmyReport):
            game = find_game((await self._armies.saved(identity)).saved.game)
            return pb.UpdateArmyResponse(refused=army_messages.validation(game, outcome))
        await self._wait_until_listed(outcome, call)
        return pb.UpdateArmyResponse(army=army_messages.army(outcome))

    async def delete_army(
        self, call: RequestContext, request: pb.DeleteArmyRequest
    ) -> pb.DeleteArmyResponse:
        """Delete an army, once."""
        request_id = request.request_id.lower()
        identity, token = parse_uuid(request.army_id), _require_token(call)
        command_context = self._token_issuer.command_context(
            identity, self._token_issuer.request_key(request_id)
        )

        async def decide(live: CachedArmy) -> Decision[SavedArmy, SavedArmy]:
            if (
                first := live.version_of_request(*self._token_issuer.request_names(request_id))
            ) is not None:
                sealed, made = await self._armies.at(live, first)
                check_same(request_id, first, request_payload(sealed.event), ["delete"])
                return None, made
            army = _require_owner(live.state, token)
            check_etag(request.etag, army_messages.etag_of(army))
            changeset = delete(army, command_context)
            return changeset, changeset.state

        await self._wait_until_listed(await self._armies.command(identity, decide), call)
        return pb.DeleteArmyResponse()

    async def validate_army(
        self, call: RequestContext, request: pb.ValidateArmyRequest
    ) -> pb.ValidateArmyResponse:
        """Find every fault of a roster."""
        del call
        game = find_game(request.game)
        constraints = self._read(game, request.constraints, "constraints")
        roster = _parse_roster(game, request.roster, "roster")
        checked = require_armies(game).check(roster, constraints)
        return pb.ValidateArmyResponse(validation=army_messages.validation(game, checked))

    def _check(
        self, game: AnyGame, name: str, roster: Any, constraints: Any
    ) -> tuple[ArmyReport, ArmyContent]:
        """Return the faults of a roster, and what would be saved of it."""
        checked = require_armies(game).check(roster, constraints)
        content = ArmyContent(
            game=game.slug,
            name=name,
            occasion=_to_values(constraints),
            content=msgspec.to_builtins(roster),
            points=checked.points,
        )
        return checked, content

    def _merge(
        self, before: SavedArmy, given: pb.Army, paths: tuple[str, ...]
    ) -> tuple[ArmyReport, ArmyContent]:
        """Return the faults of an army with these fields updated, and what would be saved of it."""
        saved = before.saved
        if given.game not in ("", saved.game):
            raise field_invalid("army.game", f"it cannot change: the army is one of {saved.game}")
        game = find_game(saved.game)
        roster = given.roster if "roster" in paths else to_struct(saved.content)
        constraints = given.constraints if "constraints" in paths else to_struct(saved.occasion)
        name = (
            parse_name("army.name", given.name, MAX_NAME_LENGTH, 1)
            if "name" in paths
            else saved.name
        )
        return self._check(game, name, _parse_roster(game, roster), self._read(game, constraints))

    def _read(self, game: AnyGame, given: ProtoStruct, field: str = "army.constraints") -> Any:
        """Read the constraints of an army. NO_ARMIES for a game that has none."""
        require_armies(game)
        return decode_field(
            field, given, lambda values: read_constraints(game, values, self._library)
        )

    async def _owner_token(self, call: RequestContext, request_id: str) -> str:
        """Return the owner's token that a call brought, or the one that a new owner is given."""
        if not call.token:
            return self._token_issuer.owner_token(request_id)
        # Of a service whose secret has changed since, the tokens that were used are valid forever.
        if not self._token_issuer.is_owner_token(call.token) and not await self._read_models.ask(
            lambda connection: shelves.is_owner(connection, token_digest(call.token))
        ):
            raise ApiError(Reason.NOT_OWNER, "the token does not belong to an owner of armies")
        return call.token

    async def _wait_until_listed(self, army: SavedArmy, call: RequestContext) -> None:
        """Wait a short time at most for this version of the army in the read models."""
        try:
            await self._read_models.wait_for_version(
                army.id, army.version, call.seconds_left, shelves.version
            )
        except ApiError as error:
            log.warning("army not listed yet", army=str(army.id), why=error.message)


def _parse_roster(game: AnyGame, given: ProtoStruct, field: str = "army.roster") -> Any:
    """Read a roster. FIELD_INVALID says what has the wrong shape."""
    armies = require_armies(game)
    return decode_field(field, given, lambda values: msgspec.convert(values, armies.army))


def _updated_fields(request: pb.UpdateArmyRequest) -> tuple[str, ...]:
    """Return the fields that an update names; without a mask, those that it sets."""
    paths = update_paths(request.army, request.update_mask, UPDATABLE)
    if not paths:
        raise field_invalid(
            "update_mask", "it is empty and no field is set: name the fields to update"
        )
    return paths


def _to_values(value: Any) -> dict[str, Any]:
    """Return a Struct as a dictionary, with the defaults, since these may change."""
    return {
        field.encode_name: msgspec.to_builtins(
            getattr(value, field.name), enc_hook=encode_as_digest
        )
        for field in msgspec.structs.fields(value)
    }


def _require_token(call: RequestContext) -> str:
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING, "the method needs the token of the armies' owner")
    return call.token


def _require_owner(army: SavedArmy, token: str) -> SavedArmy:
    """Return the army if this token is its owner's. Raise ApiError otherwise."""
    if army.deleted:
        raise ArmyUnknown(army.id)
    if army.owner != token_digest(token):
        raise ApiError(
            Reason.NOT_OWNER, "the token does not belong to the army's owner", army=army.id
        )
    return army
