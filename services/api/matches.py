"""MatchesService: games, and the matches that are played of them. Translation only."""

import asyncio
from datetime import UTC, datetime
from hmac import compare_digest
from sqlite3 import Connection
from typing import Any, Final

import msgspec

from domain.kernel.game import AnyGame, read_options
from domain.kernel.packs import Library
from domain.log.ledger import Denied
from domain.log.stamps import Stamp
from domain.match import (
    LONGEST_NAME,
    AnyMatch,
    Chance,
    Decided,
    MatchStatus,
    Setting,
    StandIn,
    Terms,
    UndoPolicy,
    Visibility,
    claim,
    create,
    leave,
)
from domain.registry import GAMES
from projections import match_list
from projections.player_names import named
from projections.text_search import folded
from projections.troubles import Trouble, troubles
from services import messages
from services.api.fielded_armies import LARGEST_OPTIONS, FieldedArmies
from services.api.new_matches import NewMatches
from services.api.permissions import permissions
from services.api.requests import (
    PageTokens,
    check_same,
    game_of,
    identifier,
    json_of,
    not_denied,
    page_size,
    short_text,
)
from services.callers import Call, role_in, viewer_in
from services.clock_messages import read_clock, read_seat_clocks
from services.errors import ApiError, Reason, malformed
from services.json_values import to_struct
from services.reads import Reads
from services.store.first_answers import first_answer
from services.store.live_matches import Decision, LiveMatch, LiveMatches
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
        people: People,
    ) -> None:
        self._people = people
        self._live = live
        self._reads = reads
        self._pages = pages
        self._mint = mint
        self._new_matches = new_matches
        self._fielded = fielded

    async def list_games(self, call: Call, request: pb.ListGamesRequest) -> pb.ListGamesResponse:
        """The games of the registry."""
        del call, request
        return pb.ListGamesResponse(games=[_summary(game) for game in GAMES.values()])

    async def get_game(self, call: Call, request: pb.GetGameRequest) -> pb.GetGameResponse:
        """All of one game, and how a match of it begins with the options of the request."""
        del call
        game = game_of(request.game)
        given = json_of("options", request.options, LARGEST_OPTIONS)
        options = _options(game, given, self._new_matches.library)
        start = game.start(options)
        return pb.GetGameResponse(
            game=_summary(game),
            seats=game.seats(options),
            options_schema=to_struct(msgspec.json.schema(game.options)),
            rules=[
                pb.Rule(id=rule.id, meaning=rule.meaning, source=rule.source, rulings=rule.rulings)
                for rule in game.rules.values()
            ],
            notation=game.notation,
            start_position=game.write_position(start),
            options=messages.options(options),
            asks=messages.asks(game.turn(start)),
        )

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
        options = _options(game, given, self._new_matches.library)
        if hasattr(options, "chance"):
            terms = msgspec.structs.replace(terms, chance=options.chance)
        terms = msgspec.structs.replace(terms, frontend=call.frontend)
        _check_seats(terms, game.seats(options))
        seat_clocks = read_seat_clocks(request.seat_clocks, game.seats(options))
        terms = msgspec.structs.replace(terms, seat_clocks=seat_clocks)
        title = short_text("title", request.title, LONGEST_NAME)
        beginning = self._new_matches.begin(request_id, game, options)
        made = create(
            Setting(game, options, title, terms=terms),
            beginning.identity,
            beginning.invitations,
            beginning.stamp,
            seeds=self._mint.seeds(beginning.identity),
        )
        match = await self._new_matches.keep(call, made, request_id)
        return pb.CreateMatchResponse(
            match=messages.match(match, match.created), tokens=beginning.tokens
        )

    async def get_match(self, call: Call, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        """A match, as anybody may know it."""
        identity = identifier("match_id", request.match_id)
        await self._reads.reached(identity, request.at_least_version, call)
        found = await self._reads.standing(identity)
        return pb.GetMatchResponse(match=messages.match(found.match, found.updated, found.forks))

    async def who_am_i(self, call: Call, request: pb.WhoAmIRequest) -> pb.WhoAmIResponse:
        """What the caller's token is good for."""
        held = await self._live.get(identifier("match_id", request.match_id))
        match = named(held.state, self._live.names)
        role = viewer_in(match, call)
        return pb.WhoAmIResponse(
            role=role,
            seat=role if role in match.seats else "",
            player=match.player_of(role),
            permissions=permissions(match, role),
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

        def read(connection: Connection) -> tuple[match_list.MatchPage, list[Trouble]]:
            return match_list.matches(connection, wanted, order, size, after), troubles(connection)

        page, damaged = await self._reads.ask(read)
        return pb.ListMatchesResponse(
            damaged=[str(each.match) for each in damaged],
            matches=[messages.match(each.match, each.updated, each.forks) for each in page.matches],
            next_page_token=self._pages.next(page.next, *query),
        )

    async def claim_seat(self, call: Call, request: pb.ClaimSeatRequest) -> pb.ClaimSeatResponse:
        """Take a seat, and get the token that is its only one from now on."""
        identity = identifier("match_id", request.match_id)
        request_id = str(identifier("request_id", request.request_id))
        player = _name(call, request)
        key, token = "", ""
        if call.player is None:
            token = self._mint.token("player", str(identity), request.seat, request_id)
            key = key_of(token)

        async def decide(live: LiveMatch) -> Decision[int]:
            match = live.state
            # Nothing but the request id is asked of one that comes again: it was a secret of who
            # made the call, and only its digest is stored.
            if (first := await first_answer(self._live, live, request_id)) is not None:
                asked = ["claim", request.seat, player or str(call.player)]
                check_same(request_id, first.version, first.asked, asked)
                return None, first.version
            _check_invited(match, call, request)
            stamp = Stamp(datetime.now(UTC), key_of(request_id))
            entropy = short_text("entropy", request.entropy, LONGEST_NAME)
            holder = call.player
            return _recorded(claim(match, request.seat, player, key, stamp, entropy, holder))

        version = await self._live.command(identity, decide)
        return pb.ClaimSeatResponse(version=version, token=token)

    async def leave_seat(self, call: Call, request: pb.LeaveSeatRequest) -> pb.LeaveSeatResponse:
        """Give a seat back."""
        identity = identifier("match_id", request.match_id)
        request_id = str(identifier("request_id", request.request_id))

        async def decide(live: LiveMatch) -> Decision[int]:
            match = live.state
            if (first := await first_answer(self._live, live, request_id)) is not None:
                check_same(request_id, first.version, first.asked, ["leave", request.seat])
                return None, first.version
            _check_seat(match, request.seat)
            if role_in(match, call, request.seat) != request.seat:
                raise ApiError(
                    Reason.ROLE_FORBIDS, f"to leave {request.seat} takes that seat's token"
                )
            stamp = Stamp(datetime.now(UTC), key_of(request_id))
            return _recorded(leave(match, request.seat, stamp))

        return pb.LeaveSeatResponse(version=await self._live.command(identity, decide))


def _recorded(outcome: Decided[AnyMatch] | Denied) -> Decision[int]:
    recorded = not_denied(outcome)
    return recorded, recorded.state.version


CHANCES: Final[dict[int, Chance]] = {
    message: chance for chance, message in messages.CHANCES.items()
}
UNDO_POLICIES: Final[dict[int, UndoPolicy]] = {
    message: undo for undo, message in messages.UNDO_POLICIES.items()
}
VISIBILITIES: Final[dict[int, Visibility]] = {
    message: visibility for visibility, message in messages.VISIBILITIES.items()
}
STAND_INS: Final[dict[int, StandIn]] = {
    message: stand_in for stand_in, message in messages.STAND_INS.items()
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
    usual = Terms()
    return Terms(
        CHANCES.get(request.chance, usual.chance),
        UNDO_POLICIES.get(request.undo, usual.undo),
        request.pause_on_dispute,
        seat_chance={seat: _of_seat(seat, chance) for seat, chance in request.seat_chance.items()},
        visibility=VISIBILITIES.get(request.visibility, usual.visibility),
        stand_in=STAND_INS.get(request.stand_in, usual.stand_in),
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


def _check_seat(match: AnyMatch, seat: str) -> None:
    if seat not in match.seats:
        raise ApiError(
            Reason.NOT_A_SEAT, f"{seat[:40]!r} is not a seat; {', '.join(match.seats)} are"
        )


def _name(call: Call, request: pb.ClaimSeatRequest) -> str:
    """The name of who takes a seat; empty for a frontend's player, who is known by an id."""
    if call.player is None:
        player = short_text("player", request.player, LONGEST_NAME, 1).strip()
        if not player:
            raise malformed("player", "a name has more than blanks")
        return player
    if request.player:
        raise malformed("player", "the frontend has told the player's name: leave it empty")
    return ""


def _check_invited(match: AnyMatch, call: Call, request: pb.ClaimSeatRequest) -> None:
    """The caller shows the seat's invitation: its token from CreateMatch."""
    seat = request.seat
    _check_seat(match, seat)
    shown = call.token if call.player is None else request.invitation
    if shown and compare_digest(match.invitations[seat], key_of(shown)):
        return
    if call.player is not None:
        raise ApiError(
            Reason.TOKEN_FOREIGN,
            f"to take {seat} takes its token, in `invitation`",
            match=match.id,
        )
    if (role := role_in(match, call)) != seat:
        raise ApiError(Reason.ROLE_FORBIDS, f"the token is {role}'s, not {seat}'s", role=role)


def _summary(game: AnyGame) -> pb.GameSummary:
    has_armies = game.armies is not None
    return pb.GameSummary(
        slug=game.slug,
        name=game.name,
        summary=game.summary,
        catalog=has_armies or game.packs is not None,
        armies=has_armies,
    )


def _options(game: AnyGame, given: dict[str, Any], library: Library) -> Any:
    """The game's options from a request. OPTIONS_INVALID says which one is wrong."""
    try:
        return read_options(game, given, library)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        field = "options" + path.rstrip("`")
        raise ApiError(
            Reason.OPTIONS_INVALID, f"{field}: {why}", violations={field: why}, game=game.slug
        ) from None


STATUSES: Final[dict[int, MatchStatus | None]] = {
    pb.MATCH_STATUS_UNSPECIFIED: None,
    **{message: status for status, message in messages.STATUSES.items()},
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
    )
    return wanted, ORDERS[request.order]
