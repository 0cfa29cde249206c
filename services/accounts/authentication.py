"""Authentication by frontend keys, player tokens and JSON Web Tokens.

Each transport authenticates a call once, before its handler runs. Tokens of matches are not checked
here: only their own match knows them.
"""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property
from hmac import compare_digest
from typing import TYPE_CHECKING, Final
from uuid import UUID

from msgspec.structs import replace

from domain.frontend import Frontend
from domain.player import Player
from projections.queries import frontends as listed
from services.accounts.context import RequestContext, looks_like_jwt
from services.accounts.tokens import TokenIssuer, token_digest
from services.runtime.errors import ApiError, Reason
from services.runtime.outbound import OutboundPolicy
from services.store.account_cache import CachedFrontend, CachedPlayer, FrontendCache, PlayerCache
from services.store.player_profiles import PlayerProfiles
from services.store.read_models import ReadModelQueries

if TYPE_CHECKING:
    from services.accounts.jwts import Claims, JwtKeys

_TOKEN_PATTERN: Final = re.compile(r"(emf|emp)_([0-9a-f]{32})_[\w-]{43}")
FRONTEND_KEY_PREFIX: Final = "emf"
PLAYER_TOKEN_PREFIX: Final = "emp"  # noqa: S105  how one begins
"""Prefixes of the keys of frontends and the tokens of players."""


def frontend_key(token_issuer: TokenIssuer, identity: UUID, version: int) -> str:
    """Return the key that was issued by event `version` of a frontend."""
    secret = token_issuer.token("frontend", identity.hex, str(version))
    return f"{FRONTEND_KEY_PREFIX}_{identity.hex}_{secret}"


def player_token(token_issuer: TokenIssuer, identity: UUID, version: int) -> str:
    """Return the token that was issued by event `version` of a player."""
    secret = token_issuer.token("player", identity.hex, str(version))
    return f"{PLAYER_TOKEN_PREFIX}_{identity.hex}_{secret}"


