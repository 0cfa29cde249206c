"""Every permitted viewer can analyze a finished match; nobody is helped before."""

import asyncio
from contextlib import aclosing
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.api.analysis import MAX_HINTS
from services.cli.main import main
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import analysis_pb2, matches_pb2
from tests.services.conftest import OPENING, CreatedMatch, advance, create_match, play, refusal

Found = list[analysis_pb2.AnalyzeMatchResponse]


@pytest.fixture
def settings(tmp_path: Path, store: str) -> Settings:
    return Settings(data=str(tmp_path / "data"), store=store, listen="127.0.0.1:0", bots="1")


async def analyzed(client: Client, match: CreatedMatch, role: str, **wanted: int) -> Found:
    async with aclosing(client.analyze_match(match.tokens[role], match.id, **wanted)) as events:
        return [each async for each in events]


async def test_every_event_on_the_line_is_assessed_once_the_match_is_over(
    client: Client, service: Service
) -> None:
    match = await create_match(client, undo_policy=matches_pb2.UNDO_POLICY_FREE)
    await play(client, match, *OPENING)
    assert await refusal(analyzed(client, match, "white")) == "HELP_FORBIDDEN"
    await client.submit_action(match.tokens["black"], match.id, resignation=True)
    found = await analyzed(client, match, "spectator", nodes=8)
    assert [(each.seat, each.action) for each in found[1:5]] == [*OPENING]
    assert [each.version for each in found] == [*range(1, 7)]
    assert [(each.done, each.total) for each in found] == [(n, 6) for n in range(1, 7)]
    for each in found:
        assert sum(each.win_probabilities.values()) == pytest.approx(1)
        assert each.best_win_probability >= each.win_probability
    assert dict(found[-1].win_probabilities) == {"white": 1.0, "black": 0.0}
    shown = await asyncio.to_thread(
        CliRunner().invoke,
        main,
        [
            *("analyze", "--address", service.address, "--match", match.id, "--nodes", "4"),
            *("--token", match.tokens["spectator"]),
        ],
    )
    assert shown.exit_code == 0, shown.output
    assert "white 100%  black   0%" in shown.output


async def forked(client: Client, match: CreatedMatch) -> CreatedMatch:
    fork = await client.fork_match(match.tokens["white"], match.id)
    return CreatedMatch(fork.match.match_id, dict(fork.tokens))


async def test_a_fork_has_the_ban_on_help_until_the_match_that_it_was_made_of_is_over(
    client: Client,
) -> None:
    match = await create_match(client, help_policy=matches_pb2.HELP_POLICY_HINTS)
    await play(client, match, *OPENING[:2])
    fork = await forked(client, match)
    deeper, open_fork = await forked(client, fork), await forked(client, fork)
    for each in (fork, deeper):
        assert await refusal(client.get_hint(each.tokens["white"], each.id)) == "HELP_FORBIDDEN"
        await client.submit_action(each.tokens["black"], each.id, resignation=True)
        assert await refusal(analyzed(client, each, "white", nodes=2)) == "HELP_FORBIDDEN"
    assert (await client.get_hint(match.tokens["white"], match.id, nodes=2)).seat == "white"
    assert (
        await refusal(client.get_hint(open_fork.tokens["white"], open_fork.id)) == "HELP_FORBIDDEN"
    )
    await client.submit_action(match.tokens["black"], match.id, resignation=True)
    assert (await client.get_hint(open_fork.tokens["white"], open_fork.id, nodes=2)).seat == "white"
    for each in (match, fork, deeper):
        assert await analyzed(client, each, "white", nodes=2)


