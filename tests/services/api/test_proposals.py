"""Proposals: how they stand, who may respond, and what ends them."""

import pytest

from services.client import Client, ServiceError, new_request
from services.wire.emeth.v1 import matches_pb2, proposals_pb2
from services.wire.emeth.v1 import play_pb2 as pb
from services.wire.emeth.v1.proposals_pb2 import (
    PROPOSAL_KIND_DRAW,
    PROPOSAL_KIND_REMATCH,
    PROPOSAL_KIND_UNDO,
    PROPOSAL_STATE_ACCEPTED,
    PROPOSAL_STATE_LAPSED,
    PROPOSAL_STATE_PENDING,
    PROPOSAL_STATE_REJECTED,
    PROPOSAL_STATE_WITHDRAWN,
)
from tests.services.conftest import CreatedMatch, create_match, match_state, play, position, refusal

ACCEPT, REJECT = pb.PROPOSAL_DECISION_ACCEPT, pb.PROPOSAL_DECISION_REJECT
WITHDRAW = pb.PROPOSAL_DECISION_WITHDRAW


@pytest.fixture
async def match(client: Client) -> CreatedMatch:
    """A match in which black moved last, and undos take consent."""
    match = await create_match(client)
    await play(client, match, ("white", "a6-b6"), ("black", "h3-g3"))
    return match


async def last_proposal(client: Client, match: CreatedMatch) -> proposals_pb2.Proposal:
    """The proposal that the last event of a match made, answered or ended."""
    return (await client.list_events(match.tokens["spectator"], match.id))[-1].proposal


async def test_a_proposal_waits_for_those_who_must_agree(
    client: Client, match: CreatedMatch
) -> None:
    white = match.tokens["white"]
    made = (await client.undo(white, match.id, 2)).proposal
    assert (made.kind, made.seat, made.state) == (
        PROPOSAL_KIND_UNDO, "white", PROPOSAL_STATE_PENDING,
    )  # fmt: skip
    assert ([*made.awaiting_seats], made.target_version) == (["black"], 2)
    assert (await match_state(client, match)).proposal == made
    assert await last_proposal(client, match) == made


async def test_what_nobody_must_agree_to_is_accepted_at_once(client: Client) -> None:
    match = await create_match(client, undo_policy=matches_pb2.UNDO_POLICY_FREE)
    await play(client, match, ("white", "a6-b6"))
    done = (await client.undo(match.tokens["white"], match.id)).proposal
    assert (done.state, [*done.awaiting_seats]) == (PROPOSAL_STATE_ACCEPTED, [])


@pytest.mark.parametrize(
    ("decision", "state"), [(ACCEPT, PROPOSAL_STATE_ACCEPTED), (REJECT, PROPOSAL_STATE_REJECTED)]
)
async def test_a_response_settles_it(
    client: Client,
    match: CreatedMatch,
    decision: pb.ProposalDecision.ValueType,
    state: proposals_pb2.ProposalState.ValueType,
) -> None:
    made = (await client.undo(match.tokens["white"], match.id, 2)).proposal
    settled = await client.respond_to_proposal(
        match.tokens["black"], match.id, decision=decision, proposal_id=made.proposal_id
    )
    proposal = settled.accepted.proposal
    assert (proposal.proposal_id, proposal.state) == (made.proposal_id, state)
    assert not (await match_state(client, match)).HasField("proposal")


async def test_who_made_it_withdraws_it(client: Client, match: CreatedMatch) -> None:
    white, black = match.tokens["white"], match.tokens["black"]
    before = await position(client, match)
    made = (await client.undo(white, match.id, 2)).proposal
    assert (
        await refusal(
            client.respond_to_proposal(black, match.id, decision=pb.PROPOSAL_DECISION_WITHDRAW)
        )
        == "SEAT_NOT_AWAITED"
    )
    withdrawn = (
        await client.respond_to_proposal(
            white, match.id, proposal_id=made.proposal_id, decision=pb.PROPOSAL_DECISION_WITHDRAW
        )
    ).accepted
    assert withdrawn.proposal.state == PROPOSAL_STATE_WITHDRAWN
    assert withdrawn.events[0].sentence == "White no longer asks to go back."
    assert await position(client, match) == before
    assert await refusal(client.answer(black, match.id, accepted=True)) == "NO_PROPOSAL"
    verified = await client.verify_match(match.tokens["referee"], match.id)
    assert verified.sound, verified.findings


