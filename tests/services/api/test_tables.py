"""Tables to join, rematches, and the lobby in which both are seen."""

from contextlib import aclosing

import pytest

from services.client import Client
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import refusal

TABLE = {
    "start_policy": pb.START_POLICY_WHEN_FULL,
    "referee_policy": pb.REFEREE_POLICY_NONE,
    "join_policy": pb.JOIN_POLICY_ANYONE,
}


async def opened(client: Client, game: str = "agog", **terms: object) -> pb.Match:
    made = await client.create_match(game=game, **TABLE | terms)  # type: ignore[arg-type]
    return await client.match(made.match.match_id, 1)  # lists have it, too, once this does


async def listed(client: Client, wanted: str = "", token: str = "") -> list[str]:
    page = await client.list_matches_page(token, wanted)
    return [each.match_id for each in page.matches]


async def test_anybody_takes_a_seat_of_a_table_and_it_starts(client: Client) -> None:
    match = (await opened(client)).match_id
    assert await listed(client, "joinable = true") == [match]
    first = await client.join_match(match_id=match, role="black", player="Ann")
    second = await client.join_match(match_id=match, role="", player="Bob")
    assert (first.role, second.role) == ("black", "white")
    taken = await client.submit(second.token, match, "a6-b6")
    await client.match(match, taken.accepted.version)
    assert await listed(client, "joinable = true") == []
    for seat in ("", "white"):
        assert (
            await refusal(client.join_match(match_id=match, role=seat, player="Eve"))
            == "MATCH_FULL"
        )
    left = await client.leave_match(second.token, match, "white")
    assert (
        await refusal(client.join_match(match_id=match, role="white", player="Eve"))
        == "TOKEN_MISSING"
    )
    assert (await client.join_match(left.invite_code, match, "", "Eve")).role == "white"


async def test_a_repeated_claim_of_any_seat_has_the_same_seat(client: Client) -> None:
    match, request = (await opened(client)).match_id, "00000000-0000-4000-8000-000000000001"
    first = await client.join_match(match_id=match, role="", player="Ann", request_id=request)
    assert first == await client.join_match(
        match_id=match, role="", player="Ann", request_id=request
    )


async def test_what_is_taken_or_out_of_order_is_refused(client: Client) -> None:
    match = (await opened(client)).match_id
    await client.join_match(match_id=match, role="white", player="Ann")
    assert (
        await refusal(client.join_match(match_id=match, role="white", player="Bob")) == "SEAT_TAKEN"
    )
    assert (
        await refusal(client.join_match(match_id=match, role="king", player="Bob"))
        == "SEAT_INVALID"
    )
    assert (
        await refusal(client.join_match(match_id=match, role="referee", player="Bob"))
        == "TOKEN_MISSING"
    )
    ordered = (await opened(client, seat_assignment=pb.SEAT_ASSIGNMENT_IN_ORDER)).match_id
    assert (
        await refusal(client.join_match(match_id=ordered, role="black", player="Bob"))
        == "FIELD_INVALID"
    )
    invited = (await opened(client, join_policy=pb.JOIN_POLICY_INVITED)).match_id
    assert (
        await refusal(client.join_match(match_id=invited, role="", player="Bob")) == "TOKEN_MISSING"
    )


@pytest.mark.parametrize("field", ["join_policy", "seat_assignment"])
async def test_who_is_admitted_takes_a_match_that_waits(client: Client, field: str) -> None:
    for value, begins in ((2, pb.START_POLICY_IMMEDIATE), (9, pb.START_POLICY_WHEN_FULL)):
        call = client.create_match(game="agog", start_policy=begins, **{field: value})  # type: ignore[arg-type]
        assert await refusal(call) == "FIELD_INVALID"


async def test_one_code_is_good_for_all_seats(client: Client) -> None:
    terms = TABLE | {"join_policy": pb.JOIN_POLICY_LINK}
    made = await client.create_match(game="agog", **terms)  # type: ignore[arg-type]
    match, link = made.match.match_id, made.invite_codes["link"]
    assert await listed(client, "joinable = true") == []
    assert (await client.get_match(link, match)).caller.role == "spectator"
    seats = [(await client.join_match(link, match, "", name)).role for name in ("Ann", "Bob")]
    assert seats == ["white", "black"]
    assert await refusal(client.join_match(link, match, "", "Eve")) == "MATCH_FULL"
    assert await refusal(client.join_match(link, match, "white", "Eve")) == "MATCH_FULL"


