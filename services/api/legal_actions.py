"""Lists of the legal actions of a seat: one by one, in the game's groups, or by order."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any, Final

from domain.kernel.any_game import action_outline
from domain.kernel.orders import Order, list_orders
from domain.match import AnyMatch, visible_match
from services.accounts.context import RequestContext, listed_seat, require_role
from services.api.background_work import BackgroundWork
from services.api.filters import parse_values, text_field
from services.api.requests import PageTokens, check_expected, page_size, parse_uuid
from services.mapping import messages
from services.store.match_cache import CachedMatch, MatchCache
from services.wire.emeth.v1 import actions_pb2
from services.wire.emeth.v1 import play_pb2 as pb

DEFAULT_PAGE_SIZE: Final = 100
MAX_PAGE_SIZE: Final = 500
MAX_INLINE_SKIP: Final = 2000
"""Number of actions that are skipped on the event loop. More are skipped in the background."""
FIELDS: Final = {"verb": text_field()}
"""Fields by which actions can be filtered."""
MAX_INLINE_ORDER_STEPS: Final = 20
"""Number of steps of `list_orders` on the event loop, at most 5 ms. More run in the background."""
SKIP_STEP: Final = 500
"""Number of actions that are skipped at once."""


class LegalActions:
    """Lists of the legal actions of seats, in pages."""

    def __init__(self, live: MatchCache, pages: PageTokens, work: BackgroundWork) -> None:
        self._live = live
        self._pages = pages
        self._work = work

    async def list_actions(
        self, call: RequestContext, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """Return a page of the legal actions of a seat."""
        identity = parse_uuid(request.match_id)
        live = await self._live.get(identity)
        match = live.state
        seat = listed_seat(match, require_role(match, call, request.seat), request.seat)
        match = visible_match(match, seat)
        begin = wanted = 0
        if request.page_token:
            begin = await self._place(live, match, request.page_token, _query(match, seat, request))
        if request.group:
            wanted = await self._place(live, match, request.group, (identity, seat, "group"))
        if request.by_order:
            return self._order_page(match, seat, request, begin, await self.orders(match, seat))
        steps = self._actions_from(match, seat, request, begin, wanted)
        found = await self._work.collect(steps) if begin > MAX_INLINE_SKIP else steps
        return self._page(match, seat, request, begin, found)

    async def orders(self, match: AnyMatch, seat: str) -> tuple[Order[Any], ...]:
        """Return the orders of a seat; without any while the match takes no action.

        The match must be reduced to what the seat may know. Many actions are examined in the
        background.
        """
        steps = _order_steps(match, seat)
        found = [*islice(steps, MAX_INLINE_ORDER_STEPS)]
        if len(found) == MAX_INLINE_ORDER_STEPS:
            found += await self._work.collect(steps)
        return tuple(order for order in found if order is not None)

    def turn(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse | None:
        """Return the first page of the orders of a seat, or None if that takes long.

        The match must be reduced to what the seat may know.
        """
        found = [*islice(_order_steps(match, seat), MAX_INLINE_ORDER_STEPS)]
        if len(found) == MAX_INLINE_ORDER_STEPS:
            return None
        orders = tuple(order for order in found if order is not None)
        return self._order_page(match, seat, request, 0, orders)

    def _order_page(
        self,
        match: AnyMatch,
        seat: str,
        request: pb.ListActionsRequest,
        begin: int,
        orders: tuple[Order[Any], ...],
    ) -> pb.ListActionsResponse:
        """Return a page of orders. A refused order counts as one action."""
        size = page_size(request.page_size, MAX_PAGE_SIZE, MAX_PAGE_SIZE)
        verb: str = parse_values(request.filter, FIELDS).get("verb", "")
        listed = [
            (order, action)
            for order in orders
            if not verb or order.verb == verb
            for action in (order.actions or (None,))
        ]
        response = pb.ListActionsResponse(
            version=match.version, prompts=messages.prompts(match.prompts)
        )
        page = listed[begin : begin + size]
        for _, entries in groupby(page, key=lambda entry: id(entry[0])):
            found = [*entries]
            actions = [action for _, action in found if action is not None]
            response.orders.append(messages.order(match, found[0][0], actions))
        if len(listed) > begin + size:
            response.next_page_token = self._next_page(match, seat, request, begin + size)
        return response

    def page(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest
    ) -> pb.ListActionsResponse:
        """Return the first page of the legal actions of a seat.

        The match must be reduced to what the seat may know.
        """
        return self._page(match, seat, request, 0, self._actions_from(match, seat, request, 0, 0))

    def _page(
        self,
        match: AnyMatch,
        seat: str,
        request: pb.ListActionsRequest,
        begin: int,
        found: Iterable[actions_pb2.Action | None],
    ) -> pb.ListActionsResponse:
        size = _requested_page_size(request)
        page = [each for each in found if each is not None]
        response = pb.ListActionsResponse(
            version=match.version,
            actions=page[:size],
            prompts=messages.prompts(match.prompts),
        )
        if len(page) > size:
            response.next_page_token = self._next_page(match, seat, request, begin + size)
        return response

    def _next_page(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest, begin: int
    ) -> str:
        """Return the token of the page that begins at this index."""
        return self._pages.write(f"{match.version}-{begin}", *_query(match, seat, request))

    def _actions_from(
        self, match: AnyMatch, seat: str, request: pb.ListActionsRequest, begin: int, wanted: int
    ) -> Iterator[actions_pb2.Action | None]:
        """Yield the legal actions of a page, and one more if there is one.

        None is yielded after each batch of skipped actions, so that the caller can pause. `wanted`
        is the index of the requested group.
        """
        if match.result is not None or match.pause is not None or match.waiting:
            return
        game, position, limit = match.rules, match.position, _requested_page_size(request) + 1
        verb: str = parse_values(request.filter, FIELDS).get("verb", "")
        if game.groups is not None and not request.group:
            yield from islice(self._groups(match, seat, verb), begin, begin + limit)
            return
        if game.groups is not None:
            legal = next(islice(game.groups(position, seat), wanted, None)).actions()
        else:
            legal = iter(game.legal(position, seat))
            if verb:
                legal = (
                    each for each in legal if action_outline(game, position, each).verb == verb
                )
        for passed in range(0, begin, SKIP_STEP):
            deque(islice(legal, min(SKIP_STEP, begin - passed)), maxlen=0)
            yield None
        yield from messages.legal_actions(match, islice(legal, limit))

    def _groups(self, match: AnyMatch, seat: str, verb: str) -> Iterator[actions_pb2.Action]:
        """Yield the groups of a seat's legal actions, and actions that are in none."""
        assert match.rules.groups is not None
        query = (match.id, seat, "group")
        for place, group in enumerate(match.rules.groups(match.position, seat)):
            if verb and group.parts.verb != verb:
                continue
            if next(islice(group.actions(), 1, None), None) is None:
                yield from messages.legal_actions(match, (group.first,))
            else:
                token = self._pages.write(f"{match.version}-{place}", *query)
                yield messages.action_group(match, group, token)

    async def _place(
        self, live: CachedMatch, match: AnyMatch, token: str, query: tuple[Any, ...]
    ) -> int:
        """Return the index in a page token of this query, which starts with match and seat.

        A token stays valid as long as the seat has the same legal actions.
        """
        _, seat, *_ = query
        version, _, place = self._pages.read(token, *query).partition("-")
        await check_expected(self._live, live, match, int(version), seat)
        return int(place)


def _order_steps(match: AnyMatch, seat: str) -> Iterator[Order[Any] | None]:
    """Return the steps of `list_orders`; none while the match takes no action of the seat."""
    is_paused = match.result is not None or match.pause is not None or match.waiting
    if is_paused or not any(prompt.seat == seat for prompt in match.prompts):
        return iter(())
    return list_orders(match.rules, match.position, seat)


def _query(match: AnyMatch, seat: str, request: pb.ListActionsRequest) -> tuple[Any, ...]:
    """Return what the page tokens of a request are bound to."""
    return match.id, seat, request.filter, request.group, request.by_order


def _requested_page_size(request: pb.ListActionsRequest) -> int:
    return page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