async def test_who_made_it_neither_accepts_nor_rejects_it(
    client: Client, match: CreatedMatch
) -> None:
    white = match.tokens["white"]
    await client.undo(white, match.id, 2)
    for granted in (True, False):
        call = client.answer(white, match.id, accepted=granted)
        assert await refusal(call) == "SEAT_NOT_AWAITED"


async def test_an_offered_draw_is_withdrawn_too(client: Client) -> None:
    match = await create_match(client, "earthen-war")
    white, black = match.tokens["white"], match.tokens["black"]
    offered = (await client.create_proposal(white, match.id, draw={})).accepted.proposal
    assert (offered.kind, offered.state) == (PROPOSAL_KIND_DRAW, PROPOSAL_STATE_PENDING)
    await client.respond_to_proposal(
        white, match.id, proposal_id=offered.proposal_id, decision=pb.PROPOSAL_DECISION_WITHDRAW
    )
    proposal = await last_proposal(client, match)
    assert (proposal.proposal_id, proposal.state) == (offered.proposal_id, PROPOSAL_STATE_WITHDRAWN)
    assert await refusal(client.answer(black, match.id, accepted=True)) == "NO_PROPOSAL"
    assert not (await match_state(client, match)).HasField("result")


async def test_an_offer_in_the_games_notation_cannot_be_withdrawn(client: Client) -> None:
    match = await create_match(client, "tokars-arcana")
    seat = (await match_state(client, match)).prompts[0].seat
    offered = (
        await client.create_proposal(match.tokens[seat], match.id, draw={})
    ).accepted.proposal
    assert (offered.kind, offered.state) == (PROPOSAL_KIND_DRAW, PROPOSAL_STATE_PENDING)
    assert (await match_state(client, match)).proposal.proposal_id == offered.proposal_id
    call = client.respond_to_proposal(
        match.tokens[seat],
        match.id,
        proposal_id=offered.proposal_id,
        decision=pb.PROPOSAL_DECISION_WITHDRAW,
    )
    assert await refusal(call) == "SEAT_NOT_AWAITED"
    (other,) = offered.awaiting_seats
    declined = await client.answer(match.tokens[other], match.id, accepted=False)
    assert declined.accepted.proposal.state == PROPOSAL_STATE_REJECTED


async def test_an_action_lets_it_lapse(client: Client, match: CreatedMatch) -> None:
    white, black = match.tokens["white"], match.tokens["black"]
    made = (await client.undo(black, match.id)).proposal
    acted = (await client.submit(white, match.id, "b6-c6")).accepted.proposal
    assert (acted.proposal_id, acted.state) == (made.proposal_id, PROPOSAL_STATE_LAPSED)
    assert await last_proposal(client, match) == acted
    late = client.respond_to_proposal(
        white, match.id, decision=ACCEPT, proposal_id=made.proposal_id
    )
    assert await refusal(late) == "NO_PROPOSAL"


async def test_a_response_to_an_earlier_proposal_does_not_count_for_a_later_one(
    client: Client, match: CreatedMatch
) -> None:
    white, black = match.tokens["white"], match.tokens["black"]
    first = (await client.undo(white, match.id, 2)).proposal
    await client.respond_to_proposal(white, match.id, decision=pb.PROPOSAL_DECISION_WITHDRAW)
    second = (await client.undo(white, match.id, 1)).proposal
    assert first.proposal_id != second.proposal_id
    late = client.respond_to_proposal(
        black, match.id, decision=ACCEPT, proposal_id=first.proposal_id
    )
    assert await refusal(late) == "NO_PROPOSAL"


