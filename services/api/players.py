"""PlayersService: players of frontends, and what is theirs over all matches."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from functools import partial
from hmac import compare_digest
from typing import Any, Final, NamedTuple
from uuid import UUID

from google.protobuf.message import Message

from domain.accounts import player as players
from domain.accounts.player import Player
from domain.log.stamps import Stamp
from domain.match import LONGEST_NAME
from projections import notices
from projections.following.notices import NoticeKind
from projections.following.schema import FORMER
from projections.notices import Notice
from projections.text_search import folded
from services import messages
from services.accounts.identities import Identities, kind_of_token, player_token
from services.accounts.quotas import Quotas
from services.api.account_changes import Change, change, create
from services.api.repetitions import Repeatable, caller_of
from services.api.requests import (
    identifier,
    name_text,
    short_text,
)
from services.callers import Call
from services.clock import utc_now
from services.errors import ApiError, Reason, malformed
from services.names import visible_name
from services.reads import Reads
from services.store.live_accounts import LivePlayers
from services.store.people import NameTaken, People, Person
from services.store.watchers import Watchers
from services.tokens import Mint, key_of
from services.wire.emeth.v1 import players_pb2 as pb

LONGEST_EXTERNAL: Final = 200
LONGEST_LIFE: Final = timedelta(days=3_660)
"""Of a token that expires."""
PAGE: Final = 100
"""Notices between two looks at the read models."""


class _Told(NamedTuple):
    """Whom a frontend introduces."""

    frontend: UUID
    external: str
    name: str
    by_jwt: bool


class PlayersHandlers:
    """The rpcs of PlayersService."""

    def __init__(
        self,
        live: LivePlayers,
        people: People,
        identities: Identities,
        reads: Reads,
        mint: Mint,
        admin_key: str,
        watchers: Watchers,
        quotas: Quotas,
    ) -> None:
        self._quotas = quotas
        self._watchers = watchers
        self._live = live
        self._people = people
        self._identities = identities
        self._reads = reads
        self._mint = mint
        self._admin_key = key_of(admin_key)

    # --- who they are ----------------------------------------------------------------------------

    async def introduce_player(
        self, call: Call, request: pb.IntroducePlayerRequest
    ) -> pb.IntroducePlayerResponse:
        """Let a player claim seats, or find one who may."""
        request_id = str(identifier("request_id", request.request_id))
        told, expires = await self._told(call, request), _expiry(request)
        known = await asyncio.to_thread(self._people.called, told.frontend, told.external)
        identity = known.player if known else self._mint.account_id("player", request_id)
        if known is None:
            await self._check_new(identity, request_id)
            if not told.name:
                raise malformed("name", "a new player has one")
            kept = await asyncio.to_thread(self._people.count, told.frontend)
            self._quotas.bounds.keep_player(kept)
        if told.name and (known is None or known.name != told.name):
            await self._name(Person(identity, told.frontend, told.external, told.name))
        if await self._live.find(identity) is None:
            key = key_of(player_token(self._mint, identity, 1))
            wanted = Change(
                self._request(call, request_id),
                ["introduce", told.frontend, expires],
                players.asked_for,
            )
            await create(
                self._live,
                identity,
                wanted,
                lambda stamp: players.introduce(identity, told.frontend, key, expires, stamp),
            )
        state = (await self._live.get(identity)).state
        token = "" if told.by_jwt else player_token(self._mint, identity, state.issued)
        return pb.IntroducePlayerResponse(
            player=await self._message(state, whole=not told.by_jwt), token=token
        )

    async def get_player(self, call: Call, request: pb.GetPlayerRequest) -> pb.GetPlayerResponse:
        """A player."""
        state = await self._of(call, request.player_id)
        shown = await self._message(state, whole=self._rules(call, state))
        return pb.GetPlayerResponse(player=shown)

    async def rotate_player_token(
        self, call: Call, request: pb.RotatePlayerTokenRequest
    ) -> pb.RotatePlayerTokenResponse:
        """Give a player another token."""
        request_id = str(identifier("request_id", request.request_id))
        state, expires = await self._of(call, request.player_id), _expiry(request)
        if not self._rules(call, state) and kind_of_token(call.token) == "jwt":
            why = "to have a token in place of JSON Web Tokens takes the frontend's key"
            raise ApiError(Reason.FRONTEND_KEY_MISSING, why)
        if state.erased:
            raise ApiError(Reason.PLAYER_NOT_FOUND, player=state.id)

        def decide(held: Player, stamp: Stamp) -> Any:
            key = key_of(player_token(self._mint, held.id, held.version + 1))
            return players.rotate_token(held, key, expires, stamp)

        wanted = Change(
            self._request(call, request_id),
            ["rotate-token", expires],
            players.asked_for,
            gives_secret=True,
        )
        version = await change(self._live, state.id, wanted, decide)
        return pb.RotatePlayerTokenResponse(token=player_token(self._mint, state.id, version))

    async def erase_player(
        self, call: Call, request: pb.ErasePlayerRequest
    ) -> pb.ErasePlayerResponse:
        """Forget who a player is."""
        request_id = str(identifier("request_id", request.request_id))
        state = await self._of(call, request.player_id)
        if not self._rules(call, state):
            raise ApiError(Reason.FRONTEND_KEY_MISSING)
        # First what is personal: should the rest fail, the same request brings it about later.
        await asyncio.to_thread(self._people.erase, state.id)
        wanted = Change(self._request(call, request_id), ["erase"], players.asked_for)
        if not state.erased:
            await change(self._live, state.id, wanted, players.erase)
        return pb.ErasePlayerResponse()

    def _request(self, call: Call, request_id: str) -> Repeatable:
        return Repeatable(self._mint, request_id, caller_of(call))

    # --- what is theirs --------------------------------------------------------------------------

    async def watch_player(
        self, call: Call, request: pb.WatchPlayerRequest
    ) -> AsyncIterator[pb.WatchPlayerResponse]:
        """What happens in a player's matches, from a notice on, as it comes."""
        state = await self._of(call, request.player_id)
        most = await self._quotas.watchers_allowed(state.frontend)
        with self._quotas.watching(state.frontend, most):
            async for news in self._notices(call, state.id, request):
                yield news

    async def _notices(
        self, call: Call, player: UUID, request: pb.WatchPlayerRequest
    ) -> AsyncIterator[pb.WatchPlayerResponse]:
        after = request.after
        if not request.HasField("after"):
            await self._reads.recent()
            after = await self._reads.ask(notices.newest)
        yield pb.WatchPlayerResponse(after=after)
        with self._watchers.watching(player) as woken:
            while not self._watchers.closing:
                woken.clear()  # before looking, so that no news falls between
                call.check()
                page = await self._reads.ask(
                    partial(notices.to_player, player=player, after=after, limit=PAGE)
                )
                for each in page:
                    yield pb.WatchPlayerResponse(notice=_notice(each))
                    after = each.number
                if len(page) < PAGE:
                    await woken.wait()
        yield pb.WatchPlayerResponse(after=after)

    # --- who asks --------------------------------------------------------------------------------

    def _is_admin(self, call: Call) -> bool:
        return bool(call.token) and compare_digest(key_of(call.token), self._admin_key)

    def _rules(self, call: Call, player: Player) -> bool:
        """Does the caller look after this player: is it the frontend, or the operator?"""
        return call.frontend == player.frontend or self._is_admin(call)

    async def _of(self, call: Call, player_id: str) -> Player:
        """The player that is asked for. PLAYER_ACCESS_DENIED for a caller who may not ask."""
        wanted = identifier("player_id", player_id) if player_id else call.player
        if not call.token and call.frontend is None:
            raise ApiError(Reason.TOKEN_MISSING)
        if wanted is None:
            known = kind_of_token(call.token)
            raise (
                ApiError(Reason.PLAYER_NOT_FOUND, "have the player introduced by IntroducePlayer")
                if known == "jwt"
                else malformed("player_id", "say which player, or show a player's token")
            )
        state = (await self._live.get(wanted)).state
        if call.player == wanted or self._rules(call, state):
            return state
        raise ApiError(Reason.PLAYER_ACCESS_DENIED)

    async def _told(self, call: Call, request: pb.IntroducePlayerRequest) -> _Told:
        """Whom the caller introduces. FRONTEND_KEY_MISSING for who is no frontend."""
        external = short_text("external_id", request.external_id, LONGEST_EXTERNAL).strip()
        name = name_text("name", request.name, LONGEST_NAME)
        if kind_of_token(call.token) == "jwt":
            frontend, claims = await self._identities.subject(call.token)
            own = short_text("sub", claims.subject, LONGEST_EXTERNAL, 1)
            if external not in ("", own):
                raise malformed("external_id", "it is the token's own `sub`, or empty")
            name = name or name_text("name", claims.name, LONGEST_NAME)
            return _Told(frontend.id, own, name, by_jwt=True)
        if call.frontend is None:
            raise ApiError(Reason.FRONTEND_KEY_MISSING)
        if not external:
            raise malformed("external_id", f"it has 1 to {LONGEST_EXTERNAL} characters")
        return _Told(call.frontend, external, name, by_jwt=False)

    async def _check_new(self, identity: UUID, request_id: str) -> None:
        """REQUEST_ID_REUSED if the request introduced somebody else before."""
        known = await asyncio.to_thread(self._people.person, identity)
        if known or await self._live.find(identity):
            raise ApiError(
                Reason.REQUEST_ID_REUSED,
                f"request {request_id} introduced another player: give each new request an id of"
                " its own",
            )

    async def _name(self, person: Person) -> None:
        try:
            await asyncio.to_thread(self._people.put, person, folded(person.name))
        except NameTaken:
            raise ApiError(Reason.PLAYER_NAME_TAKEN, name=person.name) from None

    async def _message(self, state: Player, *, whole: bool) -> pb.Player:
        person = await asyncio.to_thread(self._people.person, state.id)
        message = pb.Player(
            player_id=str(state.id),
            frontend_id=str(state.frontend),
            name=person.name if person else FORMER,
            external_id=person.external if person and whole else "",
            created_at=messages.timestamp(state.created),
            erased=state.erased,
        )
        if state.expires is not None:
            message.expires_at.CopyFrom(messages.timestamp(state.expires))
        return message


