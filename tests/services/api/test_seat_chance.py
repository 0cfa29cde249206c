"""Each seat its own way of rolling, over gRPC."""

from io import BytesIO

import pytest

from services.client import Client, ServiceError, new_request
from services.main import Service
from services.proof.match_file import verify_file
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import (
    CreatedMatch,
    GatewayConnection,
    create_match,
    match_state,
    newest_version,
    refusal,
    set_up_gateway,
)


@pytest.fixture
async def mixed(client: Client) -> CreatedMatch:
    """White's dice are rolled by the service, Black enters its own."""
    return await create_match(client, "earthen-war", seat_chance={"white": pb.CHANCE_ROLLED})


async def test_seat_chance_is_shown_in_the_match_and_copied_to_forks(
    client: Client, mixed: CreatedMatch
) -> None:
    match = await match_state(client, mixed)
    assert match.chance == pb.CHANCE_ENTERED
    assert dict(match.seat_chance) == {"white": pb.CHANCE_ROLLED}
    assert match.commitment
    assert [(prompt.seat, prompt.chance) for prompt in match.prompts] == [("black", True)]
    fork = (await client.fork_match(mixed.tokens["white"], mixed.id)).match
    assert dict(fork.seat_chance) == {"white": pb.CHANCE_ROLLED}
    assert fork.commitment != match.commitment


async def test_each_seat_rolls_in_its_own_way(client: Client, mixed: CreatedMatch) -> None:
    entered = await client.submit(mixed.tokens["black"], mixed.id, "dice 1 3")
    assert not entered.accepted.events[0].HasField("draw")
    history = await client.list_events(
        mixed.tokens["white"], mixed.id, at_least_version=await newest_version(client, mixed)
    )
    draws = [(event.seat, event.HasField("draw")) for event in history if event.action.verb]
    assert draws[:2] == [("white", True), ("black", False)]


async def test_the_match_verifies_and_its_transcript_says_who_rolled(
    client: Client, mixed: CreatedMatch
) -> None:
    await client.submit(mixed.tokens["black"], mixed.id, "dice 1 3")
    await client.submit_action(mixed.tokens["white"], mixed.id, resignation=True)
    version = await newest_version(client, mixed)
    text = (await client.transcript(mixed.tokens["referee"], mixed.id, version)).text
    assert '[Chance "entered white=rolled"]' in text
    again = (await client.import_transcript(transcript=text)).match
    assert dict(again.seat_chance) == {}
    raw = (await client.export(mixed.tokens["white"], mixed.id)).data
    assert verify_file(BytesIO(raw)).report.sound


async def test_a_preview_foretells_nobodys_dice(client: Client) -> None:
    match = await create_match(client, "earthen-war", seat_chance={"black": pb.CHANCE_ROLLED})
    preview = await client.submit(match.tokens["white"], match.id, "dice 1 3", validate_only=True)
    assert len(preview.accepted.events) == 1
    assert [(prompt.seat, prompt.chance) for prompt in preview.accepted.prompts] == [
        ("black", True)
    ]


async def test_only_seats_of_the_match_are_named(client: Client) -> None:
    for wrong in ({"green": pb.CHANCE_ROLLED}, {"white": pb.CHANCE_UNSPECIFIED}):
        with pytest.raises(ServiceError) as refused:
            await client.create_match(game="earthen-war", seat_chance=wrong)
        assert refused.value.reason == "FIELD_INVALID"
        assert "seat_chance[" in str(refused.value)


async def test_a_request_for_another_way_is_another_request(client: Client) -> None:
    request = new_request()
    one: dict[str, pb.Chance.ValueType] = {"white": pb.CHANCE_ROLLED}
    other: dict[str, pb.Chance.ValueType] = {"black": pb.CHANCE_ROLLED}
    first = await client.create_match(game="earthen-war", request_id=request, seat_chance=one)
    assert (
        await client.create_match(game="earthen-war", request_id=request, seat_chance=one) == first
    )
    again = client.create_match(game="earthen-war", request_id=request, seat_chance=other)
    assert await refusal(again) == "REQUEST_ID_REUSED"


async def test_a_stylus_asks_for_the_dice_of_who_enters_them_alone(service: Service) -> None:
    by_seat = {"black": pb.CHANCE_ENTERED}
    shop = await set_up_gateway(service, "earthen-war", seat_chance=by_seat)
    async with GatewayConnection(service, shop) as line:
        shown = await line.tap("cc map")
        assert [(each.seat, each.chance) for each in shown.prompts] == [("black", True)]
        entered = (await line.taps("cc play", "cc digit 1", "cc digit 3", "button confirm"))[-1]
    # The rolls that follow, should both have rolled the same, are the service's and Black's.
    event = next(each for each in entered.events if each.HasField("action"))
    assert (event.seat, event.action.notation) == ("black", "dice 1 3")
    assert not event.HasField("draw")
