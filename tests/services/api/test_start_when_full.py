"""A match that starts when it is full, over the API: its creator sees no hand."""

from collections.abc import Awaitable

import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import refusal

WHEN_FULL = {"start_policy": pb.START_POLICY_WHEN_FULL, "referee_policy": pb.REFEREE_POLICY_NONE}


async def waiting(
    client: Client, game: str = "res-arcana", **terms: object
) -> pb.CreateMatchResponse:
    return await client.create_match(game=game, **WHEN_FULL | terms)  # type: ignore[arg-type]


async def filled(client: Client, made: pb.CreateMatchResponse) -> dict[str, str]:
    """The tokens of the players who took all its seats."""
    tokens = {}
    for seat in (each.name for each in made.match.seats if not each.player):
        code, name = made.invite_codes[seat], f"Player {seat}"
        claimed = await client.join_match(code, made.match.match_id, seat, name, entropy=seat)
        tokens[seat] = claimed.token
    return tokens


async def position(client: Client, token: str, match: str) -> str:
    return (await client.view(token, match)).position


async def refused(call: Awaitable[object]) -> ServiceError:
    with pytest.raises(ServiceError) as error:
        await call
    return error.value


async def test_the_creator_of_a_match_sees_no_hand_of_it(client: Client) -> None:
    made = await waiting(client)
    match = made.match.match_id
    assert made.match.status == pb.MATCH_STATUS_WAITING
    assert not made.match.prompts
    assert made.tokens.keys() == {"creator", "spectator"}
    assert made.invite_codes.keys() == {"north", "east"}
    tokens = await filled(client, made)
    assert (await client.match(match)).status == pb.MATCH_STATUS_ACTIVE
    open_to_all = await position(client, made.tokens["spectator"], match)
    hands = {seat: await position(client, token, match) for seat, token in tokens.items()}
    assert len({open_to_all, *hands.values()}) == 3, "each seat sees its own hand alone"
    north = tokens["north"]
    left = await client.leave_match(north, match, "north")
    # All that the creation gave out: none of it sees more than a spectator does.
    for token in (*made.invite_codes.values(), made.tokens["spectator"]):
        if token == made.tokens["spectator"]:
            assert await position(client, token, match) == open_to_all
            assert (await client.get_match(token, match)).caller.role == "spectator"
    for seat, code in made.invite_codes.items():
        call = client.join_match(code, match, seat, "The maker")
        assert await refusal(call) in ("TOKEN_WRONG_MATCH", "SEAT_TAKEN")
        assert await refusal(client.view(code, match, "text")) == "TOKEN_WRONG_MATCH"
    again = await client.join_match(left.invite_code, match, "north", "Nora")
    assert await position(client, again.token, match) == hands["north"]
    for token in (made.tokens["spectator"], tokens["east"]):
        assert await refusal(client.fork_match(token, match)) == "ROLE_NOT_ALLOWED"


async def test_nobody_acts_before_the_last_seat_is_taken(client: Client) -> None:
    made = await waiting(client, "agog", visibility=pb.VISIBILITY_PUBLIC)
    match = made.match.match_id
    assert made.match.caption == "The match waits for White and Black to be taken"
    caller = (await client.get_match(made.invite_codes["white"], match)).caller
    assert (caller.role, caller.invited_role) == ("spectator", "white")
    assert pb.PERMISSION_JOIN in caller.permissions
    assert pb.PERMISSION_ACT not in caller.permissions
    claimed = await client.join_match(made.invite_codes["white"], match, "white", "Ann")
    for call in (
        client.submit(claimed.token, match, "a6-b6"),
        client.submit_action(claimed.token, match, resignation=True),
        client.create_dispute(claimed.token, match, 1, "Why?"),
    ):
        assert await refusal(call) == "MATCH_NOT_STARTED"
    assert not await client.list_actions(claimed.token, match)
    assert (
        await refusal(client.submit(made.invite_codes["black"], match, "a6-b6"))
        == "ROLE_NOT_ALLOWED"
    )
    shown = await client.view(claimed.token, match, "text")
    assert shown.status == pb.MATCH_STATUS_WAITING
    only = "status = WAITING"
    assert [each.match_id for each in await client.list_matches(filter=only)] == [match]
    await client.join_match(made.invite_codes["black"], match, "black", "Bob")
    assert (await client.submit(claimed.token, match, "a6-b6")).HasField("accepted")
    events = await client.list_events(claimed.token, match)
    assert "All seats are taken: the match begins." in [each.sentence for each in events]
    assert not await client.list_matches(filter=only)


