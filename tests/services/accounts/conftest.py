"""Frontends and their players on a real service."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from services.client import Client
from services.main import Service
from services.wire.emeth.v1 import frontends_pb2 as pb
from services.wire.emeth.v1 import matches_pb2

EVERY_RIGHT = (
    pb.FRONTEND_RIGHT_CREATE,
    pb.FRONTEND_RIGHT_REFEREE,
    pb.FRONTEND_RIGHT_READ_PUBLIC,
)


@pytest.fixture(autouse=True)
def _patient() -> Iterator[None]:
    """Lists and counts wait for the read models however slow the machine is, not for a moment."""
    with (
        patch("services.store.read_models.SHORT_PATIENCE_SECONDS", 30.0),
        patch("services.store.read_models.INDEXING_SECONDS", 30.0),
    ):
        yield


class KnownPlayer(NamedTuple):
    """A player, and the token."""

    id: str
    token: str


class Site:
    """A frontend, with a client that shows its key."""

    def __init__(self, id: str, key: str, client: Client) -> None:  # noqa: A002
        self.id = id
        self.key = key
        self.client = client
        self.secrets: dict[str, str] = {}
        """Of the webhooks that were made last, by their ids."""

    async def introduce(self, external: str, name: str, **more: Any) -> KnownPlayer:
        made = await self.client.update_player(
            player={"external_id": external, "name": name}, allow_missing=True, **more
        )
        return KnownPlayer(made.player.player_id, made.token)

    async def post_to(self, *urls: str, **terms: Any) -> list[pb.Webhook]:
        """Have webhooks with these URLs, and no others."""
        hooks = [pb.Webhook(url=url, **terms) for url in urls]
        made = await self.client.update_frontend(
            frontend=pb.Frontend(webhooks=hooks), update_mask=["webhooks"]
        )
        self.secrets = dict(made.webhook_secrets)
        return list(made.frontend.webhooks)

    async def webhooks(self) -> list[pb.Webhook]:
        """The webhooks as they stand."""
        return list((await self.client.get_frontend()).webhooks)

    async def match(self, *seated: KnownPlayer, **terms: Any) -> tuple[str, dict[str, str]]:
        """A match of A.G.O.G. with these players as white and black; its tokens."""
        created = await self.client.create_match(game="agog", **terms)
        identity, tokens = created.match.match_id, dict(created.tokens)
        for seat, player in zip(("white", "black"), seated, strict=False):
            await self.client.join_match(player.token, identity, seat, invite_code=tokens[seat])
        return identity, tokens


async def open_site(service: Service, name: str = "A site", **more: Any) -> Site:
    async with Client(service.address) as operator:
        frontend = {"name": name, "rights": EVERY_RIGHT, **more}
        made = await operator.create_frontend(service.admin_key, frontend)
    client = Client(service.address, name="site/1", frontend_key=made.key)
    return Site(made.frontend.frontend_id, made.key, client)


@pytest.fixture
async def site(service: Service) -> AsyncIterator[Site]:
    opened = await open_site(service)
    async with opened.client:
        yield opened


@pytest.fixture
async def other_site(service: Service) -> AsyncIterator[Site]:
    opened = await open_site(service, "Another site")
    async with opened.client:
        yield opened


async def resign(site: Site, player: KnownPlayer, match: str) -> None:
    answer = await site.client.submit_action(player.token, match, resignation=True)
    assert answer.HasField("accepted")


PUBLIC = matches_pb2.VISIBILITY_PUBLIC
