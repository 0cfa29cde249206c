"""Conditional actions: done once when their time comes, and hidden from everybody else."""

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import conditional_moves_pb2
from tests.services.conftest import CreatedMatch, create_match, match_state, play, refusal

WAITING = conditional_moves_pb2.CONDITIONAL_MOVES_STATE_WAITING
DONE = conditional_moves_pb2.CONDITIONAL_MOVES_STATE_DONE
DROPPED = conditional_moves_pb2.CONDITIONAL_MOVES_STATE_DROPPED


def node(
    on: str, *replies: str, parent: int = 0, by: str = ""
) -> conditional_moves_pb2.ConditionalMove:
    return conditional_moves_pb2.ConditionalMove(
        trigger_action=on, responses=replies, parent=parent, trigger_seat=by
    )


async def until(client: Client, match: CreatedMatch, version: int) -> Any:
    """The history of a match, once it has come so far."""
    async with asyncio.timeout(30):
        while (found := await match_state(client, match)).version < version:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert found.version == version
    return await client.list_events(match.tokens["referee"], match.id)


async def ended(
    client: Client, match: CreatedMatch, seat: str
) -> conditional_moves_pb2.ConditionalMoves:
    async with asyncio.timeout(30):
        async with aclosing(client.watch_conditional_moves(match.tokens[seat], match.id)) as news:
            async for plan in news:
                if plan is not None and plan.state != WAITING:
                    return plan
    raise AssertionError("the plan goes on")


@pytest.fixture
async def match(client: Client) -> CreatedMatch:
    return await create_match(client)


async def test_a_plan_answers_as_it_was_left_and_names_the_condition(
    client: Client, match: CreatedMatch
) -> None:
    black = match.tokens["black"]
    left = await client.set_conditional_moves(
        black,
        match.id,
        moves=[
            node("f1-g1", "c8-c7"),
            node("a6-b6", "h3-g3"),
            node("f1-g1", "c8-c7", parent=2, by="white"),
        ],
    )
    assert (left.state, [*left.awaiting], left.since_version) == (WAITING, [1, 2], 1)
    assert [(each.trigger_sentence, [*each.response_sentences]) for each in left.moves] == [
        ("Move the golem from f1 to g1", ["Move the golem from c8 to c7"]),
        ("Move the golem from a6 to b6", ["Move the golem from h3 to g3"]),
        ("Move the golem from f1 to g1", ["Move the golem from c8 to c7"]),
    ]
    await play(client, match, ("white", "a6-b6"))
    events = await until(client, match, 3)
    assert events[2].seat == "black"
    assert events[2].action.notation == "h3-g3"
    assert (events[2].details["answers"], events[2].client) == ("2", "plan")
    assert events[2].sentence.endswith("Black had left this to be done after event 2.")
    halfway = await client.get_conditional_moves(black, match.id)
    assert [*halfway.awaiting] == [3]
    await play(client, match, ("white", "f1-g1"))
    events = await until(client, match, 5)
    assert events[4].action.notation == "c8-c7"
    plan = await ended(client, match, "black")
    assert (plan.state, plan.end_version) == (DONE, 5)
    verified = await client.verify_match(match.tokens["referee"], match.id)
    assert verified.sound, verified.findings


async def test_a_plan_that_does_not_foresee_it_is_dropped_with_a_notice(
    client: Client, match: CreatedMatch
) -> None:
    black = match.tokens["black"]
    await client.set_conditional_moves(black, match.id, moves=[node("a6-b6", "h3-g3")])
    async with aclosing(client.watch_conditional_moves(black, match.id)) as news:
        first = await anext(news)
        assert first is not None
        assert first.state == WAITING
        await play(client, match, ("white", "f1-g1"))
        async with asyncio.timeout(30):
            async for moves in news:
                if moves is not None and moves.state == DROPPED:
                    break
    assert moves is not None
    assert moves.end_reason == "white did what it does not foresee: f1-g1"
    assert (await match_state(client, match)).version == 2


