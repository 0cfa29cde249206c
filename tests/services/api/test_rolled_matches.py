"""A match whose dice the service rolls: every viewer of the seed can repeat every roll."""

from hashlib import sha256
from uuid import UUID

from domain.match import drawn_entry
from services.client import Client
from services.main import Service
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1.actions_pb2 import Event
from tests.services.conftest import (
    CreatedMatch,
    advance,
    create_match,
    match_state,
    newest_version,
    refusal,
)


async def test_every_roll_follows_from_the_seed_that_is_revealed_at_the_end(
    client: Client, service: Service
) -> None:
    match = await create_match(client, "earthen-war", chance=matches_pb2.CHANCE_ROLLED)
    tokens = dict(match.tokens)
    for seat, entropy in (("white", "seven of spades"), ("black", "a rainy day")):
        claimed = await client.join_match(
            tokens[seat], match.id, seat, seat.title(), entropy=entropy
        )
        tokens[seat] = claimed.token
    match = CreatedMatch(match.id, tokens)
    promised = (await match_state(client, match)).commitment
    await advance(client, match, 40)
    await client.undo(tokens["referee"], match.id, 8)
    await advance(client, match, 10)
    await client.submit_action(tokens["white"], match.id, resignation=True)
    first = await revealed(client, match)
    assert sha256(bytes.fromhex(first.details["seed"])).hexdigest() == promised
    await client.undo(tokens["referee"], match.id, first.version - 2)
    assert (await match_state(client, match)).commitment == first.details["following"]
    await advance(client, match, 40)
    await client.submit_action(tokens["black"], match.id, resignation=True)
    second = await revealed(client, match)
    assert sha256(bytes.fromhex(second.details["seed"])).hexdigest() == first.details["following"]
    assert await check_rolls(client, service, match) > 5


async def revealed(client: Client, match: CreatedMatch) -> Event:
    """Return the last event, which reveals the seed."""
    version = await newest_version(client, match)
    last = (
        await client.list_events(match.tokens["spectator"], match.id, at_least_version=version)
    )[-1]
    assert last.kind == "match.SeedRevealed"
    return last


async def check_rolls(client: Client, service: Service, match: CreatedMatch) -> int:
    """Make every roll again, from what anybody may know now; how many there were."""
    live = await service._live.get(UUID(match.id))
    history = await client.list_events(match.tokens["spectator"], match.id)
    seeds = [bytes.fromhex(e.details["seed"]) for e in history if e.kind == "match.SeedRevealed"]
    rolls = [event for event in history if event.HasField("draw")]
    assert [event.draw for event in rolls] == [*range(1, len(rolls) + 1)]
    for event in rolls:
        before = await service._live.at(live, event.version - 1)
        seed = seeds[sum(e.kind == "match.SeedRevealed" for e in history[: event.version])]
        prompt = next(prompt for prompt in before.prompts if prompt.is_chance)
        entry = drawn_entry(before, prompt, event.draw, seed)
        assert before.rules.write_action(entry) == event.action.notation
    return len(rolls)


async def test_nobody_enters_what_the_service_rolls(client: Client, earthen: CreatedMatch) -> None:
    history = await client.list_events(earthen.tokens["referee"], earthen.id)
    rolls = [event for event in history if event.HasField("draw")]
    assert rolls
    stands = await match_state(client, earthen)
    assert not any(prompt.chance for prompt in stands.prompts)
    assert stands.chance == matches_pb2.CHANCE_ROLLED
    answer = await client.submit(
        earthen.tokens[rolls[-1].seat], earthen.id, rolls[-1].action.notation
    )
    assert answer.HasField("refused")


async def test_entropy_has_bounds(client: Client) -> None:
    match = await create_match(client)
    claim = client.join_match(match.tokens["white"], match.id, "white", "Ada", entropy="x" * 81)
    assert await refusal(claim) == "FIELD_INVALID"
