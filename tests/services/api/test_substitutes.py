"""A seat that is gone for good: the referee acts for it, where the match says so."""

from uuid import uuid4

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import (
    CreatedMatch,
    create_match,
    match_state,
    newest_version,
    play,
    refusal,
)


@pytest.fixture
async def gone(client: Client) -> CreatedMatch:
    """A match in which White has moved, and Black is gone with the token."""
    match = await create_match(client, substitute_policy=pb.SUBSTITUTE_POLICY_REFEREE)
    await client.join_match(match.tokens.pop("black"), match.id, "black", "Bob")
    await play(client, match, ("white", "a6-b6"))
    return match


async def test_the_referee_acts_for_the_seat_and_the_event_says_so(
    client: Client, gone: CreatedMatch
) -> None:
    referee = gone.tokens["referee"]
    assert (await match_state(client, gone)).substitute_policy == pb.SUBSTITUTE_POLICY_REFEREE
    foreseen = await client.submit(referee, gone.id, "h3-g3", seat="black", validate_only=True)
    assert foreseen.accepted.events[0].action.notation == "h3-g3"
    taken = (await client.submit(referee, gone.id, "h3-g3", seat="black")).accepted
    (event,) = taken.events
    assert (event.seat, event.player, event.substitute) == ("black", "Bob", "referee")
    assert event.sentence.endswith(" The referee acted for Black.")
    for role in ("white", "spectator"):
        shown = (
            await client.list_events(gone.tokens[role], gone.id, at_least_version=taken.version)
        )[-1]
        assert (shown.seat, shown.substitute, shown.sentence) == (
            "black",
            "referee",
            event.sentence,
        )
    own = (await client.submit(gone.tokens["white"], gone.id, "b6-c6")).accepted.events[0]
    assert (own.substitute, "referee" in own.sentence) == ("", False)
    verified = await client.verify_match(referee, gone.id)
    assert verified.sound, verified.findings


async def test_the_referee_resigns_for_the_seat(client: Client, gone: CreatedMatch) -> None:
    answer = await client.submit_action(
        gone.tokens["referee"], gone.id, seat="black", resignation=True
    )
    assert answer.accepted.events[0].substitute == "referee"
    over = await match_state(client, gone)
    assert [*over.result.winners] == ["white"]


async def test_a_resignation_that_is_the_matchs_own_event_says_it_too(client: Client) -> None:
    match = await create_match(
        client, "earthen-war", substitute_policy=pb.SUBSTITUTE_POLICY_REFEREE
    )
    (event, *_) = (
        await client.submit_action(
            match.tokens["referee"], match.id, seat="black", resignation=True
        )
    ).accepted.events
    assert event.kind == "match.Resigned"
    assert event.substitute == "referee"
    assert event.sentence == "Black resigns. The referee acted for Black."


async def test_the_referee_answers_an_offer_for_the_seat(client: Client) -> None:
    match = await create_match(
        client, "earthen-war", substitute_policy=pb.SUBSTITUTE_POLICY_REFEREE
    )
    referee = match.tokens["referee"]
    await client.create_proposal(referee, match.id, seat="white", draw={})
    answer = await client.answer(referee, match.id, seat="black", accepted=True)
    assert answer.accepted.result.reason == "agreement"
    events = await client.list_events(referee, match.id, at_least_version=answer.accepted.version)
    assert [(each.seat, each.substitute) for each in events if each.substitute] == [
        ("white", "referee"), ("black", "referee"),
    ]  # fmt: skip


async def test_the_same_request_again_gives_the_same_answer(
    client: Client, gone: CreatedMatch
) -> None:
    request_id, referee = str(uuid4()), gone.tokens["referee"]
    answers = [
        await client.submit(referee, gone.id, "h3-g3", seat="black", request_id=request_id)
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
    assert await newest_version(client, gone) == answers[0].accepted.version


async def test_the_rules_judge_it_as_any_action_of_the_seat(
    client: Client, gone: CreatedMatch
) -> None:
    referee = gone.tokens["referee"]
    refused = (await client.submit(referee, gone.id, "a6-b6", seat="black")).refused
    assert refused.rule.startswith("agog.")
    out_of_turn = (await client.submit(referee, gone.id, "b6-c6", seat="white")).refused
    assert out_of_turn.rule.startswith("agog.")
    stale = client.submit(referee, gone.id, "h3-g3", seat="black", expected_version=1)
    assert await refusal(stale) == "VERSION_STALE"
    assert await refusal(client.submit(referee, gone.id, "h3-g3", seat="red")) == "SEAT_INVALID"
    assert await refusal(client.submit(referee, gone.id, "h3-g3")) == "ROLE_NOT_ALLOWED"


async def test_only_the_referee_substitutes(client: Client, gone: CreatedMatch) -> None:
    for role in ("white", "spectator"):
        call = client.submit(gone.tokens[role], gone.id, "h3-g3", seat="black")
        assert await refusal(call) == "ROLE_NOT_ALLOWED"


async def test_where_it_was_not_agreed_the_referee_does_not_either(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"))
    assert (await match_state(client, match)).substitute_policy == pb.SUBSTITUTE_POLICY_NONE
    referee = match.tokens["referee"]
    for call in (
        client.submit(referee, match.id, "h3-g3", seat="black"),
        client.submit(referee, match.id, "h3-g3", seat="black", validate_only=True),
        client.submit_action(referee, match.id, seat="black", resignation=True),
    ):
        assert await refusal(call) == "ROLE_NOT_ALLOWED"
    assert await newest_version(client, match) == 2


async def test_an_undo_is_the_referees_own(client: Client, gone: CreatedMatch) -> None:
    call = client.undo(gone.tokens["referee"], gone.id, 1, seat="white")
    assert await refusal(call) == "ROLE_NOT_ALLOWED"
