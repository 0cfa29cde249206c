"""Orders: legal actions by the piece that acts, with what is pointed at, and their forecasts."""

from itertools import product
from typing import Any

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1 import play_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Amounts
from tests.services.conftest import Table, advance, create_match, refusal


async def page(client: Client, token: str, match: str, **wanted: Any) -> pb.ListActionsResponse:
    request = pb.ListActionsRequest(match_id=match, by_order=True, **wanted)
    return await client._call(client._play.ListActions, request, token)


async def test_orders_have_the_legal_actions_and_no_others(client: Client, table: Table) -> None:
    orders = await client.list_orders(table.white, table.id)
    listed = await client.list_actions(table.white, table.id)
    notations = {action.notation for order in orders for action in order.actions}
    assert notations == {action.notation for action in listed if action.verb != "resign"}
    names = [(order.actor, order.line, order.verb) for order in orders]
    assert len({*names}) == len(names)
    by_actor = {order.actor: order for order in orders}
    order = by_actor["unit-a6"]
    assert order.verb == "move"
    assert ("b6", "to") in {(each.picks[-1].id, each.picks[-1].role) for each in order.actions}
    assert not order.HasField("refusal")
    assert all(action.sentence for action in order.actions)


async def test_a_page_that_ends_within_an_order_continues_with_it(
    client: Client, table: Table
) -> None:
    (whole,) = [await page(client, table.white, table.id)]
    assert not whole.next_page_token
    found, token = list[str](), ""
    while True:
        part = await page(client, table.white, table.id, page_size=1, page_token=token)
        (order,) = part.orders
        found += [action.notation for action in order.actions]
        token = part.next_page_token
        if not token:
            break
    assert found == [action.notation for order in whole.orders for action in order.actions]
    only = await page(client, table.white, table.id, filter='verb = "move"')
    assert {order.verb for order in only.orders} == {"move"}


async def test_nobody_has_orders_while_another_acts_or_when_the_match_is_over(
    client: Client, table: Table
) -> None:
    assert not await client.list_orders(table.black, table.id)
    await client.submit_action(table.black, table.id, resignation=True)
    assert not await client.list_orders(table.white, table.id)


async def test_previewing_an_order_gives_the_forecasts_of_its_actions(
    client: Client, table: Table
) -> None:
    order = next(
        each
        for each in await client.list_orders(table.white, table.id)
        if each.actor == "unit-a6" and each.verb == "move"
    )
    found = await client.preview_order(table.white, table.id, actor="unit-a6", verb="move")
    assert [each.notation for each in found.forecasts] == [each.notation for each in order.actions]
    same = await client.preview_order(
        table.white, table.id, notations=[each.notation for each in order.actions]
    )
    assert [*found.forecasts] == [*same.forecasts]
    assert all(each.changes and each.sentence for each in found.forecasts)
    assert not (await client.preview_order(table.white, table.id, actor="nothing")).forecasts


async def test_an_order_has_to_be_named(client: Client, table: Table) -> None:
    assert await refusal(client.preview_order(table.white, table.id)) == "FIELD_INVALID"


async def test_amounts_are_only_for_actions_that_have_some(client: Client, table: Table) -> None:
    call = client.submit(table.white, table.id, "a6-b6", amounts=[1])
    assert await refusal(call) == "FIELD_INVALID"


async def test_an_action_is_submitted_with_other_amounts_than_proposed(client: Client) -> None:
    match = await create_match(client, "res-arcana", chance=matches_pb2.CHANCE_ROLLED)
    for _ in range(60):
        seat = (await client.match(match.id)).prompts[0].seat
        token = match.tokens[seat]
        for order in await client.list_orders(token, match.id, seat):
            for action in order.actions:
                wanted = other_amounts(action.amounts)
                if wanted is None:
                    continue
                plain = await client.submit(token, match.id, action.notation, validate_only=True)
                other = await client.submit(
                    token, match.id, action.notation, amounts=wanted, validate_only=True
                )
                notations = {each.accepted.events[0].action.notation for each in (plain, other)}
                assert len(notations) == 2
                assert action.notation in notations
                done = await client.submit(token, match.id, action.notation, amounts=wanted)
                assert done.accepted.events[0].action.notation in notations - {action.notation}
                return
        await advance(client, match, 1)
    pytest.fail("no action with amounts to choose")


def other_amounts(amounts: Amounts) -> list[int] | None:
    """Allowed amounts that are not the proposed ones."""
    for way in amounts.ways:
        for vector in product(*map(range, way.min, [n + 1 for n in way.max])):
            if way.least <= sum(vector) <= way.most and [*vector] != [*amounts.proposal]:
                return [*vector]
    return None


@pytest.mark.parametrize("game", ["earthen-war", "golem-arcana", "res-arcana", "tokars-arcana"])
async def test_every_kind_of_turn_has_orders(client: Client, game: str) -> None:
    match = await create_match(client, game, chance=matches_pb2.CHANCE_ENTERED)
    for _ in range(12):
        for prompt in (await client.match(match.id)).prompts:
            token = match.tokens.get(prompt.seat) or match.tokens["referee"]
            orders = await client.list_orders(token, match.id, prompt.seat)
            assert any(order.actions for order in orders), prompt
            first = next(order for order in orders if order.actions)
            found = await client.preview_order(
                token, match.id, prompt.seat, actor=first.actor, line=first.line, verb=first.verb
            )
            assert found.forecasts, prompt
            assert not any(each.HasField("refusal") for each in found.forecasts)
        await advance(client, match, 1)


async def test_a_scene_names_its_theme(client: Client, table: Table) -> None:
    theme = (await client.view(table.white, table.id, mask=["scene"])).scene.theme
    assert theme == (await client.get_game(game="agog")).game.theme.hash


async def test_a_view_of_the_present_has_the_orders_of_its_viewer(
    client: Client, table: Table
) -> None:
    listed = await page(client, table.white, table.id)
    view = await client.view(table.white, table.id, mask=["turn"])
    assert view.turn.version == listed.version
    assert [*view.turn.orders] == [*listed.orders]
    for token in (table.black, table.spectator):
        assert not (await client.view(token, table.id, mask=["turn"])).HasField("turn")
    past = await client.view(table.white, table.id, mask=["turn"], version=1)
    assert not past.HasField("turn")


async def test_a_watcher_gets_the_orders_with_the_newest_event(
    client: Client, table: Table
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    await client.submit(table.black, table.id, "c8-b8")
    listed = await page(client, table.white, table.id)
    async for event in client.watch(table.white, table.id, latest=["turn"]):
        if event.event.version == listed.version:
            assert [*event.view.turn.orders] == [*listed.orders]
            break
        assert not event.view.HasField("turn")
