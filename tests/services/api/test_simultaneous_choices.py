"""Simultaneous choices: no seat is refused as stale because another has chosen.

A list of actions stays valid as long as its seat may do the same."""

import asyncio
from collections import Counter
from random import Random

import pytest

from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2, play_pb2

SEATS = ("north", "east", "south", "west")
ACTIONS = 40
"""Actions that are taken in the match."""


class Bot:
    """Lists what its seat may do, thinks, and takes one of these at the version it was shown."""

    def __init__(self, client: Client, match: str, token: str, seed: int) -> None:
        self.client, self.match, self.token = client, match, token
        self.random = Random(seed)

    async def shown(self) -> play_pb2.ListActionsResponse:
        request = play_pb2.ListActionsRequest(match_id=self.match, page_size=100)
        return await self.client._call(self.client._play.ListActions, request, self.token)

    async def play(self, counts: Counter[str]) -> None:
        for _ in range(300):
            if counts["taken"] >= ACTIONS:
                return
            page = await self.shown()
            await asyncio.sleep(self.random.random() / 100)
            real = [each.notation for each in page.actions]
            if not real:
                continue
            action = self.random.choice(real)
            try:
                await self.client.submit(
                    self.token, self.match, action, expected_version=page.version
                )
                counts["taken"] += 1
            except ServiceError as error:
                counts[error.reason] += 1
                again = await self.shown()
                same = [*again.actions] == [*page.actions] and again.actions
                counts["spurious" if same else "stale"] += 1


async def played(client: Client) -> Counter[str]:
    made = await client.create_match(
        game="res-arcana", options={"players": 4}, chance=matches_pb2.CHANCE_ROLLED
    )
    counts: Counter[str] = Counter()
    bots = [
        Bot(client, made.match.match_id, made.tokens[seat], seed) for seed, seat in enumerate(SEATS)
    ]
    await asyncio.gather(*(bot.play(counts) for bot in bots))
    return counts


async def test_nobody_is_stale_because_another_has_chosen(client: Client) -> None:
    counts = await played(client)
    assert counts["taken"] >= ACTIONS
    assert counts["spurious"] == 0
    assert counts.keys() <= {"taken", "stale", "VERSION_STALE"}


async def test_a_list_and_its_pages_hold_while_another_chooses(client: Client) -> None:
    made = await client.create_match(
        game="res-arcana", options={"players": 4}, chance=matches_pb2.CHANCE_ROLLED
    )
    match, tokens = made.match.match_id, made.tokens

    async def page(seat: str, token: str = "") -> play_pb2.ListActionsResponse:
        request = play_pb2.ListActionsRequest(match_id=match, page_size=1, page_token=token)
        return await client._call(client._play.ListActions, request, tokens[seat])

    asked = [prompt.seat for prompt in made.match.prompts]
    assert len(asked) > 1, "the mages are chosen at the same time"
    first, other = asked[:2]
    shown = await page(first)
    chosen = (await page(other)).actions[0].notation
    assert (await client.submit(tokens[other], match, chosen)).HasField("accepted")
    following = await page(first, shown.next_page_token)
    assert following.version > shown.version
    assert following.actions[0] != shown.actions[0]
    taken = await client.submit(
        tokens[first], match, shown.actions[0].notation, expected_version=shown.version
    )
    assert taken.HasField("accepted")
    again = client.submit(
        tokens[first], match, shown.actions[0].notation, expected_version=shown.version
    )
    with pytest.raises(ServiceError) as stale:
        await again
    assert stale.value.reason == "VERSION_STALE"
