"""When a match is over, a bot of the service tells why it did what it did, and not before."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli.main import main
from services.client import Client
from services.server import Service
from services.settings import Settings
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1.analysis_pb2 import ExplainChoicesResponse
from tests.services.conftest import refusal

LONG = 100.0
"""Seconds that a test waits for what comes at once on a quick machine."""


@pytest.fixture
def settings(tmp_path: Path, store: str) -> Settings:
    return Settings(data=str(tmp_path / "data"), store=store, listen="127.0.0.1:0", bots="1")


async def explained(
    client: Client, token: str, match: str, version: int = 0, seat: str = ""
) -> list[ExplainChoicesResponse]:
    found = client.explain_choices(token, match, version=version, seat=seat)
    async with asyncio.timeout(LONG), aclosing(found) as choices:
        return [each async for each in choices]


async def done_by(client: Client, token: str, match: str, seat: str, least: int) -> dict[int, str]:
    """The actions of a seat, once there are so many, by version."""
    found: dict[int, str] = {}
    async with asyncio.timeout(LONG):
        async for watched in client.watch(token, match):
            event = watched.event
            if event.kind == "match.ActionTaken" and event.seat == seat:
                found[event.version] = event.action.notation
                if len(found) == least:
                    break
    return found


async def test_a_bot_tells_what_it_thought_of_each_action_once_the_match_is_over(
    client: Client, service: Service
) -> None:
    created = await client.create_match("agog", bots={"black": "beginner"})
    match, white = created.match.match_id, created.tokens["white"]
    own = await client.submit(white, match, "a6-b6")
    done = await done_by(client, white, match, "black", 1)
    assert await refusal(explained(client, white, match)) == "HELP_FORBIDDEN"
    await client.resign(white, match)
    [choice] = await explained(client, white, match)
    assert {choice.version: choice.action} == done
    assert (choice.seat, choice.level, choice.choice) == ("black", "beginner", choice.action)
    assert choice.line[0] == choice.considered[0].action == choice.choice
    assert [each.action for each in choice.expected] == [*choice.line]
    assert choice.expected[0].seat == "black"
    assert all(each.sentence for each in choice.expected)
    assert choice.considered[0].sentence == choice.expected[0].sentence
    assert 0 <= choice.win_chance == choice.considered[0].win_chance <= 1
    spectator = created.tokens["spectator"]
    [alone] = await explained(client, spectator, match, choice.version, "black")
    assert (alone.line, alone.considered) == (choice.line, choice.considered)
    not_a_bots = explained(client, white, match, own.accepted.version)
    assert await refusal(not_a_bots) == "FIELD_INVALID"
    assert await refusal(explained(client, white, match, seat="green")) == "FIELD_INVALID"
    shown = await asyncio.to_thread(
        CliRunner().invoke,
        main,
        [
            *("why", "--address", service.address, "--match", match, "--token", white),
            str(choice.version),
        ],
    )
    assert shown.exit_code == 0, shown.output
    assert f"{choice.version:4}  black (beginner): {choice.action}" in shown.output


async def played_out(client: Client, game: str) -> pb.CreateMatchResponse:
    """A match that two bots have played to the end."""
    first, second = (await client.game(game)).seats
    created = await client.create_match(
        game,
        bots={first: "beginner", second: "novice"},
        visibility=pb.VISIBILITY_PUBLIC,
        chance=pb.CHANCE_ROLLED,
    )
    async with asyncio.timeout(LONG):
        async for _ in client.watch("", created.match.match_id, until_over=True):
            pass
    return created


async def test_bots_think_again_what_they_thought(client: Client) -> None:
    match = (await played_out(client, "agog")).match.match_id
    history = await client.list_history("", match)
    taken = {e.version: (e.seat, e.action.notation) for e in history if e.HasField("action")}
    told = await explained(client, "", match)
    assert {each.version: (each.seat, each.action) for each in told} == taken
    assert all(each.choice == each.action for each in told)
    assert (told[-1].done, told[-1].total) == (told[-1].version, len(history))


async def test_others_are_told_what_a_bot_chose_but_not_what_it_expected_of_them(
    client: Client,
) -> None:
    created = await played_out(client, "res-arcana")
    match = created.match.match_id
    whole = await explained(client, created.tokens["referee"], match)
    assert any(len(each.line) > 1 for each in whole)
    cut = await explained(client, "", match)
    assert [each.action for each in cut] == [each.action for each in whole]
    assert all([*each.line] == [each.choice] for each in cut)
    assert all([e.action for e in each.expected] == [each.choice] for each in cut)
    assert all(each.expected[0].sentence and each.expected[0].seat == each.seat for each in cut)
    assert [each.considered for each in cut] == [each.considered for each in whole]