async def test_the_same_claim_again_is_answered_as_at_first(client: Client) -> None:
    made = await waiting(client)
    match, codes = made.match.match_id, made.invite_codes
    await client.join_match(codes["north"], match, "north", "Ann")
    request = "00000000-0000-4000-8000-000000000001"
    first = await client.join_match(codes["east"], match, "east", "Bob", request_id=request)
    again = await client.join_match(codes["east"], match, "east", "Bob", request_id=request)
    assert first == again
    other = client.join_match(codes["east"], match, "east", "Eve", request_id=request)
    assert await refusal(other) == "REQUEST_ID_REUSED"


async def test_the_same_creation_again_gives_the_same_codes(client: Client) -> None:
    request = "00000000-0000-4000-8000-000000000002"
    sits = pb.OwnSeat(seat="north", player="Ann", entropy="luck")
    made = [await waiting(client, request_id=request, own_seat=sits) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0].tokens.keys() == {"north", "creator", "spectator"}
    assert made[0].invite_codes.keys() == {"east"}
    assert [seat.player for seat in made[0].match.seats] == ["Ann", ""]
    assert (
        await client.get_match(made[0].tokens["north"], made[0].match.match_id)
    ).caller.role == "north"
    other = waiting(client, request_id=request, own_seat=pb.OwnSeat(seat="east", player="Ann"))
    assert await refusal(other) == "REQUEST_ID_REUSED"


@pytest.mark.parametrize(
    ("terms", "reason", "field"),
    [
        ({"own_seat": pb.OwnSeat(seat="king", player="A")}, "FIELD_INVALID", "own_seat.seat"),
        ({"own_seat": pb.OwnSeat(seat="north")}, "FIELD_INVALID", "own_seat.player"),
        ({"own_seat": pb.OwnSeat(seat="north", player="  ")}, "FIELD_INVALID", "own_seat.player"),
        (
            {"own_seat": pb.OwnSeat(seat="north", player="A", entropy="x" * 81)},
            "FIELD_INVALID",
            "own_seat.entropy",
        ),
        ({"start_policy": 9}, "FIELD_INVALID", "start_policy"),
        ({"referee_policy": 9}, "FIELD_INVALID", "referee_policy"),
        (
            {
                "own_seat": pb.OwnSeat(seat="north", player="A"),
                "referee_policy": pb.REFEREE_POLICY_CREATOR,
            },
            "REFEREE_CONFLICT",
            None,
        ),
    ],
)
async def test_terms_that_cannot_be_are_refused(
    client: Client, terms: dict[str, object], reason: str, field: str | None
) -> None:
    error = await refused(waiting(client, **terms))
    assert error.reason == reason
    assert [*error.violations] == ([field] if field else [])
    assert not await client.list_matches()


# --- the referee ---------------------------------------------------------------------------------


async def test_the_operator_names_the_referee(client: Client, service: Service) -> None:
    made = await waiting(client, referee_policy=pb.REFEREE_POLICY_OPERATOR)
    match, admin = made.match.match_id, service.admin_key
    assert "referee" not in made.tokens
    assert "referee" not in made.invite_codes
    tokens = await filled(client, made)
    for token in (tokens["north"], "nonsense"):
        assert (
            await refusal(client.create_invite(token, match, pb.INVITE_KIND_REFEREE))
            == "ADMIN_KEY_INVALID"
        )
    invited = (await client.create_invite(admin, match, pb.INVITE_KIND_REFEREE)).code
    assert await position(client, invited, match) == await position(
        client, made.tokens["spectator"], match
    )
    taken = await client.join_match(invited, match, "referee", "Rea")
    referee = (await client.match(match, taken.match.version)).referee
    assert (referee.policy, referee.player, [*referee.seats]) == (
        pb.REFEREE_POLICY_OPERATOR,
        "Rea",
        [],
    )
    assert (await client.get_match(taken.token, match)).caller.role == "referee"
    assert await refusal(client.join_match(invited, match, "referee", "Eve")) == "TOKEN_WRONG_MATCH"
    events = await client.list_events(tokens["north"], match)
    assert "Rea referees from here on." in [each.sentence for each in events]
    # Who has the role gives it on, and the operator may give it to another.
    for token in (taken.token, admin):
        assert (await client.create_invite(token, match, pb.INVITE_KIND_REFEREE)).code


