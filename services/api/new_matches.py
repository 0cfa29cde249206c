"""Making matches: ids, tokens, and the same answer again to the same request."""

from functools import partial
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.log.origin import Stamp
from domain.match import (
    USUAL,
    AnyMatch,
    Decided,
    MatchCreated,
    Setting,
    Terms,
    asked_for,
    create,
    is_code,
    token_roles,
)
from services.accounts.context import Call
from services.accounts.quotas import Quotas
from services.accounts.tokens import Mint, key_of
from services.api.repetitions import Repeatable
from services.store.errors import VersionConflict
from services.store.first_answers import answer_at, decided_again
from services.store.match_cache import LiveMatches


class Beginning(Struct, frozen=True):
    """What a new match needs of the service."""

    identity: UUID
    tokens: dict[str, str]
    """By role. Only their digests are stored."""
    codes: dict[str, str]
    """The same for roles that are taken by codes."""
    stamp: Stamp
    request: Repeatable

    @property
    def invitations(self) -> dict[str, str]:
        """The digests of the tokens and codes."""
        return {role: key_of(token) for role, token in (self.tokens | self.codes).items()}


class NewMatches:
    """Makes matches. All that it gives out follows from the request id, so a repeated request is
    given the same again."""

    def __init__(self, live: LiveMatches, mint: Mint, quotas: Quotas) -> None:
        self.library = live.library
        """The packs that they may be played with."""
        self._live = live
        self._mint = mint
        self._quotas = quotas

    async def options_made(self, request_id: str) -> dict[str, Any] | None:
        """The options of the match that this request made before; None if it made none."""
        _, events = await self._live.since(self._mint.match_id(request_id), 1)
        if not events:
            return None
        created = events[0].event
        assert isinstance(created, MatchCreated)
        return created.options

    async def is_made(self, request_id: str) -> bool:
        """Has this request made a match before?"""
        return await self._live.find(self._mint.match_id(request_id)) is not None

    def begin(
        self,
        request_id: str,
        game: AnyGame,
        options: Any,
        terms: Terms = USUAL,
        *,
        caller: str = "",
    ) -> Beginning:
        """The identity and the tokens of the match that this request makes. They are given again
        to the same `caller` only (`repetitions.caller_of`)."""
        identity = self._mint.match_id(request_id)
        request = Repeatable(self._mint, request_id, caller)
        given = {
            role: self._mint.invitation(identity, role)
            for role in token_roles(game, options, terms)
        }
        by_code = {role for role in given if is_code(game.seats(options), role, terms)}
        return Beginning(
            identity,
            {role: token for role, token in given.items() if role not in by_code},
            {role: code for role, code in given.items() if role in by_code},
            request.stamp(identity),
            request,
        )

    async def created(self, setting: Setting, beginning: Beginning) -> Decided[AnyMatch]:
        """A new match. What is shuffled and dealt first takes long in some games."""
        seeds = self._mint.seeds(beginning.identity)
        return await self._live.in_thread(
            partial(
                create,
                setting,
                beginning.identity,
                beginning.invitations,
                beginning.stamp,
                seeds=seeds,
            )
        )

    async def keep(self, call: Call, made: Decided[AnyMatch], request: Repeatable) -> AnyMatch:
        """Record a new match; or give it as the same request made it before.
        REQUEST_ID_REUSED if that was another, RESPONSE_WITHHELD if it was another caller's; the
        errors of `Quotas.creating` if the caller may not have a new one."""
        if await self._live.find(made.state.id) is not None:
            return await self._made_before(made, request)
        try:
            async with self._quotas.creating(call):
                await self._live.create(made)
            call.counted(len(made.events))
        except VersionConflict:
            return await self._made_before(made, request)
        return made.state

    async def _made_before(self, made: Decided[AnyMatch], request: Repeatable) -> AnyMatch:
        live = await self._live.get(made.state.id)
        first = await answer_at(self._live, live, 1)
        asked = asked_for(made.state, [each.event for each in made.events])
        request.check(first.request, first.version, first.asked, asked)
        return (await decided_again(self._live, live, first)).state
