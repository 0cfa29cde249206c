"""StatisticsService: how matches went."""

from collections.abc import Iterable
from hmac import compare_digest
from typing import Any, Final

import msgspec
from google.protobuf.duration_pb2 import Duration

from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.match.recording import as_stored
from domain.registry import GAMES
from projections.projector.result_rows import USUAL_OPENING, moment
from projections.queries import search, statistics
from projections.queries.full_text import all_words, folded
from projections.queries.statistics import PlayerResult, SeatCount, StatisticsFilter
from services.accounts.context import Call
from services.accounts.tokens import key_of
from services.api.fielded_armies import LARGEST_OPTIONS
from services.api.filters import choice_field, parse_values
from services.api.requests import PageTokens, game_of, json_of, options_of, page_size, uuid_of
from services.mapping import messages
from services.runtime.display_names import visible_name
from services.runtime.errors import malformed
from services.store.account_cache import LivePlayers
from services.store.read_models import Reads
from services.wire.emeth.v1 import statistics_pb2 as pb

USUAL_PAGE: Final = 20
LARGEST_PAGE: Final = 100
USUAL_MOST: Final = 20
LARGEST_MOST: Final = 1_000
"""Openings, rules and results of a player in a response."""
FIELDS: Final = {"game": choice_field({slug: slug for slug in GAMES}, "=")}
"""What events that are searched can be filtered by."""


class StatisticsHandlers:
    """The rpcs of StatisticsService."""

    def __init__(
        self,
        reads: Reads,
        pages: PageTokens,
        players: LivePlayers,
        library: Library,
        admin_key: str,
    ) -> None:
        self._pages = pages
        self._reads = reads
        self._players = players
        self._library = library
        self._admin_key = key_of(admin_key)

    async def get_statistics(
        self, call: Call, request: pb.GetStatisticsRequest
    ) -> pb.GetStatisticsResponse:
        """How the matches went that are wanted, and may be counted for the caller."""
        wanted = await self._wanted(call, request)
        await self._reads.recent()
        found = await self._reads.ask(lambda connection: statistics.statistics(connection, wanted))
        return _message(found)

    async def search_events(
        self, call: Call, request: pb.SearchEventsRequest
    ) -> pb.SearchEventsResponse:
        """Return a page of public events that words describe, the latest first."""
        del call
        words = request.query
        if not all_words(words):
            raise malformed("query", "it has no word in it")
        game = parse_values(request.filter, FIELDS).get("game", "")
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = ("search", words, request.filter)
        before = self._pages.begin(request.page_token, *query)
        await self._reads.told()
        page = await self._reads.ask(
            lambda connection: search.found(connection, words, size, game=game, before=before)
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

    async def _wanted(self, call: Call, request: pb.GetStatisticsRequest) -> StatisticsFilter:
        game = game_of(request.game) if request.game else None
        start, end = _time(request, "start_time"), _time(request, "end_time")
        if start and end and start >= end:
            raise malformed("start_time", "it is before `end_time`")
        player, opponent = request.player_id.lower(), request.opponent_id.lower()
        if opponent and not player:
            raise malformed("opponent_id", "it takes a `player_id`")
        return StatisticsFilter(
            everything=await self._sees_all(call, player),
            game=game.slug if game else "",
            options=self._options(game, request),
            since=start,
            until=end,
            player=player,
            opponent=opponent,
            name=folded(request.player_name),
            opening=request.opening,
            length=request.opening_length or USUAL_OPENING,
            most=min(request.max_results or USUAL_MOST, LARGEST_MOST),
        )

    async def _sees_all(self, call: Call, player_id: str) -> bool:
        """May matches be counted for the caller that are not public? PLAYER_NOT_FOUND for a player
        who is none."""
        if call.token and compare_digest(key_of(call.token), self._admin_key):
            return True
        if not player_id:
            return False
        player = (await self._players.get(uuid_of(player_id))).state
        return player.id == call.player or player.frontend == call.frontend

    def _options(self, game: AnyGame | None, request: pb.GetStatisticsRequest) -> dict[str, Any]:
        """The options that are wanted, with their values as they are stored."""
        given = json_of("options", request.options, LARGEST_OPTIONS)
        if not given:
            return {}
        if game is None:
            raise malformed("options", "they take a `game`")
        stored = as_stored(options_of(game, given, self._library))
        for name in given:
            if isinstance(stored[name], list | dict):
                raise malformed(f"options.{name}", "only what is one value can be asked for")
        return {name: stored[name] for name in given}


def _time(request: pb.GetStatisticsRequest, field: str) -> str:
    if not request.HasField(field):  # type: ignore[arg-type]  # one of the two
        return ""
    return moment(messages.moment(field, getattr(request, field)))


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
