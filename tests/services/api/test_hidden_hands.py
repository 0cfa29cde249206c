"""Res Arcana over gRPC: who may see what, entries for the table, and payments by the thousand."""

import sqlite3
from contextlib import closing
from random import Random

import msgspec
import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.v1 import play_pb2


async def test_the_service_shuffles_unless_the_table_does(client: Client) -> None:
    rolled = await client.create_match(game="res-arcana", options={"players": 2})
    assert not any(prompt.chance for prompt in rolled.match.prompts)
    entered = await client.create_match(
        game="res-arcana", options={"players": 2, "chance": "entered"}
    )
    assert [(prompt.seat, prompt.chance) for prompt in entered.match.prompts] == [("table", True)]
    identity, token = entered.match.match_id, entered.tokens["table"]
    actions = await client.list_actions(token, identity)
    answer = await client.submit(token, identity, actions[0].notation)
    assert answer.HasField("accepted")
    with pytest.raises(ServiceError) as refused:
        await client.submit(entered.tokens["spectator"], identity, actions[0].notation)
    assert refused.value.reason == "ROLE_NOT_ALLOWED"


async def test_payments_are_listed_when_they_are_requested(client: Client) -> None:
    created = await client.create_match(game="res-arcana", options={"players": 2})
    identity, tokens = created.match.match_id, created.tokens
    random, seen = Random(1), 0
    for _ in range(60):
        match = await client.match(identity, 1)
        if not match.prompts or seen:
            break
        token = tokens[match.prompts[0].seat]
        listed = await client.list_actions(token, identity)
        for action in listed:
            if action.group:
                members = await client.list_actions(token, identity, group=action.group)
                assert len(members) > 1
                assert members[0].notation == action.notation
                assert {member.verb for member in members} == {action.verb}
                seen += 1
        every = await client.list_every_action(token, identity)
        assert len({action.notation for action in every}) == len(every) >= len(listed)
        taken = await client.submit(token, identity, random.choice(every).notation)
        assert taken.HasField("accepted")
        await client.match(identity, taken.accepted.version)
    assert seen


async def test_a_group_is_good_for_one_version_and_one_seat(client: Client) -> None:
    created = await client.create_match(game="res-arcana", options={"players": 2})
    request = play_pb2.ListActionsRequest(match_id=created.match.match_id, group="made-up.1-0")
    with pytest.raises(ServiceError) as refused:
        await client._call(client._play.ListActions, request, created.tokens["north"])
    assert refused.value.reason == "PAGE_TOKEN_INVALID"


async def test_a_preview_reveals_nothing_that_is_hidden(client: Client) -> None:
    """A card that would be drawn is not shown before it is drawn."""
    created = await client.create_match(game="res-arcana", options={"players": 2})
    identity, tokens = created.match.match_id, created.tokens
    random, stopped = Random(3), 0
    for _ in range(120):
        match = await client.match(identity, 1)
        if not match.prompts or stopped > 3:
            break
        token = tokens[match.prompts[0].seat]
        action = random.choice(await client.list_actions(token, identity)).notation
        foreseen = (await client.submit(token, identity, action, validate_only=True)).accepted
        taken = (await client.submit(token, identity, action)).accepted
        if not foreseen.position:
            stopped += 1
            assert len(foreseen.events[0].facts) < len(taken.events[0].facts)
        else:
            assert [fact.kind for fact in foreseen.events[0].facts] == [
                fact.kind for fact in taken.events[0].facts
            ]
        await client.match(identity, taken.version)
    assert stopped


async def test_each_seat_sees_its_own_hand_only(client: Client) -> None:
    created = await client.create_match(game="res-arcana", options={"players": 3})
    identity, tokens = created.match.match_id, created.tokens
    views = {
        viewer: await client.view(
            tokens[viewer], identity, "text", at_least_version=created.match.version
        )
        for viewer in (*(seat.name for seat in created.match.seats), "spectator", "referee")
    }
    assert len({view.position for view in views.values()}) == len(views)
    assert len(views["spectator"].position) <= len(views["referee"].position)


async def test_the_seed_of_hidden_hands_is_shown_to_the_referee_only(client: Client) -> None:
    created = await client.create_match(game="res-arcana", options={"players": 2})
    identity, tokens = created.match.match_id, created.tokens
    over = await client.submit_action(tokens["north"], identity, resignation=True)
    for viewer in ("north", "east", "spectator", "referee"):
        events = await client.list_events(
            tokens[viewer], identity, at_least_version=over.accepted.version
        )
        (revealed,) = [each for each in events if each.kind == "match.SeedRevealed"]
        assert ("seed" in revealed.details) == (viewer == "referee")


async def test_digests_of_what_is_hidden_cannot_be_guessed(
    client: Client, service: Service
) -> None:
    """Every event has 128 secret bits, which no viewer is shown."""
    created = await client.create_match(game="res-arcana", options={"players": 2})
    identity, tokens = created.match.match_id, created.tokens
    with closing(sqlite3.connect(service.settings.folder / "log.sqlite")) as log:
        rows = log.execute("SELECT state FROM stored_events").fetchall()
    stored = [msgspec.json.decode(state)["event"] for (state,) in rows]
    salts = {event["salt"] for event in stored}
    assert len(salts) == len(stored)
    assert all(len(bytes.fromhex(salt)) == 16 for salt in salts)
    for viewer in ("north", "spectator", "referee"):
        events = await client.list_events(
            tokens[viewer], identity, at_least_version=created.match.version
        )
        assert not any(salt in str(event) for salt in salts for event in events)


async def test_only_the_referee_exports_and_forks_what_hides_something(client: Client) -> None:
    created = await client.create_match(game="res-arcana", options={"players": 2})
    identity, tokens = created.match.match_id, created.tokens
    await client.submit_action(tokens["north"], identity, resignation=True)
    for viewer in ("north", "east", "spectator"):
        with pytest.raises(ServiceError) as refused:
            [piece.data async for piece in client.export_match(tokens[viewer], identity)]
        assert refused.value.reason == "ROLE_NOT_ALLOWED"
        with pytest.raises(ServiceError) as refused:
            await client.fork_match(tokens[viewer], identity)
        assert refused.value.reason == "ROLE_NOT_ALLOWED"
    assert (await client.export(tokens["referee"], identity)).data
    assert (await client.fork_match(tokens["referee"], identity)).tokens
