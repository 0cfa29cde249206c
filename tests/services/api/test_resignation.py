"""Giving up with three seats, over gRPC: the others play on."""

from io import BytesIO

import pytest

from services.client import Client, new_request
from services.main import Service
from services.proof.match_file import verify_file
from services.wire.emeth.v1 import matches_pb2
from tests.services.conftest import (
    CreatedMatch,
    GatewayConnection,
    advance,
    create_match,
    match_state,
    newest_version,
    position,
    refusal,
    set_up_gateway,
)


@pytest.fixture
async def three(client: Client) -> CreatedMatch:
    """A match of Res Arcana with three seats, some way in."""
    match = await create_match(client, "res-arcana", options={"players": 3})
    await advance(client, match, 25)
    return match


async def test_the_others_play_on_and_every_viewer_receives_the_event(
    client: Client, three: CreatedMatch
) -> None:
    request = new_request()
    answer = await client.submit_action(
        three.tokens["east"], three.id, request_id=request, resignation=True
    )
    assert not answer.accepted.HasField("result")
    # Whose turn it is next follows from what the service drew, so it is narrated afterwards.
    gone = "East gives up and is out of the game."
    assert answer.accepted.events[0].sentence.startswith(gone)
    assert answer.accepted.events[0].facts[0].sentence == gone
    assert (
        await client.submit_action(
            three.tokens["east"], three.id, request_id=request, resignation=True
        )
        == answer
    )
    assert (
        await refusal(client.submit_action(three.tokens["east"], three.id, resignation=True))
        == "SEAT_ELIMINATED"
    )
    match = await match_state(client, three)
    assert [(seat.name, seat.out) for seat in match.seats] == [
        ("north", False),
        ("east", True),
        ("south", False),
    ]
    assert match.status == matches_pb2.MATCH_STATUS_ACTIVE
    assert "east" not in {prompt.seat for prompt in match.prompts}
    await advance(client, three, 10)


async def test_the_match_verifies_exports_and_its_transcript_is_imported(
    client: Client, three: CreatedMatch
) -> None:
    await client.submit_action(three.tokens["south"], three.id, resignation=True)
    await advance(client, three, 5)
    text = (
        await client.transcript(
            three.tokens["referee"], three.id, await newest_version(client, three)
        )
    ).text
    assert ". south (drops out)\n" in text
    made = await client.import_transcript(transcript=text)
    again = CreatedMatch(made.match.match_id, dict(made.tokens))
    assert await position(client, again) == await position(client, three)
    record = (await client.score(three.tokens["referee"], three.id)).text
    assert "south (drops out)" in record.splitlines()
    assert (await client.verify_match(three.tokens["referee"], three.id)).findings == []
    raw = (await client.export(three.tokens["referee"], three.id)).data
    assert verify_file(BytesIO(raw)).report.sound


async def test_the_last_one_left_has_won(client: Client, three: CreatedMatch) -> None:
    await client.submit_action(three.tokens["south"], three.id, resignation=True)
    answer = await client.submit_action(three.tokens["north"], three.id, resignation=True)
    assert answer.accepted.result.winners == ["east"]
    assert answer.accepted.result.reason == "resign"
    assert "/gone/" in await position(client, three)


async def test_the_match_card_resigns_for_one_seat_after_the_other(service: Service) -> None:
    shop = await set_up_gateway(service, "res-arcana", options={"players": 3})
    async with Client(service.address) as client, GatewayConnection(service, shop) as line:
        for _ in range(2):
            out = await line.taps("match resign", "button confirm")
        assert out[-1].result.reason == "resign"
        seats = (
            await client.match(shop.match, out[-1].match_version, token=shop.tokens["referee"])
        ).seats
        assert [seat.out for seat in seats].count(True) == 2