async def test_drawn_seats_show_no_hand_before_and_one_s_own_after(client: Client) -> None:
    match = (await opened(client, "res-arcana", seat_assignment=pb.SEAT_ASSIGNMENT_RANDOM)).match_id
    ann = await client.join_match(match_id=match, role="", player="Ann", entropy="a")
    assert (await client.get_match(ann.token, match)).caller.role == "spectator"
    async with aclosing(client.watch(ann.token, match)) as news:
        kinds = [(await anext(news)).event.kind for _ in range(2)]
        assert kinds == ["match.MatchCreated", "match.SeatClaimed"]
        bob = await client.join_match(match_id=match, role="", player="Bob", entropy="b")
        own = (await client.get_match(ann.token, match)).caller.role
        seen = []
        async for each in news:
            seen += [fact for fact in each.event.facts if fact.kind == "res-arcana.card-dealt"]
            if len(each.view.prompts) > 1:
                break
    hands = [fact for fact in seen if fact.fields["to"] in ("hand", "mages")]
    assert {fact.fields["seat"] for fact in hands if fact.fields["card"] != "?"} <= {own}
    assert {own, (await client.get_match(bob.token, match)).caller.role} == {"north", "east"}


async def test_a_seat_that_waits_to_be_drawn_is_left(client: Client) -> None:
    match = (await opened(client, seat_assignment=pb.SEAT_ASSIGNMENT_RANDOM)).match_id
    ann = await client.join_match(match_id=match, role="", player="Ann")
    await client.leave_match(ann.token, match, ann.role)
    assert [seat.player for seat in (await client.match(match, 3)).seats] == ["", ""]


async def test_an_unlisted_match_is_shown_to_callers_with_its_id(client: Client) -> None:
    match = (await opened(client, visibility=pb.VISIBILITY_UNLISTED)).match_id
    assert await listed(client) == []
    assert (await client.view("", match, "text")).version == 1
    assert (await client.join_match(match_id=match, role="", player="Ann")).role == "white"


# --- the lobby -----------------------------------------------------------------------------------


async def test_the_lobby_shows_that_a_list_is_empty(client: Client) -> None:
    await opened(client, "earthen-war")
    wanted = "game = agog AND joinable = true"
    async with aclosing(client.watch_lobby(wanted)) as news:
        first = await anext(news)
        assert first.lobby_event.snapshot_empty
        match = (await opened(client)).match_id
        assert (await anext(news)).lobby_event.match.match_id == match
    async with aclosing(client.watch_lobby(wanted, cursor=first.cursor)) as news:
        assert (await anext(news)).lobby_event.match.match_id == match


async def test_the_lobby_shows_what_opens_changes_and_closes_and_continues(client: Client) -> None:
    first = (await opened(client)).match_id
    other = (await opened(client, "earthen-war")).match_id
    await opened(client, visibility=pb.VISIBILITY_UNLISTED)
    wanted = "game = agog AND joinable = true"
    async with aclosing(client.watch_lobby(wanted)) as news:
        begun = await anext(news)
        assert begun.lobby_event.match.match_id == first
        await client.join_match(match_id=other, role="", player="Ann")
        await client.join_match(match_id=first, role="", player="Ann")
        changed = await anext(news)
        assert [seat.player for seat in changed.lobby_event.match.seats] == ["Ann", ""]
        second = (await opened(client)).match_id
        assert (await anext(news)).lobby_event.match.match_id == second
        await client.join_match(match_id=first, role="", player="Bob")
        closed = await anext(news)
        assert closed.lobby_event.removed == first
        assert len({closed.cursor, changed.cursor, begun.cursor}) == 3
    async with aclosing(client.watch_lobby(wanted, cursor=changed.cursor)) as news:
        events = [(await anext(news)).lobby_event for _ in range(2)]
    assert {each.match.match_id or each.removed for each in events} == {second, first}


