"""Positions with tens of thousands of legal actions, as a referee may bring about: the loop that
plays goes through few of them, for every caller."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

import pytest

from services.api.legal_actions import MAX_INLINE_SKIP, MAX_PAGE_SIZE
from services.client import Client
from services.main import Service
from services.runtime.limits import Limits
from services.wire.emeth.v1 import play_pb2
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.services.conftest import STYLUS, GatewayConnection, GatewaySetup, advance, create_match

RULES = "/domain/games/"
CARD = "philosophers-stone"
RICHES = "9999e9999l9999c9999d9999g"


class Crowd(NamedTuple):
    shop: GatewaySetup
    seat: str
    """Who is to act, and may pay for the card in a hundred thousand ways."""


class Counted:
    """Functions of the rules that the loop has called."""

    calls = 0


@contextmanager
def in_the_loop() -> Iterator[Counted]:
    counted = Counted()

    def count(frame: FrameType, event: str, _: object) -> None:
        counted.calls += event == "call" and RULES in frame.f_code.co_filename

    sys.setprofile(count)  # of this thread alone, which has the loop of the service
    try:
        yield counted
    finally:
        sys.setprofile(None)


def facts(seat: str, position: str) -> list[dict[str, Any]] | None:
    """What has the seat have the card on its table, and much to pay with; None if it is not among
    its cards."""
    area = next(each for each in position.split(" ") if each.startswith(f"{seat}/")).split("/")
    hand, deck = area[4].split(","), area[5].split(",")
    drawn = deck[: deck.index(CARD) + 1] if CARD in deck else []
    if CARD not in (*hand, *drawn):
        return None
    draws = [{"type": "res-arcana.cards-drawn", "seat": seat, "cards": drawn}] if drawn else []
    return [
        *draws,
        {"type": "res-arcana.artifact-placed", "seat": seat, "card": CARD},
        {"type": "res-arcana.essences-gained", "seat": seat, "essences": RICHES},
    ]


@pytest.fixture
def limits() -> Limits:
    """Searches for a deal are not held back."""
    return Limits(address=0, new=0)


@pytest.fixture
async def crowd(service: Service, client: Client) -> Crowd:
    while True:  # until the card is dealt to who begins
        match = await create_match(client, "res-arcana", chance=CHANCE_ROLLED)
        referee = match.tokens["referee"]
        while (prompt := (await client.match(match.id)).prompts[0]).expected_action != "act":
            await advance(client, match, 1)
        stated = facts(prompt.seat, (await client.view(referee, match.id)).position)
        if stated is not None:
            break
    token = match.tokens[prompt.seat]
    dispute = (await client.create_dispute(token, match.id, 2, "let us see")).number
    facts_json = [*map(json.dumps, stated)]
    await client.resolve_dispute(
        referee, match.id, dispute, "so be it", correction={"facts_json": facts_json}
    )
    async with Client(service.address) as tables:
        key = (await tables.create_gateway(service.admin_key, name="Corner")).gateway_key
        await tables.pair_stylus(key, STYLUS, pin="0000")
        await tables.seat_stylus(key, STYLUS, match.id, [token])
    return Crowd(GatewaySetup(key, match.id, match.tokens), prompt.seat)


async def test_pages_far_into_a_list_are_not_made_in_the_loop(client: Client, crowd: Crowd) -> None:
    token, match = crowd.shop.tokens[crowd.seat], crowd.shop.match

    async def page(**wanted: Any) -> play_pb2.ListActionsResponse:
        request = play_pb2.ListActionsRequest(match_id=match, **wanted)
        return await client._call(client._play.ListActions, request, token)

    groups = (await page()).actions
    group = next(each.group for each in groups if each.group and CARD in each.cards)
    listed, place = list[str](), ""
    while len(listed) <= MAX_INLINE_SKIP:
        found = await page(group=group, page_size=MAX_PAGE_SIZE, page_token=place)
        listed += [each.notation for each in found.actions]
        place = found.next_page_token
    with in_the_loop() as counted:
        found = await page(group=group, page_size=1, page_token=place)
    assert found.actions[0].notation not in listed
    assert len({*listed}) == len(listed)
    assert counted.calls < MAX_INLINE_SKIP


async def test_orders_with_thousands_of_actions_are_not_made_in_the_loop(
    client: Client, crowd: Crowd
) -> None:
    token, match = crowd.shop.tokens[crowd.seat], crowd.shop.match
    request = play_pb2.ListActionsRequest(match_id=match, by_order=True)
    with in_the_loop() as counted:
        page = await client._call(client._play.ListActions, request, token)
    assert sum(len(order.actions) for order in page.orders) == MAX_PAGE_SIZE
    assert page.next_page_token
    assert counted.calls < 60_000  # most of them write the sentences of one page
    # A view leaves out what takes long.
    assert not (await client.view(token, match, mask=["turn"])).HasField("turn")


async def test_a_tap_that_opens_thousands_of_actions_is_not_worked_out_in_the_loop(
    service: Service, crowd: Crowd
) -> None:
    async with GatewayConnection(service, crowd.shop) as line:
        with in_the_loop() as counted:
            prompt = await line.tap(f"card {CARD}")
    assert prompt.selected == [f"card {CARD}"]
    assert prompt.page_count > 1000
    assert counted.calls < 20_000  # to know that there are many
