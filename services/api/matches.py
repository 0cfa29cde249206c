"""MatchesService: creates, lists, joins and manages matches."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from sqlite3 import Connection
from typing import Any, Final, get_args
from uuid import UUID

import msgspec

from domain.match import (
    DEFAULT_WAITING_TIME,
    MAX_NAME_LENGTH,
    Chance,
    MatchSetup,
    MatchStatus,
    Terms,
    creator_seat_rejection,
)
from domain.registry import GAMES
from projections.projector.schema import check_cancelled
from projections.queries import match_list
from projections.queries.full_text import fold_case
from projections.queries.projection_errors import list_projection_errors
from projections.views.board_views import MatchRow, UnreadableMatch
from services.accounts import context
from services.accounts.context import RequestContext, can_see, find_viewer
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.filters import (
    FilterField,
    Operator,
    choice_field,
    flag_field,
    id_field,
    ids_field,
    parse_filter,
    parse_order,
    text_field,
)
from services.api.forks import Forks
from services.api.idempotency import caller_identity
from services.api.lobby import LobbyFilter
from services.api.match_management import MatchManagement
from services.api.new_matches import NewMatches
from services.api.origins import hide_unknown_origins
from services.api.permissions import caller_message
from services.api.requests import (
    PageTokens,
    denial_error,
    find_game,
    page_size,
    parse_name,
    parse_options,
    parse_uuid,
)
from services.api.saved_army_options import SavedArmyOptions
from services.api.seating import Seating
from services.bots.host import BotHost
from services.mapping import match_messages
from services.mapping.clock_messages import read_seat_time_controls, read_time_control
from services.runtime.errors import field_invalid
from services.store.errors import MatchUnknown
from services.store.match_cache import MatchCache
from services.store.player_profiles import PlayerProfiles
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1 import subscriptions_pb2

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
MIN_WAITING_SECONDS: Final = 60
MAX_WAITING_SECONDS: Final = 366 * 86_400
"""Maximum seconds that a match may wait for players."""


class MatchesHandlers:
    """Handlers of the rpcs of MatchesService."""

    def __init__(
        self,
        live: MatchCache,
        read_models: ReadModelQueries,
        pages: PageTokens,
        token_issuer: TokenIssuer,
        new_matches: NewMatches,
        saved_army_options: SavedArmyOptions,
        seating: Seating,
        profiles: PlayerProfiles,
        bots: BotHost,
        forks: Forks,
        management: MatchManagement,
        admin_key: str,
    ) -> None:
        self._admin_key = token_digest(admin_key)
        self._forks = forks
        self._management = management
        self._bots = bots
        self._profiles = profiles
        self._live = live
        self._read_models = read_models
        self._pages = pages
        self._token_issuer = token_issuer
        self._new_matches = new_matches
        self._saved_army_options = saved_army_options
        self._seating = seating

    async def create_match(
        self, call: RequestContext, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse:
        """Create a match. A repeated request returns the same match and tokens again."""
        request_id = request.request_id.lower()
        game = find_game(request.game)
        terms = _parse_terms(request)
        given = await self._saved_army_options.options(game, request, request_id)
        if request.chance and "chance" in game.options.__struct_fields__:
            given.setdefault("chance", CHANCES[request.chance])
        options = parse_options(game, given, self._new_matches.library)
        if hasattr(options, "chance"):
            terms = msgspec.structs.replace(terms, chance=options.chance)
        terms = msgspec.structs.replace(terms, frontend=call.frontend)
        _check_seats(terms, game.seats(options))
        seat_clocks = read_seat_time_controls(request.seat_time_controls, game.seats(options))
        terms = msgspec.structs.replace(terms, seat_clocks=seat_clocks)
        title = parse_name("title", request.title, MAX_NAME_LENGTH)
        caller = caller_identity(call, request.client_secret)
        beginning = self._new_matches.begin(request_id, game, options, terms, caller=caller)
        seat_claim, token = self._seating.own_seat(
            call, request, beginning.identity, game.seats(options)
        )
        bots = dict(request.bots)
        if not await self._new_matches.is_recorded(request_id):
            self._bots.check(bots, game.seats(options), seat_claim.seat if seat_claim else "")
        setting = MatchSetup(
            game,
            options,
            title,
            terms=terms,
            creator=self._token_issuer.name_of(str(call.player or call.frontend or call.peer)),
            seat_claim=seat_claim,
        )
        if seat_claim is not None and (why := creator_seat_rejection(setting)) is not None:
            raise denial_error(why)
        made = await self._new_matches.created_changeset(setting, beginning)
        match = await self._new_matches.record(call, made, beginning.request)
        if bots:
            match = await self._bots.claim_seats(match.id, bots, request_id)
        tokens, codes = beginning.tokens, beginning.codes
        for seat in bots:
            tokens.pop(seat, None)
            codes.pop(seat, None)
        if seat_claim is not None:
            tokens[seat_claim.seat] = token
            codes.pop(seat_claim.seat, None)
        return pb.CreateMatchResponse(
            match=match_messages.match(match, match.created), tokens=tokens, invite_codes=codes
        )

    async def get_match(
        self, call: RequestContext, request: pb.GetMatchRequest
    ) -> pb.GetMatchResponse:
        """Return a match, and what the caller may do in it.

        Raises:
            ApiError: MATCH_NOT_FOUND if it does not exist, or is private and not the caller's.
        """
        identity = parse_uuid(request.match_id)
        sees = partial(can_see, call=call)
        is_admin = context.is_admin(call, self._admin_key)
        # The read models may not know a new token yet.
        live = (await self._live.get(identity)).state
        if not (is_admin or sees(live)):
            raise MatchUnknown(identity)
        await self._read_models.wait_for_version(
            identity, request.at_least_version, call.seconds_left
        )
        found = await self._read_models.match_row(identity)
        if not (is_admin or sees(found.match)) or find_viewer(found.match, call) is None:
            await self._read_models.wait_for_version(identity, live.version, call.seconds_left)
            found = await self._read_models.match_row(identity)
        known = await hide_unknown_origins(self._live, live, call, everything=is_admin)
        origins = {"origin": known.terms.origin, "rematch": known.terms.rematch}
        terms = msgspec.structs.replace(found.match.terms, **origins)
        match = msgspec.structs.replace(found.match, terms=terms)
        return pb.GetMatchResponse(
            match=match_messages.match_or_fault(msgspec.structs.replace(found, match=match)),
            caller=caller_message(found.match, call, find_viewer(found.match, call)),
        )

    async def list_matches(
        self, call: RequestContext, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        """Return a page of the matches that fit the filter and that the caller may list."""
        order, reader = parse_order(request.order_by, ORDERS), self._reader(call)
        wanted = await self._filter(request.filter, [call])
        if call.player is not None or wanted.holder:
            await self._read_models.catch_up_briefly()
        if part := fold_case(wanted.player):
            player_ids = tuple(await asyncio.to_thread(self._profiles.find_by_name, part))
            wanted = msgspec.structs.replace(wanted, player_ids=player_ids)
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        asked = msgspec.structs.replace(wanted, player_ids=())  # who has a name now is not asked
        query = (*msgspec.structs.astuple(asked), order.name, reader)
        after = self._pages.start(request.page_token, *query) or None

        def read(connection: Connection) -> pb.ListMatchesResponse:
            page = match_list.match_page(connection, wanted, order, size, after, reader)
            answer = pb.ListMatchesResponse(
                damaged_match_ids=match_list.filter_listable(
                    connection, [each.match for each in list_projection_errors(connection)], reader
                ),
                next_page_token=self._pages.next(page.next, *query),
            )
            for each in page.matches:  # in this thread, since it takes milliseconds
                check_cancelled(connection)
                if not wanted.ids or reader.everything or _is_visible(each, [call]):
                    answer.matches.append(match_messages.match_or_fault(each))
            return answer

        return await self._read_models.ask(read)

    async def join_match(
        self, call: RequestContext, request: pb.JoinMatchRequest
    ) -> pb.JoinMatchResponse:
        """Claim a seat or the referee role.

        The token in the response replaces all earlier ones of the role.
        """
        return await self._seating.join_match(call, request)

    async def leave_match(
        self, call: RequestContext, request: pb.LeaveMatchRequest
    ) -> pb.LeaveMatchResponse:
        """Give up the caller's seat, so that another player can claim it."""
        return await self._seating.leave_match(call, request)

    async def lobby_filter(
        self, call: RequestContext, topic: subscriptions_pb2.LobbyTopic
    ) -> LobbyFilter:
        """Return which matches a lobby topic shows, and to whom."""
        shown = [msgspec.structs.replace(call, token=each) for each in topic.tokens]
        calls, reader = [call, *shown], self._reader(call)
        wanted = await self._filter(topic.filter, calls)
        sees = partial(_is_visible, calls=calls) if wanted.ids and not reader.everything else None
        return LobbyFilter(wanted, reader, sees)

    async def _filter(self, text: str, calls: Sequence[RequestContext]) -> match_list.MatchFilter:
        """Return the parsed filter of a list.

        Rematches and forks of a match are only listed for callers that may see the match.
        """
        wanted = _parse_match_filter(calls[0], text)
        if self._reader(calls[0]).everything:
            return wanted
        seen = [
            await self._can_see(each, calls) for each in (wanted.rematch_of, wanted.forked_from)
        ]
        private = bool(wanted.rematch_of or wanted.ids)
        return msgspec.structs.replace(wanted, private=private, unknown=not all(seen))

    async def _can_see(self, match: str, calls: Sequence[RequestContext]) -> bool:
        """Return whether one of these calls may see a match; true if none is named."""
        found = await self._live.find(UUID(match)) if match else None
        return not match or (
            found is not None and any(can_see(found.state, call) for call in calls)
        )

    def _reader(self, call: RequestContext) -> match_list.Reader:
        """Return the reader of a list, which decides the matches that the list may show."""
        if context.is_admin(call, self._admin_key):
            return match_list.Reader(everything=True)
        if call.player is not None:
            return match_list.Reader(frontend=str(call.home or ""), player=str(call.player))
        return match_list.Reader(frontend=str(call.frontend or ""))

    async def update_match(
        self, call: RequestContext, request: pb.UpdateMatchRequest
    ) -> pb.UpdateMatchResponse:
        """Change the title of a match, who may see it, and where it is listed."""
        return await self._management.update_match(call, request)

    async def cancel_match(
        self, call: RequestContext, request: pb.CancelMatchRequest
    ) -> pb.CancelMatchResponse:
        """Cancel a match that waits for its players."""
        return await self._management.cancel_match(call, request)

    async def create_invite(
        self, call: RequestContext, request: pb.CreateInviteRequest
    ) -> pb.CreateInviteResponse:
        """Create a code with which others join a match as players or referee, or spectate."""
        return await self._management.create_invite(call, request)

    async def revoke_invite(
        self, call: RequestContext, request: pb.RevokeInviteRequest
    ) -> pb.RevokeInviteResponse:
        """Revoke all codes and tokens that were issued for a role. People who have joined stay."""
        return await self._management.revoke_invite(call, request)

    async def fork_match(
        self, call: RequestContext, request: pb.ForkMatchRequest
    ) -> pb.ForkMatchResponse:
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
"""Enum fields of `CreateMatchRequest`: their names in `Terms`, and their values there. Unset fields
have the default."""
WAITING_DEFAULTS: Final[dict[str, object]] = {
    "join_policy": pb.JOIN_POLICY_INVITED,
    "seat_assignment": pb.SEAT_ASSIGNMENT_CHOSEN,
    "players_only": False,
    "waiting_term": None,
}
"""Fields that require START_POLICY_WHEN_FULL, with the values that any match may have."""


