"""A stream alone serves a page that shows the present: it has all that other calls would say."""

from contextlib import aclosing

import pytest

from domain.registry import GAMES
from services.client import Client
from services.wire.emeth.v1.match_views_pb2 import (
    VIEW_FROM_NEAR_SIDE,
    VIEW_FROM_OPPOSITE,
    VIEW_FROM_UNSPECIFIED,
    MatchEvent,
    ViewFrom,
)
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.services.conftest import CreatedMatch, create_match, match_state, play


async def watched(
    client: Client,
    match: CreatedMatch,
    role: str,
    *,
    narrow: bool,
    view_from: ViewFrom.ValueType = VIEW_FROM_UNSPECIFIED,
) -> list[MatchEvent]:
    """All events up to the newest, as a page of this role is sent them."""
    last, found = (await match_state(client, match)).version, []
    news = client.watch(
        match.tokens[role],
        match.id,
        latest=("svg", "match", "actions"),
        narrow=narrow,
        mark_legal=True,
        view_from=view_from,
    )
    async with aclosing(news):
        async for event in news:
            found.append(event)
            if event.event.version == last:
                break
    return found


@pytest.mark.parametrize("game", GAMES)
async def test_the_newest_event_comes_with_all_that_a_page_shows(game: str, client: Client) -> None:
    match = await create_match(client, game, chance=CHANCE_ROLLED)
    asked = (await client.match(match.id)).prompts[0].seat
    for role, narrow in ((asked, True), (asked, False), ("spectator", False)):
        event = (await watched(client, match, role, narrow=narrow))[-1]
        token = match.tokens[role]
        scene = await client.view(token, match.id, "svg", mark_legal=True, narrow=narrow)
        assert event.view.svg == scene.svg
        known = await client.match(match.id)
        known.ClearField("creator")  # which is of other matches too
        assert event.view.match == known
        if role != asked:
            assert not event.view.HasField("actions")
            continue
        listed = await client.list_actions(token, match.id)
        assert [each.notation for each in event.view.actions.actions] == [
            each.notation for each in listed[:500]
        ]
        assert bool(event.view.actions.next_page_token) == (len(listed) > 500)
        assert event.view.actions.version == event.event.version


async def test_each_side_of_the_board_is_drawn_once_for_who_wants_it(client: Client) -> None:
    match = await create_match(client)
    for role in ("black", "white", "black"):
        for view_from in ViewFrom.values():
            (event,) = await watched(client, match, role, narrow=False, view_from=view_from)
            scene = await client.view(
                match.tokens[role], match.id, "svg", mark_legal=True, view_from=view_from
            )
            view = event.view
            assert (view.svg, view.quarter_turns) == (scene.svg, scene.quarter_turns)
            is_turned = (role == "black") != (view_from == VIEW_FROM_OPPOSITE)
            is_turned = is_turned and view_from != VIEW_FROM_NEAR_SIDE
            assert view.quarter_turns == (2 if is_turned else 0)


async def test_the_past_is_drawn_from_the_wanted_side_too(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
    for role in ("black", "white"):
        token = match.tokens[role]
        for view_from in ViewFrom.values():
            scene = await client.view(token, match.id, "svg", version=3, view_from=view_from)
            explanation = await client.explain(token, match.id, 3, "svg", view_from=view_from)
            replayed = client.replay(token, match.id, "svg", view_from=view_from)
            *_, last = [each.view async for each in replayed]
            assert explanation.after == last
            turns = [each.quarter_turns for each in (explanation.after, explanation.before, scene)]
            assert turns == [last.quarter_turns] * 3
            assert explanation.before.svg != explanation.after.svg


async def test_what_has_been_is_not_drawn(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
    found = await watched(client, match, "white", narrow=False)
    assert [each.event.version for each in found] == [1, 2, 3]
    for bare in found[:-1]:
        assert bare.event.changes
        assert not bare.view.svg
        assert not bare.view.HasField("match")
        assert not bare.view.HasField("actions")
    assert found[-1].view.svg
    assert [each.notation for each in found[-1].view.actions.actions] == [
        each.notation for each in await client.list_actions(match.tokens["white"], match.id)
    ]


async def test_what_may_be_done_is_the_viewers_own(client: Client) -> None:
    match = await create_match(client)
    (event,) = await watched(client, match, "black", narrow=False)
    assert not event.view.HasField("actions")
    assert "can be chosen now" not in event.view.svg
    (event,) = await watched(client, match, "white", narrow=False)
    assert "can be chosen now" in event.view.svg