async def test_the_role_is_taken_by_a_code_of_the_creation_and_given_on(client: Client) -> None:
    made = await waiting(client, "agog", referee_policy=pb.REFEREE_POLICY_INVITED)
    match = made.match.match_id
    assert made.invite_codes.keys() == {"white", "black", "referee"}
    assert (
        await refusal(client.join_match(made.invite_codes["white"], match, "referee", "R"))
        == "ROLE_NOT_ALLOWED"
    )
    taken = await client.join_match(made.invite_codes["referee"], match, "referee", "Rea")
    assert (
        await refusal(
            client.create_invite(made.invite_codes["white"], match, pb.INVITE_KIND_REFEREE)
        )
        == "ROLE_NOT_ALLOWED"
    )
    request = "00000000-0000-4000-8000-000000000003"
    first = (
        await client.create_invite(taken.token, match, pb.INVITE_KIND_REFEREE, request_id=request)
    ).code
    assert (
        first
        == (
            await client.create_invite(
                taken.token, match, pb.INVITE_KIND_REFEREE, request_id=request
            )
        ).code
    )
    await client.join_match(made.invite_codes["white"], match, "white", "Rob")
    given = await client.join_match(first, match, "referee", "rob")
    referee = (await client.match(match, given.match.version)).referee
    assert [*referee.seats] == ["white"], "nothing is hidden, so that it is told"
    assert await refusal(client.get_match(taken.token, match)) == "MATCH_NOT_FOUND"


async def test_a_player_does_not_referee_where_hands_are_hidden(client: Client) -> None:
    made = await waiting(client, referee_policy=pb.REFEREE_POLICY_INVITED)
    match = made.match.match_id
    await client.join_match(made.invite_codes["north"], match, "north", "Ann")
    for name in ("Ann", "ANN"):
        call = client.join_match(made.invite_codes["referee"], match, "referee", name)
        assert await refusal(call) == "REFEREE_CONFLICT"
    await client.join_match(made.invite_codes["referee"], match, "referee", "Rea")
    call = client.join_match(made.invite_codes["east"], match, "east", "Rea")
    assert await refusal(call) == "REFEREE_CONFLICT"


async def test_a_match_without_a_referee_gets_none(client: Client) -> None:
    made = await waiting(client)
    tokens = await filled(client, made)
    call = client.create_invite(tokens["north"], made.match.match_id, pb.INVITE_KIND_REFEREE)
    assert await refusal(call) == "NO_REFEREE"


async def test_a_verdict_does_not_deal_again(client: Client) -> None:
    made = await waiting(client, referee_policy=pb.REFEREE_POLICY_INVITED)
    match = made.match.match_id
    referee = (await client.join_match(made.invite_codes["referee"], match, "referee", "Rea")).token
    tokens = await filled(client, made)
    raised = (await client.create_dispute(tokens["north"], match, 5, "What a hand!")).number
    for version in (4, 6):
        call = client.resolve_dispute(referee, match, raised, "So be it.", revert_to=version)
        assert await refusal(call) == "CONSENT_REQUIRED"
    asked = await client.undo(referee, match, to=4)
    assert [*asked.proposal.awaiting_seats] == ["north", "east"]
    assert await refusal(client.answer(referee, match, accepted=True)) == "SEAT_NOT_AWAITED"


# --- who begins much, and plays little -----------------------------------------------------------


async def test_what_somebody_started_and_nobody_played_is_counted(client: Client) -> None:
    made = await client.create_match(game="earthen-war", chance=pb.CHANCE_ROLLED)
    for _ in range(2):
        made = await client.create_match(game="earthen-war", chance=pb.CHANCE_ROLLED)
    creator = (await client.match(made.match.match_id)).creator
    assert (creator.started_count, creator.unplayed_count) == (3, 3)
    await waiting(client)  # which has not begun
    page = await client.list_actions(made.tokens["white"], made.match.match_id)
    seat = "white" if page else "black"
    action = (await client.list_actions(made.tokens[seat], made.match.match_id))[0].notation
    taken = await client.submit(made.tokens[seat], made.match.match_id, action)
    listed = (await client.match(made.match.match_id, taken.accepted.version)).creator
    assert (listed.creator_id, listed.started_count, listed.unplayed_count) == (
        creator.creator_id,
        3,
        2,
    )
    assert creator.creator_id
    assert "127.0.0.1" not in creator.creator_id


async def test_a_scene_of_a_match_that_waits_is_drawn(client: Client) -> None:
    for game in ("res-arcana", "golem-arcana", "earthen-war"):
        made = await waiting(client, game)
        shown = await client.view(made.tokens["spectator"], made.match.match_id, "svg")
        assert shown.svg.startswith("<svg")
