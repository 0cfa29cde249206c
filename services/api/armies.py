"""ArmiesService: building armies and keeping them. The game checks them."""

from contextlib import suppress
from typing import Any, Final

import msgspec
import structlog
from google.protobuf.struct_pb2 import Struct as ProtoStruct

from domain.army.army import Content, SavedArmy, asked_for, delete, save
from domain.kernel.any_game import read_occasion
from domain.kernel.armies import Checked
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.log.digests import as_digest
from domain.match import LONGEST_NAME
from projections import armies as shelves
from services import army_messages
from services.accounts.bounds import Bounds
from services.api.catalog import Catalog
from services.api.repetitions import Repeatable, caller_of, client_secret
from services.api.requests import (
    PageTokens,
    armies_of,
    check_same,
    decoded,
    game_of,
    identifier,
    name_text,
    page_size,
    short_text,
)
from services.callers import Call
from services.errors import ApiError, Reason, malformed
from services.names import visible_name
from services.reads import Reads
from services.store.errors import ArmyUnknown, VersionConflict
from services.store.live import Decision
from services.store.live_armies import LiveArmies, LiveArmy
from services.tokens import Mint, key_of
from services.wire.emeth.v1 import armies_pb2 as pb

log = structlog.get_logger(__name__)

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200


class ArmiesHandlers:
    """The rpcs of ArmiesService."""

    def __init__(
        self,
        armies: LiveArmies,
        reads: Reads,
        pages: PageTokens,
        mint: Mint,
        library: Library,
        catalog: Catalog,
        bounds: Bounds,
    ) -> None:
        self._bounds = bounds
        self._armies = armies
        self._reads = reads
        self._pages = pages
        self._mint = mint
        self._library = library
        self._catalog = catalog

    async def validate_army(
        self, call: Call, request: pb.ValidateArmyRequest
    ) -> pb.ValidateArmyResponse:
        """All that is wrong with an army."""
        del call
        game = game_of(request.game)
        checked, _ = _check(game, request, self._library)
        return pb.ValidateArmyResponse(check=army_messages.army_check(game, checked))

    async def save_army(self, call: Call, request: pb.SaveArmyRequest) -> pb.SaveArmyResponse:
        """Save an army without faults, once."""
        request_id = str(identifier("request_id", request.request_id))
        game = game_of(request.game)
        checked, content = _check(game, request, self._library)
        if checked.faults:
            return pb.SaveArmyResponse(refused=army_messages.army_check(game, checked))
        name_text("name", request.name, LONGEST_NAME, 1)
        new = not request.army_id
        identity = self._mint.army_id(request_id) if new else identifier("army_id", request.army_id)
        token = await self._owner_token(call, request_id, new=new)
        secret = client_secret(request.client_secret)
        own = Repeatable(self._mint, request_id, caller_of(call, secret))
        owner, stamp = key_of(token), own.stamp(identity)
        if new and await self._armies.find(identity) is None:
            if call.token:
                kept = await self._reads.ask(lambda connection: shelves.count(connection, owner))
                self._bounds.keep_army(kept)
            else:
                self._bounds.begin(call, "owners of armies")
            with suppress(VersionConflict):  # the same request, sent twice at once
                await self._armies.create(save(None, identity, owner, content, stamp))

        async def decide(live: LiveArmy) -> Decision[SavedArmy, SavedArmy]:
            # A caller that shows the owner's token is given no other.
            giving = None if call.token else own
            asked = ["save", owner, content]
            if (made := await self._made(live, request_id, asked, giving)) is not None:
                return None, made
            _check_changing(live.state, token, request)
            decided = save(live.state, identity, owner, content, stamp)
            return decided, decided.state

        made = await self._armies.command(identity, decide)
        await self._listed(made, call)
        return pb.SaveArmyResponse(
            saved=army_messages.saved_army(made), owner_token="" if call.token else token
        )

    async def list_armies(self, call: Call, request: pb.ListArmiesRequest) -> pb.ListArmiesResponse:
        """A page of the caller's armies."""
        owner = key_of(_token(call))
        game = game_of(request.game).slug if request.game else ""
        name = short_text("name", request.name, LONGEST_NAME)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = (owner, game, name)
        after = self._pages.begin(request.page_token, *query) or None
        page = await self._reads.ask(
            lambda connection: shelves.owned(
                connection, owner, size, game=game, name=name, after=after
            )
        )
        return pb.ListArmiesResponse(
            armies=[army_messages.saved_army(army) for army in page.armies],
            next_page_token=self._pages.next(page.next, *query),
        )

    async def get_army(self, call: Call, request: pb.GetArmyRequest) -> pb.GetArmyResponse:
        """A saved army."""
        del call
        army = await self._armies.saved(identifier("army_id", request.army_id))
        return pb.GetArmyResponse(army=army_messages.saved_army(army))

    async def delete_army(self, call: Call, request: pb.DeleteArmyRequest) -> pb.DeleteArmyResponse:
        """Delete an army, once."""
        request_id = str(identifier("request_id", request.request_id))
        identity, token = identifier("army_id", request.army_id), _token(call)
        stamp = self._mint.stamp(identity, self._mint.request_key(request_id))

        async def decide(live: LiveArmy) -> Decision[SavedArmy, SavedArmy]:
            if (made := await self._made(live, request_id, ["delete"])) is not None:
                return None, made
            decided = delete(_own(live.state, token), stamp)
            return decided, decided.state

        made = await self._armies.command(identity, decide)
        await self._listed(made, call)
        return pb.DeleteArmyResponse(version=made.version)

    async def get_catalog(self, call: Call, request: pb.GetCatalogRequest) -> pb.GetCatalogResponse:
        """A page of what there is to build an army of."""
        del call
        return await self._catalog.get_catalog(request)

    async def _owner_token(self, call: Call, request_id: str, *, new: bool) -> str:
        """The owner's token that a call brought, or that it is given for a new army."""
        if not call.token and new:
            return self._mint.owner_token(request_id)
        token = _token(call)
        # Of a service whose secret has changed since, the tokens that were used are good for ever.
        if not self._mint.is_owner_token(token) and not await self._reads.ask(
            lambda connection: shelves.is_owner(connection, key_of(token))
        ):
            raise ApiError(Reason.NOT_OWNER, "the token is for no owner of armies")
        return token

    async def _made(
        self,
        live: LiveArmy,
        request_id: str,
        asked: list[Any],
        giving: Repeatable | None = None,
    ) -> SavedArmy | None:
        """The army as this request left it, if it came before; REQUEST_ID_REUSED if it asked for
        something else. If it is `giving` out a token, RESPONSE_WITHHELD for another caller."""
        first = live.made_by(*self._mint.request_names(request_id))
        if first is None:
            return None
        sealed, made = await self._armies.at(live, first)
        if giving is None:
            check_same(request_id, first, asked_for(sealed.event), asked)
        else:
            giving.check(sealed.event.request, first, asked_for(sealed.event), asked)
        return made

    async def _listed(self, army: SavedArmy, call: Call) -> None:
        """Wait until the change shows in lists; should that take too long, it stands all the
        same."""
        try:
            await self._reads.reached(army.id, army.version, call, shelves.version)
        except ApiError as error:
            log.warning("army not listed yet", army=str(army.id), why=error.message)


