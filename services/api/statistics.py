"""StatisticsService: results of matches, and a search of events."""

from collections.abc import Iterable
from hmac import compare_digest
from typing import Any, Final

import msgspec
from google.protobuf.duration_pb2 import Duration

from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.match.recording import as_stored
from domain.registry import GAMES
from projections.projector.result_rows import DEFAULT_OPENING_ACTIONS, sortable_time
from projections.queries import search, statistics
from projections.queries.full_text import all_words_query, fold_case
from projections.queries.statistics import PlayerResult, SeatCount, StatisticsFilter
from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.api.filters import choice_field, parse_values
from services.api.requests import (
    PageTokens,
    find_game,
    page_size,
    parse_json_field,
    parse_options,
    parse_uuid,
)
from services.api.saved_army_options import MAX_OPTIONS_BYTES
from services.mapping import messages
from services.runtime.display_names import visible_name
from services.runtime.errors import field_invalid
from services.store.account_cache import PlayerCache
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import statistics_pb2 as pb

DEFAULT_PAGE_SIZE: Final = 20
MAX_PAGE_SIZE: Final = 100
DEFAULT_RESULT_COUNT: Final = 20
MAX_RESULT_COUNT: Final = 1_000
"""Maximum number of openings, of rules and of player results in a response."""
FIELDS: Final = {"game": choice_field({slug: slug for slug in GAMES}, "=")}
"""Fields by which searched events can be filtered."""


class StatisticsHandlers:
    """Handlers of the rpcs of StatisticsService."""

    def __init__(
        self,
        read_models: ReadModelQueries,
        pages: PageTokens,
        players: PlayerCache,
        library: Library,
        admin_key: str,
    ) -> None:
        self._pages = pages
        self._read_models = read_models
        self._players = players
        self._library = library
        self._admin_key = token_digest(admin_key)

    async def get_statistics(
        self, call: RequestContext, request: pb.GetStatisticsRequest
    ) -> pb.GetStatisticsResponse:
        """Return statistics of the matches that fit the request and that the caller may see."""
        wanted = await self._filter(call, request)
        await self._read_models.catch_up_briefly()
        found = await self._read_models.ask(
            lambda connection: statistics.statistics(connection, wanted)
        )
        return _message(found)

    async def search_events(
        self, call: RequestContext, request: pb.SearchEventsRequest
    ) -> pb.SearchEventsResponse:
        """Return a page of actions in public matches whose sentences have all words of the query.

        The latest recorded come first.
        """
        del call
        words = request.query
        if not all_words_query(words):
            raise field_invalid("query", "it must contain a word")
        game = parse_values(request.filter, FIELDS).get("game", "")
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        query = ("search", words, request.filter)
        before = self._pages.start(request.page_token, *query)
        await self._read_models.wait_for_search_index()
        page = await self._read_models.ask(
            lambda connection: search.search_events(
                connection, words, size, game=game, before=before
            )
        )
        return pb.SearchEventsResponse(
            events=[
                pb.FoundEvent(
                    match_id=str(each.match),
                    game=each.game,
                    title=visible_name(each.title),
                    event=messages.event(each.event),
                )
                for each in page.found
            ],
            next_page_token=self._pages.next(page.next, *query),
            unindexed_events=page.behind,
        )

    async def _filter(
        self, call: RequestContext, request: pb.GetStatisticsRequest
    ) -> StatisticsFilter:
        game = find_game(request.game) if request.game else None
        start, end = _time(request, "start_time"), _time(request, "end_time")
        if start and end and start >= end:
            raise field_invalid("start_time", "it must be before `end_time`")
        player, opponent = request.player_id.lower(), request.opponent_id.lower()
        if opponent and not player:
            raise field_invalid("opponent_id", "it needs a `player_id`")
        return StatisticsFilter(
            everything=await self._can_see_all(call, player),
            game=game.slug if game else "",
            options=self._options(game, request),
            since=start,
            until=end,
            player=player,
            opponent=opponent,
            name=fold_case(request.player_name),
            opening=request.opening,
            length=request.opening_length or DEFAULT_OPENING_ACTIONS,
            most=min(request.max_results or DEFAULT_RESULT_COUNT, MAX_RESULT_COUNT),
        )

    async def _can_see_all(self, call: RequestContext, player_id: str) -> bool:
        """Return whether matches that are not public are counted for the caller.

        Raises:
            ApiError: PLAYER_NOT_FOUND for an unknown player.
        """
        if call.token and compare_digest(token_digest(call.token), self._admin_key):
            return True
        if not player_id:
            return False
        player = (await self._players.get(parse_uuid(player_id))).state
        return player.id == call.player or player.frontend == call.frontend

    def _options(self, game: AnyGame | None, request: pb.GetStatisticsRequest) -> dict[str, Any]:
        """Return the requested options, with values in their stored form."""
        given = parse_json_field("options", request.options, MAX_OPTIONS_BYTES)
        if not given:
            return {}
        if game is None:
            raise field_invalid("options", "they need a `game`")
        stored = as_stored(parse_options(game, given, self._library))
        for name in given:
            if isinstance(stored[name], list | dict):
                raise field_invalid(
                    f"options.{name}", "only an option with a single value can be a condition"
                )
        return {name: stored[name] for name in given}


def _time(request: pb.GetStatisticsRequest, field: str) -> str:
    if not request.HasField(field):  # type: ignore[arg-type]  # one of the two
        return ""
    return sortable_time(messages.read_timestamp(field, getattr(request, field)))


def _message(found: statistics.Statistics) -> pb.GetStatisticsResponse:
    message = pb.GetStatisticsResponse(
        matches=found.matches,
        games=[
            pb.GameStatistics(
                game=each.game,
                matches=each.matches,
                seats=_seats(each.seats),
                endings=[
                    pb.EndingStatistics(reason=reason, matches=matches)
                    for reason, matches in each.reasons.items()
                ],
            )
            for each in found.games
        ],
        actions=pb.CountDistribution(**msgspec.structs.asdict(found.actions)),
        duration=pb.DurationDistribution(
            **{
                name: Duration(seconds=seconds)
                for name, seconds in msgspec.structs.asdict(found.seconds).items()
            }
        ),
        openings=[
            pb.OpeningStatistics(
                game=each.game,
                opening=each.opening,
                matches=each.matches,
                seats=_seats(each.seats),
            )
            for each in found.openings
        ],
        rules=[pb.RuleStatistics(**msgspec.structs.asdict(each)) for each in found.rules],
        player_results=map(_result, found.player_results),
    )
    if found.player_total is not None:
        message.player_total.CopyFrom(_result(found.player_total))
    return message


def _seats(counts: Iterable[SeatCount]) -> list[pb.SeatStatistics]:
    return [pb.SeatStatistics(**msgspec.structs.asdict(each)) for each in counts]


def _result(found: PlayerResult) -> pb.PlayerResult:
    return pb.PlayerResult(**msgspec.structs.asdict(found))
