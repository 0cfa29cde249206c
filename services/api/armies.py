"""ArmiesService: validating and saving armies. The game checks them."""

from contextlib import suppress
from typing import Any, Final

import msgspec
import structlog
from google.protobuf.struct_pb2 import Struct as ProtoStruct

from domain.army import Content, SavedArmy, asked_for, delete, save
from domain.kernel.any_game import read_constraints
from domain.kernel.armies import Checked
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.log.digests import as_digest
from domain.match import LONGEST_NAME
from domain.registry import GAMES
from projections.queries import armies as shelves
from services.accounts.context import Call
from services.accounts.count_limits import Bounds
from services.accounts.tokens import Mint, key_of
from services.api.etags import check_etag
from services.api.field_masks import update_paths
from services.api.filters import choice_field, ordering, parse_values, text_field
from services.api.repetitions import Repeatable, caller_of
from services.api.requests import (
    PageTokens,
    armies_of,
    check_same,
    decoded,
    game_of,
    identifier,
    name_text,
    page_size,
    uuid_of,
)
from services.mapping import army_messages
from services.runtime.errors import ApiError, Reason, malformed
from services.runtime.json_values import to_struct
from services.store.aggregate_cache import Decision
from services.store.army_cache import LiveArmies, LiveArmy
from services.store.errors import ArmyUnknown, VersionConflict
from services.store.read_models import Reads
from services.wire.emeth.v1 import armies_pb2 as pb

log = structlog.get_logger(__name__)

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200
UPDATABLE: Final = ("name", "roster", "constraints")
FIELDS: Final = {
    "game": choice_field({slug: slug for slug in GAMES}, "="),
    "name": text_field(":"),
}
"""What armies can be filtered by."""
ORDERS: Final = {"create_time desc": True, "create_time": False}
"""Whether the latest army comes first."""


