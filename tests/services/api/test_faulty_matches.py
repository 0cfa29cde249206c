"""A match that cannot be shown breaks no list of others: it is listed with its fault."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import pytest

from domain.registry import GAMES
from projections.projector import player_rows, result_rows
from projections.views import board_views
from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import CreatedMatch, create_match, newest_version, play

BROKEN = "earthen-war"
"""The game that cannot show its matches in these tests. The others are of A.G.O.G."""


def fails(*_: object) -> NoReturn:
    raise IndexError("the position names what is not there")


@contextmanager
def broken(*functions: str) -> Iterator[None]:
    game = GAMES[BROKEN]
    whole = {name: getattr(game, name) for name in functions}
    for name in functions:
        object.__setattr__(game, name, fails)  # a game is frozen
    try:
        yield
    finally:
        for name, function in whole.items():
            object.__setattr__(game, name, function)


@pytest.fixture
async def matches(client: Client) -> list[CreatedMatch]:
    """Three matches, the second of which is of the game that breaks."""
    found = [await create_match(client, game) for game in ("agog", BROKEN, "agog")]
    for each in found:
        await client.match(each.id, await newest_version(client, each))
    return found


broken_functions = pytest.mark.parametrize("function", ["caption", "turn", "result"])


def check(listed: dict[str, pb.Match], matches: list[CreatedMatch], function: str) -> None:
    one, faulty, other = (listed[each.id] for each in matches)
    assert one.caption
    assert other.caption
    assert not one.fault
    if function == "result":  # it is called only for matches that are over
        assert not faulty.fault
        return
    assert "IndexError" in faulty.fault
    assert "not there" not in faulty.fault, "a message may quote what is hidden"
    assert (faulty.game, faulty.version > 0, faulty.caption) == (BROKEN, True, faulty.fault)


@broken_functions
async def test_other_matches_are_listed_if_one_cannot_be_shown(
    client: Client, matches: list[CreatedMatch], function: str
) -> None:
    with broken(function):
        page = await client.list_matches_page()
    check({each.match_id: each for each in page.matches}, matches, function)


@broken_functions
async def test_the_lobby_lists_other_matches_if_one_cannot_be_shown(
    client: Client, matches: list[CreatedMatch], function: str
) -> None:
    listed: dict[str, pb.Match] = {}
    with broken(function):
        async for news in client.watch_lobby():
            if news.lobby_event.HasField("match"):
                listed[news.lobby_event.match.match_id] = news.lobby_event.match
            if len(listed) == len(matches):
                break
    check(listed, matches, function)


async def test_a_match_that_cannot_be_shown_reports_its_own_fault(
    client: Client, matches: list[CreatedMatch]
) -> None:
    with broken("caption"):
        assert (await client.match(matches[1].id)).fault
        assert not (await client.match(matches[0].id)).fault
    assert not (await client.match(matches[1].id)).fault


async def test_a_row_that_cannot_be_read_is_listed_with_its_fault(
    service: Service, client: Client, matches: list[CreatedMatch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the operator has taken the match's content pack away."""
    decoder = board_views.match_decoder

    def without_pack(game: str, library: Any) -> Any:
        if game == BROKEN:
            raise ValueError("there is no such content pack")
        return decoder(game, library)

    monkeypatch.setattr(board_views, "match_decoder", without_pack)
    page = await client.list_matches_page()
    listed = {each.match_id: each for each in page.matches}
    assert [bool(listed[each.id].fault) for each in matches] == [False, True, False]
    assert listed[matches[1].id].game == BROKEN


async def test_the_read_models_follow_other_matches_past_one_whose_end_cannot_be_counted(
    client: Client, matches: list[CreatedMatch], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, faulty, _ = matches
    monkeypatch.setattr(result_rows, "_opening_and_citations", fails)
    await client.submit_action(faulty.tokens["white"], faulty.id, resignation=True)
    await play(client, one, ("white", "a6-b6"))
    assert (await client.match(one.id, 2)).version == 2
    assert (await client.match(faulty.id)).HasField("result")


async def test_the_read_models_follow_other_matches_past_one_that_cannot_say_whose_turn_it_is(
    client: Client, matches: list[CreatedMatch], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, faulty, _ = matches
    monkeypatch.setattr(player_rows, "has_players", lambda _: True)
    with broken("turn"):
        await client.join_match(faulty.tokens["white"], faulty.id, "white", "Ada")
        await play(client, one, ("white", "a6-b6"))
        assert (await client.match(one.id, 2)).version == 2


async def test_a_search_finds_events_of_other_matches_if_one_event_cannot_be_narrated(
    client: Client,
) -> None:
    public = pb.VISIBILITY_PUBLIC
    other = await create_match(client, BROKEN, visibility=public)
    one = await create_match(client, visibility=public)
    with broken("narrate"):
        # Its answer cannot be told, but it is recorded.
        with suppress(ServiceError):
            await client.submit(other.tokens["white"], other.id, "dice 1 2", basic=True)
        await play(client, one, ("white", "a6-b6"))
        found = await client.search_events_page(query="golem")
    assert {each.match_id for each in found.events} == {one.id}
