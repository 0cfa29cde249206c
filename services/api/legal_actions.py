"""What a seat may do now, page by page: action by action, or in groups where the game has these."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from domain.kernel.game import outlined
from domain.match import AnyMatch, known
from services import messages
from services.api.requests import PageTokens, check_expected, identifier, page_size
from services.callers import Call, listed_seat, role_in
from services.store.live_matches import LiveMatch, LiveMatches
from services.wire.emeth.v1 import actions_pb2
from services.wire.emeth.v1 import play_pb2 as pb

USUAL_PAGE: Final = 100
LARGEST_PAGE: Final = 500


class LegalActions:
    """Lists what seats may do."""

    def __init__(self, live: LiveMatches, pages: PageTokens) -> None:
        self._live = live
        self._pages = pages

    async def list_actions(
        self, call: Call, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """One page of what a seat may do now."""
        identity = identifier("match_id", request.match_id)
        live = await self._live.get(identity)
        match = live.state
        seat = listed_seat(match, role_in(match, call, request.seat), request.seat)
        match = known(match, seat)
        begin = wanted = 0
        if request.page_token:
            query = (identity, seat, request.verb, request.group)
            begin = await self._place(live, match, request.page_token, query)
        if request.group:
            wanted = await self._place(live, match, request.group, (identity, seat, "group"))
        return self.page(match, seat, request, begin, wanted)

    def page(
        self,
        match: AnyMatch,
        seat: str,
        request: pb.ListActionsRequest,
        begin: int = 0,
        wanted: int = 0,
    ) -> pb.ListActionsResponse:
        """One page of what a seat may do in a match of which it is `known` what it may know: from
        the place on where it begins, of the group of this place if one is asked for."""
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = (match.id, seat, request.verb, request.group)
        page = list(islice(self._listed(match, seat, request, wanted), begin, begin + size + 1))
        response = pb.ListActionsResponse(
            version=match.version,
            actions=page[:size],
            asks=messages.asks(match.asks),
        )
        if len(page) > size:
            response.next_page_token = self._pages.write(f"{match.version}-{begin + size}", *query)
        return response

    def _listed(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest, wanted: int
    ) -> Iterator[actions_pb2.Action]:
        """The legal actions that were asked for: singly, or in groups where the game has these.
        `wanted` is the place of the group, if one was asked for."""
        game, position = match.rules, match.position
        if match.result is not None or match.pause is not None or match.waiting:
            return
        if game.groups is None:
            legal = game.legal(position, seat)
            if request.verb:
                legal = (
                    each for each in legal if outlined(game, position, each).verb == request.verb
                )
            yield from messages.legal_actions(match, legal)
            return
        query = (match.id, seat, "group")
        if request.group:
            group = next(islice(game.groups(position, seat), wanted, None))
            yield from messages.legal_actions(match, group.actions())
            return
        for place, group in enumerate(game.groups(position, seat)):
            if request.verb and group.parts.verb != request.verb:
                continue
            if next(islice(group.actions(), 1, None), None) is None:
                yield from messages.legal_actions(match, (group.first,))
            else:
                token = self._pages.write(f"{match.version}-{place}", *query)
                yield messages.action_group(match, group, token)

    async def _place(
        self, live: LiveMatch, match: AnyMatch, token: str, query: tuple[Any, ...]
    ) -> int:
        """The place in a token of this query, which begins with the match and the seat: it is good
        as long as the seat may do the same."""
        _, seat, *_ = query
        version, _, place = self._pages.read(token, *query).partition("-")
        await check_expected(self._live, live, match, int(version), seat)
        return int(place)