def _parse_terms(request: pb.CreateMatchRequest) -> Terms:
    given: dict[str, Any] = {}
    for field, (term, known) in POLICIES.items():
        values = {message: value for value, message in known.items()}
        wanted = getattr(request, field)
        if wanted:
            given[term] = values[wanted]
    if request.start_policy != pb.START_POLICY_WHEN_FULL:
        for descriptor, value in request.ListFields():
            name = descriptor.name
            if name in WAITING_DEFAULTS and value != WAITING_DEFAULTS[name]:
                raise field_invalid(name, "it requires START_POLICY_WHEN_FULL")
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
        return int(DEFAULT_WAITING_TIME.total_seconds())
    term = request.waiting_term
    if term.nanos or not MIN_WAITING_SECONDS <= term.seconds <= MAX_WAITING_SECONDS:
        raise field_invalid("waiting_term", "it must be 1 minute to 366 days, in whole seconds")
    return int(term.seconds)


def _check_seats(terms: Terms, seats: tuple[str, ...]) -> None:
    for seat in terms.seat_chance:
        if seat not in seats:
            field = f"seat_chance[{seat[:40]}]"
            raise field_invalid(field, f"there is no such seat; the seats are {', '.join(seats)}")


ME: Final = "me"
"""Filter value that stands for the calling player."""
FIELDS: Final = {
    "game": choice_field({slug: slug for slug in GAMES}),
    "status": choice_field({status.upper(): status for status in get_args(MatchStatus)}),
    "title": text_field(":"),
    "player": text_field(":"),
    "player_id": FilterField(lambda value: ME if value == ME else id_field().read(value)),
    "my_turn": flag_field(),
    "frontend_id": id_field(),
    "open_seat": flag_field(),
    "joinable": flag_field(),
    "forked_from": id_field(),
    "rematch_of": id_field(),
    "match_id": ids_field(MAX_PAGE_SIZE),
}
"""Fields by which matches can be filtered."""
FILTER_ARGUMENTS: Final[dict[tuple[str, Operator], str]] = {
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
"""The argument of a `MatchFilter` for each comparison."""
ORDERS: Final = {
    "create_time desc": match_list.MatchOrder.CREATED,
    "update_time desc": match_list.MatchOrder.UPDATED,
}


def _parse_match_filter(call: RequestContext, text: str) -> match_list.MatchFilter:
    conditions = parse_filter(text, FIELDS)
    given = {FILTER_ARGUMENTS[key]: value for key, value in conditions.items()}
    if "my_turn" in given or given.get("holder") == ME:
        given.setdefault("holder", ME)
        if given["holder"] == ME:
            if call.player is None:
                raise field_invalid("filter", "`player_id = me` needs a player's token")
            given["holder"] = str(call.player)
    return match_list.MatchFilter(**given)


def _is_visible(found: MatchRow | UnreadableMatch, calls: Sequence[RequestContext]) -> bool:
    return isinstance(found, MatchRow) and any(can_see(found.match, call) for call in calls)
