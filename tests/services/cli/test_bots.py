"""Bots: they choose among what is legal, play to the end, and give up a match that has none."""

import asyncio
from random import Random

import pytest

from domain.registry import GAMES
from services.cli.bots import Chair, pick, play_to_the_end
from services.client import Client
from services.wire.emeth.v1.actions_pb2 import Action
from tests.services.conftest import begun, newest, standing

AGOG = GAMES["agog"]


def test_a_bot_resigns_only_if_nothing_else_can_be_done() -> None:
    resign, move = Action(notation="resign white"), Action(notation="a6-b6")
    chosen = {pick(AGOG, [resign, move], Random(seed)).notation for seed in range(20)}
    assert chosen == {"a6-b6"}
    assert pick(AGOG, [resign], Random(1)) == resign


@pytest.mark.parametrize("game", ["agog", "tokars-arcana"])
async def test_two_bots_play_a_match_until_it_has_a_result(client: Client, game: str) -> None:
    match = await begun(client, game)
    rules = GAMES[game]
    seats = [role for role in match.tokens if role not in ("referee", "spectator")]
    async with asyncio.timeout(60):
        await asyncio.gather(
            *(
                play_to_the_end(
                    client, Chair(rules, match.id, seat, match.tokens[seat]), Random(number), 60
                )
                for number, seat in enumerate(seats)
            )
        )
    ended = await standing(client, match)
    assert ended.HasField("result")
    assert await newest(client, match) <= 62


async def test_a_bot_gives_up_a_match_that_is_as_long_as_it_may_be(client: Client) -> None:
    match = await begun(client)
    chair = Chair(AGOG, match.id, "white", match.tokens["white"])
    await play_to_the_end(client, chair, Random(1), 1)
    result = (await standing(client, match)).result
    assert ([*result.winners], result.reason) == (["black"], "resign")
