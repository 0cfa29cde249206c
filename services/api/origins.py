"""Privacy of the matches that others were made of, by forks and rematches.

A public match may be made of a private one, whose ID only callers with a right to it may know. The
read models leave such IDs out (`board_views.py`). Here they are included for callers that may know
them.
"""

from uuid import UUID

from msgspec.structs import replace

from domain.match import AnyMatch
from projections.queries.match_list import PUBLIC_AUDIENCES, audience_of
from services.accounts.context import RequestContext, can_manage, find_role
from services.store.match_cache import MatchCache


async def hide_unknown_origins(
    live: MatchCache, match: AnyMatch, call: RequestContext, *, everything: bool = False
) -> AnyMatch:
    """Return a match without the origins that the caller may not know.

    The operator, with `everything`, may know all.
    """
    terms = match.terms
    if everything or (terms.origin is None and terms.rematch is None):
        return match
    origin, rematch = terms.origin, terms.rematch
    if origin is not None and not await _can_know_match(live, origin.match, call):
        origin = None
    if rematch is not None and not await _can_know_match(live, rematch, call):
        rematch = None
    return replace(match, terms=replace(terms, origin=origin, rematch=rematch))


async def _can_know_match(live: MatchCache, identity: UUID, call: RequestContext) -> bool:
    """Return whether the caller may know the ID of a match.

    It may if the match is listed publicly, or if the caller has a role in it or manages it. The ID
    of an unlisted match is itself the right to see it.
    """
    found = await live.find(identity)
    if found is None:
        return False
    match = found.state
    if audience_of(match) in PUBLIC_AUDIENCES:
        return True
    shows = bool(call.token or call.has_only_frontend_key)
    return (shows and find_role(match, call) is not None) or can_manage(match, call)