class ArmiesHandlers:
    """The rpcs of ArmiesService."""

    def __init__(
        self,
        armies: LiveArmies,
        reads: Reads,
        pages: PageTokens,
        mint: Mint,
        library: Library,
        bounds: Bounds,
    ) -> None:
        self._bounds = bounds
        self._armies = armies
        self._reads = reads
        self._pages = pages
        self._mint = mint
        self._library = library

    async def create_army(self, call: Call, request: pb.CreateArmyRequest) -> pb.CreateArmyResponse:
        """Save a new army without faults, once."""
        request_id = request.request_id.lower()
        game, given = game_of(request.army.game), request.army
        name = name_text("army.name", given.name, LONGEST_NAME, 1)
        checked, content = self._checked(
            game, name, _roster(game, given.roster), self._read(game, given.constraints)
        )
        if checked.faults:
            return pb.CreateArmyResponse(refused=army_messages.validation(game, checked))
        identity = self._mint.army_id(request_id)
        token = await self._owner_token(call, request_id)
        own = Repeatable(self._mint, request_id, caller_of(call, request.client_secret))
        owner, is_made = key_of(token), False
        if await self._armies.find(identity) is None:
            if call.token:
                kept = await self._reads.ask(lambda connection: shelves.count(connection, owner))
                self._bounds.keep_army(kept)
            else:
                self._bounds.begin(call, "owners of armies")
            with suppress(VersionConflict):  # the same request, sent twice at once
                await self._armies.create(save(None, identity, owner, content, own.stamp(identity)))
                is_made = True

        async def first(live: LiveArmy) -> Decision[SavedArmy, SavedArmy]:
            sealed, made = await self._armies.at(live, 1)
            asked = ["save", owner, content]
            if is_made:
                return None, made
            if call.token:  # a caller that shows the owner's token is given no other
                check_same(request_id, 1, asked_for(sealed.event), asked)
            else:
                own.check(sealed.event.request, 1, asked_for(sealed.event), asked)
            return None, made

        made = await self._armies.command(identity, first)
        await self._listed(made, call)
        return pb.CreateArmyResponse(
            army=army_messages.army(made), owner_token="" if call.token else token
        )

    async def get_army(self, call: Call, request: pb.GetArmyRequest) -> pb.GetArmyResponse:
        """Get a saved army."""
        del call
        army = await self._armies.saved(uuid_of(request.army_id))
        return pb.GetArmyResponse(army=army_messages.army(army))

    async def list_armies(self, call: Call, request: pb.ListArmiesRequest) -> pb.ListArmiesResponse:
        """List the caller's armies."""
        owner = key_of(_token(call))
        wanted = shelves.ArmyQuery(**parse_values(request.filter, FIELDS))
        descending = ordering(request.order_by, ORDERS)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = (owner, request.filter, request.order_by)
        place = self._pages.begin(request.page_token, *query)
        page = await self._reads.ask(
            lambda connection: shelves.owned(
                connection, owner, size, place, wanted, descending=descending
            )
        )
        return pb.ListArmiesResponse(
            armies=[army_messages.army(army) for army in page.armies],
            next_page_token=self._pages.next(page.next, *query),
        )

    async def update_army(self, call: Call, request: pb.UpdateArmyRequest) -> pb.UpdateArmyResponse:
        """Change an army, once, unless the change breaks rules."""
        request_id = request.request_id.lower()
        identity, token = identifier("army.army_id", request.army.army_id), _token(call)
        owner, paths = key_of(token), _updated(request)
        stamp = self._mint.stamp(identity, self._mint.request_key(request_id))

        async def decide(live: LiveArmy) -> Decision[SavedArmy, SavedArmy | Checked]:
            first = live.made_by(*self._mint.request_names(request_id))
            if first is not None:
                sealed, made = await self._armies.at(live, first)
                _, before = await self._armies.at(live, max(1, first - 1))
                _, content = self._merged(before, request.army, paths)
                check_same(request_id, first, asked_for(sealed.event), ["save", owner, content])
                return None, made
            before = _own(live.state, token)
            check_etag(request.army.etag, army_messages.etag_of(before))
            checked, content = self._merged(before, request.army, paths)
            if checked.faults:
                return None, checked
            decided = save(before, identity, owner, content, stamp)
            return decided, decided.state

        outcome = await self._armies.command(identity, decide)
        if isinstance(outcome, Checked):
            game = game_of((await self._armies.saved(identity)).saved.game)
            return pb.UpdateArmyResponse(refused=army_messages.validation(game, outcome))
        await self._listed(outcome, call)
        return pb.UpdateArmyResponse(army=army_messages.army(outcome))

    async def delete_army(self, call: Call, request: pb.DeleteArmyRequest) -> pb.DeleteArmyResponse:
        """Delete an army, once."""
        request_id = request.request_id.lower()
        identity, token = uuid_of(request.army_id), _token(call)
        stamp = self._mint.stamp(identity, self._mint.request_key(request_id))

        async def decide(live: LiveArmy) -> Decision[SavedArmy, SavedArmy]:
            if (first := live.made_by(*self._mint.request_names(request_id))) is not None:
                sealed, made = await self._armies.at(live, first)
                check_same(request_id, first, asked_for(sealed.event), ["delete"])
                return None, made
            army = _own(live.state, token)
            check_etag(request.etag, army_messages.etag_of(army))
            decided = delete(army, stamp)
            return decided, decided.state

        await self._listed(await self._armies.command(identity, decide), call)
        return pb.DeleteArmyResponse()

    async def validate_army(
        self, call: Call, request: pb.ValidateArmyRequest
    ) -> pb.ValidateArmyResponse:
        """Find every fault of a roster."""
        del call
        game = game_of(request.game)
        constraints = self._read(game, request.constraints, "constraints")
        roster = _roster(game, request.roster, "roster")
        checked = armies_of(game).check(roster, constraints)
        return pb.ValidateArmyResponse(validation=army_messages.validation(game, checked))

    def _checked(
        self, game: AnyGame, name: str, roster: Any, constraints: Any
    ) -> tuple[Checked, Content]:
        """Return the faults of a roster, and what would be saved of it."""
        checked = armies_of(game).check(roster, constraints)
        content = Content(
            game=game.slug,
            name=name,
            occasion=_written_out(constraints),
            content=msgspec.to_builtins(roster),
            points=checked.points,
        )
        return checked, content

    def _merged(
        self, before: SavedArmy, given: pb.Army, paths: tuple[str, ...]
    ) -> tuple[Checked, Content]:
        """Return the faults of an army with these fields updated, and what would be saved of it."""
        saved = before.saved
        if given.game not in ("", saved.game):
            raise malformed("army.game", f"the army is one of {saved.game}, and stays so")
        game = game_of(saved.game)
        roster = given.roster if "roster" in paths else to_struct(saved.content)
        constraints = given.constraints if "constraints" in paths else to_struct(saved.occasion)
        name = (
            name_text("army.name", given.name, LONGEST_NAME, 1) if "name" in paths else saved.name
        )
        return self._checked(game, name, _roster(game, roster), self._read(game, constraints))

    def _read(self, game: AnyGame, given: ProtoStruct, field: str = "army.constraints") -> Any:
        """Read the constraints of an army. NO_ARMIES for a game that has none."""
        armies_of(game)
        return decoded(field, given, lambda told: read_constraints(game, told, self._library))

    async def _owner_token(self, call: Call, request_id: str) -> str:
        """Return the owner's token that a call brought, or the one that a new owner is given."""
        if not call.token:
            return self._mint.owner_token(request_id)
        # Of a service whose secret has changed since, the tokens that were used are good for ever.
        if not self._mint.is_owner_token(call.token) and not await self._reads.ask(
            lambda connection: shelves.is_owner(connection, key_of(call.token))
        ):
            raise ApiError(Reason.NOT_OWNER, "the token is for no owner of armies")
        return call.token

    async def _listed(self, army: SavedArmy, call: Call) -> None:
        """Wait until the change shows in lists; should that take too long, it stands all the
        same."""
        try:
            await self._reads.reached(army.id, army.version, call.seconds_left, shelves.version)
        except ApiError as error:
            log.warning("army not listed yet", army=str(army.id), why=error.message)


def _roster(game: AnyGame, given: ProtoStruct, field: str = "army.roster") -> Any:
    """Read a roster. FIELD_INVALID says what has the wrong shape."""
    armies = armies_of(game)
    return decoded(field, given, lambda told: msgspec.convert(told, armies.army))


def _updated(request: pb.UpdateArmyRequest) -> tuple[str, ...]:
    """Return the fields that an update names; without a mask, those that it sets."""
    paths = update_paths(request.army, request.update_mask, UPDATABLE)
    if not paths:
        raise malformed("update_mask", "it names no field, and none is set")
    return paths


def _written_out(value: Any) -> dict[str, Any]:
    """A Struct with all its fields, those too that have their defaults: these may change."""
    return {
        field.encode_name: msgspec.to_builtins(getattr(value, field.name), enc_hook=as_digest)
        for field in msgspec.structs.fields(value)
    }


def _token(call: Call) -> str:
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING, "the call needs the token of the armies' owner")
    return call.token


def _own(army: SavedArmy, token: str) -> SavedArmy:
    """The army, if it is there and this is its owner's token."""
    if army.deleted:
        raise ArmyUnknown(army.id)
    if army.owner != key_of(token):
        raise ApiError(Reason.NOT_OWNER, "the token is not that of the army's owner", army=army.id)
    return army
