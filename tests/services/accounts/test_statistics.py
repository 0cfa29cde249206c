"""Statistics: what is counted, and for whom."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1.statistics_pb2 import GetStatisticsResponse
from tests.services.accounts.conftest import PUBLIC, KnownPlayer, Site, resign


async def played(
    site: Site, white: KnownPlayer, black: KnownPlayer, *, loser: KnownPlayer, **terms: Any
) -> str:
    """A match of two actions, which one of them then gives up."""
    match, _ = await site.match(white, black, **terms)
    await site.client.submit(white.token, match, "a6-b6")
    await site.client.submit(black.token, match, "h3-g3")
    await resign(site, loser, match)
    return match


def seats(found: GetStatisticsResponse) -> list[tuple[str, int, int, int]]:
    (game,) = found.games
    return [(each.seat, each.won, each.drawn, each.lost) for each in game.seats]


async def test_matches_are_counted_by_seat_ending_opening_length_and_rule(site: Site) -> None:
    ada, bob = await site.introduce("a", "Ada"), await site.introduce("b", "Bob")
    await played(site, ada, bob, loser=bob, visibility=PUBLIC)
    await played(site, ada, bob, loser=ada, visibility=PUBLIC)
    short, _ = await site.match(ada, bob, visibility=PUBLIC)
    await site.client.submit(ada.token, short, "a6-b6")
    await resign(site, bob, short)
    await site.match(ada, bob, visibility=PUBLIC)  # in progress
    async with Client(site.client.address) as anybody:
        found = await anybody.get_statistics()
        assert found.matches == 3
        assert seats(found) == [("white", 2, 0, 1), ("black", 1, 0, 2)]
        (ending,) = found.games[0].endings
        assert (ending.reason, ending.matches) == ("resign", 3)
        assert (found.actions.min, found.actions.median, found.actions.max) == (2, 3, 3)
        took = found.duration
        assert took.min.seconds <= took.median.seconds <= took.max.seconds
        first, second = found.openings
        assert (first.opening, first.matches) == ("a6-b6, h3-g3", 2)
        assert [(each.seat, each.won) for each in first.seats] == [("white", 1), ("black", 1)]
        assert (second.opening, second.matches) == ("a6-b6, resign black", 1)
        resigned = next(each for each in found.rules if each.rule == "agog.end.resign")
        assert (resigned.events, resigned.matches) == (3, 3)
        assert resigned.meaning
        longer = (await anybody.get_statistics(opening=first.opening, opening_length=3)).openings
        ends = [f"{first.opening}, resign {seat}" for seat in ("black", "white")]
        assert [each.opening for each in longer] == ends
        assert (await anybody.get_statistics(max_results=1)).openings == [first]


async def test_what_is_not_public_is_counted_for_its_players_and_the_operator(
    site: Site, other_site: Site, service: Service
) -> None:
    ada, bob = await site.introduce("a", "Ada"), await site.introduce("b", "Bob")
    await played(site, ada, bob, loser=bob, visibility=matches_pb2.VISIBILITY_PRIVATE)
    await played(site, ada, bob, loser=bob, visibility=matches_pb2.VISIBILITY_UNLISTED)
    of_ada = {"player_id": ada.id}
    assert (await site.client.get_statistics(ada.token, **of_ada)).matches == 2
    assert (await site.client.get_statistics(**of_ada)).matches == 2  # with the frontend's key
    async with Client(site.client.address) as anybody:
        assert (await anybody.get_statistics(service.admin_key)).matches == 2
        for token, wanted in (("", {}), ("", of_ada), (ada.token, {}), (bob.token, of_ada)):
            nothing = await anybody.get_statistics(token, **wanted)
            assert (nothing.matches, nothing.openings, nothing.rules) == (0, [], [])
    assert (await other_site.client.get_statistics(**of_ada)).matches == 0


async def test_a_players_results_are_counted_by_game_seat_and_opening(site: Site) -> None:
    ada, bob, eve = [await site.introduce(name, name) for name in ("Ada", "Bob", "Eve")]
    for loser, opponent in ((bob, bob), (ada, bob), (eve, eve)):
        await played(site, ada, opponent, loser=loser)
    await site.match(bob, ada)  # not over
    asked = site.client.get_statistics
    all_of_ada = await asked(ada.token, player_id=ada.id)
    (counted,) = all_of_ada.player_results
    assert (counted.game, counted.seat, counted.opening) == ("agog", "white", "a6-b6, h3-g3")
    assert (counted.won, counted.drawn, counted.lost) == (2, 0, 1)
    assert all_of_ada.player_total.won == 2
    against = await asked(bob.token, player_id=bob.id, opponent_id=ada.id)
    assert (against.matches, against.player_total.won, against.player_total.lost) == (2, 1, 1)
    assert (await asked(bob.token, player_id=bob.id, opponent_id=bob.id)).matches == 0
    nothing = await asked(ada.token, player_id=ada.id, game="res-arcana")
    assert (len(nothing.player_results), nothing.player_total.won) == (0, 0)
    assert not (await asked()).HasField("player_total")


async def test_a_match_that_continues_again_is_not_counted_until_it_ends_again(site: Site) -> None:
    ada, bob = await site.introduce("a", "Ada"), await site.introduce("b", "Bob")
    match = await played(site, ada, bob, loser=bob, visibility=PUBLIC)
    await site.client.undo(bob.token, match, 4)
    await site.client.answer(ada.token, match, accepted=True)
    assert (await site.client.get_statistics()).matches == 0
    await site.client.submit(bob.token, match, "c8-c7")
    await resign(site, ada, match)
    found = await site.client.get_statistics(opening_length=6)
    assert [each.opening for each in found.openings] == ["a6-b6, c8-c7, resign white"]
    assert seats(found) == [("white", 0, 0, 1), ("black", 1, 0, 0)]
    fork = await site.client.fork_match(ada.token, match, 3)
    await site.client.submit_action(fork.tokens["white"], fork.match.match_id, resignation=True)
    assert (await site.client.get_statistics()).matches == 1


async def test_matches_are_chosen_by_game_options_time_and_name(site: Site) -> None:
    asked, now = site.client.get_statistics, datetime.now(UTC)
    for handicap, name in ((0, "Straße"), (2, "Eve")):
        made = await site.client.create_match(
            game="agog", options={"handicap": handicap}, visibility=PUBLIC
        )
        claimed = await site.client.join_match(
            made.tokens["white"], made.match.match_id, "white", name
        )
        await site.client.submit_action(claimed.token, made.match.match_id, resignation=True)
    assert (await asked(game="agog")).matches == 2
    assert (await asked(game="earthen-war")).matches == 0
    assert (await asked(game="agog", options={"handicap": 2})).matches == 1
    assert (await asked(game="agog", options={"handicap": 3})).matches == 0
    assert (await asked(player_name="STRASSE")).matches == 1
    assert (await asked(player_name="Stra")).matches == 0
    hour = timedelta(hours=1)
    assert (await asked(start_time=now - hour, end_time=now + hour)).matches == 2
    assert (
        (await asked(start_time=now + hour)).matches
        == (await asked(end_time=now - hour)).matches
        == 0
    )


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"game": "chess"}, "GAME_NOT_FOUND"),
        ({"options": {"handicap": 1}}, "FIELD_INVALID"),
        ({"game": "agog", "options": {"handicap": "many"}}, "OPTIONS_INVALID"),
        ({"game": "agog", "options": {"no_such": 1}}, "OPTIONS_INVALID"),
        ({"game": "golem-arcana", "options": {"armies": {}}}, "FIELD_INVALID"),
        ({"player_id": "Ada"}, "FIELD_INVALID"),
        ({"player_id": "123e4567-e89b-42d3-a456-426614174000"}, "PLAYER_NOT_FOUND"),
        ({"opening_length": 7}, "FIELD_INVALID"),
        ({"opponent_id": "123e4567-e89b-42d3-a456-426614174000"}, "FIELD_INVALID"),
        ({"start_time": datetime(2027, 1, 1), "end_time": datetime(2026, 1, 1)}, "FIELD_INVALID"),
        ({"opening": "a\nb"}, "FIELD_INVALID"),
    ],
)
async def test_a_question_that_makes_no_sense_is_refused(
    site: Site, wanted: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ServiceError) as refused:
        await site.client.get_statistics(**wanted)
    assert refused.value.reason == reason


async def test_public_actions_are_found_by_their_words_with_a_snippet(
    site: Site, service: Service
) -> None:
    ada, bob = await site.introduce("a", "Ada"), await site.introduce("b", "Bob")
    shown = await played(site, ada, bob, loser=bob, visibility=PUBLIC, title="Thursday")
    await played(site, ada, bob, loser=bob, visibility=matches_pb2.VISIBILITY_PRIVATE)
    await played(site, ada, bob, loser=bob, visibility=matches_pb2.VISIBILITY_UNLISTED)
    async with Client(service.address) as anybody:
        first = await anybody.search_events_page(query="GOLEM moving", page_size=1)
        (found,) = first.events
        assert (found.match_id, found.game, found.title) == (shown, "agog", "Thursday")
        assert found.event.action.notation == "h3-g3"
        assert "golem" in [part.text for part in found.event.snippet if part.found]
        assert "".join(part.text for part in found.event.snippet) in found.event.sentence
        rest = await anybody.search_events_page(
            query="GOLEM moving", page_token=first.next_page_token
        )
        assert [each.event.action.notation for each in rest.events] == ["a6-b6"]
        assert (rest.next_page_token, rest.unindexed_events) == ("", 0)
        nothing = await anybody.search_events(query="golem", filter="game = res-arcana")
        assert not nothing
        assert not await anybody.search_events(query="Ada")  # names can be erased
        for text, token in (("", ""), ('"', ""), ("x" * 201, ""), ("b6", first.next_page_token)):
            with pytest.raises(ServiceError) as refused:
                await anybody.search_events_page(query=text, page_token=token)
            assert refused.value.reason in ("FIELD_INVALID", "PAGE_TOKEN_INVALID")
    own = await site.client.list_events(ada.token, shown, "text : resigning")
    assert [each.version for each in own] == [6]
    assert any(part.found for part in own[0].snippet)


async def test_a_search_finds_the_same_after_a_rebuild(site: Site, service: Service) -> None:
    ada, bob = await site.introduce("a", "Ada"), await site.introduce("b", "Bob")
    await played(site, ada, bob, loser=bob, visibility=PUBLIC)
    before = [each.event for each in (await site.client.search_events_page(query="golem")).events]
    assert before
    async for _ in site.client.rebuild_projections(service.admin_key):
        pass
    assert [
        each.event for each in (await site.client.search_events_page(query="golem")).events
    ] == before


async def test_what_was_public_is_counted_and_found_no_more(service: Service) -> None:
    async with Client(service.address) as client:
        created = await client.create_match(game="agog", visibility=PUBLIC)
        match, tokens = created.match.match_id, created.tokens
        await client.submit(tokens["white"], match, "a6-b6")
        await client.submit_action(tokens["black"], match, resignation=True)
        assert (await client.get_statistics(game="agog")).matches == 1
        assert (await client.search_events_page(query="golem")).events
        private = matches_pb2.VISIBILITY_PRIVATE
        await client.update_match(
            tokens["referee"],
            match={"match_id": match, "visibility": private},
            update_mask=["visibility"],
        )
        assert (await client.get_statistics(game="agog")).matches == 0
        assert not (await client.search_events_page(query="golem")).events
