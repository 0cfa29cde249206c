"""Connect Four over gRPC, at a table with a stylus, on the command line, and from its export.

`test_sixth_game.py` runs this where the game is in the registry.
"""

from io import BytesIO
from itertools import cycle
from pathlib import Path

from click.testing import CliRunner

from domain.bots import LEVELS, choose_action
from domain.bots.random_play import prompt_for, random_action
from domain.bots.splitmix import SplitMix64
from domain.kernel.any_game import state_after
from domain.registry import GAMES
from services.cli.main import main
from services.client import Client
from services.main import Service
from services.proof.match_file import verify_file
from tests.services.conftest import GatewayConnection, create_match, play, position, set_up_gateway

COLUMNS = (4, 5, 4, 5, 4, 5, 4)
WHOLE = [*zip(cycle(("red", "yellow")), (f"drop {column}" for column in COLUMNS), strict=False)]
WON = "-/-/-/rrrr/yyy/-/-"


async def test_over_grpc(client: Client) -> None:
    match = await create_match(client, "connect-four")
    refused = await client.submit(match.tokens["yellow"], match.id, "drop 4")
    assert refused.refused.rule == "c4.turn"
    await play(client, match, *WHOLE)
    assert await position(client, match) == WON
    found = await client.match(match.id)
    assert [*found.result.winners] == ["red"]


async def test_with_a_stylus(service: Service, client: Client) -> None:
    shop = await set_up_gateway(service, "connect-four")
    heights = dict.fromkeys(COLUMNS, 0)
    async with GatewayConnection(service, shop) as line:
        for column in COLUMNS:
            heights[column] += 1
            space = f"space {'abcdefg'[column - 1]}{heights[column]}"
            armed, done = await line.taps(space, "button confirm")
            assert armed.armed.label == f"drop {column}"
            assert done.events
        assert [*done.result.winners] == ["red"]


async def test_from_its_export(client: Client) -> None:
    match = await create_match(client, "connect-four")
    await play(client, match, *WHOLE)
    token = match.tokens["spectator"]
    raw = (await client.export(token, match.id)).data
    verified = verify_file(BytesIO(raw))
    assert verified.report.sound, verified.report.findings
    assert verified.match.rules.write_position(verified.match.position) == WON


def test_on_the_command_line(tmp_path: Path) -> None:
    run = CliRunner(env={"EMETH_CONFIG": str(tmp_path)})
    assert "connect-four" in run.invoke(main, ["games"]).output
    result = run.invoke(main, ["demo", "connect-four"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "red won (line), 1-0" in result.output


def test_by_bots_of_which_the_one_that_thinks_wins() -> None:
    game, won = GAMES["connect-four"], 0
    for number in range(4):
        state, generator = game.start(game.options()), SplitMix64(b"%d" % number)
        thinker = ("red", "yellow")[number % 2]
        while (result := game.result(state)) is None:
            prompt = prompt_for(game, state)
            assert prompt is not None
            if prompt.seat == thinker:
                action = choose_action(
                    game, state, prompt.seat, LEVELS["strong"], b"%d" % number
                ).action
            else:
                action = random_action(game, state, prompt.seat, generator)
            state = state_after(game, state, prompt.seat, action)
        won += thinker in result.winners
    assert won >= 3
