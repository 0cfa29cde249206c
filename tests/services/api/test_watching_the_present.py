"""A stream alone serves a page that shows the present: it has all that other calls would say."""

from contextlib import aclosing
from typing import Any

import pytest

from domain.registry import GAMES
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from services.wire.emeth.v1.views_pb2 import (
    SCENE_FORMAT_SVG,
    VIEW_FROM_NEAR_SIDE,
    VIEW_FROM_OPPOSITE,
    VIEW_FROM_UNSPECIFIED,
    ViewFrom,
    WatchedEvent,
)
from tests.services.conftest import Begun, begun, play, standing


async def watched(
    client: Client,
    match: Begun,
    role: str,
    *,
    narrow: bool,
    view_from: ViewFrom.ValueType = VIEW_FROM_UNSPECIFIED,
) -> list[WatchedEvent]:
    """All events up to the newest, as a page of this role is sent them."""
    last, found = (await standing(client, match)).version, []
    news = client.watch(
        match.tokens[role],
        match.id,
        form=SCENE_FORMAT_SVG,
        narrow=narrow,
        view_from=view_from,
        present=True,
    )
    async with aclosing(news):
        async for event in news:
            found.append(event)
            if event.event.version == last:
                break
    return found


@pytest.mark.parametrize("game", GAMES)
async def test_the_newest_event_comes_with_all_that_a_page_shows(game: str, client: Client) -> None:
    match = await begun(client, game, chance=CHANCE_ROLLED)
    asked = (await client.match(match.id)).prompts[0].seat
    for role, narrow in ((asked, True), (asked, False), ("spectator", False)):
        event = (await watched(client, match, role, narrow=narrow))[-1]
        token = match.tokens[role]
        scene = await client.scene(
            token, match.id, form=SCENE_FORMAT_SVG, legal=True, narrow=narrow
        )
        assert event.svg == scene.svg
        known = await client.match(match.id)
        known.ClearField("creator")  # which is of other matches too
        assert event.match == known
        if role != asked:
            assert not event.HasField("actions")
            continue
        listed = await client.list_actions(token, match.id)
        assert [each.notation for each in event.actions.actions] == [
            each.notation for each in listed[:500]
        ]
        assert bool(event.actions.next_page_token) == (len(listed) > 500)
        assert event.actions.version == event.event.version


async def test_each_side_of_the_board_is_drawn_once_for_who_wants_it(client: Client) -> None:
    match = await begun(client)
    for role in ("black", "white", "black"):
        for view_from in ViewFrom.values():
            (event,) = await watched(client, match, role, narrow=False, view_from=view_from)
            scene = await client.scene(
                match.tokens[role],
                match.id,
                form=SCENE_FORMAT_SVG,
                legal=True,
                view_from=view_from,
            )
            assert (event.svg, event.turned) == (scene.svg, scene.turned)
            assert event.turned == (
                (role == "black") != (view_from == VIEW_FROM_OPPOSITE)
                and view_from != VIEW_FROM_NEAR_SIDE
            )


async def test_the_past_is_drawn_from_the_wanted_side_too(client: Client) -> None:
    match = await begun(client)
    await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
    for role in ("black", "white"):
        token = match.tokens[role]
        for view_from in ViewFrom.values():
            how: Any = {"form": SCENE_FORMAT_SVG, "view_from": view_from}
            scene = await client.scene(token, match.id, version=3, **how)
            told = await client.explain(token, match.id, 3, **how)
            *_, last = [each async for each in client.replay(token, match.id, **how)]
            assert (told.after.svg, told.after.turned) == (last.svg, last.turned)
            assert told.after.turned == told.before.turned == scene.turned
            assert told.before.svg != told.after.svg


async def test_what_has_been_is_not_drawn(client: Client) -> None:
    match = await begun(client)
    await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
    found = await watched(client, match, "white", narrow=False)
    assert [each.event.version for each in found] == [1, 2, 3]
    for bare in found[:-1]:
        assert bare.event.changes
        assert not bare.svg
        assert not bare.HasField("match")
        assert not bare.HasField("actions")
    assert found[-1].svg
    assert [each.notation for each in found[-1].actions.actions] == [
        each.notation for each in await client.list_actions(match.tokens["white"], match.id)
    ]


async def test_what_may_be_done_is_the_viewers_own(client: Client) -> None:
    match = await begun(client)
    (event,) = await watched(client, match, "black", narrow=False)
    assert not event.HasField("actions")
    assert "can be chosen now" not in event.svg
    (event,) = await watched(client, match, "white", narrow=False)
    assert "can be chosen now" in event.svg
