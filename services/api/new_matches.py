"""Idempotent creation of matches, with their IDs and tokens."""

from functools import partial
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.log.origin import CommandContext
from domain.match import (
    DEFAULT_TERMS,
    AnyMatch,
    Changeset,
    MatchCreated,
    MatchSetup,
    Terms,
    create,
    is_code,
    requested_command,
    token_roles,
)
from services.accounts.context import RequestContext
from services.accounts.quotas import Quotas
from services.accounts.tokens import TokenIssuer, token_digest
from services.api.idempotency import IdempotentRequest
from services.store.errors import VersionConflict
from services.store.match_cache import MatchCache
from services.store.recorded_requests import recorded_request_at, replay_decision


class NewMatchContext(Struct, frozen=True):
    """ID, tokens and command context of a new match."""

    identity: UUID
    tokens: dict[str, str]
    """Tokens by role. Only their digests are stored."""
    codes: dict[str, str]
    """Codes by role, for roles that are joined with a code."""
    command_context: CommandContext
    request: IdempotentRequest

    @property
    def invitations(self) -> dict[str, str]:
        """Return the digests of tokens and codes by role."""
        return {role: token_digest(token) for role, token in (self.tokens | self.codes).items()}


class NewMatches:
    """Creates matches.

    All IDs and tokens are derived from the request ID, so that a repeated request gets them again.
    """

    def __init__(self, live: MatchCache, token_issuer: TokenIssuer, quotas: Quotas) -> None:
        self.library = live.library
        """Content packs for matches."""
        self._live = live
        self._token_issuer = token_issuer
        self._quotas = quotas

    async def earlier_options(self, request_id: str) -> dict[str, Any] | None:
        """Return the options of the match that this request created before, or None."""
        _, events = await self._live.load_since(self._token_issuer.match_id(request_id), 1)
        if not events:
            return None
        created = events[0].event
        assert isinstance(created, MatchCreated)
        return created.options

    async def is_recorded(self, request_id: str) -> bool:
        """Return whether this request created a match before."""
        return await self._live.find(self._token_issuer.match_id(request_id)) is not None

    def begin(
        self,
        request_id: str,
        game: AnyGame,
        options: Any,
        terms: Terms = DEFAULT_TERMS,
        *,
        caller: str = "",
    ) -> NewMatchContext:
        """Return the ID, tokens and context of the match that a request creates.

        Only the same `caller` gets them again; see `idempotency.caller_identity`.
        """
        identity = self._token_issuer.match_id(request_id)
        request = IdempotentRequest(self._token_issuer, request_id, caller)
        given = {
            role: self._token_issuer.invitation(identity, role)
            for role in token_roles(game, options, terms)
        }
        by_code = {role for role in given if is_code(game.seats(options), role, terms)}
        return NewMatchContext(
            identity,
            {role: token for role, token in given.items() if role not in by_code},
            {role: code for role, code in given.items() if role in by_code},
            request.command_context(identity),
            request,
        )

    async def created_changeset(
        self, setting: MatchSetup, beginning: NewMatchContext
    ) -> Changeset[AnyMatch]:
        """Create a match in a thread, since shuffling and dealing takes long in some games."""
        seeds = self._token_issuer.seeds(beginning.identity)
        return await self._live.in_thread(
            partial(
                create,
                setting,
                beginning.identity,
                beginning.invitations,
                beginning.command_context,
                seeds=seeds,
            )
        )

    async def record(
        self, call: RequestContext, made: Changeset[AnyMatch], request: IdempotentRequest
    ) -> AnyMatch:
        """Record a new match, or return the one that the same request recorded before.

        Raises:
            ApiError: REQUEST_ID_REUSED if that was a different match; RESPONSE_WITHHELD if it was
                another caller's; the errors of `Quotas.creating` if the caller may not create a
                match.
        """
        if await self._live.find(made.state.id) is not None:
            return await self._recorded_match(made, request)
        try:
            async with self._quotas.creating(call):
                await self._live.create(made)
            call.charge_events(len(made.events))
        except VersionConflict:
            return await self._recorded_match(made, request)
        return made.state

    async def _recorded_match(
        self, made: Changeset[AnyMatch], request: IdempotentRequest
    ) -> AnyMatch:
        live = await self._live.get(made.state.id)
        first = await recorded_request_at(self._live, live, 1)
        asked = requested_command(made.state, [each.event for each in made.events])
        request.check(first.request, first.version, first.command, asked)
        return (await replay_decision(self._live, live, first)).state