def _check(
    game: AnyGame, request: pb.ValidateArmyRequest | pb.SaveArmyRequest, library: Library
) -> tuple[Checked, Content]:
    """What is to be said of the army in a request, and what would be saved of it."""
    armies = armies_of(game)
    army = decoded("army", request.army, lambda given: msgspec.convert(given, armies.army))
    occasion = _occasion(game, request.occasion, library)
    checked = armies.check(army, occasion)
    content = Content(
        game=game.slug,
        name=visible_name(request.name) if isinstance(request, pb.SaveArmyRequest) else "",
        occasion=_written_out(occasion),
        content=msgspec.to_builtins(army),
        points=checked.points,
    )
    return checked, content


def _written_out(value: Any) -> dict[str, Any]:
    """A Struct with all its fields, those too that have their defaults: these may change."""
    return {
        field.encode_name: msgspec.to_builtins(getattr(value, field.name), enc_hook=as_digest)
        for field in msgspec.structs.fields(value)
    }


def _occasion(game: AnyGame, given: ProtoStruct, library: Library) -> Any:
    return decoded("occasion", given, lambda told: read_occasion(game, told, library))


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


def _check_changing(army: SavedArmy, token: str, request: pb.SaveArmyRequest) -> None:
    mine = _own(army, token)
    if mine.saved.game != request.game:
        raise malformed("game", f"the army is one of {mine.saved.game}, and stays so")
    if request.HasField("expected_version") and request.expected_version != mine.version:
        raise ApiError(
            Reason.VERSION_STALE,
            f"the army is at version {mine.version}, not {request.expected_version}",
            version=mine.version,
            expected=request.expected_version,
        )