async def test_certain_matches_are_listed_and_watched_by_their_ids(client: Client) -> None:
    hidden = (await opened(client, visibility=pb.VISIBILITY_UNLISTED)).match_id
    other = (await opened(client)).match_id
    third = (await opened(client)).match_id
    wanted = f'match_id : "{hidden},{other}"'
    found = await client.list_matches_page(filter=wanted)
    assert [each.match_id for each in found.matches] == [other, hidden]
    async with aclosing(client.watch_lobby(wanted)) as news:
        begun = [(await anext(news)).lobby_event for _ in range(2)]
        assert [each.match.match_id for each in begun] == [hidden, other]
        await client.join_match(match_id=third, role="", player="Ann")
        await client.join_match(match_id=hidden, role="", player="Bob")
        changed = await anext(news)
        assert (changed.lobby_event.match.match_id, changed.lobby_event.match.seats[0].player) == (
            hidden,
            "Bob",
        )
    many = f'match_id : "{",".join([hidden] * 201)}"'
    assert await refusal(client.list_matches_page(filter=many)) == "FIELD_INVALID"
    assert await refusal(client.list_matches_page(filter="match_id : x"))


# --- rematches -----------------------------------------------------------------------------------


async def test_a_rematch_starts_with_turned_seats_when_both_have_asked(client: Client) -> None:
    match = (await opened(client, visibility=pb.VISIBILITY_PUBLIC)).match_id
    ann = await client.join_match(match_id=match, role="white", player="Ann")
    bob = await client.join_match(match_id=match, role="black", player="Bob")
    assert await refusal(client.create_proposal(ann.token, match, rematch={})) == "MATCH_NOT_OVER"
    await client.submit_action(ann.token, match, resignation=True)
    request = "00000000-0000-4000-8000-000000000001"
    offered = (
        await client.create_proposal(ann.token, match, request_id=request, rematch={"entropy": "a"})
    ).rematch_seat
    made = await client.match(offered.match_id, token=offered.token)
    assert (offered.seat, made.status) == ("black", pb.MATCH_STATUS_WAITING)
    assert made.rematch_of == match
    assert await listed(client, f"rematch_of = {match}", ann.token) == [offered.match_id]
    assert (
        await client.create_proposal(ann.token, match, request_id=request, rematch={"entropy": "a"})
    ).rematch_seat.token == offered.token
    assert await refusal(client.create_proposal(ann.token, match, rematch={})) == "SEAT_TAKEN"
    assert await refusal(client.create_proposal(match_id=match, rematch={})) == "TOKEN_MISSING"
    taken = (await client.create_proposal(bob.token, match, rematch={})).rematch_seat
    again = taken.match_id
    assert again == offered.match_id
    made = await client.match(again, made.version + 1, token=taken.token)
    assert (taken.seat, made.status) == ("white", pb.MATCH_STATUS_ACTIVE)
    assert [seat.player for seat in made.seats] == ["Bob", "Ann"]
    assert (await client.submit(taken.token, again, "a6-b6")).HasField("accepted")


async def test_the_rematch_of_an_unlisted_match_is_shown_to_callers_with_its_id(
    client: Client,
) -> None:
    match = (await opened(client, visibility=pb.VISIBILITY_UNLISTED)).match_id
    ann, bob = [
        await client.join_match(match_id=match, role="", player=name) for name in ("Ann", "Bob")
    ]
    wanted = f"rematch_of = {match}"
    async with aclosing(client.watch_lobby(wanted, tokens=[ann.token])) as news:
        assert (await anext(news)).lobby_event.snapshot_empty
        await client.submit_action(ann.token, match, resignation=True)
        again = (await client.create_proposal(ann.token, match, rematch={})).rematch_seat.match_id
        assert (await anext(news)).lobby_event.match.match_id == again
        await client.create_proposal(bob.token, match, rematch={})
        assert (await anext(news)).lobby_event.match.match_id == again
    assert await listed(client, f"rematch_of = {match}", ann.token) == [again]
    assert await listed(client) == []
    joinable = "joinable = true"
    async with aclosing(client.watch_lobby(joinable)) as news:
        assert (await anext(news)).lobby_event.snapshot_empty


async def test_a_viewer_without_a_seat_plays_no_rematch(client: Client) -> None:
    made = await client.create_match(game="agog")
    match, tokens = made.match.match_id, made.tokens
    await client.submit_action(tokens["white"], match, resignation=True)
    for role in ("white", "referee", "spectator"):
        assert (
            await refusal(client.create_proposal(tokens[role], match, rematch={}))
            == "ROLE_NOT_ALLOWED"
        )