async def test_the_stream_of_a_match_shows_the_plan_of_its_viewer_alone(
    client: Client, match: CreatedMatch
) -> None:
    received: dict[str, list[conditional_moves_pb2.ConditionalMoves | None]] = {
        "white": [],
        "black": [],
    }
    there, done = asyncio.Semaphore(0), asyncio.Event()

    def hear(role: str, plan: conditional_moves_pb2.ConditionalMoves | None) -> None:
        received[role].append(plan)
        if plan is not None and plan.state == DONE:
            done.set()

    async def watch(role: str) -> None:
        shown = client.watch(match.tokens[role], match.id, on_conditional_moves=partial(hear, role))
        async with asyncio.timeout(30), aclosing(shown) as events:
            async for each in events:
                if each.event.version == 1:
                    there.release()
                if each.event.version == 4:
                    return

    async with asyncio.TaskGroup() as both:
        for role in received:
            both.create_task(watch(role))
        for _ in received:
            await there.acquire()
        await client.set_conditional_moves(
            match.tokens["black"], match.id, moves=[node("a6-b6", "h3-g3")]
        )
        await play(client, match, ("white", "a6-b6"))
        async with asyncio.timeout(30):
            await done.wait()
        await play(client, match, ("white", "f1-g1"))
    assert received["white"] == [None]
    assert [plan.seat for plan in received["black"] if plan is not None][:1] == ["black"]


async def test_what_the_rules_forbid_then_is_not_done(client: Client, match: CreatedMatch) -> None:
    await client.set_conditional_moves(match.tokens["black"], match.id, moves=[node("", "a1-a2")])
    await play(client, match, ("white", "a6-b6"))
    plan = await ended(client, match, "black")
    assert plan.state == DROPPED
    assert plan.end_reason.startswith("a1-a2: ")
    assert (await match_state(client, match)).version == 2


