"""What a seat may do now, page by page: action by action, or in groups where the game has these."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from domain.match import AnyMatch, known
from services import messages
from services.api.requests import PageTokens, check_version, identifier, page_size
from services.callers import Call, listed_seat, role_in
from services.store.live_matches import LiveMatches
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
        match = (await self._live.get(identity)).state
        seat = listed_seat(match, role_in(match, call, request.seat), request.seat)
        return self.page(known(match, seat), seat, request)

    def page(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """One page of what a seat may do in a match of which it is `known` what it may know."""
        size = page_size(request.page_size, USUAL_PAGE, LARGEST_PAGE)
        query = (match.id, seat, request.verb, request.group)
        begin = self._place(match, request.page_token, query) if request.page_token else 0
        page = list(islice(self._listed(match, seat, request), begin, begin + size + 1))
        response = pb.ListActionsResponse(
            version=match.version,
            actions=page[:size],
            asks=messages.asks(match.asks),
        )
        if len(page) > size:
            response.next_page_token = self._pages.write(f"{match.version}-{begin + size}", *query)
        return response

    def _listed(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest
    ) -> Iterator[actions_pb2.Action]:
        """The legal actions that were asked for: singly, or in groups where the game has these."""
        game, position = match.rules, match.position
        if match.result is not None or match.pause is not None:
            return
        if game.groups is None:
            legal = game.legal(position, seat)
            if request.verb:
                legal = (each for each in legal if game.parts(position, each).verb == request.verb)
            yield from messages.legal_actions(match, legal)
            return
        query = ("group", match.id, seat)
        if request.group:
            wanted = self._place(match, request.group, query)
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

    def _place(self, match: AnyMatch, token: str, query: tuple[object, ...]) -> int:
        """The place in a token that is good for one version of the match."""
        version, _, place = self._pages.read(token, *query).partition("-")
        check_version(match, int(version))
        return int(place)
