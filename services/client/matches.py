"""The client's calls of MatchesService."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from datetime import timedelta
from typing import Any

from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.struct_pb2 import Struct as StructMessage

from services.client.connection import new_request
from services.client.subscriptions import SubscriptionCalls
from services.wire.emeth.v1 import matches_pb2 as matches
from services.wire.emeth.v1 import subscriptions_pb2 as subscriptions


class MatchesCalls(SubscriptionCalls):
    """Calls of MatchesService."""

    async def create_match(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        title: str = "",
        request_id: str | None = None,
        *,
        chance: matches.Chance.ValueType = matches.CHANCE_UNSPECIFIED,
        undo_policy: matches.UndoPolicy.ValueType = matches.UNDO_POLICY_UNSPECIFIED,
        pause_on_dispute: bool = False,
        armies: Mapping[str, str] | None = None,
        seat_chance: Mapping[str, matches.Chance.ValueType] | None = None,
        visibility: matches.Visibility.ValueType = matches.VISIBILITY_UNSPECIFIED,
        substitute_policy: matches.SubstitutePolicy.ValueType = (
            matches.SUBSTITUTE_POLICY_UNSPECIFIED
        ),
        time_control: matches.TimeControl | None = None,
        seat_time_controls: Mapping[str, matches.TimeControl] | None = None,
        start_policy: matches.StartPolicy.ValueType = matches.START_POLICY_UNSPECIFIED,
        referee_policy: matches.RefereePolicy.ValueType = matches.REFEREE_POLICY_UNSPECIFIED,
        own_seat: matches.OwnSeat | None = None,
        join_policy: matches.JoinPolicy.ValueType = matches.JOIN_POLICY_UNSPECIFIED,
        seat_assignment: matches.SeatAssignment.ValueType = matches.SEAT_ASSIGNMENT_UNSPECIFIED,
        players_only: bool = False,
        waiting_term: timedelta | None = None,
        shared: bool = False,
        bots: Mapping[str, str] | None = None,
        help_policy: matches.HelpPolicy.ValueType = matches.HELP_POLICY_UNSPECIFIED,
    ) -> matches.CreateMatchResponse:
        """Create a match, and return it with its tokens by role.

        Unless told otherwise, the players enter the dice, every opponent must consent to an undo,
        only who has a token may spectate, nobody acts for a seat but its player, the match starts
        immediately, and the caller referees. `armies` are ids of saved armies by seat, `bots` are
        levels of bots by seat, and `own_seat` is taken at once. With START_POLICY_WHEN_FULL, seats
        are taken with the response's invite codes.
        """
        given = StructMessage()
        given.update(dict(options or {}))
        request = matches.CreateMatchRequest(
            request_id=request_id or new_request(),
            game=game,
            options=given,
            title=title,
            chance=chance,
            undo_policy=undo_policy,
            pause_on_dispute=pause_on_dispute,
            armies=armies,
            seat_chance=seat_chance,
            visibility=visibility,
            substitute_policy=substitute_policy,
            start_policy=start_policy,
            referee_policy=referee_policy,
            own_seat=own_seat,
            players_only=players_only,
            shared=shared,
            join_policy=join_policy,
            seat_assignment=seat_assignment,
            time_control=time_control,
            seat_time_controls=seat_time_controls,
            bots=bots,
            help_policy=help_policy,
            client_secret=self._client_secret,
        )
        if waiting_term is not None:
            request.waiting_term.FromTimedelta(waiting_term)
        return await self._call(self._matches.CreateMatch, request)

    async def get_match(
        self, token: str, match_id: str, at_least_version: int = 0
    ) -> matches.GetMatchResponse:
        """A match, and what a token is good for in it."""
        request = matches.GetMatchRequest(match_id=match_id, at_least_version=at_least_version)
        return await self._call(self._matches.GetMatch, request, token)

    async def match(
        self, match_id: str, at_least_version: int = 0, *, token: str = ""
    ) -> matches.Match:
        """Who plays, what is asked, how it ended. Without a token it is asked for with one that
        this client has used for the match, or was given: private matches are shown to nobody
        else."""
        shown = token or self._shown.get(match_id)
        return (await self.get_match(shown, match_id, at_least_version)).match

    async def caller(self, token: str, match_id: str) -> matches.Caller:
        """What a token is good for in a match."""
        return (await self.get_match(token, match_id)).caller

    async def list_matches(
        self,
        wanted: str = "",
        *,
        order_by: str = "",
        page_size: int = 0,
        page_token: str = "",
        token: str = "",
    ) -> matches.ListMatchesResponse:
        """Return one page of matches that fit a filter, as `status = WAITING`."""
        request = matches.ListMatchesRequest(
            filter=wanted, order_by=order_by, page_size=page_size, page_token=page_token
        )
        return await self._call(self._matches.ListMatches, request, token)

    async def every_match(
        self, wanted: str = "", *, order_by: str = "", most: int = 200, token: str = ""
    ) -> list[matches.Match]:
        """Return the first `most` matches that fit a filter."""
        found: list[matches.Match] = []
        page = ""
        while True:
            left = most - len(found)
            answer = await self.list_matches(
                wanted, order_by=order_by, page_size=left, page_token=page, token=token
            )
            found += answer.matches
            page = answer.next_page_token
            if not page or len(found) >= most:
                return found

    async def join_match(
        self,
        token: str,
        match_id: str,
        role: str,
        player: str = "",
        request_id: str | None = None,
        *,
        entropy: str = "",
        invite_code: str = "",
        bot: str = "",
    ) -> matches.JoinMatchResponse:
        """Take a seat, or the role `referee`; any open seat, if `role` is empty. The token in the
        response replaces the one that was shown: none need be where anyone may join.

        `entropy` is the player's own share in all later draws of the service. Where the token is
        that of a frontend's player, the seat's own is the `invite_code`, and the name stays empty.
        A `bot` says which level it plays at.
        """
        request = matches.JoinMatchRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            role=role,
            player=player,
            entropy=entropy,
            invite_code=invite_code,
            bot=bot,
            client_secret=self._client_secret,
        )
        return await self._call(self._matches.JoinMatch, request, token)

    async def watch_lobby(
        self, wanted: str = "", *, cursor: str = "", tokens: Iterable[str] = ()
    ) -> AsyncGenerator[subscriptions.SubscribeResponse, None]:
        """What changes in a list of matches, as `lobby_event`, over restarts of the service: first
        the matches that are in it or that it is empty, unless there is a cursor to go on from.
        `tokens` are those of private matches that `wanted` names by their ids."""
        lobby = subscriptions.LobbyTopic(filter=wanted, tokens=tokens)
        topic = subscriptions.Topic(lobby=lobby, cursor=cursor)
        async with aclosing(self._follow("", topic)) as stream:
            async for news in stream:
                yield news

    async def create_invite(
        self,
        token: str,
        match_id: str,
        kind: matches.InviteKind.ValueType,
        request_id: str | None = None,
        *,
        seat: str = "",
        player_id: str = "",
    ) -> str:
        """A code by which somebody joins: takes the seat, or any that is open, or referees; or
        looks on. The token is that of who looks after the match. A player who is named gets the
        code in a notice, and it is empty here."""
        request = matches.CreateInviteRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            kind=kind,
            seat=seat,
            player_id=player_id,
        )
        return (await self._call(self._matches.CreateInvite, request, token)).invite.code

    async def revoke_invite(
        self,
        token: str,
        match_id: str,
        kind: matches.InviteKind.ValueType,
        request_id: str | None = None,
        *,
        seat: str = "",
    ) -> matches.Match:
        """Void all codes for a role."""
        request = matches.RevokeInviteRequest(
            request_id=request_id or new_request(), match_id=match_id, kind=kind, seat=seat
        )
        return (await self._call(self._matches.RevokeInvite, request, token)).match

    async def update_match(
        self,
        token: str,
        match_id: str,
        request_id: str | None = None,
        *,
        etag: str = "",
        **changed: Any,
    ) -> matches.Match:
        """Change `title`, `visibility` and `shared` of a match: those that are given."""
        request = matches.UpdateMatchRequest(
            request_id=request_id or new_request(),
            match=matches.Match(match_id=match_id, **changed),
            update_mask=FieldMask(paths=list(changed)),
            etag=etag,
        )
        return (await self._call(self._matches.UpdateMatch, request, token)).match

    async def cancel_match(
        self, token: str, match_id: str, request_id: str | None = None
    ) -> matches.Match:
        """Cancel a match that waits for its players."""
        request = matches.CancelMatchRequest(
            request_id=request_id or new_request(), match_id=match_id
        )
        return (await self._call(self._matches.CancelMatch, request, token)).match

    async def leave_match(
        self, token: str, match_id: str, seat: str, request_id: str | None = None
    ) -> matches.LeaveMatchResponse:
        """Give a seat back. The answer has a code for who takes it next, where there are codes."""
        request = matches.LeaveMatchRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat
        )
        left = await self._call(self._matches.LeaveMatch, request, token)
        self._shown.forget(match_id, token)
        return left

    async def fork(
        self,
        token: str,
        match_id: str,
        version: int = 0,
        title: str = "",
        request_id: str | None = None,
    ) -> matches.ForkMatchResponse:
        """A new match from a version of this one, or from the present, and its tokens by role."""
        request = matches.ForkMatchRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            version=version,
            title=title,
        )
        return await self._call(self._matches.ForkMatch, request, token)