async def test_it_is_dropped_when_the_match_goes_back(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
    await client.set_conditional_moves(match.tokens["black"], match.id, moves=[node("", "c8-c7")])
    await client.undo(match.tokens["referee"], match.id, 2)
    plan = await ended(client, match, "black")
    assert (plan.state, plan.end_reason) == (DROPPED, "the match went on otherwise than by actions")


async def test_a_plan_is_undone_once(client: Client, match: CreatedMatch) -> None:
    black, name = match.tokens["black"], str(uuid4())
    assert await refusal(client.delete_conditional_moves(black, match.id)) == "NO_CONDITIONAL_MOVES"
    await client.set_conditional_moves(black, match.id, moves=[node("a6-b6", "h3-g3")])
    for _ in range(2):
        plan = await client.delete_conditional_moves(black, match.id, request_id=name)
        assert plan.state == conditional_moves_pb2.CONDITIONAL_MOVES_STATE_DELETED
    assert await refusal(client.delete_conditional_moves(black, match.id)) == "NO_CONDITIONAL_MOVES"
    await play(client, match, ("white", "a6-b6"))
    await asyncio.sleep(0.05)
    assert (await match_state(client, match)).version == 2


async def test_the_same_request_again_leaves_the_same_plan(
    client: Client, match: CreatedMatch
) -> None:
    black, name = match.tokens["black"], str(uuid4())
    nodes = [node("a6-b6", "h3-g3")]
    first, again = [
        await client.set_conditional_moves(black, match.id, moves=nodes, request_id=name)
        for _ in range(2)
    ]
    assert first == again
    other = client.set_conditional_moves(
        black, match.id, moves=[node("", "h3-g3")], request_id=name
    )
    assert await refusal(other) == "REQUEST_ID_REUSED"
    stale = client.set_conditional_moves(black, match.id, moves=nodes, expected_version=7)
    assert await refusal(stale) == "VERSION_STALE"


@pytest.mark.parametrize(
    ("moves", "field"),
    [
        ([], "moves"),
        ([node("", "h3-g3")] * 501, "moves"),
        ([node("a6-b6", "h3-g3", parent=1)], "moves[0].parent"),
        ([node("a6-b6")], "moves[0].responses"),
        ([node("a6-b6", "h3-g3", by="black")], "moves[0].trigger_seat"),
        ([node("a6-b6", "h3-g3", by="green")], "moves[0].trigger_seat"),
        ([node("nonsense", "h3-g3")], "moves[0].trigger_action"),
        ([node("", "nonsense")], "moves[0].responses[0]"),
        ([node("", *["h3-g3"] * 51)], "moves[0].responses"),
    ],
)
async def test_what_is_no_plan_is_refused(
    client: Client,
    match: CreatedMatch,
    moves: list[conditional_moves_pb2.ConditionalMove],
    field: str,
) -> None:
    black = match.tokens["black"]
    with pytest.raises(ServiceError) as refused:
        await client.set_conditional_moves(black, match.id, moves=moves)
    assert refused.value.reason == "FIELD_INVALID"
    assert field in refused.value.violations
    assert not (await client.get_conditional_moves(black, match.id)).version


async def test_a_tree_of_ten_thousand_nodes_is_refused(client: Client, match: CreatedMatch) -> None:
    nodes = [node("", "h3-g3", parent=number) for number in range(10_000)]
    with pytest.raises(ServiceError) as refused:
        await client.set_conditional_moves(match.tokens["black"], match.id, moves=nodes)
    assert "moves" in refused.value.violations
    deep = [node("a6-b6", parent=number) for number in range(499)]
    left = await client.set_conditional_moves(
        match.tokens["black"], match.id, moves=[*deep, node("", "h3-g3", parent=499)]
    )
    assert len(left.moves) == 500


async def test_no_other_viewer_learns_of_conditional_moves(
    client: Client, match: CreatedMatch
) -> None:
    async def visible_data() -> list[Any]:
        """All that others can ask of the match."""
        seen: list[Any] = [await match_state(client, match)]
        listed = await client.list_matches_page()
        seen.append(listed)
        for role in ("white", "referee", "spectator"):
            token = match.tokens[role]
            seen.append(await client.view(token, match.id, "text"))
            seen.append(await client.list_events(token, match.id))
            seen.append([piece.data async for piece in client.export_match(token, match.id)][:-1])
            seen.append(await client.transcript(token, match.id))
            seen.append((await client.get_match(token, match.id)).caller)
        seen.append(await client.list_actions(match.tokens["white"], match.id))
        seen.append(await client.get_conditional_moves(match.tokens["white"], match.id))
        for role in ("referee", "spectator"):
            asked = client.get_conditional_moves(match.tokens[role], match.id)
            seen.append(await refusal(asked))
        return seen

    before = await visible_data()
    assert before[-2:] == ["ROLE_NOT_ALLOWED", "ROLE_NOT_ALLOWED"]
    await client.set_conditional_moves(
        match.tokens["black"], match.id, moves=[node("a6-b6", "h3-g3")]
    )
    assert await visible_data() == before
    async with asyncio.timeout(30):
        watched = client.watch(match.tokens["white"], match.id, after_version=0)
        assert (await anext(watched)).event.version == 1
    await client.delete_conditional_moves(match.tokens["black"], match.id)
    assert await visible_data() == before


async def test_a_later_holder_of_the_seat_does_not_see_the_conditional_moves(
    client: Client, match: CreatedMatch
) -> None:
    await client.set_conditional_moves(
        match.tokens["black"], match.id, moves=[node("a6-b6", "h3-g3")]
    )
    claimed = await client.join_match(match.tokens["black"], match.id, "black", "Bob")
    assert not (await client.get_conditional_moves(claimed.token, match.id)).version
    assert (
        await refusal(client.delete_conditional_moves(claimed.token, match.id))
        == "NO_CONDITIONAL_MOVES"
    )
    await play(client, match, ("white", "a6-b6"))
    await asyncio.sleep(0.05)
    assert (await client.match(match.id, 3)).version == 3


async def test_a_plan_outlives_the_service_and_acts_once(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        match = await create_match(client)
        nodes = [node("a6-b6", "h3-g3"), node("f1-g1", "c8-c7", parent=1)]
        await client.set_conditional_moves(match.tokens["black"], match.id, moves=nodes)
        await service._planned.close()  # it is killed before it has done anything
        await play(client, match, ("white", "a6-b6"))
    async with Service(settings) as service, Client(service.address) as client:
        await until(client, match, 3)
    async with Service(settings) as service, Client(service.address) as client:
        await play(client, match, ("white", "f1-g1"))
        events = await until(client, match, 5)
        acted = [each.action.notation for each in events if "answers" in each.details]
        assert acted == ["h3-g3", "c8-c7"]
        assert (await ended(client, match, "black")).state == DONE


async def test_two_plans_play_against_each_other(client: Client, match: CreatedMatch) -> None:
    await client.set_conditional_moves(
        match.tokens["black"],
        match.id,
        moves=[node("a6-b6", "h3-g3"), node("f1-g1", "c8-c7", parent=1)],
    )
    await client.set_conditional_moves(
        match.tokens["white"], match.id, moves=[node("h3-g3", "f1-g1")]
    )
    await play(client, match, ("white", "a6-b6"))
    events = await until(client, match, 5)
    assert [each.action.notation for each in events[1:]] == ["a6-b6", "h3-g3", "f1-g1", "c8-c7"]
