"""PreviewOrder and `validate_only`: what actions would do, as far as their seat may know."""

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1 import play_pb2 as pb
from tests.services.conftest import Table, create_match, refusal


async def test_each_action_has_a_forecast_in_the_order_requested(
    client: Client, table: Table
) -> None:
    found = await client.preview_order(table.white, table.id, notations=["b5-c5", "a6-a1", "a6-b6"])
    first, refused, last = found.forecasts
    assert [each.notation for each in found.forecasts] == ["b5-c5", "a6-a1", "a6-b6"]
    assert first.sentence.startswith("White's golem moves from b5 to c5")
    assert first.changes
    assert refused.refusal.rule.startswith("agog.")
    assert not refused.sentence
    assert not refused.changes
    assert not last.HasField("refusal")
    assert (found.version, (await client.match(table.id)).version) == (3, 3)


async def test_a_forecast_says_what_validating_the_action_says(
    client: Client, table: Table
) -> None:
    (forecast,) = (await client.preview_order(table.white, table.id, notations=["a6-b6"])).forecasts
    validated = await client.submit(
        table.white, table.id, "a6-b6", changes=True, validate_only=True
    )
    (event,) = validated.accepted.events
    assert (forecast.sentence, [*forecast.changes]) == (event.sentence, [*event.changes])
    assert not validated.accepted.HasField("receipt")


async def test_a_forecast_stops_where_dice_come_next(client: Client) -> None:
    match = await create_match(client, "earthen-war", chance=matches_pb2.CHANCE_ENTERED)
    seat = (await client.match(match.id)).prompts[0].seat
    entry, *_ = await client.list_actions(match.tokens[seat], match.id)
    found = await client.preview_order(match.tokens[seat], match.id, notations=[entry.notation])
    asked = (
        await client.submit(match.tokens[seat], match.id, entry.notation, validate_only=True)
    ).accepted.prompts
    stop = pb.FORECAST_STOP_CHANCE if asked[0].chance else pb.FORECAST_STOP_UNSPECIFIED
    assert found.forecasts[0].stop == stop


@pytest.mark.parametrize("count", [0, 129])
async def test_one_to_128_actions_are_previewed_at_once(
    client: Client, table: Table, count: int
) -> None:
    call = client.preview_order(table.white, table.id, notations=["a6-b6"] * count)
    assert await refusal(call) == "FIELD_INVALID"
    assert (
        len((await client.preview_order(table.white, table.id, notations=["x"] * 128)).forecasts)
        == 128
    )


async def test_a_resignation_needs_no_validation(client: Client, table: Table) -> None:
    request = pb.SubmitActionRequest(
        request_id="00000000-0000-4000-8000-000000000001",
        match_id=table.id,
        resignation=True,
        validate_only=True,
    )
    call = client._call(client._play.SubmitAction, request, table.white)
    assert await refusal(call) == "FIELD_INVALID"
