"""The client's calls of MatchesService."""

from collections.abc import AsyncGenerator, AsyncIterable, Mapping
from contextlib import aclosing
from typing import Any

from google.protobuf.struct_pb2 import Struct as StructMessage

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import matches_pb2 as matches


class MatchesCalls(Connection):
    """Calls of MatchesService."""

    async def create_match(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        title: str = "",
        request_id: str | None = None,
        *,
        chance: matches.Chance.ValueType = matches.CHANCE_UNSPECIFIED,
        undo: matches.UndoPolicy.ValueType = matches.UNDO_POLICY_UNSPECIFIED,
        pause_on_dispute: bool = False,
        armies: Mapping[str, str] | None = None,
        seat_chance: Mapping[str, matches.Chance.ValueType] | None = None,
        visibility: matches.Visibility.ValueType = matches.VISIBILITY_UNSPECIFIED,
        stand_in: matches.StandIn.ValueType = matches.STAND_IN_UNSPECIFIED,
        clock: matches.Clock | None = None,
        seat_clocks: Mapping[str, matches.Clock] | None = None,
        begins: matches.Begins.ValueType = matches.BEGINS_UNSPECIFIED,
        referee: matches.Refereeing.ValueType = matches.REFEREEING_UNSPECIFIED,
        own_seat: matches.OwnSeat | None = None,
        admission: matches.Admission.ValueType = matches.ADMISSION_UNSPECIFIED,
        seat_order: matches.SeatOrder.ValueType = matches.SEAT_ORDER_UNSPECIFIED,
        players_only: bool = False,
        bots: Mapping[str, str] | None = None,
        help: matches.Help.ValueType = matches.HELP_UNSPECIFIED,  # noqa: A002  as the field
    ) -> matches.CreateMatchResponse:
        """A new match, and its tokens by role. Unless told otherwise, the players enter what chance
        shows, every opponent must consent to an undo, only who has a token may look on, and nobody
        acts for a seat but its player; it begins at once, and the caller referees. `armies` are
        ids of saved armies by seat; `seat_chance` names seats for which chance is not told as for
        the match. Without a `clock` time is no matter; `seat_clocks` are those of single seats.
        `own_seat` is taken at once. In a match that begins when it is full, seats are taken by the
        answer's codes; with `players_only`, by players of frontends alone. `bots` are levels of
        bots by the seat that each takes; `help` is what seats may ask for."""
        given = StructMessage()
        given.update(dict(options or {}))
        request = matches.CreateMatchRequest(
            request_id=request_id or new_request(),
            game=game,
            options=given,
            title=title,
            chance=chance,
            undo=undo,
            pause_on_dispute=pause_on_dispute,
            armies=armies,
            seat_chance=seat_chance,
            visibility=visibility,
            stand_in=stand_in,
            begins=begins,
            referee=referee,
            own_seat=own_seat,
            players_only=players_only,
            admission=admission,
            seat_order=seat_order,
            clock=clock,
            seat_clocks=seat_clocks,
            bots=bots,
            help=help,
            client_secret=self._client_secret,
        )
        return await self._call(self._matches.CreateMatch, request)

    async def match(self, match_id: str, at_least_version: int = 0) -> matches.Match:
        """Who plays, what is asked, how it ended."""
        request = matches.GetMatchRequest(match_id=match_id, at_least_version=at_least_version)
        return (await self._call(self._matches.GetMatch, request)).match

    async def who_am_i(self, token: str, match_id: str) -> matches.WhoAmIResponse:
        """What a token is good for in a match."""
        request = matches.WhoAmIRequest(match_id=match_id)
        return await self._call(self._matches.WhoAmI, request, token)

    async def list_matches(
        self, request: matches.ListMatchesRequest
    ) -> matches.ListMatchesResponse:
        """One page of matches."""
        return await self._call(self._matches.ListMatches, request)

    async def claim_seat(
        self,
        token: str,
        match_id: str,
        seat: str,
        player: str = "",
        request_id: str | None = None,
        *,
        entropy: str = "",
        invitation: str = "",
        bot: str = "",
    ) -> matches.ClaimSeatResponse:
        """Take a seat; any that is open, if `seat` is empty. The answer's token replaces the one
        that was shown: none need be where anybody is admitted.

        `entropy` is the player's own share in all later draws of the service. Where the token is
        that of a frontend's player, the seat's own is the `invitation`, and the name stays empty.
        A `bot` says which level it plays at.
        """
        request = matches.ClaimSeatRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            seat=seat,
            player=player,
            entropy=entropy,
            invitation=invitation,
            bot=bot,
            client_secret=self._client_secret,
        )
        return await self._call(self._matches.ClaimSeat, request, token)

    async def watch_lobby(
        self, wanted: matches.ListMatchesRequest | None = None, *, after_position: int = 0
    ) -> AsyncGenerator[matches.WatchLobbyResponse, None]:
        """What changes in a list of matches, over restarts of the service: first the matches that
        are in it or that it is empty, unless there is a position to go on from."""

        def start() -> AsyncIterable[matches.WatchLobbyResponse]:
            request = matches.WatchLobbyRequest(filter=wanted, after_position=after_position)
            return self._matches.WatchLobby(request)

        stream = self._watch(start)
        async with aclosing(stream):
            async for news in stream:
                after_position = news.position
                if not news.stopping:
                    yield news

    async def invite_referee(
        self, token: str, match_id: str, request_id: str | None = None
    ) -> matches.InviteRefereeResponse:
        """A code by which somebody takes the referee's role, as a seat called `referee`. The token
        is the referee's, or the admin key where the operator names the referee."""
        request = matches.InviteRefereeRequest(
            request_id=request_id or new_request(), match_id=match_id
        )
        return await self._call(self._matches.InviteReferee, request, token)

    async def leave_seat(
        self, token: str, match_id: str, seat: str, request_id: str | None = None
    ) -> matches.LeaveSeatResponse:
        """Give a seat back. The answer has a code for who takes it next, where there are codes."""
        request = matches.LeaveSeatRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat
        )
        return await self._call(self._matches.LeaveSeat, request, token)
