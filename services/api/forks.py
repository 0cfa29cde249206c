"""Forks: new matches that start from a version of another match."""

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
"""Maximum length of a chain of forks that is searched for a match in progress."""


class Forks:
    """Creates forks of matches."""

    def __init__(
        self, live: MatchCache, token_issuer: TokenIssuer, new_matches: NewMatches
    ) -> None:
        self._live = live
        self._token_issuer = token_issuer
        self._new_matches = new_matches

    async def fork_match(
        self, call: RequestContext, request: pb.ForkMatchRequest
    ) -> pb.ForkMatchResponse:
        """Create a match that starts from a version of another."""
        identity = parse_uuid(request.match_id)
        request_id = request.request_id.lower()
        title = parse_name("title", request.title, MAX_NAME_LENGTH)
        live = await self._live.get(identity)
        origin = live.state
        _require_fork_permission(origin, require_role(origin, call))
        beginning = self._new_matches.begin(
            request_id, origin.rules, origin.options, caller=caller_identity(call)
        )
        version = request.version or await self._is_recorded(beginning.identity, identity)
        version = version or origin.version
        if version > origin.version:
            raise version_out_of_range(identity, origin.version, version)
        origin_state = await self._live.at(live, version)
        made = create(
            MatchSetup(
                origin.rules,
                origin.options,
                title or (origin.title if origin.terms.visibility == "public" else ""),
                terms=fork_terms(origin.terms, ForkPoint(identity, version), call.frontend),
                start=origin.rules.write_position(origin_state.position),
            ),
            beginning.identity,
            beginning.invitations,
            beginning.command_context,
            seeds=self._token_issuer.seeds(beginning.identity),
        )
        match = await self._new_matches.record(call, made, beginning.request)
        return pb.ForkMatchResponse(
            match=match_messages.match(match, match.created), tokens=beginning.tokens
        )

    async def _is_recorded(self, made: UUID, origin: UUID) -> int:
        """Return the version from which this request made a fork before; 0 if it made none."""
        try:
            found = (await self._live.get(made)).state.terms.origin
        except MatchUnknown:
            return 0
        return found.version if found and found.match == origin else 0


async def check_origins_over(live: MatchCache, match: AnyMatch) -> None:
    """Raise HELP_FORBIDDEN if a match that this one was forked from is still in progress.

    Help with the fork would be help with its origin. Origins that are not in this log, such as
    those of imported matches, are ignored.
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
                "the match is a fork of one in progress, and help would reveal it: wait for the"
                " end of that match",
            )
    raise ApiError(
        Reason.HELP_FORBIDDEN,
        f"the match has more than {MAX_ORIGINS} origins (forks of forks), too many to check"
        " whether all are over",
    )


def fork_terms(terms: Terms, origin: ForkPoint, frontend: UUID | None = None) -> Terms:
    """Return the terms of a fork.

    Its creator has all seats. So it starts at once, without clocks and without other players.
    """
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
        raise ApiError(
            Reason.ROLE_NOT_ALLOWED,
            "forking a match needs the token of a seat or the referee",
            role=role,
        )
    raise ApiError(
        Reason.ROLE_NOT_ALLOWED,
        "a fork reveals all hidden information, so it needs the referee's token, even after the"
        " end",
        role=role,
    )