class Authenticator:
    """Authenticates callers as frontends and players."""

    def __init__(
        self,
        frontends: FrontendCache,
        players: PlayerCache,
        profiles: PlayerProfiles,
        read_models: ReadModelQueries,
        outbound_policy: OutboundPolicy,
    ) -> None:
        self._frontends = frontends
        self._players = players
        self._profiles = profiles
        self._read_models = read_models
        self._outbound_policy = outbound_policy

    async def authenticate(self, call: RequestContext) -> RequestContext:
        """Return the request context with the frontend or player that was authenticated.

        A call without a key, or with the token of a match, is returned unchanged.

        Raises:
            ApiError: FRONTEND_KEY_INVALID, PLAYER_TOKEN_INVALID, PLAYER_TOKEN_EXPIRED or
                JWT_INVALID for a key or token that is not valid; PLAYER_ACCESS_DENIED if the player
                belongs to another frontend than the key.
        """
        kind = token_kind(call.token)
        if not kind and not call.frontend_key:
            return call
        shown = call.frontend_key or (call.token if kind == FRONTEND_KEY_PREFIX else "")
        if shown:
            call = await self._with_frontend(replace(call, frontend_key=shown))
        if kind == PLAYER_TOKEN_PREFIX:
            call = await self._with_player(call)
        elif kind == "jwt":
            call = await self._with_subject(call)
        if call.frontend is not None and call.home not in (None, call.frontend):
            raise ApiError(Reason.PLAYER_ACCESS_DENIED, "the player belongs to another frontend")
        if call.frontend is not None or call.player is not None:
            call.confirm_tokens(call)
        return call

    async def player_of(self, token: str) -> UUID | None:
        """Return the player whose token this is, or None for a token of another kind."""
        return (await self.authenticate(RequestContext(token, None))).player

    @cached_property
    def _keys(self) -> "JwtKeys":
        # Only here: the library takes long to load, and most services meet no such token.
        from services.accounts.jwts import JwtKeys

        return JwtKeys(self._outbound_policy)

    async def subject(self, token: str) -> tuple[Frontend, "Claims"]:
        """Verify a JSON Web Token, and return the frontend that it is for and its claims.

        Raises:
            ApiError: JWT_INVALID, with what is wrong with the token.
        """
        issuer = self._keys.issuer_of(token)
        found = await self._read_models.ask(
            lambda connection: listed.frontend_of_issuer(connection, issuer)
        )
        if found is None:  # the issuer may have been registered a moment ago
            await self._read_models.catch_up_briefly()
            found = await self._read_models.ask(
                lambda connection: listed.frontend_of_issuer(connection, issuer)
            )
        held = await self._frontends.find(found) if found else None
        terms = held.state.terms.issuer if held else None
        if held is None or terms is None or terms.name != issuer or held.state.deleted:
            raise ApiError(
                Reason.JWT_INVALID,
                "the JSON Web Token is invalid: no frontend of this service has its issuer (`iss`)",
                fault="issuer",
            )
        return held.state, await self._keys.claims(held.state, terms, token)

    async def _with_frontend(self, call: RequestContext) -> RequestContext:
        if token_kind(call.frontend_key) != FRONTEND_KEY_PREFIX:
            raise ApiError(Reason.FRONTEND_KEY_INVALID)
        held = await self._frontends.find(_account_id(call.frontend_key))
        if held is None:
            raise ApiError(Reason.FRONTEND_KEY_INVALID)
        check = _key_check(held, token_digest(call.frontend_key))
        check()
        state = held.state
        return replace(call, frontend=state.id, rights=frozenset(state.terms.rights), check=check)

    async def _with_player(self, call: RequestContext) -> RequestContext:
        held = await self._players.find(_account_id(call.token))
        home = await self._frontends.find(held.state.frontend) if held else None
        if held is None or home is None:
            raise ApiError(Reason.PLAYER_TOKEN_INVALID)
        check = _token_check(held, home, token_digest(call.token))
        check()
        return replace(call, player=held.state.id, home=held.state.frontend, check=check)

    async def _with_subject(self, call: RequestContext) -> RequestContext:
        frontend, claims = await self.subject(call.token)
        person = await asyncio.to_thread(self._profiles.find_external, frontend.id, claims.subject)
        held = await self._players.find(person.player) if person else None
        home = await self._frontends.find(frontend.id)
        if held is None or home is None or held.state.deleted:
            return call  # the player does not exist yet
        return replace(
            call,
            player=held.state.id,
            home=frontend.id,
            check=_subject_check(held, home, claims.expires),
        )


def token_kind(token: str) -> str:
    """Return the kind of a token: `emf` of frontends, `emp` of players, `jwt`; empty for others."""
    if (found := _TOKEN_PATTERN.fullmatch(token)) is not None:
        return found[1]
    return "jwt" if looks_like_jwt(token) else ""


def _account_id(token: str) -> UUID:
    return UUID(token.split("_")[1])


def _key_check(held: CachedFrontend, key: str) -> Callable[[], None]:
    def check() -> None:
        valid = False
        for each in held.state.keys:
            current = each.until is None or datetime.now(UTC) < each.until
            valid |= compare_digest(each.digest, key) and current
        if held.state.deleted or not valid:
            raise ApiError(Reason.FRONTEND_KEY_INVALID)

    return check


def _token_check(held: CachedPlayer, home: CachedFrontend, key: str) -> Callable[[], None]:
    def check() -> None:
        player = held.state
        if player.deleted or home.state.deleted or not compare_digest(player.key, key):
            raise ApiError(Reason.PLAYER_TOKEN_INVALID)
        _check_unexpired(player)

    return check


def _subject_check(held: CachedPlayer, home: CachedFrontend, expires: float) -> Callable[[], None]:
    def check() -> None:
        if held.state.deleted or home.state.deleted:
            raise ApiError(Reason.PLAYER_TOKEN_INVALID)
        if datetime.now(UTC).timestamp() > expires:
            raise ApiError(Reason.PLAYER_TOKEN_EXPIRED)

    return check


def _check_unexpired(player: Player) -> None:
    if player.expires is not None and datetime.now(UTC) >= player.expires:
        raise ApiError(
            Reason.PLAYER_TOKEN_EXPIRED,
            f"the player's token expired at {player.expires.isoformat(timespec='seconds')}: get a"
            " new one from the frontend",
        )
