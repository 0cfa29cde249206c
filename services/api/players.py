"""PlayersService: players of frontends, their tokens and their notices."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from functools import partial
from hmac import compare_digest
from sqlite3 import Connection
from typing import Any, Final, NamedTuple
from uuid import UUID

from msgspec.structs import replace

from domain import player as players
from domain.log.origin import CommandContext
from domain.match import MAX_NAME_LENGTH
from domain.player import Player
from projections.projector.schema import FORMER_PLAYER
from projections.queries import frontends as listed
from projections.queries import notices
from projections.queries.full_text import fold_case
from services.accounts.authentication import Authenticator, player_token, token_kind
from services.accounts.context import RequestContext
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.account_changes import (
    AccountChange,
    apply_change,
    create_account,
    resolve_frontend,
)
from services.api.field_masks import update_paths
from services.api.filters import Conditions, parse_filter, parse_order, text_field, time_field
from services.api.idempotency import IdempotentRequest, caller_identity
from services.api.player_invites import PlayerInvites
from services.api.requests import CONTROL_CHARACTERS, PageTokens, page_size, parse_name, parse_uuid
from services.api.topics import OpenTopic, TopicMessage, topic_started
from services.mapping import messages
from services.mapping.notice_messages import notice_id, notice_message, number_of
from services.runtime.clock import utc_now
from services.runtime.errors import ApiError, Reason, field_invalid
from services.store.account_cache import FrontendCache, PlayerCache
from services.store.player_profiles import NameTaken, PlayerProfile, PlayerProfiles
from services.store.read_models import ReadModelQueries
from services.store.watchers import Watchers
from services.wire.emeth.v1 import players_pb2 as pb

MAX_EXTERNAL_ID_LENGTH: Final = 200
DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
FIELDS: Final = {
    "name": text_field(":"),
    "external_id": text_field(),
    "create_time": time_field(),
}
"""Fields by which players can be filtered."""
ORDERS: Final = {"create_time": False, "create_time desc": True}
"""Sort orders, and whether the newest player comes first."""
MAX_TOKEN_LIFETIME: Final = timedelta(days=3_660)
"""Maximum lifetime of a token that expires."""
NOTICES_PER_READ: Final = 100
"""Number of notices that are read at once."""


class _PlayerReference(NamedTuple):
    """The player that a request to update a player refers to."""

    frontend: UUID
    player: UUID | None
    """ID of the player, if the request has it."""
    external: str
    name: str
    """The new name; empty to keep the old one."""
    by_jwt: bool


class PlayersHandlers:
    """Handlers of the rpcs of PlayersService."""

    def __init__(
        self,
        live: PlayerCache,
        frontends: FrontendCache,
        profiles: PlayerProfiles,
        identities: Authenticator,
        read_models: ReadModelQueries,
        token_issuer: TokenIssuer,
        admin_key: str,
        watchers: Watchers,
        quotas: Quotas,
        invites: PlayerInvites,
    ) -> None:
        self._quotas = quotas
        self._invites = invites
        self._watchers = watchers
        self._live = live
        self._frontends = frontends
        self._profiles = profiles
        self._identities = identities
        self._read_models = read_models
        self._token_issuer = token_issuer
        self._pages = PageTokens(token_issuer)
        self._admin_key = token_digest(admin_key)

    # --- who they are ----------------------------------------------------------------------------

    async def update_player(
        self, call: RequestContext, request: pb.UpdatePlayerRequest
    ) -> pb.UpdatePlayerResponse:
        """Update a player's name, or create the player."""
        request_id = request.request_id.lower()
        named, expires = await self._reference(call, request), token_expiry(request)
        known = await self._find_profile(named)
        if known is None:
            known = await self._create(call, request_id, named, allowed=request.allow_missing)
        elif named.name and known.name != named.name:
            known = replace(known, name=named.name)
            await self._put_name(known)
        if await self._live.find(known.player) is None:
            key = token_digest(player_token(self._token_issuer, known.player, 1))
            wanted = AccountChange(
                self._request(call, request_id),
                ["introduce", named.frontend, expires],
                players.request_payload,
            )
            await create_account(
                self._live,
                known.player,
                wanted,
                lambda command_context: players.introduce(
                    known.player, named.frontend, key, expires, command_context
                ),
            )
        state = (await self._live.get(known.player)).state
        token = "" if named.by_jwt else player_token(self._token_issuer, state.id, state.issued)
        return pb.UpdatePlayerResponse(
            player=await self._message(state, whole=not named.by_jwt), token=token
        )

    async def get_player(
        self, call: RequestContext, request: pb.GetPlayerRequest
    ) -> pb.GetPlayerResponse:
        """Return the player of this ID."""
        state = await self._get(call, request.player_id)
        shown = await self._message(state, whole=self._can_manage(call, state))
        return pb.GetPlayerResponse(player=shown)

    async def list_players(
        self, call: RequestContext, request: pb.ListPlayersRequest
    ) -> pb.ListPlayersResponse:
        """List a page of a frontend's players."""
        frontend = resolve_frontend(call, request.frontend_id, self._admin_key)
        await self._frontends.get(frontend)
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        conditions, descending = (
            parse_filter(request.filter, FIELDS),
            parse_order(request.order_by, ORDERS),
        )
        query = ("players", frontend, request.filter, request.order_by)
        place = self._pages.start(request.page_token, *query)
        await self._read_models.catch_up_briefly()
        wanted = await asyncio.to_thread(self._query, frontend, conditions)
        page = await self._read_models.ask(
            lambda connection: listed.player_page(
                connection, frontend, size, place, wanted, descending=descending
            )
        )
        return pb.ListPlayersResponse(
            players=[await self._message(each, whole=True) for each in page.players],
            next_page_token=self._pages.next(page.next, *query),
        )

    def _query(self, frontend: UUID, conditions: Conditions) -> listed.PlayerQuery:
        """Return the query for a filter, with names and external IDs replaced by player IDs."""
        named: set[str] | None = None
        if part := conditions.get(("name", ":")):
            named = set(self._profiles.find_by_name(fold_case(part)))
        if external := conditions.get(("external_id", "=")):
            profile = self._profiles.find_external(frontend, external)
            called = {str(profile.player)} if profile else set[str]()
            named = called if named is None else named & called
        created = tuple(
            (operator, time)
            for (field, operator), time in conditions.items()
            if field == "create_time"
        )
        return listed.PlayerQuery(None if named is None else frozenset(named), created)

    async def rotate_player_token(
        self, call: RequestContext, request: pb.RotatePlayerTokenRequest
    ) -> pb.RotatePlayerTokenResponse:
        """Rotate the token of a player."""
        request_id = request.request_id.lower()
        state, expires = await self._get(call, request.player_id), token_expiry(request)
        if not self._can_manage(call, state) and token_kind(call.token) == "jwt":
            why = "issuing a token in place of JSON Web Tokens needs the frontend's key"
            raise ApiError(Reason.FRONTEND_KEY_MISSING, why)
        if state.deleted:
            raise ApiError(Reason.PLAYER_NOT_FOUND, player=state.id)

        def decide(held: Player, command_context: CommandContext) -> Any:
            key = token_digest(player_token(self._token_issuer, held.id, held.version + 1))
            return players.rotate_token(held, key, expires, command_context)

        wanted = AccountChange(
            self._request(call, request_id),
            ["rotate-token", expires],
            players.request_payload,
            has_secret_response=True,
        )
        version = await apply_change(self._live, state.id, wanted, decide)
        state = (await self._live.get(state.id)).state
        return pb.RotatePlayerTokenResponse(
            player=await self._message(state, whole=self._can_manage(call, state)),
            token=player_token(self._token_issuer, state.id, version),
        )

    async def delete_player(
        self, call: RequestContext, request: pb.DeletePlayerRequest
    ) -> pb.DeletePlayerResponse:
        """Delete a player, personal data first."""
        request_id = request.request_id.lower()
        state = await self._get(call, request.player_id)
        if not self._can_manage(call, state):
            raise ApiError(Reason.FRONTEND_KEY_MISSING)
        # Personal data first. If the rest fails, repeating the request completes it.
        await asyncio.to_thread(self._profiles.erase, state.id)
        wanted = AccountChange(self._request(call, request_id), ["erase"], players.request_payload)
        if not state.deleted:
            await apply_change(self._live, state.id, wanted, players.erase)
        state = (await self._live.get(state.id)).state
        return pb.DeletePlayerResponse(player=await self._message(state, whole=True))

    def _request(self, call: RequestContext, request_id: str) -> IdempotentRequest:
        return IdempotentRequest(self._token_issuer, request_id, caller_identity(call))

    # --- what is theirs --------------------------------------------------------------------------

    async def follow(self, opened: OpenTopic) -> AsyncGenerator[TopicMessage, None]:
        """Yield the notices to a player from a cursor on: a topic of a subscription."""
        topic, call = opened.topic, opened.call
        state = await self._get(call, topic.player.player_id)
        limit = await self._quotas.max_watchers(state.frontend)
        if topic.cursor:
            after = number_of("cursor", topic.cursor)
        elif topic.player.HasField("after_notice_id"):
            first = topic.player.after_notice_id
            after = number_of("player.after_notice_id", first) if first else 0
        else:
            await self._read_models.catch_up_briefly()
            after = await self._read_models.ask(notices.newest_number)
        with (
            self._quotas.watching(state.frontend, limit, call),
            self._watchers.watching(state.id) as woken,
        ):
            yield topic_started(notice_id(after))
            while not self._watchers.closing:
                woken.clear()  # before reading, so that no notice is missed
                call.check()
                async with opened.lookups:
                    own = call.player == state.id
                    page = await self._read_models.ask(partial(self._page, state.id, after, own))
                    for after, message in page:
                        if message is not None:
                            yield TopicMessage("notice", message, notice_id(after))
                if len(page) < NOTICES_PER_READ:
                    await woken.wait()

    def _page(
        self, player: UUID, after: int, own: bool, connection: Connection
    ) -> list[tuple[int, pb.Notice | None]]:
        """Return the next notices to a player with their numbers; None for invalid invites.

        Only the player's `own` token shows the codes of invites.
        """
        found: list[tuple[int, pb.Notice | None]] = []
        for each in notices.notices_to_player(connection, player, after, NOTICES_PER_READ):
            code = self._invites.code_in(connection, each) if each.kind == "invited" else ""
            shown = None if code is None else notice_message(each, code if own else "")
            found.append((each.number, shown))
        return found

    # --- callers --------------------------------------------------------------------------------

    def _is_admin(self, call: RequestContext) -> bool:
        return bool(call.token) and compare_digest(token_digest(call.token), self._admin_key)

    def _can_manage(self, call: RequestContext, player: Player) -> bool:
        """Return whether the caller manages this player, as its frontend or the operator."""
        return call.frontend == player.frontend or self._is_admin(call)

    async def _get(self, call: RequestContext, player_id: str) -> Player:
        """Return the requested player. Raise PLAYER_ACCESS_DENIED if the caller may not see it."""
        wanted = parse_uuid(player_id) if player_id else call.player
        if not call.token and call.frontend is None:
            raise ApiError(Reason.TOKEN_MISSING)
        if wanted is None:
            known = token_kind(call.token)
            raise (
                ApiError(
                    Reason.PLAYER_NOT_FOUND,
                    "no player exists for this JSON Web Token: create one with UpdatePlayer",
                )
                if known == "jwt"
                else field_invalid(
                    "player_id", "it is empty: name a player, or send a player's token"
                )
            )
        state = (await self._live.get(wanted)).state
        if call.player == wanted or self._can_manage(call, state):
            return state
        raise ApiError(Reason.PLAYER_ACCESS_DENIED)

    async def _reference(
        self, call: RequestContext, request: pb.UpdatePlayerRequest
    ) -> _PlayerReference:
        """Return the player that a request refers to, and the name that it sets.

        Raises:
            ApiError: FRONTEND_KEY_MISSING without a frontend's key or a JSON Web Token.
        """
        given = request.player
        external = given.external_id.strip()
        player = parse_uuid(given.player_id) if given.player_id else None
        name = ""
        if paths := update_paths(given, request.update_mask, ("name",)):
            name = parse_name("player.name", given.name, MAX_NAME_LENGTH)
        if token_kind(call.token) == "jwt":
            frontend, claims = await self._identities.subject(call.token)
            own = _parse_subject(claims.subject)
            if external not in ("", own) or player not in (None, call.player):
                raise field_invalid(
                    "player", "it must be empty or name the player of the JSON Web Token"
                )
            name = name or parse_name("name", claims.name, MAX_NAME_LENGTH)
            named = _PlayerReference(frontend.id, None, own, name, by_jwt=True)
        elif call.frontend is None:
            raise ApiError(Reason.FRONTEND_KEY_MISSING)
        elif not external and player is None:
            raise field_invalid("player", "it must have either an external_id or a player_id")
        else:
            named = _PlayerReference(call.frontend, player, external, name, by_jwt=False)
        if paths and not named.name:
            raise field_invalid("player.name", f"it must have 1 to {MAX_NAME_LENGTH} characters")
        return named

    async def _find_profile(self, named: _PlayerReference) -> PlayerProfile | None:
        """Return the player that a request refers to, or None if the frontend has none such."""
        if named.player is None:
            return await asyncio.to_thread(
                self._profiles.find_external, named.frontend, named.external
            )
        state = (await self._live.get(named.player)).state
        if state.frontend != named.frontend:
            raise ApiError(Reason.PLAYER_ACCESS_DENIED)
        found = await asyncio.to_thread(self._profiles.profile, named.player)
        if found is None:
            raise ApiError(Reason.PLAYER_NOT_FOUND, "the player was deleted", player=named.player)
        if named.external not in ("", found.external):
            raise field_invalid("player.external_id", "it belongs to another player")
        return found

    async def _create(
        self, call: RequestContext, request_id: str, named: _PlayerReference, *, allowed: bool
    ) -> PlayerProfile:
        """Store the name and external ID of a new player.

        Raises:
            ApiError: PLAYER_NOT_FOUND if none may be created; REQUEST_ID_REUSED if the request
                created another player before.
        """
        if not allowed:
            why = "the frontend has no such player: set allow_missing to create one"
            raise ApiError(Reason.PLAYER_NOT_FOUND, why)
        identity = self._token_issuer.account_id("player", request_id)
        known = await asyncio.to_thread(self._profiles.profile, identity)
        if known or await self._live.find(identity):
            raise ApiError(
                Reason.REQUEST_ID_REUSED,
                f"request {request_id} created another player: use a new ID for each new request"
                " own",
            )
        if not named.name:
            raise field_invalid("player.name", "it is empty: a new player needs a name")
        kept = await asyncio.to_thread(self._profiles.count, named.frontend)
        self._quotas.count_limits.check_player_count(kept)
        profile = PlayerProfile(identity, named.frontend, named.external, named.name)
        await self._put_name(profile)
        return profile

    async def _put_name(self, profile: PlayerProfile) -> None:
        try:
            await asyncio.to_thread(self._profiles.put, profile, fold_case(profile.name))
        except NameTaken:
            raise ApiError(Reason.PLAYER_NAME_TAKEN, name=profile.name) from None

    async def _message(self, state: Player, *, whole: bool) -> pb.Player:
        profile = await asyncio.to_thread(self._profiles.profile, state.id)
        message = pb.Player(
            player_id=str(state.id),
            frontend_id=str(state.frontend),
            name=profile.name if profile else FORMER_PLAYER,
            external_id=profile.external if profile and whole else "",
            create_time=messages.timestamp(state.created),
        )
        if state.deleted is not None:
            message.delete_time.CopyFrom(messages.timestamp(state.deleted))
        elif state.expires is not None:
            message.token_expire_time.CopyFrom(messages.timestamp(state.expires))
        return message


def _parse_subject(text: str) -> str:
    """Return the subject of a JSON Web Token as external ID, within the same bounds."""
    if not 1 <= len(text) <= MAX_EXTERNAL_ID_LENGTH or CONTROL_CHARACTERS.search(text):
        why = f"it must have 1 to {MAX_EXTERNAL_ID_LENGTH} characters and no control characters"
        raise field_invalid("sub", why)
    return text


def token_expiry(request: pb.UpdatePlayerRequest | pb.RotatePlayerTokenRequest) -> datetime | None:
    """Return when the token expires, or None if it does not."""
    if not request.HasField("token_expire_time"):
        return None
    at, now = messages.read_timestamp("token_expire_time", request.token_expire_time), utc_now()
    if not now < at <= now + MAX_TOKEN_LIFETIME:
        raise field_invalid(
            "token_expire_time", f"it must be within {MAX_TOKEN_LIFETIME.days} days from now"
        )
    return at