NOTICES: Final[dict[NoticeKind, pb.NoticeKind.ValueType]] = {
    "your-turn": pb.NOTICE_KIND_YOUR_TURN,
    "seat-claimed": pb.NOTICE_KIND_SEAT_CLAIMED,
    "undo-asked": pb.NOTICE_KIND_UNDO_ASKED,
    "redo-asked": pb.NOTICE_KIND_REDO_ASKED,
    "draw-offered": pb.NOTICE_KIND_DRAW_OFFERED,
    "dispute-raised": pb.NOTICE_KIND_DISPUTE_RAISED,
    "verdict-given": pb.NOTICE_KIND_VERDICT_GIVEN,
    "match-over": pb.NOTICE_KIND_MATCH_OVER,
    "clock-low": pb.NOTICE_KIND_CLOCK_LOW,
}


def _notice(told: Notice) -> pb.Notice:
    return pb.Notice(
        number=told.number,
        player_id=str(told.player),
        kind=NOTICES[told.kind],
        match_id=str(told.match),
        game=told.game,
        title=visible_name(told.title),
        version=told.version,
        seat=told.seat,
        at=messages.timestamp(told.at),
        sentence=told.sentence,
    )


def _expiry(request: Message) -> datetime | None:
    """When a token is to expire, if it is."""
    if not request.HasField("expires_at"):
        return None
    given: Any = request
    at, now = messages.moment("expires_at", given.expires_at), utc_now()
    if not now < at <= now + LONGEST_LIFE:
        raise malformed("expires_at", f"it is within {LONGEST_LIFE.days} days from now")
    return at
