"""A quota is shared: no player, viewer, match or stranger uses up what is another's."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

import pytest

from services.accounts import quotas
from services.main import Service
from services.wire.emeth.v1 import frontends_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import VISIBILITY_PUBLIC
from tests.services.accounts.conftest import KnownPlayer, Site, open_site
from tests.services.conftest import refusal

EXCEEDED = "QUOTA_EXCEEDED"


@pytest.fixture(autouse=True)
def _shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small quotas are shared too."""
    monkeypatch.setattr(quotas, "MIN_SHARED_QUOTA", 1)


class Shop(NamedTuple):
    """A site with two players in one match, and two others in another."""

    site: Site
    ada: KnownPlayer
    bob: KnownPlayer
    eve: KnownPlayer
    match: str
    other: str


@pytest.fixture
async def shop(service: Service) -> AsyncIterator[Shop]:
    """Four actions a minute, three of one match; four streams, two of one viewer."""
    site = await open_site(service, quotas=pb.FrontendQuotas(actions_per_minute=4, watchers=4))
    async with site.client:
        ada, bob, eve = [await site.introduce(str(n), name) for n, name in enumerate("ABE")]
        match, _ = await site.match(ada, bob, visibility=VISIBILITY_PUBLIC)
        other, _ = await site.match(eve, bob, visibility=VISIBILITY_PUBLIC)
        yield Shop(site, ada, bob, eve, match, other)


async def _refused_actions(shop: Shop) -> None:
    for _ in range(9):
        answer = await shop.site.client.submit(shop.ada.token, shop.match, "a6-a1")
        assert answer.HasField("refused")


async def _strangers_actions(shop: Shop) -> None:
    for _ in range(9):
        call = shop.site.client.submit(shop.eve.token, shop.match, "a6-b6")
        assert await refusal(call) == "TOKEN_WRONG_MATCH"


async def _previews(shop: Shop) -> None:
    for _ in range(9):
        await shop.site.client.submit(shop.ada.token, shop.match, "a6-b6", validate_only=True)


async def _repetitions(shop: Shop) -> None:
    request = "00000000-0000-4000-8000-000000000001"
    for _ in range(9):
        await shop.site.client.submit(shop.eve.token, shop.other, "a6-b6", request_id=request)


NOTHING_USED: dict[str, Callable[[Shop], Awaitable[None]]] = {
    "actions that a rule refuses": _refused_actions,
    "actions of who has no seat": _strangers_actions,
    "previews": _previews,
    "repetitions, of another player's one action": _repetitions,
}


@pytest.mark.parametrize("deed", NOTHING_USED)
async def test_what_is_not_recorded_uses_up_no_quota(shop: Shop, deed: str) -> None:
    await NOTHING_USED[deed](shop)
    for player, action in ((shop.ada, "a6-b6"), (shop.bob, "h3-g3"), (shop.ada, "b6-c6")):
        answer = await shop.site.client.submit(player.token, shop.match, action)
        assert answer.HasField("accepted")


async def test_one_match_has_a_part_of_the_actions(shop: Shop) -> None:
    client = shop.site.client
    await client.submit(shop.ada.token, shop.match, "a6-b6")
    await client.submit(shop.bob.token, shop.match, "h3-g3")
    await client.submit(shop.ada.token, shop.match, "b6-c6")
    assert await refusal(client.submit(shop.bob.token, shop.match, "g3-g2")) == EXCEEDED
    # The other match has the last one of the frontend's.
    assert (await client.submit(shop.eve.token, shop.other, "a6-b6")).HasField("accepted")
    assert await refusal(client.submit(shop.bob.token, shop.other, "h3-g3")) == EXCEEDED


async def test_one_viewer_has_a_part_of_the_streams(shop: Shop) -> None:
    client = shop.site.client
    watching = [client.watch(shop.bob.token, match) for match in (shop.match, shop.other)]
    for each in watching:
        await anext(each)
    assert await refusal(anext(client.watch(shop.bob.token, shop.other))) == EXCEEDED
    ada = client.watch(shop.ada.token, shop.match)
    await anext(ada)
    for each in (ada, *watching):
        await each.aclose()
