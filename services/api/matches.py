"""MatchesService: matches, and who plays them. Translation only."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from sqlite3 import Connection
from typing import Any, Final, get_args
from uuid import UUID

import msgspec

from domain.match import (
    LONGEST_NAME,
    WAITING_TERM,
    Chance,
    MatchStatus,
    Setting,
    Terms,
    cannot_sit,
)
from domain.registry import GAMES
from projections.projector.schema import go_on
from projections.queries import match_list
from projections.queries.full_text import folded
from projections.queries.projection_errors import troubles
from projections.views.board_views import Standing, UnreadableMatch
from services.accounts import context
from services.accounts.context import Call, find_viewer, may_see
from services.accounts.tokens import Mint, key_of
from services.api.fielded_armies import FieldedArmies
from services.api.filters import (
    Field,
    Operator,
    choice_field,
    flag_field,
    id_field,
    ids_field,
    ordering,
    parse,
    text_field,
)
from services.api.forks import Forks
from services.api.lobby import LobbyFilter
from services.api.match_management import MatchManagement
from services.api.new_matches import NewMatches
from services.api.origins import with_known_origins
from services.api.permissions import caller
from services.api.repetitions import caller_of
from services.api.requests import (
    PageTokens,
    denied,
    game_of,
    name_text,
    options_of,
    page_size,
    uuid_of,
)
from services.api.seating import Seating
from services.bots.host import BotHost
from services.mapping import match_messages
from services.mapping.clock_messages import read_seat_time_controls, read_time_control
from services.runtime.errors import malformed
from services.store.errors import MatchUnknown
from services.store.match_cache import LiveMatches
from services.store.player_profiles import People
from services.store.read_models import Reads
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1 import subscriptions_pb2

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200
SHORTEST_TERM: Final = 60
LONGEST_TERM: Final = 366 * 86_400
"""Seconds that a match waits for its players."""


class MatchesHandlers:
    """The rpcs of MatchesService."""

    def __init__(
        self,
        live: LiveMatches,
        reads: Reads,
        pages: PageTokens,
        mint: Mint,
        new_matches: NewMatches,
        fielded: FieldedArmies,
        seating: Seating,
        people: People,
        bots: BotHost,
        forks: Forks,
        management: MatchManagement,
        admin_key: str,
    ) -> None:
        self._admin_key = key_of(admin_key)
        self._forks = forks
        self._management = management
        self._bots = bots
        self._people = people
        self._live = live
        self._reads = reads
        self._pages = pages
        self._mint = mint
        self._new_matches = new_matches
        self._fielded = fielded
        self._seating = seating

    async def create_match(
        self, call: Call, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse:
        """Start a match; the same request gives the same match and tokens again."""
        request_id = request.request_id.lower()
        game = game_of(request.game)
        terms = _terms(request)
        given = await self._fielded.options(game, request, request_id)
        if request.chance and "chance" in game.options.__struct_fields__:
            given.setdefault("chance", CHANCES[request.chance])
        options = options_of(game, given, self._new_matches.library)
        if hasattr(options, "chance"):
            terms = msgspec.structs.replace(terms, chance=options.chance)
        terms = msgspec.structs.replace(terms, frontend=call.frontend)
        _check_seats(terms, game.seats(options))
        seat_clocks = read_seat_time_controls(request.seat_time_controls, game.seats(options))
        terms = msgspec.structs.replace(terms, seat_clocks=seat_clocks)
        title = name_text("title", request.title, LONGEST_NAME)
        caller = caller_of(call, request.client_secret)
        beginning = self._new_matches.begin(request_id, game, options, terms, caller=caller)
        sitter, token = self._seating.own_seat(
            call, request, beginning.identity, game.seats(options)
        )
        bots = dict(request.bots)
        if not await self._new_matches.is_made(request_id):
            self._bots.check(bots, game.seats(options), sitter.seat if sitter else "")
        setting = Setting(
            game,
            options,
            title,
            terms=terms,
            creator=self._mint.name_of(str(call.player or call.frontend or call.peer)),
            sitter=sitter,
        )
        if sitter is not None and (why := cannot_sit(setting)) is not None:
            raise denied(why)
        made = await self._new_matches.created(setting, beginning)
        match = await self._new_matches.keep(call, made, beginning.request)
        if bots:
            match = await self._bots.take(match.id, bots, request_id)
        tokens, codes = beginning.tokens, beginning.codes
        for seat in bots:
            tokens.pop(seat, None)
            codes.pop(seat, None)
        if sitter is not None:
            tokens[sitter.seat] = token
            codes.pop(sitter.seat, None)
        return pb.CreateMatchResponse(
            match=match_messages.match(match, match.created), tokens=tokens, invite_codes=codes
        )

    async def get_match(self, call: Call, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        """A match, and what the caller's token is good for in it. MATCH_NOT_FOUND for a private
        one that is nobody of the caller's business, as for one that never was."""
        identity = uuid_of(request.match_id)
        sees = partial(may_see, call=call)
        is_admin = context.is_admin(call, self._admin_key)
        # A token may be newer than what the read models know: whom it was given to may use it.
        live = (await self._live.get(identity)).state
        if not (is_admin or sees(live)):
            raise MatchUnknown(identity)
        await self._reads.reached(identity, request.at_least_version, call.seconds_left)
        found = await self._reads.standing(identity)
        if not (is_admin or sees(found.match)) or find_viewer(found.match, call) is None:
            await self._reads.reached(identity, live.version, call.seconds_left)
            found = await self._reads.standing(identity)
        known = await with_known_origins(self._live, live, call, everything=is_admin)
        origins = {"origin": known.terms.origin, "rematch": known.terms.rematch}
        terms = msgspec.structs.replace(found.match.terms, **origins)
        match = msgspec.structs.replace(found.match, terms=terms)
        return pb.GetMatchResponse(
            match=match_messages.listed_match(msgspec.structs.replace(found, match=match)),
            caller=caller(found.match, call, find_viewer(found.match, call)),
        )

    async def list_matches(
        self, call: Call, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        """A page of matches."""
        order, reader = ordering(request.order_by, ORDERS), self._reader(call)
        wanted = await self._wanted(request.filter, [call])
        if call.player is not None or wanted.holder:
            await self._reads.recent()
        if part := folded(wanted.player):
            people = tuple(await asyncio.to_thread(self._people.named, part))
            wanted = msgspec.structs.replace(wanted, people=people)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        asked = msgspec.structs.replace(wanted, people=())  # who has a name now is not asked
        query = (*msgspec.structs.astuple(asked), order.name, reader)
        after = self._pages.begin(request.page_token, *query) or None

        def read(connection: Connection) -> pb.ListMatchesResponse:
            page = match_list.matches(connection, wanted, order, size, after, reader)
            answer = pb.ListMatchesResponse(
                damaged_match_ids=match_list.listed_among(
                    connection, [each.match for each in troubles(connection)], reader
                ),
                next_page_token=self._pages.next(page.next, *query),
            )
            for each in page.matches:  # here, and not on the event loop: it takes milliseconds
                go_on(connection)
                if not wanted.ids or reader.everything or _is_seen(each, [call]):
                    answer.matches.append(match_messages.listed_match(each))
            return answer

        return await self._reads.ask(read)

    async def join_match(self, call: Call, request: pb.JoinMatchRequest) -> pb.JoinMatchResponse:
        """Take a seat, or the referee's role, and get what is its only token from now on."""
        return await self._seating.join_match(call, request)

    async def leave_match(self, call: Call, request: pb.LeaveMatchRequest) -> pb.LeaveMatchResponse:
        """Give a seat back."""
        return await self._seating.leave_match(call, request)

    async def lobby_filter(self, call: Call, topic: subscriptions_pb2.LobbyTopic) -> LobbyFilter:
        """Return what a topic asks for, who reads the list, and which matches are shown besides."""
        shown = [msgspec.structs.replace(call, token=each) for each in topic.tokens]
        calls, reader = [call, *shown], self._reader(call)
        wanted = await self._wanted(topic.filter, calls)
        sees = partial(_is_seen, calls=calls) if wanted.ids and not reader.everything else None
        return LobbyFilter(wanted, reader, sees)

    async def _wanted(self, text: str, calls: Sequence[Call]) -> match_list.MatchFilter:
        """What a filter asks for. Of certain matches it is looked at each whether it is shown; the
        rematches and forks of a match are for whoever may see that."""
        wanted = _wanted(calls[0], text)
        if self._reader(calls[0]).everything:
            return wanted
        seen = [await self._sees(each, calls) for each in (wanted.rematch_of, wanted.forked_from)]
        private = bool(wanted.rematch_of or wanted.ids)
        return msgspec.structs.replace(wanted, private=private, unknown=not all(seen))

    async def _sees(self, match: str, calls: Sequence[Call]) -> bool:
        """Return whether one of these calls may see a match; true if none is named."""
        found = await self._live.find(UUID(match)) if match else None
        return not match or (
            found is not None and any(may_see(found.state, call) for call in calls)
        )

    def _reader(self, call: Call) -> match_list.Reader:
        """Who lists matches."""
        if context.is_admin(call, self._admin_key):
            return match_list.Reader(everything=True)
        if call.player is not None:
            return match_list.Reader(frontend=str(call.home or ""), player=str(call.player))
        return match_list.Reader(frontend=str(call.frontend or ""))

    async def update_match(
        self, call: Call, request: pb.UpdateMatchRequest
    ) -> pb.UpdateMatchResponse:
        """Change the title of a match, and who may see it."""
        return await self._management.update_match(call, request)

    async def cancel_match(
        self, call: Call, request: pb.CancelMatchRequest
    ) -> pb.CancelMatchResponse:
        """Cancel a match that waits for its players."""
        return await self._management.cancel_match(call, request)

    async def create_invite(
        self, call: Call, request: pb.CreateInviteRequest
    ) -> pb.CreateInviteResponse:
        """Give out a code by which somebody joins, or looks on."""
        return await self._management.create_invite(call, request)

    async def revoke_invite(
        self, call: Call, request: pb.RevokeInviteRequest
    ) -> pb.RevokeInviteResponse:
        """Void what was given out for a role."""
        return await self._management.revoke_invite(call, request)

    async def fork_match(self, call: Call, request: pb.ForkMatchRequest) -> pb.ForkMatchResponse:
        """Start a match from a version of another."""
        return await self._forks.fork_match(call, request)


CHANCES: Final[dict[int, Chance]] = {
    message: chance for chance, message in match_messages.CHANCES.items()
}
POLICIES: Final[dict[str, tuple[str, Mapping[Any, int]]]] = {
    "chance": ("chance", match_messages.CHANCES),
    "undo_policy": ("undo", match_messages.UNDO_POLICIES),
    "visibility": ("visibility", match_messages.VISIBILITIES),
    "substitute_policy": ("stand_in", match_messages.SUBSTITUTE_POLICIES),
    "start_policy": ("begins", match_messages.START_POLICIES),
    "referee_policy": ("referee", match_messages.REFEREE_POLICIES),
    "join_policy": ("admission", match_messages.JOIN_POLICIES),
    "seat_assignment": ("seat_order", match_messages.SEAT_ASSIGNMENTS),
    "help_policy": ("help", match_messages.HELP_POLICIES),
}
"""The fields of `CreateMatchRequest` that are enums: what each is called in `Terms`, and its values
there. A value that is not set is the default."""
OF_WAITING: Final[dict[str, object]] = {
    "join_policy": pb.JOIN_POLICY_INVITED,
    "seat_assignment": pb.SEAT_ASSIGNMENT_CHOSEN,
    "players_only": False,
    "waiting_term": None,
}
"""Fields that mean something only in a match that waits for its seats, and what they may be in
others all the same."""


def _terms(request: pb.CreateMatchRequest) -> Terms:
    given: dict[str, Any] = {}
    for field, (term, known) in POLICIES.items():
        values = {message: value for value, message in known.items()}
        wanted = getattr(request, field)
        if wanted:
            given[term] = values[wanted]
    if request.start_policy != pb.START_POLICY_WHEN_FULL:
        usual = {
            "join_policy": pb.JOIN_POLICY_INVITED,
            "seat_assignment": pb.SEAT_ASSIGNMENT_CHOSEN,
        }
        for descriptor, value in request.ListFields():
            if descriptor.name in OF_WAITING and value != usual.get(descriptor.name):
                raise malformed(descriptor.name, "it requires START_POLICY_WHEN_FULL")
    control = request.time_control if request.HasField("time_control") else None
    return Terms(
        pause=request.pause_on_dispute,
        seat_chance={seat: CHANCES[chance] for seat, chance in request.seat_chance.items()},
        players_only=request.players_only,
        shared=request.shared,
        waiting_seconds=_waiting_seconds(request),
        clock=read_time_control("time_control", control) if control else None,
        **given,
    )


def _waiting_seconds(request: pb.CreateMatchRequest) -> int:
    if request.start_policy != pb.START_POLICY_WHEN_FULL:
        return 0
    if not request.HasField("waiting_term"):
        return int(WAITING_TERM.total_seconds())
    term = request.waiting_term
    if term.nanos or not SHORTEST_TERM <= term.seconds <= LONGEST_TERM:
        raise malformed("waiting_term", "it is 1 minute to 366 days, in whole seconds")
    return int(term.seconds)


def _check_seats(terms: Terms, seats: tuple[str, ...]) -> None:
    for seat in terms.seat_chance:
        if seat not in seats:
            field = f"seat_chance[{seat[:40]}]"
            raise malformed(field, f"there is no such seat; {', '.join(seats)} are")


ME: Final = "me"
"""Stands for the player who calls."""
FIELDS: Final = {
    "game": choice_field({slug: slug for slug in GAMES}),
    "status": choice_field({status.upper(): status for status in get_args(MatchStatus)}),
    "title": text_field(":"),
    "player": text_field(":"),
    "player_id": Field(lambda value: ME if value == ME else id_field().read(value)),
    "my_turn": flag_field(),
    "frontend_id": id_field(),
    "open_seat": flag_field(),
    "joinable": flag_field(),
    "forked_from": id_field(),
    "rematch_of": id_field(),
    "match_id": ids_field(LARGEST_PAGE),
}
"""What matches can be filtered by."""
OF_FILTER: Final[dict[tuple[str, Operator], str]] = {
    ("game", "="): "game",
    ("game", "!="): "other_game",
    ("status", "="): "status",
    ("status", "!="): "other_status",
    ("title", ":"): "title",
    ("player", ":"): "player",
    ("player_id", "="): "holder",
    ("my_turn", "="): "my_turn",
    ("frontend_id", "="): "frontend",
    ("open_seat", "="): "open_seat",
    ("joinable", "="): "joinable",
    ("forked_from", "="): "forked_from",
    ("rematch_of", "="): "rematch_of",
    ("match_id", ":"): "ids",
}
"""What each comparison is in a `MatchFilter`."""
ORDERS: Final = {
    "create_time desc": match_list.MatchOrder.CREATED,
    "update_time desc": match_list.MatchOrder.UPDATED,
}


def _wanted(call: Call, text: str) -> match_list.MatchFilter:
    conditions = parse(text, FIELDS)
    given = {OF_FILTER[key]: value for key, value in conditions.items()}
    if "my_turn" in given or given.get("holder") == ME:
        given.setdefault("holder", ME)
        if given["holder"] == ME:
            if call.player is None:
                raise malformed("filter", "it takes a player's token to ask for one's own matches")
            given["holder"] = str(call.player)
    return match_list.MatchFilter(**given)


def _is_seen(found: Standing | UnreadableMatch, calls: Sequence[Call]) -> bool:
    return isinstance(found, Standing) and any(may_see(found.match, call) for call in calls)
