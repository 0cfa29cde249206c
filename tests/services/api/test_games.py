"""Descriptions of a game before there is a match of it: start, seats, cards."""

from typing import get_args

import pytest
from google.protobuf import json_format

from domain.games.golem_arcana.battle.sides import Teams
from domain.registry import GAMES
from services.client import Client, ServiceError
from services.wire.emeth.v1 import games_pb2
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import refusal

DEPENDENT = {
    ("res-arcana", "first", "south"),
    ("res-arcana", "first", "west"),
    *(("golem-arcana", "teams", teams) for teams in get_args(Teams) if teams != "none"),
}
"""Choices that take other options than the usual ones, as seats that play."""


@pytest.mark.parametrize("game", GAMES)
async def test_without_options_a_game_is_described_as_its_default_match_starts(
    client: Client, game: str
) -> None:
    described = await client.get_game(game=game)
    made = (await client.create_match(game=game, chance=pb.CHANCE_ENTERED)).match
    assert [*described.setup.seats] == [seat.name for seat in made.seats]
    if "chance" not in described.setup.options:
        assert described.setup.options == made.options
        assert [*described.setup.prompts] == [*made.prompts]


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_shows_whether_it_has_content_and_armies(client: Client, game: str) -> None:
    described = (await client.get_game(game=game)).game
    if described.has_content:
        assert await client.list_content(game=game)
    else:
        with pytest.raises(ServiceError, match="has no armies"):
            await client.list_content(game=game)
    with pytest.raises(ServiceError) as refused_army:
        await client.validate_army(game=game, roster={})
    assert described.has_armies == (refused_army.value.reason != "NO_ARMIES")


async def test_seats_and_start_are_those_of_the_options(client: Client) -> None:
    four = {"players": 4, "chance": "entered"}
    setup = (await client.get_game(game="res-arcana", options=four)).setup
    assert [*setup.seats] == ["north", "east", "south", "west"]
    assert setup.options["players"] == 4
    assert setup.options["first"] == "north"
    assert [(prompt.seat, prompt.chance) for prompt in setup.prompts] == [("table", True)]
    created = await client.create_match(game="res-arcana", options=four)
    shown = await client.view(created.tokens["referee"], created.match.match_id, "text")
    assert setup.position == shown.position
    assert setup.position != (await client.get_game(game="res-arcana")).setup.position


async def test_options_come_in_order_with_titles_bounds_and_choices(client: Client) -> None:
    game = (await client.get_game(game="agog")).game
    assert [each.name for each in game.options] == [
        "handicap", "handicap_tie", "handicap_supply", "fresh_supply",
    ]  # fmt: skip
    handicap, tie, supply, _ = game.options
    assert (handicap.title, handicap.type) == ("Handicap", games_pb2.OPTION_TYPE_INTEGER)
    assert (handicap.min_value, handicap.max_value) == (0, 20)
    assert handicap.default_value.number_value == 0
    assert [(each.value.string_value, each.title) for each in tie.choices] == [
        ("front", "Nearer to the enemy first"),
        ("spine", "Nearer to the long diagonal first"),
    ]
    assert (supply.type, supply.default_value.bool_value) == (
        games_pb2.OPTION_TYPE_BOOLEAN,
        False,
    )
    scenario, armies, *_, pack = (await client.get_game(game="golem-arcana")).game.options
    assert (scenario.type, scenario.content_kind) == (games_pb2.OPTION_TYPE_CONTENT, "scenario")
    assert armies.type == games_pb2.OPTION_TYPE_ARMIES
    assert (pack.type, len(pack.default_value.string_value)) == (games_pb2.OPTION_TYPE_PACK, 64)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_takes_every_choice_of_every_option(client: Client, game: str) -> None:
    for option in (await client.get_game(game=game)).game.options:
        for choice in option.choices:
            given = json_format.MessageToDict(choice.value)
            if (game, option.name, given) not in DEPENDENT:
                setup = (await client.get_game(game=game, options={option.name: given})).setup
                assert setup.options[option.name] == given or given is None
        default = json_format.MessageToDict(option.default_value)
        if default is not None:
            setup = (await client.get_game(game=game, options={option.name: default})).setup
            assert json_format.MessageToDict(setup.options)[option.name] == default


async def test_options_that_a_game_has_not_are_refused_with_the_field(client: Client) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.get_game(game="res-arcana", options={"players": 5})
    assert refused.value.reason == "OPTIONS_INVALID"
    assert [*refused.value.violations] == ["options.players"]
    assert (
        await refusal(client.get_game(game="agog", options={"colour": "red"})) == "OPTIONS_INVALID"
    )
    assert (
        await refusal(client.get_game(game="agog", options={"title": "x" * 70_000}))
        == "FIELD_INVALID"
    )
    assert await refusal(client.get_game(game="chess")) == "GAME_NOT_FOUND"


async def test_every_card_of_a_card_game_is_listed(client: Client) -> None:
    found = await client.list_content(game="res-arcana")
    packs = GAMES["res-arcana"].packs
    assert packs is not None
    (base,) = packs.built_in
    assert {entry.id for entry in found} == {*base.cards}  # type: ignore[attr-defined]
    (card,) = [entry for entry in found if entry.id == "athanor"]
    assert (card.kind, card.name) == ("artifact", "Athanor")
    assert len(card.lines) > 1
    assert card.attributes["cost"] == "1 elan and 1 gold"
    assert "cost 1 elan and 1 gold" in card.description
    for entry in found:
        assert "{" not in " ".join((entry.description, *entry.lines)), "icons are told in words"
    places = await client.list_content(game="res-arcana", filter="kind = place")
    assert {entry.kind for entry in places} == {"place"}
    assert len(places) == packs.info(base).counts["place"]


async def test_the_cards_come_in_pages(client: Client) -> None:
    request = games_pb2.ListContentRequest(game="res-arcana", page_size=10)
    first = await client._call(client._games.ListContent, request)
    assert len(first.entries) == 10
    request.page_token = first.next_page_token
    second = await client._call(client._games.ListContent, request)
    assert not {each.id for each in first.entries} & {each.id for each in second.entries}
    request.constraints.update({"pack": "0" * 64})
    assert await refusal(client._call(client._games.ListContent, request)) == "FIELD_INVALID"


async def test_a_game_without_content_lists_none(client: Client) -> None:
    call = client.list_content(game="agog")
    assert await refusal(call) == "NO_ARMIES"


async def test_players_are_found_by_part_of_their_name(client: Client) -> None:
    for name in ("Ada Lovelace", "ADALBERT", "Bob"):
        created = await client.create_match(game="agog", visibility=pb.VISIBILITY_PUBLIC)
        match, token = created.match.match_id, created.tokens["white"]
        claimed = await client.join_match(token, match, "white", name)
        await client.match(match, claimed.match.version)

    async def found(part: str) -> list[str]:
        listed = await client.list_matches(filter=f'player : "{part}"')
        return sorted(match.seats[0].player for match in listed)

    assert await found("ada") == ["ADALBERT", "Ada Lovelace"]
    assert await found("LOVE") == ["Ada Lovelace"]
    assert await found("ｂｏｂ") == ["Bob"]
    assert await found("Eve") == []
    pages, token = [], ""
    while True:
        page = await client.list_matches_page(filter="player : ada", page_size=1, page_token=token)
        pages += [match.seats[0].player for match in page.matches]
        token = page.next_page_token
        if not token:
            break
    assert pages == ["ADALBERT", "Ada Lovelace"]
