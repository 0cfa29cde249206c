"""MatchesService: matches, and who plays them. Translation only."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from sqlite3 import Connection
from typing import Final

import msgspec

from domain.kernel.game import REFEREE
from domain.match import (
    LONGEST_NAME,
    Admission,
    Begins,
    Chance,
    Help,
    MatchStatus,
    Refereeing,
    SeatOrder,
    Setting,
    StandIn,
    Terms,
    UndoPolicy,
    Visibility,
    cannot_sit,
    invited_to,
)
from projections import match_list
from projections.following.schema import go_on
from projections.player_names import named
from projections.text_search import folded
from projections.troubles import troubles
from services import match_messages
from services.api.fielded_armies import FieldedArmies
from services.api.lobby import Lobby
from services.api.new_matches import NewMatches
from services.api.permissions import permissions
from services.api.repetitions import caller_of, client_secret
from services.api.requests import (
    PageTokens,
    denied,
    game_of,
    identifier,
    name_text,
    options_of,
    page_size,
    short_text,
)
from services.api.seating import Seating
from services.bots.hosting import BotHost
from services.callers import Call, viewer_in
from services.clock_messages import read_clock, read_seat_clocks
from services.errors import malformed
from services.names import visible_name
from services.reads import Reads
from services.store.live_matches import LiveMatches
from services.store.people import People
from services.tokens import Mint, key_of
from services.wire.emeth.v1 import matches_pb2 as pb

USUAL_PAGE: Final = 50
LARGEST_PAGE: Final = 200


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
        lobby: Lobby,
        people: People,
        bots: BotHost,
    ) -> None:
        self._bots = bots
        self._people = people
        self._live = live
        self._reads = reads
        self._pages = pages
        self._mint = mint
        self._new_matches = new_matches
        self._fielded = fielded
        self._seating = seating
        self._lobby = lobby

    async def create_match(
        self, call: Call, request: pb.CreateMatchRequest
    ) -> pb.CreateMatchResponse:
        """Start a match; the same request gives the same match and tokens again."""
        request_id = str(identifier("request_id", request.request_id))
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
        seat_clocks = read_seat_clocks(request.seat_clocks, game.seats(options))
        terms = msgspec.structs.replace(terms, seat_clocks=seat_clocks)
        title = name_text("title", request.title, LONGEST_NAME)
        caller = caller_of(call, client_secret(request.client_secret))
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
            match=match_messages.match(match, match.created), tokens=tokens, codes=codes
        )

    async def get_match(self, call: Call, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        """A match, as anybody may know it."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        found = await self._reads.standing(identity)
        return pb.GetMatchResponse(match=match_messages.listed_match(found))

    async def who_am_i(self, call: Call, request: pb.WhoAmIRequest) -> pb.WhoAmIResponse:
        """What the caller's token is good for."""
        held = await self._live.get(identifier("match_id", request.match_id))
        match = named(held.state, self._live.names)
        role, referee = viewer_in(match, call), match.affairs.referee
        player = referee.player if role == REFEREE and referee else match.player_of(role)
        invited = invited_to(match, key_of(call.token)) if call.token else ""
        return pb.WhoAmIResponse(
            role=role,
            seat=role if role in match.seats else "",
            player=visible_name(player),
            permissions=permissions(match, role, invited),
            invited_to=invited,
        )

    async def list_matches(
        self, call: Call, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        """A page of matches."""
        del call
        wanted, order = _wanted(request)
        if part := folded(wanted.player):
            people = tuple(await asyncio.to_thread(self._people.named, part))
            wanted = msgspec.structs.replace(wanted, people=people)
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        asked = msgspec.structs.replace(wanted, people=())  # who has a name now is not asked
        query = (*msgspec.structs.astuple(asked), order.name)
        after = self._pages.begin(request.page_token, *query) or None

        def read(connection: Connection) -> pb.ListMatchesResponse:
            page = match_list.matches(connection, wanted, order, size, after)
            answer = pb.ListMatchesResponse(
                damaged=[str(each.match) for each in troubles(connection)],
                next_page_token=self._pages.next(page.next, *query),
            )
            for each in page.matches:  # here, and not on the event loop: it takes milliseconds
                go_on(connection)
                answer.matches.append(match_messages.listed_match(each))
            return answer

        return await self._reads.ask(read)

    async def claim_seat(self, call: Call, request: pb.ClaimSeatRequest) -> pb.ClaimSeatResponse:
        """Take a seat, or the referee's role, and get what is its only token from now on."""
        return await self._seating.claim_seat(call, request)

    async def leave_seat(self, call: Call, request: pb.LeaveSeatRequest) -> pb.LeaveSeatResponse:
        """Give a seat back."""
        return await self._seating.leave_seat(call, request)

    async def watch_lobby(
        self, call: Call, request: pb.WatchLobbyRequest
    ) -> AsyncIterator[pb.WatchLobbyResponse]:
        """What changes in a list of matches."""
        del call
        wanted, _ = _wanted(request.filter)
        async for news in self._lobby.watch(wanted, request.after_position):
            yield news

    async def invite_referee(
        self, call: Call, request: pb.InviteRefereeRequest
    ) -> pb.InviteRefereeResponse:
        """Give out a code for the referee's role."""
        return await self._seating.invite_referee(call, request)


HELPS: Final[dict[int, Help]] = {
    pb.HELP_UNSPECIFIED: "none",
    **{message: kind for kind, message in match_messages.HELPS.items()},
}
CHANCES: Final[dict[int, Chance]] = {
    message: chance for chance, message in match_messages.CHANCES.items()
}
UNDO_POLICIES: Final[dict[int, UndoPolicy]] = {
    message: undo for undo, message in match_messages.UNDO_POLICIES.items()
}
VISIBILITIES: Final[dict[int, Visibility]] = {
    message: visibility for visibility, message in match_messages.VISIBILITIES.items()
}
STAND_INS: Final[dict[int, StandIn]] = {
    message: stand_in for stand_in, message in match_messages.STAND_INS.items()
}
BEGINS: Final[dict[int, Begins]] = {
    message: begins for begins, message in match_messages.BEGINS.items()
}
ADMISSIONS: Final[dict[int, Admission]] = {
    message: admission for admission, message in match_messages.ADMISSIONS.items()
}
SEAT_ORDERS: Final[dict[int, SeatOrder]] = {
    message: order for order, message in match_messages.SEAT_ORDERS.items()
}
REFEREEING: Final[dict[int, Refereeing]] = {
    message: referee for referee, message in match_messages.REFEREEING.items()
}


def _terms(request: pb.CreateMatchRequest) -> Terms:
    if request.chance not in pb.Chance.values():
        raise malformed("chance", "it is one of Chance")
    if request.undo not in pb.UndoPolicy.values():
        raise malformed("undo", "it is one of UndoPolicy")
    if request.visibility not in pb.Visibility.values():
        raise malformed("visibility", "it is one of Visibility")
    if request.stand_in not in pb.StandIn.values():
        raise malformed("stand_in", "it is one of StandIn")
    if request.begins not in pb.Begins.values():
        raise malformed("begins", "it is one of Begins")
    if request.referee not in pb.Refereeing.values():
        raise malformed("referee", "it is one of Refereeing")
    for field, wrapper in (("admission", pb.Admission), ("seat_order", pb.SeatOrder)):
        value = getattr(request, field)
        if value not in wrapper.values():
            raise malformed(field, f"it is one of {wrapper.DESCRIPTOR.name}")
        if value > 1 and request.begins != pb.BEGINS_WHEN_FULL:
            raise malformed(field, "it takes BEGINS_WHEN_FULL")
    if request.help not in HELPS:
        raise malformed("help", "it is one of Help")
    if request.players_only and request.begins != pb.BEGINS_WHEN_FULL:
        raise malformed("players_only", "it takes BEGINS_WHEN_FULL")
    usual = Terms()
    return Terms(
        CHANCES.get(request.chance, usual.chance),
        UNDO_POLICIES.get(request.undo, usual.undo),
        request.pause_on_dispute,
        seat_chance={seat: _of_seat(seat, chance) for seat, chance in request.seat_chance.items()},
        visibility=VISIBILITIES.get(request.visibility, usual.visibility),
        stand_in=STAND_INS.get(request.stand_in, usual.stand_in),
        begins=BEGINS.get(request.begins, usual.begins),
        referee=REFEREEING.get(request.referee, usual.referee),
        players_only=request.players_only,
        help=HELPS[request.help],
        admission=ADMISSIONS.get(request.admission, usual.admission),
        seat_order=SEAT_ORDERS.get(request.seat_order, usual.seat_order),
        clock=read_clock("clock", request.clock) if request.HasField("clock") else None,
    )


def _of_seat(seat: str, chance: int) -> Chance:
    if chance not in CHANCES:
        raise malformed(f"seat_chance[{seat[:40]}]", "it is CHANCE_ENTERED or CHANCE_ROLLED")
    return CHANCES[chance]


def _check_seats(terms: Terms, seats: tuple[str, ...]) -> None:
    for seat in terms.seat_chance:
        if seat not in seats:
            field = f"seat_chance[{seat[:40]}]"
            raise malformed(field, f"there is no such seat; {', '.join(seats)} are")


STATUSES: Final[dict[int, MatchStatus | None]] = {
    pb.MATCH_STATUS_UNSPECIFIED: None,
    **{message: status for status, message in match_messages.STATUSES.items()},
}
ORDERS: Final = {
    pb.MATCH_ORDER_UNSPECIFIED: match_list.MatchOrder.CREATED,
    pb.MATCH_ORDER_CREATED_DESC: match_list.MatchOrder.CREATED,
    pb.MATCH_ORDER_UPDATED_DESC: match_list.MatchOrder.UPDATED,
}


def _wanted(request: pb.ListMatchesRequest) -> tuple[match_list.MatchFilter, match_list.MatchOrder]:
    if request.status not in STATUSES:
        raise malformed("status", "it is one of MatchStatus")
    if request.order not in ORDERS:
        raise malformed("order", "it is one of MatchOrder")
    wanted = match_list.MatchFilter(
        game=game_of(request.game).slug if request.game else "",
        status=STATUSES[request.status],
        player=short_text("player", request.player, LONGEST_NAME),
        title=short_text("title", request.title, LONGEST_NAME),
        open_seat=request.open_seat,
        forked_from=(
            str(identifier("forked_from", request.forked_from)) if request.forked_from else ""
        ),
        joinable=request.joinable,
        rematch_of=(
            str(identifier("rematch_of", request.rematch_of)) if request.rematch_of else ""
        ),
        ids=_identifiers(request.match_ids),
    )
    return wanted, ORDERS[request.order]


def _identifiers(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > LARGEST_PAGE:
        raise malformed("match_ids", f"{LARGEST_PAGE} at most, not {len(given)}")
    return tuple(str(identifier(f"match_ids[{nth}]", each)) for nth, each in enumerate(given))