async def test_a_repeated_response_is_the_first_one(client: Client, match: CreatedMatch) -> None:
    white, black, request = match.tokens["white"], match.tokens["black"], new_request()
    made = (await client.undo(white, match.id, 2)).proposal

    async def accepted(proposal_id: str, decision: pb.ProposalDecision.ValueType = ACCEPT) -> int:
        answer = await client.respond_to_proposal(
            black, match.id, decision=decision, proposal_id=proposal_id, request_id=request
        )
        return answer.accepted.version

    version = await accepted(made.proposal_id)
    assert await accepted(made.proposal_id) == version
    assert await refusal(accepted(made.proposal_id, REJECT)) == "REQUEST_ID_REUSED"
    assert (await match_state(client, match)).version == version


async def test_a_rematch_is_proposed_and_accepted(client: Client) -> None:
    match = await create_match(client)
    tokens = {
        seat: (await client.join_match(match.tokens[seat], match.id, seat, seat.title())).token
        for seat in ("white", "black")
    }
    await client.submit_action(tokens["white"], match.id, resignation=True)
    made = await client.create_proposal(tokens["white"], match.id, rematch={})
    proposal = made.accepted.proposal
    assert (proposal.kind, proposal.seat) == (PROPOSAL_KIND_REMATCH, "white")
    assert (proposal.state, [*proposal.awaiting_seats]) == (PROPOSAL_STATE_PENDING, ["black"])
    assert made.rematch_seat.match_id == proposal.rematch_match_id
    accepted = await client.respond_to_proposal(
        tokens["black"], match.id, decision=ACCEPT, proposal_id=proposal.proposal_id
    )
    assert accepted.accepted.proposal.state == PROPOSAL_STATE_ACCEPTED
    again, seat = accepted.rematch_seat.match_id, accepted.rematch_seat
    assert (again, seat.seat) == (proposal.rematch_match_id, "white")
    assert (await client.submit(seat.token, again, "a6-b6")).HasField("accepted")


@pytest.mark.parametrize(
    ("seat", "decision", "state"),
    [("white", WITHDRAW, PROPOSAL_STATE_WITHDRAWN), ("black", REJECT, PROPOSAL_STATE_REJECTED)],
)
async def test_a_rematch_that_is_withdrawn_or_rejected_ends_and_may_be_proposed_again(
    client: Client, seat: str, decision: pb.ProposalDecision.ValueType, state: int
) -> None:
    match = await create_match(client)
    tokens = {
        seat: (await client.join_match(match.tokens[seat], match.id, seat, seat.title())).token
        for seat in ("white", "black")
    }
    await client.submit_action(tokens["white"], match.id, resignation=True)
    first = new_request()
    again = (
        await client.create_proposal(tokens["white"], match.id, request_id=first, rematch={})
    ).rematch_seat
    for other, not_theirs in (("white", REJECT), ("black", WITHDRAW)):
        refused = client.respond_to_proposal(
            tokens[other], match.id, decision=not_theirs, proposal_id=again.match_id
        )
        assert await refusal(refused) == "SEAT_NOT_AWAITED"
    request = new_request()
    for _ in range(2):
        ended = await client.respond_to_proposal(
            tokens[seat],
            match.id,
            decision=decision,
            proposal_id=again.match_id,
            request_id=request,
        )
        assert (ended.accepted.proposal.seat, ended.accepted.proposal.state) == ("white", state)
    cancelled = await client.match(again.match_id, token=again.token)
    assert cancelled.status == matches_pb2.MATCH_STATUS_CANCELLED
    assert (
        await client.create_proposal(tokens["white"], match.id, request_id=first, rematch={})
    ).rematch_seat.match_id == again.match_id
    other = (await client.create_proposal(tokens["black"], match.id, rematch={})).rematch_seat
    assert other.match_id != again.match_id
    assert (
        await client.create_proposal(tokens["white"], match.id, rematch={})
    ).rematch_seat.match_id == other.match_id


async def test_a_rematch_that_nobody_proposed_cannot_be_accepted(client: Client) -> None:
    match = await create_match(client)
    white = (await client.join_match(match.tokens["white"], match.id, "white", "Ada")).token
    with pytest.raises(ServiceError) as refused:
        await client.respond_to_proposal(
            white, match.id, decision=ACCEPT, proposal_id=new_request()
        )
    assert refused.value.reason == "NO_PROPOSAL"
