"""Who calls: a frontend by its key, a player by a token or a JSON Web Token of the frontend's.

The doors ask here once for each call, before its handler. Tokens of matches are not looked at: they
mean something in their match alone.
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
from services.accounts.context import Call, looks_like_jwt
from services.accounts.tokens import Mint, key_of
from services.runtime.errors import ApiError, Reason
from services.runtime.outbound import Reach
from services.store.account_cache import LiveFrontend, LiveFrontends, LivePlayer, LivePlayers
from services.store.player_profiles import People
from services.store.read_models import Reads

if TYPE_CHECKING:
    from services.accounts.jwts import Claims, JwtKeys

_TOKEN: Final = re.compile(r"(emf|emp)_([0-9a-f]{32})_[\w-]{43}")
FRONTEND_KEY: Final = "emf"
PLAYER_TOKEN: Final = "emp"  # noqa: S105  how one begins
"""What the keys of frontends and the tokens of players begin with."""


def frontend_key(mint: Mint, identity: UUID, version: int) -> str:
    """The key that event `version` of a frontend gave out."""
    return f"{FRONTEND_KEY}_{identity.hex}_{mint.token('frontend', identity.hex, str(version))}"


def player_token(mint: Mint, identity: UUID, version: int) -> str:
    """The token that event `version` of a player gave out."""
    return f"{PLAYER_TOKEN}_{identity.hex}_{mint.token('player', identity.hex, str(version))}"


class Identities:
    """Finds out who calls."""

    def __init__(
        self,
        frontends: LiveFrontends,
        players: LivePlayers,
        people: People,
        reads: Reads,
        reach: Reach,
    ) -> None:
        self._frontends = frontends
        self._players = players
        self._people = people
        self._reads = reads
        self._reach = reach

    async def identify(self, call: Call) -> Call:
        """The call, with who makes it. The error for a key or token that was good, or pretends."""
        kind = kind_of_token(call.token)
        if not kind and not call.frontend_key:
            return call
        shown = call.frontend_key or (call.token if kind == FRONTEND_KEY else "")
        if shown:
            call = await self._with_frontend(replace(call, frontend_key=shown))
        if kind == PLAYER_TOKEN:
            call = await self._with_player(call)
        elif kind == "jwt":
            call = await self._with_subject(call)
        if call.frontend is not None and call.home not in (None, call.frontend):
            raise ApiError(Reason.PLAYER_ACCESS_DENIED, "the player is another frontend's")
        if call.frontend is not None or call.player is not None:
            call.proved(call)
        return call

    async def player_of(self, token: str) -> UUID | None:
        """The player whose token this is; None for a token of another kind. Errors as for calls."""
        return (await self.identify(Call(token, None))).player

    @cached_property
    def _keys(self) -> "JwtKeys":
        # Only here: the library takes long to load, and most services meet no such token.
        from services.accounts.jwts import JwtKeys

        return JwtKeys(self._reach)

    async def subject(self, token: str) -> tuple[Frontend, "Claims"]:
        """Whom a JSON Web Token is about, known or not. JWT_INVALID for one that is not good."""
        issuer = self._keys.issuer_of(token)
        found = await self._reads.ask(lambda connection: listed.of_issuer(connection, issuer))
        if found is None:  # it may have been named a moment ago
            await self._reads.recent()
            found = await self._reads.ask(lambda connection: listed.of_issuer(connection, issuer))
        held = await self._frontends.find(found) if found else None
        terms = held.state.terms.issuer if held else None
        if held is None or terms is None or terms.name != issuer or held.state.deleted:
            raise ApiError(
                Reason.JWT_INVALID,
                "the JSON Web Token: its issuer is none of a frontend's here",
                fault="issuer",
            )
        return held.state, await self._keys.claims(held.state, terms, token)

    async def _with_frontend(self, call: Call) -> Call:
        if kind_of_token(call.frontend_key) != FRONTEND_KEY:
            raise ApiError(Reason.FRONTEND_KEY_INVALID)
        held = await self._frontends.find(_identity(call.frontend_key))
        if held is None:
            raise ApiError(Reason.FRONTEND_KEY_INVALID)
        check = _key_check(held, key_of(call.frontend_key))
        check()
        state = held.state
        return replace(call, frontend=state.id, rights=frozenset(state.terms.rights), check=check)

    async def _with_player(self, call: Call) -> Call:
        held = await self._players.find(_identity(call.token))
        home = await self._frontends.find(held.state.frontend) if held else None
        if held is None or home is None:
            raise ApiError(Reason.PLAYER_TOKEN_INVALID)
        check = _token_check(held, home, key_of(call.token))
        check()
        return replace(call, player=held.state.id, home=held.state.frontend, check=check)

    async def _with_subject(self, call: Call) -> Call:
        frontend, claims = await self.subject(call.token)
        person = await asyncio.to_thread(self._people.called, frontend.id, claims.subject)
        held = await self._players.find(person.player) if person else None
        home = await self._frontends.find(frontend.id)
        if held is None or home is None or held.state.deleted:
            return call  # a stranger yet, who may be introduced
        return replace(
            call,
            player=held.state.id,
            home=frontend.id,
            check=_subject_check(held, home, claims.expires),
        )


def kind_of_token(token: str) -> str:
    """What a token is: a frontend's key, a player's, a JSON Web Token; empty for all others."""
    if (found := _TOKEN.fullmatch(token)) is not None:
        return found[1]
    return "jwt" if looks_like_jwt(token) else ""


def _identity(token: str) -> UUID:
    return UUID(token.split("_")[1])


def _key_check(held: LiveFrontend, key: str) -> Callable[[], None]:
    def check() -> None:
        valid = False
        for each in held.state.keys:
            current = each.until is None or datetime.now(UTC) < each.until
            valid |= compare_digest(each.digest, key) and current
        if held.state.deleted or not valid:
            raise ApiError(Reason.FRONTEND_KEY_INVALID)

    return check


def _token_check(held: LivePlayer, home: LiveFrontend, key: str) -> Callable[[], None]:
    def check() -> None:
        player = held.state
        if player.deleted or home.state.deleted or not compare_digest(player.key, key):
            raise ApiError(Reason.PLAYER_TOKEN_INVALID)
        _check_unexpired(player)

    return check


def _subject_check(held: LivePlayer, home: LiveFrontend, expires: float) -> Callable[[], None]:
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
            f"the player's token expired at {player.expires.isoformat(timespec='seconds')}: the"
            " frontend can give another",
        )
