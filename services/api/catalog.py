"""What there is to play with in a game that keeps its content as data: what armies are built from,
or all cards of a pack."""

from typing import Any, Final

import msgspec

from domain.kernel.any_game import read_occasion, read_options
from domain.kernel.armies import Entry
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library, packs_in
from domain.log.digests import as_digest, canonical
from services import army_messages
from services.api.requests import PageTokens, decoded, game_of, no_armies, page_size
from services.json_values import to_struct
from services.wire.emeth.v1 import armies_pb2 as pb

USUAL_PAGE: Final = 100
LARGEST_PAGE: Final = 500


class Catalog:
    """Lists the content of games."""

    def __init__(self, pages: PageTokens, library: Library) -> None:
        self._pages = pages
        self._library = library

    async def get_catalog(self, request: pb.GetCatalogRequest) -> pb.GetCatalogResponse:
        """A page of what there is."""
        game = game_of(request.game)
        occasion = self._occasion(game, request)
        most = request.most_points if request.HasField("most_points") else None
        query = (
            game.slug, canonical(msgspec.to_builtins(occasion, enc_hook=as_digest)).decode(),
            request.faction, request.kind, request.size, request.least_points, most,
        )  # fmt: skip
        begin = self._pages.begin(request.page_token, *query)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        found = [entry for entry in _entries(game, occasion) if _fits(entry, request, most)]
        end = begin + size
        answer = pb.GetCatalogResponse(
            entries=[army_messages.catalog_entry(entry) for entry in found[begin:end]],
            next_page_token=self._pages.next(end if end < len(found) else 0, *query),
        )
        if not begin:
            if game.armies is not None:
                answer.army_schema.CopyFrom(to_struct(msgspec.json.schema(game.armies.army)))
            answer.occasion_schema.CopyFrom(to_struct(msgspec.json.schema(type(occasion))))
        return answer

    def _occasion(self, game: AnyGame, request: pb.GetCatalogRequest) -> Any:
        """What is built for; in a game without armies, the options of a match."""
        if game.armies is None and game.packs is None:
            raise no_armies(game)
        read = read_options if game.armies is None else read_occasion
        return decoded("occasion", request.occasion, lambda told: read(game, told, self._library))


def _entries(game: AnyGame, occasion: Any) -> tuple[Entry, ...]:
    if game.armies is not None:
        return game.armies.catalog(occasion)
    assert game.packs is not None
    held = packs_in(occasion).added.values()
    return tuple(entry for pack in held for entry in game.packs.entries(pack))


def _fits(entry: Entry, wanted: pb.GetCatalogRequest, most: int | None) -> bool:
    return (
        wanted.kind in ("", entry.kind)
        and wanted.size in ("", entry.size)
        and (not wanted.faction or not entry.factions or wanted.faction in entry.factions)
        and wanted.least_points <= entry.points
        and (most is None or entry.points <= most)
    )
