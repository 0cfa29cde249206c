"""Forks: matches that start from a version of another."""

from typing import Final
from uuid import UUID

from msgspec.structs import replace

from domain.match import MAX_NAME_LENGTH, AnyMatch, ForkPoint, MatchSetup, Terms, create
from services.accounts.context import RequestContext, can_fork, require_role
from services.accounts.tokens import TokenIssuer
from services.api.idempotency import caller_identity
from services.api.new_matches import NewMatches
from services.api.requests import parse_name, parse_uuid
from services.mapping import match_messages
from services.runtime.errors import ApiError, Reason, version_out_of_range
from services.store.errors import MatchUnknown
from services.store.match_cache import MatchCache
from services.wire.emeth.v1 import matches_pb2 as pb

MAX_ORIGINS: Final = 100
"""Matches of which each was forked of the next one, that are looked at for whether they go on."""


class Forks:
    """Makes matches of others."""

    def __init__(
        self, live: MatchCache, token_issuer: TokenIssuer, new_matches: NewMatches
    ) -> None:
        self._live = live
        self._token_issuer = token_issuer
        self._new_matches = new_matches

    async def fork_match(
        self, call: RequestContext, request: pb.ForkMatchRequest
    ) -> pb.ForkMatchResponse:
        """Start a match from a version of another."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        title = parse_name("title", request.title, MAX_NAME_LENGTH)
        live = await self._live.get(identity)
        origin = live.state
        _require_fork_permission(origin, require_role(origin, call))
        beginning = self._new_matches.begin(
            request_id, origin.rules, origin.options, caller=caller_identity(call)
        )
        version = request.version or await self._forked_before(beginning.identity, identity)
        version = version or origin.version
        if version > origin.version:
            raise version_out_of_range(identity, origin.version, version)
        stood = await self._live.at(live, version)
        made = create(
            MatchSetup(
                origin.rules,
                origin.options,
                title or (origin.title if origin.terms.visibility == "public" else ""),
                terms=fork_terms(origin.terms, ForkPoint(identity, version), call.frontend),
                start=origin.rules.write_position(stood.position),
            ),
            beginning.identity,
            beginning.invitations,
            beginning.command_context,
            seeds=self._token_issuer.seeds(beginning.identity),
        )
        match = await self._new_matches.keep(call, made, beginning.request)
        return pb.ForkMatchResponse(
            match=match_messages.match(match, match.created), tokens=beginning.tokens
        )

    async def _forked_before(self, made: UUID, origin: UUID) -> int:
        """The version from which this request has forked this match already; 0 for a new one."""
        try:
            found = (await self._live.get(made)).state.terms.origin
        except MatchUnknown:
            return 0
        return found.version if found and found.match == origin else 0


async def check_origins_over(live: MatchCache, match: AnyMatch) -> None:
    """HELP_FORBIDDEN for a fork while the match that it was made of goes on, or one that this was
    made of: help with a fork would be help with that.

    An origin that is not in this log, as of a match that was taken in from another service, does
    not count.
    """
    for _ in range(MAX_ORIGINS):
        if match.terms.origin is None:
            return
        try:
            match = (await live.get(match.terms.origin.match)).state
        except MatchUnknown:
            return
        if match.result is None:
            raise ApiError(
                Reason.HELP_FORBIDDEN,
                "the match was forked of one that goes on: nobody is helped before its end",
            )
    raise ApiError(
        Reason.HELP_FORBIDDEN, f"the match is a fork of a fork, more than {MAX_ORIGINS} times"
    )


def fork_terms(terms: Terms, origin: ForkPoint, frontend: UUID | None = None) -> Terms:
    """A fork is for whoever makes it, who has all its tokens: it begins at once, and who tries what
    might have been has all the time for it."""
    usual = Terms()
    return replace(
        terms,
        origin=origin,
        begins=usual.begins,
        referee=usual.referee,
        admission=usual.admission,
        seat_order=usual.seat_order,
        rematch=None,
        players_only=False,
        frontend=frontend,
        clock=None,
        seat_clocks={},
        waiting_seconds=0,
        shared=False,
    )


def _require_fork_permission(match: AnyMatch, role: str) -> None:
    if can_fork(match, role):
        return
    if role not in match.seats:
        raise ApiError(Reason.ROLE_NOT_ALLOWED, "to fork a match takes a seat's token", role=role)
    raise ApiError(
        Reason.ROLE_NOT_ALLOWED,
        "a fork shows all that is hidden: only the referee may make one, even after the end",
        role=role,
    )
