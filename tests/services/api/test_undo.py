"""Taking back and doing again, over gRPC."""

import pytest

from services.client import Client, ServiceError, new_request
from services.main import Service
from services.wire.emeth.v1 import matches_pb2
from services.wire.emeth.v1.proposals_pb2 import (
    PROPOSAL_STATE_ACCEPTED,
    PROPOSAL_STATE_PENDING,
    PROPOSAL_STATE_REJECTED,
)
from tests.services.conftest import (
    OPENING,
    CreatedMatch,
    Table,
    advance,
    create_match,
    match_state,
    newest_version,
    play,
    position,
    refusal,
)

FREE = matches_pb2.UNDO_POLICY_FREE


async def test_an_undo_waits_for_the_opponent_and_then_goes_back(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    asked = await client.undo(match.tokens["black"], match.id)
    assert (list(asked.proposal.awaiting_seats), asked.proposal.target_version) == (["white"], 4)
    stands = await client.match(match.id, asked.version)
    assert (stands.proposal.seat, stands.proposal.target_version) == ("black", 4)
    granted = (await client.answer(match.tokens["white"], match.id, accepted=True)).accepted
    assert (
        granted.proposal.state,
        list(granted.proposal.awaiting_seats),
        granted.proposal.target_version,
    ) == (PROPOSAL_STATE_ACCEPTED, [], 4)
    assert granted.position == await position(client, match, 4)
    assert [event.kind for event in granted.events] == ["match.UndoAnswered", "match.LineContinued"]
    await play(client, match, ("black", "d7-c7"))


async def test_a_refused_undo_changes_nothing(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    before = await position(client, match)
    await client.undo(match.tokens["black"], match.id)
    refused = (await client.answer(match.tokens["white"], match.id, accepted=False)).accepted
    assert refused.position == before
    assert (refused.proposal.state, list(refused.proposal.awaiting_seats)) == (
        PROPOSAL_STATE_REJECTED,
        [],
    )
    answer = client.answer(match.tokens["white"], match.id, accepted=True)
    assert await refusal(answer) == "NO_PROPOSAL"


async def test_a_refused_answer_reads_as_refused_when_it_is_given_again(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    asked = await client.undo(match.tokens["black"], match.id)
    assert asked.proposal.state == PROPOSAL_STATE_PENDING
    request = new_request()
    for _ in range(2):
        refused = (
            await client.answer(match.tokens["white"], match.id, request_id=request, accepted=False)
        ).accepted
        assert refused.proposal.state == PROPOSAL_STATE_REJECTED


async def test_a_redo_is_narrated_as_one(client: Client) -> None:
    match = await create_match(client)
    black, white = match.tokens["black"], match.tokens["white"]
    await play(client, match, *OPENING)
    head = await newest_version(client, match) + 2  # with the request and the answer to it
    await client.undo(black, match.id)
    back = (await client.answer(white, match.id, accepted=True)).accepted
    await client.create_proposal(black, match.id, redo={})
    again = (await client.answer(white, match.id, accepted=True)).accepted
    events = await client.list_events(white, match.id, at_least_version=again.version)
    assert [(each.sentence, each.details.get("redo", "")) for each in events[-6:]] == [
        (f"Black asks White to go on from version {head - 3}.", ""),
        ("White agrees to go back.", ""),
        (f"The match goes on from version {head - 3}.", ""),
        (f"Black asks White to take up version {head} again.", "true"),
        ("White agrees to take it up again.", "true"),
        (
            f"What was undone is taken up again: the match goes on from version {head}.",
            "true",
        ),
    ]
    assert back.position != again.position


async def test_branches_that_play_the_same_and_differ_by_a_dispute_are_one(
    client: Client,
) -> None:
    match = await create_match(client, undo_policy=FREE)
    referee, white = match.tokens["referee"], match.tokens["white"]
    await play(client, match, *OPENING[:2])
    for _ in range(3):
        await client.create_dispute(white, match.id, 2, "I doubt it")
        (dispute, *_) = (await client.match(match.id)).open_disputes
        await client.resolve_dispute(referee, match.id, dispute.number, "it stands", uphold=True)
        await client.undo(referee, match.id, 1)
        await client.create_proposal(referee, match.id, redo={"version": 3})
    last = await client.undo(referee, match.id, 1)
    branches = await client.list_branches(white, match.id, at_least_version=last.version)
    assert [each.head_version for each in branches] == [last.version, last.version - 1]
    await client.create_proposal(referee, match.id, redo={})
    assert len(await client.list_branches(white, match.id, at_least_version=last.version + 1)) == 1


async def test_a_request_lapses_when_anyone_acts(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    await client.undo(match.tokens["black"], match.id)
    await play(client, match, ("white", "g1-g2"))
    answer = client.answer(match.tokens["white"], match.id, accepted=True)
    assert await refusal(answer) == "NO_PROPOSAL"


async def test_the_referee_may_grant_what_a_seat_was_asked(client: Client, table: Table) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    await client.undo(table.white, table.id)
    assert await refusal(client.answer(table.white, table.id, accepted=True)) == "SEAT_NOT_AWAITED"
    granted = (await client.answer(table.referee, table.id, accepted=True)).accepted
    assert granted.events[-1].kind == "match.LineContinued"


async def test_the_referee_undoes_without_asking(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    done = await client.undo(match.tokens["referee"], match.id, 3)
    assert not done.proposal.awaiting_seats
    assert done.position == await position(client, match, 3)


async def test_a_free_undo_needs_nobody_until_another_seat_has_acted(client: Client) -> None:
    match = await create_match(client, undo_policy=FREE)
    await play(client, match, *OPENING[:1])
    start = await position(client, match, 1)
    done = await client.undo(match.tokens["white"], match.id)
    assert (list(done.proposal.awaiting_seats), done.position) == ([], start)
    await play(client, match, *OPENING[:2])
    asked = await client.undo(match.tokens["white"], match.id)
    assert list(asked.proposal.awaiting_seats) == ["black"]


async def test_what_was_undone_is_redone_in_the_order_in_which_it_was_undone(
    client: Client,
) -> None:
    match = await create_match(client)
    referee = match.tokens["referee"]
    await play(client, match, *OPENING)
    positions = [await position(client, match, version) for version in range(1, 6)]
    for to in (4, 3, 2):
        assert (await client.undo(referee, match.id, to)).position == positions[to - 1]
    for index in (2, 3, 4):
        assert (
            await client.create_proposal(referee, match.id, redo={})
        ).accepted.position == positions[index]
    assert await refusal(client.create_proposal(referee, match.id, redo={})) == "NOTHING_TO_REDO"


async def test_a_redo_to_another_branch_asks_those_whose_actions_it_leaves(
    client: Client,
) -> None:
    match = await create_match(client, undo_policy=FREE)
    white, black = match.tokens["white"], match.tokens["black"]
    await play(client, match, *OPENING[:1])
    await client.undo(white, match.id)
    await play(client, match, ("white", "b5-c5"), ("black", "h3-g3"))
    asked = (await client.create_proposal(white, match.id, redo={"version": 2})).accepted
    assert list(asked.proposal.awaiting_seats) == ["black"]
    granted = (await client.answer(black, match.id, accepted=True)).accepted
    assert granted.position == await position(client, match, 2)


async def test_a_match_that_has_only_begun_has_no_version_to_go_back_to(client: Client) -> None:
    match = await create_match(client)
    with pytest.raises(ServiceError) as refused:
        await client.undo(match.tokens["white"], match.id, 1)
    assert refused.value.reason == "VERSION_OUT_OF_RANGE"
    assert refused.value.message == "the match has no earlier version yet"


async def test_an_undo_goes_back_on_the_line_and_a_redo_off_it(client: Client) -> None:
    match = await create_match(client)
    referee = match.tokens["referee"]
    await play(client, match, *OPENING)
    assert (
        await refusal(client.create_proposal(referee, match.id, redo={"version": 3}))
        == "ALREADY_IN_MAINLINE"
    )
    await client.undo(referee, match.id, 2)
    assert await refusal(client.undo(referee, match.id, 3)) == "NOT_IN_MAINLINE"
    assert await refusal(client.undo(referee, match.id, 99)) == "VERSION_OUT_OF_RANGE"
    assert await refusal(client.undo(referee, match.id, 2)) == "NOTHING_TO_UNDO"


async def test_in_a_match_without_undo_nothing_is_undone(client: Client) -> None:
    match = await create_match(client, undo_policy=matches_pb2.UNDO_POLICY_NONE)
    await play(client, match, *OPENING)
    undo = client.undo(match.tokens["referee"], match.id, 3)
    assert await refusal(undo) == "UNDO_FORBIDDEN"


async def test_where_the_referee_decides_only_the_referee_is_asked(client: Client) -> None:
    match = await create_match(client, undo_policy=matches_pb2.UNDO_POLICY_REFEREE)
    await play(client, match, *OPENING)
    assert list((await client.undo(match.tokens["black"], match.id)).proposal.awaiting_seats) == [
        "referee"
    ]
    answer = client.answer(match.tokens["white"], match.id, accepted=True)
    assert await refusal(answer) == "SEAT_NOT_AWAITED"


async def test_a_request_may_be_put_otherwise_by_who_made_it_alone(client: Client) -> None:
    match = await create_match(client)
    white, black = match.tokens["white"], match.tokens["black"]
    await play(client, match, *OPENING)
    await client.undo(black, match.id)
    assert await refusal(client.undo(white, match.id, 2)) == "PROPOSAL_PENDING"
    assert (await client.undo(black, match.id, 2)).proposal.target_version == 2
    assert await refusal(client.undo(black, match.id, 2)) == "PROPOSAL_PENDING"


async def test_the_start_of_a_turn_is_found(client: Client, earthen: CreatedMatch) -> None:
    referee = earthen.tokens["referee"]
    history = await client.list_events(referee, earthen.id)
    last = [event for event in history if event.kind == "match.ActionTaken"][-1]
    seat = last.seat
    begins = last.version
    for event in reversed(history):
        if event.kind == "match.ActionTaken" and event.draw == 0:
            if event.seat != seat:
                break
            begins = event.version
    asked = await client.undo(earthen.tokens[seat], earthen.id, turn=True)
    assert asked.proposal.target_version == begins - 1


async def test_repeating_a_request_gives_the_first_answer(client: Client) -> None:
    match = await create_match(client)
    white, black, request = match.tokens["white"], match.tokens["black"], new_request()
    await play(client, match, *OPENING)
    first = await client.undo(black, match.id, request_id=request)
    assert await client.undo(black, match.id, request_id=request) == first
    answering = new_request()
    granted = (await client.answer(white, match.id, request_id=answering, accepted=True)).accepted
    assert (
        await client.answer(white, match.id, request_id=answering, accepted=True)
    ).accepted == granted
    assert await client.undo(black, match.id, request_id=request) == first
    # Its last action is what it was when the request came first, by whatever name.
    same = client.undo(black, match.id, first.proposal.target_version, request_id=request)
    assert await same == first
    other = client.undo(black, match.id, 1, request_id=request)
    assert await refusal(other) == "REQUEST_ID_REUSED"
    other = client.answer(white, match.id, request_id=request, accepted=True)
    assert await refusal(other) == "REQUEST_ID_REUSED"
    assert (await match_state(client, match)).version == granted.version


async def test_a_stale_undo_is_not_taken(client: Client) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    undo = client.undo(match.tokens["black"], match.id, expected_version=4)
    assert await refusal(undo) == "VERSION_STALE"


async def test_a_match_that_was_given_up_continues_only_with_consent(client: Client) -> None:
    match = await create_match(client, undo_policy=FREE)
    white, black = match.tokens["white"], match.tokens["black"]
    await play(client, match, *OPENING[:1])
    await client.submit_action(white, match.id, resignation=True)
    asked = await client.undo(white, match.id)
    assert (list(asked.proposal.awaiting_seats), asked.proposal.target_version) == (["black"], 2)
    await client.answer(black, match.id, accepted=True)
    await play(client, match, *OPENING[1:])


async def test_a_spectator_takes_nothing_back(client: Client, table: Table) -> None:
    assert await refusal(client.undo(table.spectator, table.id, 1)) == "ROLE_NOT_ALLOWED"
    assert await refusal(client.answer(table.spectator, table.id, accepted=True)) == (
        "ROLE_NOT_ALLOWED"
    )


# --- chance ---------------------------------------------------------------------------------------


async def test_undoing_a_roll_needs_consent_even_where_undo_is_free(
    client: Client, earthen: CreatedMatch
) -> None:
    history = await client.list_events(earthen.tokens["referee"], earthen.id)
    rolls = [event.version for event in history if event.HasField("draw")]
    roller = next(each.seat for each in history if each.version == rolls[-1])
    asked = await client.undo(earthen.tokens[roller], earthen.id, rolls[-1] - 1)
    assert asked.proposal.awaiting_seats
    assert list(asked.proposal.rolled_versions) == [rolls[-1]]
    assert (await client.match(earthen.id, asked.version)).proposal.rolled_versions == [rolls[-1]]


async def test_an_undone_roll_is_drawn_afresh_with_the_next_number(
    client: Client, earthen: CreatedMatch
) -> None:
    referee = earthen.tokens["referee"]
    history = await client.list_events(referee, earthen.id)
    last = [event for event in history if event.HasField("draw")][-1]
    done = await client.undo(referee, earthen.id, last.version - 1)
    assert done.events[0].kind == "match.LineContinued"
    # A tie in the roll for initiative is rolled again.
    numbers = [event.draw for event in done.events[1:]]
    assert numbers
    assert numbers == [last.draw + 1 + n for n in range(len(numbers))]
    await advance(client, earthen, 3)


async def test_after_a_restart_an_undo_goes_back_all_the_same(
    client: Client, service: Service
) -> None:
    match = await create_match(client)
    await play(client, match, *OPENING)
    service._live._entries.clear()  # as if the cache had let the match go
    done = await client.undo(match.tokens["referee"], match.id, 2)
    assert done.position == await position(client, match, 2)


# --- draws ----------------------------------------------------------------------------------------


async def test_a_draw_is_offered_and_accepted(client: Client, earthen: CreatedMatch) -> None:
    one, other = (earthen.tokens[seat.name] for seat in (await match_state(client, earthen)).seats)
    request = new_request()
    offered = await client.create_proposal(one, earthen.id, request_id=request, draw={})
    assert offered.accepted.events[0].kind == "match.DrawOffered"
    assert await client.create_proposal(one, earthen.id, request_id=request, draw={}) == offered
    assert await refusal(client.answer(one, earthen.id, accepted=True)) == "SEAT_NOT_AWAITED"
    agreed = await client.answer(other, earthen.id, accepted=True)
    assert agreed.accepted.result.score == "1/2-1/2"
    assert agreed.accepted.events[-1].kind == "match.SeedRevealed"
    asked = await client.undo(one, earthen.id, offered.accepted.version)
    assert asked.proposal.awaiting_seats


async def test_a_draw_that_is_declined_changes_nothing(
    client: Client, earthen: CreatedMatch
) -> None:
    one, other = (earthen.tokens[seat.name] for seat in (await match_state(client, earthen)).seats)
    await client.create_proposal(one, earthen.id, draw={})
    declined = await client.answer(other, earthen.id, accepted=False)
    assert not declined.accepted.HasField("result")
    assert await refusal(client.answer(other, earthen.id, accepted=True)) == "NO_PROPOSAL"