async def test_it_has_bounds_and_a_closed_connection_makes_room(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    await client.submit_action(match.tokens["black"], match.id, resignation=True)
    assert await refusal(analyzed(client, match, "white", nodes=2001)) == "FIELD_INVALID"
    token = match.tokens["white"]
    first, second = [client.analyze_match(token, match.id, nodes=400) for _ in range(2)]
    await anext(first)
    await anext(second)
    assert await refusal(analyzed(client, match, "white")) == "BOTS_BUSY"
    await first.aclose()
    await second.aclose()
    async with asyncio.timeout(60):
        while not await analyzed_if_there_is_room(client, match):
            await pause()


async def pause() -> None:
    await asyncio.sleep(0.05)


async def analyzed_if_there_is_room(client: Client, match: CreatedMatch) -> bool:
    try:
        return bool(await analyzed(client, match, "white", nodes=1, from_version=6))
    except ServiceError as error:
        if error.reason != "BOTS_BUSY":
            raise
        return False


async def test_in_a_game_with_hidden_hands_a_seat_receives_analysis_of_its_own_actions_only(
    client: Client,
) -> None:
    match = await create_match(client, "res-arcana", chance=matches_pb2.CHANCE_ROLLED)
    await advance(client, match, 12)
    seats = [role for role in match.tokens if role not in ("referee", "spectator", "table")]
    resigned = await client.submit_action(match.tokens[seats[0]], match.id, resignation=True)
    last, assessed = resigned.accepted.version - 5, {}
    for role in (*seats, "spectator", "referee"):
        found = await analyzed(client, match, role, nodes=2, from_version=last)
        assessed[role] = {each.seat for each in found if each.action}
    assert assessed[seats[1]] == {seats[1]}
    assert assessed["spectator"] == set()
    assert assessed["referee"] == {*seats}


async def test_where_there_are_no_bots_nothing_is_assessed(settings: Settings) -> None:
    none = Settings(data=settings.data, listen="127.0.0.1:0", bots="0")
    async with Service(none) as service, Client(service.address) as client:
        match = await create_match(client)
        await client.submit_action(match.tokens["black"], match.id, resignation=True)
        assert await refusal(analyzed(client, match, "white")) == "BOTS_DISABLED"


async def test_a_hint_is_given_where_the_match_allows_it_and_all_viewers_see_it(
    client: Client,
) -> None:
    without = await create_match(client)
    assert await refusal(client.get_hint(without.tokens["white"], without.id)) == "HELP_FORBIDDEN"
    match = await create_match(client, help_policy=matches_pb2.HELP_POLICY_HINTS)
    white, request = match.tokens["white"], "5d0c1a52-3b7c-4a55-9d0a-222222222222"
    hints = [await client.get_hint(white, match.id, nodes=20, request_id=request) for _ in range(2)]
    assert hints[0] == hints[1]
    assert (hints[0].seat, hints[0].version) == ("white", 2)
    legal = {each.notation for each in await client.list_actions(white, match.id)}
    assert {each.action for each in hints[0].suggestions} <= legal
    assert hints[0].suggestions[0].sentence
    assert await refusal(client.get_hint(match.tokens["black"], match.id)) == "SEAT_NOT_AWAITED"
    events = await client.list_events(match.tokens["black"], match.id)
    assert [event.sentence for event in events][1:] == [
        "White asked for a hint, and was given one."
    ]
    await client.submit_action(white, match.id, resignation=True)
    assert await refusal(client.get_hint(white, match.id)) == "MATCH_OVER"
    assert (await client.verify_match(match.tokens["referee"], match.id)).findings == []


async def test_a_seat_is_given_so_many_hints_in_a_match_and_no_more(client: Client) -> None:
    match = await create_match(client, help_policy=matches_pb2.HELP_POLICY_HINTS)
    white = match.tokens["white"]
    for _ in range(MAX_HINTS):
        await client.get_hint(white, match.id, nodes=1)
    assert await refusal(client.get_hint(white, match.id, nodes=1)) == "QUOTA_EXCEEDED"
    # The others have their own.
    [action, *_] = await client.list_actions(white, match.id)
    await client.submit(white, match.id, action.notation)
    assert (await client.get_hint(match.tokens["black"], match.id, nodes=1)).suggestions
