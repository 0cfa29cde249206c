"""GamesService: the games, the setups of their matches, and their content."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from domain.bots.levels import LEVELS
from domain.kernel.any_game import read_constraints, read_options
from domain.kernel.armies import CatalogEntry
from domain.kernel.game import AnyGame
from domain.kernel.options import Kind, Option, options_in
from domain.kernel.packs import Library, library_of
from domain.log.digests import canonical_bytes, encode_as_digest
from domain.registry import GAMES
from projections.drawing.theme_files import theme_files
from services.accounts.context import RequestContext
from services.api.filters import (
    Conditions,
    number_field,
    parse_filter,
    parse_order,
    satisfies,
    text_field,
)
from services.api.requests import (
    PageTokens,
    decode_field,
    find_game,
    no_armies_error,
    page_size,
    parse_json_field,
    parse_options,
)
from services.api.saved_army_options import MAX_OPTIONS_BYTES
from services.mapping import match_messages, messages
from services.runtime.json_values import to_struct, to_value
from services.wire.emeth.v1 import games_pb2 as pb

DEFAULT_GAMES_PAGE_SIZE: Final = 50
MAX_GAMES_PAGE_SIZE: Final = 100
"""Maximum number of games on a page."""
DEFAULT_CONTENT_PAGE_SIZE: Final = 100
MAX_CONTENT_PAGE_SIZE: Final = 500
"""Maximum number of content entries on a page."""
FIELDS: Final = {
    "kind": text_field("=", "!="),
    "size": text_field("=", "!="),
    "factions": text_field(":"),
    "points": number_field(0, 1_000_000),
}
"""Fields of an `Entry` by which content can be filtered."""
ORDERS: Final[dict[str, Callable[[CatalogEntry], Any]]] = {
    "": lambda _: 0,  # as the game lists it
    "points": lambda entry: entry.points,
    "points desc": lambda entry: -entry.points,
    "name": lambda entry: entry.name,
}


class GamesHandlers:
    """Handlers of the rpcs of GamesService."""

    def __init__(self, pages: PageTokens, library: Library, bot_levels: Iterable[str]) -> None:
        self._pages = pages
        self._library = library
        self._bot_levels = tuple(bot_levels)

    async def list_games(
        self, call: RequestContext, request: pb.ListGamesRequest
    ) -> pb.ListGamesResponse:
        """List the games of the registry."""
        del call
        begin = self._pages.start(request.page_token, "games")
        end = begin + page_size(request.page_size, DEFAULT_GAMES_PAGE_SIZE, MAX_GAMES_PAGE_SIZE)
        games = [*GAMES.values()]
        return pb.ListGamesResponse(
            games=map(_summary, games[begin:end]),
            next_page_token=self._pages.next(end if end < len(games) else 0, "games"),
        )

    async def get_game(
        self, call: RequestContext, request: pb.GetGameRequest
    ) -> pb.GetGameResponse:
        """Get a game, and the setup of a match of it with the options of the request."""
        del call
        game = find_game(request.game)
        given = parse_json_field("options", request.options, MAX_OPTIONS_BYTES)
        options = parse_options(game, given, self._library)
        start = game.start(options)
        return pb.GetGameResponse(
            game=self._whole(game),
            setup=pb.GameSetup(
                options=match_messages.options(options),
                seats=game.seats(options),
                position=game.write_position(start),
                prompts=messages.prompts(game.turn(start)),
            ),
        )

    async def list_content(
        self, call: RequestContext, request: pb.ListContentRequest
    ) -> pb.ListContentResponse:
        """List the content of a game."""
        del call
        game = find_game(request.game)
        constraints = self._constraints(game, request)
        conditions, order = (
            parse_filter(request.filter, FIELDS),
            parse_order(request.order_by, ORDERS),
        )
        query = (
            game.slug,
            canonical_bytes(msgspec.to_builtins(constraints, enc_hook=encode_as_digest)).decode(),
            request.filter, request.order_by,
        )  # fmt: skip
        begin = self._pages.start(request.page_token, *query)
        end = begin + page_size(request.page_size, DEFAULT_CONTENT_PAGE_SIZE, MAX_CONTENT_PAGE_SIZE)
        fitting = (
            entry for entry in _entries(game, constraints) if _matches_filter(entry, conditions)
        )
        found = sorted(fitting, key=order)
        return pb.ListContentResponse(
            entries=map(_entry, found[begin:end]),
            next_page_token=self._pages.next(end if end < len(found) else 0, *query),
        )

    def _whole(self, game: AnyGame) -> pb.Game:
        whole = _summary(game)
        whole.notation = game.notation
        whole.options.extend(map(_option, options_in(game.options, encode_as_digest)))
        for rule in game.rules.values():
            whole.rules.add(
                id=rule.id, meaning=rule.meaning, source=rule.source, rulings=rule.rulings
            )
        for level in self._bot_levels:
            whole.bot_levels.add(name=level, description=LEVELS[level].about)
        if game.armies is not None:
            whole.roster_schema.CopyFrom(to_struct(msgspec.json.schema(game.armies.army)))
            constraints = options_in(game.armies.constraints, encode_as_digest)
            whole.constraints.extend(map(_option, constraints))
        files = theme_files(game.slug)
        whole.theme.hash = files.hash
        whole.theme.sprite_url, whole.theme.colors_url = files.sprite_url, files.url
        return whole

    def _constraints(self, game: AnyGame, request: pb.ListContentRequest) -> Any:
        """Return what determines the content: constraints of an army, or options of a match.

        Raises:
            ApiError: NO_ARMIES for a game without content.
        """
        if game.armies is None and game.packs is None:
            raise no_armies_error(game)
        read = read_options if game.armies is None else read_constraints
        return decode_field(
            "constraints", request.constraints, lambda given: read(game, given, self._library)
        )


def _summary(game: AnyGame) -> pb.Game:
    has_armies = game.armies is not None
    return pb.Game(
        slug=game.slug,
        name=game.name,
        summary=game.summary,
        has_chance=game.has_chance,
        has_content=has_armies or game.packs is not None,
        has_armies=has_armies,
    )


OPTION_TYPES: Final[dict[Kind, pb.OptionType.ValueType]] = {
    "boolean": pb.OPTION_TYPE_BOOLEAN,
    "integer": pb.OPTION_TYPE_INTEGER,
    "choice": pb.OPTION_TYPE_CHOICE,
    "text": pb.OPTION_TYPE_TEXT,
    "content": pb.OPTION_TYPE_CONTENT,
    "armies": pb.OPTION_TYPE_ARMIES,
    "pack": pb.OPTION_TYPE_PACK,
}


def _option(option: Option) -> pb.GameOption:
    return pb.GameOption(
        name=option.name,
        title=option.title,
        description=option.description,
        type=OPTION_TYPES[option.kind],
        default_value=to_value(option.default),
        choices=[
            pb.OptionChoice(value=to_value(each.value), title=each.title) for each in option.choices
        ],
        min_value=option.min_value,
        max_value=option.max_value,
        max_length=option.max_length or 0,
        content_kind=option.content_kind,
    )


def _entries(game: AnyGame, constraints: Any) -> tuple[CatalogEntry, ...]:
    if game.armies is not None:
        return game.armies.catalog(constraints)
    assert game.packs is not None
    held = library_of(constraints).custom_packs.values()
    return tuple(entry for pack in held for entry in game.packs.entries(pack))


def _matches_filter(entry: CatalogEntry, conditions: Conditions) -> bool:
    """Return whether an entry fits all conditions. One without a faction fits every faction."""
    return all(
        (field == "factions" and not entry.factions)
        or satisfies(getattr(entry, field), operator, wanted)
        for (field, operator), wanted in conditions.items()
    )


def _entry(entry: CatalogEntry) -> pb.ContentEntry:
    return pb.ContentEntry(**msgspec.structs.asdict(entry))
