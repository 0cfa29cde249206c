"""A bot by the public API: it takes a seat, and plays it to the end."""

import asyncio
import json
from pathlib import Path

from click.testing import CliRunner

from services.bots.player import BotSeat, play_seat
from services.bots.process_pool import SearchPool
from services.cli.main import main
from services.client import Client
from services.main import Service
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import create_match, newest_version


async def pause() -> None:
    await asyncio.sleep(0.02)


async def test_two_bots_play_a_match_by_the_api(client: Client, service: Service) -> None:
    match = await create_match(client)
    pool = SearchPool(0)
    async with asyncio.timeout(100), Client(service.address, session=True) as session:
        seats = [
            BotSeat(match.id, seat, match.tokens[seat], "beginner") for seat in ("white", "black")
        ]
        await asyncio.gather(*(play_seat(session, each, pool, longest=5) for each in seats))
    await pool.close()
    ended = await client.match(match.id, await newest_version(client, match))
    assert ended.HasField("result")


async def test_the_command_takes_a_seat_which_shows_that_it_is_a_bot(
    client: Client, service: Service, tmp_path: Path
) -> None:
    match = await create_match(client)
    offered = {
        "match": match.id,
        "seat": "black",
        "token": match.tokens["black"],
        "level": "beginner",
    }
    words = ["bot", "--address", service.address, "--serve", "--seconds", "2"]
    environment = {"EMETH_CONFIG": str(tmp_path / "config")}
    run = asyncio.create_task(
        asyncio.to_thread(
            CliRunner().invoke, main, words, input=json.dumps(offered) + "\n", env=environment
        )
    )
    async with asyncio.timeout(60):
        while not [seat for seat in (await client.match(match.id)).seats if seat.bot]:
            await pause()
        seats = {seat.name: seat.bot for seat in (await client.match(match.id)).seats}
        assert seats == {"white": "", "black": "beginner"}
        await client.submit(match.tokens["white"], match.id, "a6-b6")
        while len(await client.list_events(match.tokens["referee"], match.id)) < 4:
            await pause()
        await client.submit_action(match.tokens["white"], match.id, resignation=True)
        result = await run
    assert result.exit_code == 0, result.output


async def test_the_command_plays_again_when_its_opponent_asks_for_a_rematch(
    client: Client, service: Service, tmp_path: Path
) -> None:
    created = await client.create_match(
        game="agog", own_seat=pb.OwnSeat(seat="white", player="Ada")
    )
    first, white = created.match.match_id, created.tokens["white"]
    words = [
        *("bot", "--address", service.address, "--level", "beginner", "--rematch", "10"),
        *("--match", first, "--token", created.tokens["black"]),
    ]
    environment = {"EMETH_CONFIG": str(tmp_path / "config")}
    run = asyncio.create_task(asyncio.to_thread(CliRunner().invoke, main, words, env=environment))
    async with asyncio.timeout(100):
        while not [seat for seat in (await client.match(first)).seats if seat.bot]:
            await pause()
        await client.submit_action(white, first, resignation=True)
        again = (await client.create_proposal(white, first, rematch={})).rematch_seat
        second, black = again.match_id, again.token
        assert again.seat == "black"
        # It takes the other seat, shows that it is a bot, and has the first move.
        while [prompt.seat for prompt in (await client.match(second)).prompts] != ["black"]:
            await pause()
        held = {seat.name: (seat.player, seat.bot) for seat in (await client.match(second)).seats}
        assert held == {"white": ("Bot (beginner)", "beginner"), "black": ("Ada", "")}
        await client.submit_action(black, second, resignation=True)
        result = await run
    assert result.exit_code == 0, result.output
    assert result.output.count("has played to the end") == 2
