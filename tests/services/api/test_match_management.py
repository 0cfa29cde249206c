"""Looking after matches: updating, cancelling, inviting, and waiting for players in vain."""

import asyncio
from contextlib import aclosing
from datetime import timedelta
from typing import Any

import pytest

from services.client import Client
from services.client.connection import new_request
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.conftest import CreatedMatch, create_match, refusal

WAITS: dict[str, Any] = {
    "start_policy": pb.START_POLICY_WHEN_FULL,
    "referee_policy": pb.REFEREE_POLICY_NONE,
    "visibility": pb.VISIBILITY_PUBLIC,
}
SEAT, LINK = pb.INVITE_KIND_SEAT, pb.INVITE_KIND_SEAT
SPECTATOR = pb.INVITE_KIND_SPECTATOR


async def waiting(client: Client, **terms: Any) -> pb.CreateMatchResponse:
    return await client.create_match(game="agog", title="Sunday", **WAITS | terms)


# --- updating ------------------------------------------------------------------------------------


async def test_the_creator_changes_the_title_and_who_may_see_a_match(client: Client) -> None:
    made = await waiting(client)
    match, creator = made.match.match_id, made.tokens["creator"]
    changed = await client.update_match(creator, match={"match_id": match, "title": "Monday"})
    assert (changed.title, changed.visibility) == ("Monday", pb.VISIBILITY_PUBLIC)
    assert changed.etag != made.match.etag
    await client.match(match, changed.version)
    assert [each.title for each in await client.list_matches(filter="title : mond")] == ["Monday"]
    assert not await client.list_matches(filter="title : sund")
    changed = await client.update_match(
        creator, match={"match_id": match, "visibility": pb.VISIBILITY_UNLISTED}
    )
    await client.match(match, changed.version)
    assert not await client.list_matches(filter="title : mond")
    last = (await client.list_events(creator, match))[-1]
    assert last.sentence == "The title of the match, or who may see it, has changed."


async def test_an_update_of_what_was_updated_since_is_stale(client: Client) -> None:
    made = await waiting(client)
    match, creator = made.match.match_id, made.tokens["creator"]
    first = await client.update_match(
        creator, match={"match_id": match, "title": "One"}, etag=made.match.etag
    )
    stale = client.update_match(
        creator, match={"match_id": match, "title": "Two"}, etag=made.match.etag
    )
    assert await refusal(stale) == "VERSION_STALE"
    again = await client.update_match(
        creator, match={"match_id": match, "title": "Two"}, etag=first.etag
    )
    assert again.title == "Two"


@pytest.mark.parametrize("changed", [{}, {"game": "agog"}, {"title": "x" * 81}, {"visibility": 9}])
async def test_what_cannot_be_updated_is_said(client: Client, changed: dict[str, Any]) -> None:
    made = await waiting(client)
    call = client.update_match(
        made.tokens["creator"],
        match={"match_id": made.match.match_id, **changed},
        update_mask=["**"],
    )
    assert await refusal(call) == "FIELD_INVALID"


async def test_the_same_update_again_changes_nothing(client: Client) -> None:
    made, request = await waiting(client), new_request()
    match, creator = made.match.match_id, made.tokens["creator"]
    first = await client.update_match(
        creator, match={"match_id": match, "title": "One"}, request_id=request
    )
    await client.update_match(creator, match={"match_id": match, "title": "Two"})
    assert (
        await client.update_match(
            creator, match={"match_id": match, "title": "One"}, request_id=request
        )
        == first
    )
    other = client.update_match(
        creator, match={"match_id": match, "title": "Three"}, request_id=request
    )
    assert await refusal(other) == "REQUEST_ID_REUSED"


# --- cancelling ----------------------------------------------------------------------------------


async def test_a_cancelled_match_takes_nothing_any_more(client: Client) -> None:
    made = await waiting(client, join_policy=pb.JOIN_POLICY_LINK)
    match, codes = made.match.match_id, made.invite_codes
    ann = await client.join_match(codes["white"], match, "white", "Ann")
    cancelled = await client.cancel_match(made.tokens["creator"], match)
    assert (cancelled.status, cancelled.caption) == (
        pb.MATCH_STATUS_CANCELLED,
        "The match was cancelled before it began",
    )
    assert not cancelled.HasField("expire_time")
    for call in (
        client.join_match(codes["black"], match, "black", "Bob"),
        client.join_match(codes["link"], match, "", "Bob"),
        client.leave_match(ann.token, match, "white"),
        client.submit(ann.token, match, "a6-b6"),
        client.submit_action(ann.token, match, resignation=True),
        client.create_dispute(ann.token, match, 1, "Why?"),
        client.cancel_match(made.tokens["creator"], match),
        client.update_match(made.tokens["creator"], match={"match_id": match, "title": "Again"}),
        client.create_invite(made.tokens["creator"], match, SPECTATOR),
    ):
        assert await refusal(call) == "MATCH_CANCELLED"
    assert not await client.list_actions(ann.token, match)
    last = (await client.list_events(ann.token, match))[-1]
    assert (last.kind, last.sentence) == (
        "match.MatchCancelled",
        "The match was cancelled before it began.",
    )
    verified = await client.verify_match(ann.token, match)
    assert verified.sound, verified.findings


async def test_the_same_cancelling_again_is_answered_as_at_first(client: Client) -> None:
    made, request = await waiting(client), new_request()
    first = await client.cancel_match(
        made.tokens["creator"], made.match.match_id, request_id=request
    )
    again = await client.cancel_match(
        made.tokens["creator"], made.match.match_id, request_id=request
    )
    assert first == again


async def test_lists_and_lobbies_drop_a_cancelled_match(client: Client) -> None:
    made = await waiting(client, join_policy=pb.JOIN_POLICY_ANYONE)
    match = made.match.match_id
    await client.match(match, 1)
    async with aclosing(client.watch_lobby("joinable = true")) as news:
        assert (await anext(news)).lobby_event.match.match_id == match
        cancelled = await client.cancel_match(made.tokens["creator"], match)
        assert (await anext(news)).lobby_event.removed == match
    await client.match(match, cancelled.version)
    for wanted, found in (
        ("", []),
        ("status = CANCELLED", [match]),
        (f"match_id : {match}", [match]),
    ):
        listed = await client.list_matches(filter=wanted)
        assert [each.match_id for each in listed] == found, wanted


async def test_who_may_cancel(client: Client, service: Service) -> None:
    sits = pb.OwnSeat(seat="white", player="Ann")
    for role in ("creator", "white"):
        made = await waiting(client, own_seat=sits)
        await client.cancel_match(made.tokens[role], made.match.match_id)
    made = await waiting(client, referee_policy=pb.REFEREE_POLICY_CREATOR)
    await client.cancel_match(made.tokens["referee"], made.match.match_id)
    made = await waiting(client)
    match = made.match.match_id
    taken = await client.join_match(made.invite_codes["white"], match, "white", "Bob")
    for token in (taken.token, made.invite_codes["black"], made.tokens["spectator"]):
        assert await refusal(client.cancel_match(token, match)) == "ROLE_NOT_ALLOWED"
        assert pb.PERMISSION_CANCEL not in (await client.get_match(token, match)).caller.permissions
    assert await refusal(client.cancel_match(match_id=match)) == "TOKEN_MISSING"
    may = (await client.get_match(made.tokens["creator"], match)).caller.permissions
    assert {pb.PERMISSION_CANCEL, pb.PERMISSION_UPDATE, pb.PERMISSION_INVITE} <= {*may}
    assert (await client.cancel_match(service.admin_key, match)).status == pb.MATCH_STATUS_CANCELLED


async def test_a_match_that_has_begun_is_not_cancelled(client: Client) -> None:
    match: CreatedMatch = await create_match(client)
    assert await refusal(client.cancel_match(match.tokens["referee"], match.id)) == "MATCH_STARTED"
    made = await waiting(client)
    for seat, name in (("white", "Ann"), ("black", "Bob")):
        await client.join_match(made.invite_codes[seat], made.match.match_id, seat, name)
    call = client.cancel_match(made.tokens["creator"], made.match.match_id)
    assert await refusal(call) == "MATCH_STARTED"


# --- inviting ------------------------------------------------------------------------------------


async def test_a_new_code_for_a_seat_replaces_the_first(client: Client) -> None:
    made = await waiting(client)
    match, creator, first = made.match.match_id, made.tokens["creator"], made.invite_codes["white"]
    code = (await client.create_invite(creator, match, SEAT, seat="white")).code
    assert (await client.get_match(code, match)).caller.invited_role == "white"
    assert await refusal(client.join_match(first, match, "white", "Eve")) == "TOKEN_WRONG_MATCH"
    ann = await client.join_match(code, match, "", "Ann")
    assert ann.role == "white"
    taken = client.create_invite(creator, match, SEAT, seat="white")
    assert await refusal(taken) == "SEAT_TAKEN"
    left = await client.leave_match(ann.token, match, "white")
    assert await refusal(client.join_match(first, match, "white", "Eve")) == "TOKEN_WRONG_MATCH"
    assert (await client.join_match(left.invite_code, match, "", "Bob")).role == "white"


async def test_a_revoked_code_is_good_for_nothing_and_who_joined_stays(client: Client) -> None:
    made = await waiting(client, join_policy=pb.JOIN_POLICY_LINK)
    match, creator, codes = made.match.match_id, made.tokens["creator"], made.invite_codes
    ann = await client.join_match(codes["link"], match, "", "Ann")
    for seat in ("", "black", ann.role):
        await client.revoke_invite(creator, match, SEAT, seat=seat)
    for code in (codes["link"], codes["black"]):
        assert await refusal(client.join_match(code, match, "", "Bob")) == "TOKEN_WRONG_MATCH"
    assert (await client.get_match(ann.token, match)).caller.role == ann.role
    link = (await client.create_invite(creator, match, LINK)).code
    assert (await client.join_match(link, match, "", "Bob")).match.status == pb.MATCH_STATUS_ACTIVE


async def test_spectators_of_a_private_match_are_invited_and_shut_out(client: Client) -> None:
    match = await create_match(client)
    referee, first = match.tokens["referee"], match.tokens["spectator"]
    code = (await client.create_invite(referee, match.id, SPECTATOR)).code
    assert (await client.view(code, match.id, "text")).version
    assert await refusal(client.view(first, match.id, "text")) == "TOKEN_WRONG_MATCH"
    await client.revoke_invite(referee, match.id, SPECTATOR)
    assert await refusal(client.view(code, match.id, "text")) == "TOKEN_WRONG_MATCH"


async def test_of_a_match_that_has_begun_only_the_referee_invites_to_seats(client: Client) -> None:
    made = await waiting(client)
    match, codes = made.match.match_id, made.invite_codes
    ann = await client.join_match(codes["white"], match, "white", "Ann")
    await client.join_match(codes["black"], match, "black", "Bob")
    await client.leave_match(ann.token, match, "white")
    creator = made.tokens["creator"]
    call = client.create_invite(creator, match, SEAT, seat="white")
    assert await refusal(call) == "ROLE_NOT_ALLOWED"
    assert (await client.create_invite(creator, match, SPECTATOR)).code


@pytest.mark.parametrize(
    ("kind", "seat", "reason"),
    [
        (0, "", "FIELD_INVALID"),
        (9, "", "FIELD_INVALID"),
        (pb.INVITE_KIND_SPECTATOR, "white", "FIELD_INVALID"),
        (pb.INVITE_KIND_SEAT, "king", "SEAT_INVALID"),
        (pb.INVITE_KIND_REFEREE, "", "NO_REFEREE"),
    ],
)
async def test_what_nobody_can_be_invited_to(
    client: Client, kind: Any, seat: str, reason: str
) -> None:
    made = await waiting(client)
    call = client.create_invite(made.tokens["creator"], made.match.match_id, kind, seat=seat)
    assert await refusal(call) == reason


# --- waiting in vain -----------------------------------------------------------------------------


async def test_a_match_waits_for_two_weeks_by_default(client: Client) -> None:
    made = (await waiting(client)).match
    term = made.expire_time.ToDatetime() - made.create_time.ToDatetime()
    assert term == timedelta(days=14)
    made = (await waiting(client, waiting_term=timedelta(hours=1))).match
    assert made.expire_time.seconds - made.create_time.seconds == 3_600
    assert not (await client.create_match(game="agog")).match.HasField("expire_time")


@pytest.mark.parametrize(
    "term", [timedelta(seconds=59), timedelta(days=367), timedelta(minutes=-1)]
)
async def test_a_term_out_of_its_bounds_is_refused(client: Client, term: timedelta) -> None:
    assert await refusal(waiting(client, waiting_term=term)) == "FIELD_INVALID"


async def test_only_a_match_that_waits_has_a_term(client: Client) -> None:
    call = client.create_match(game="agog", waiting_term=timedelta(hours=1))
    assert await refusal(call) == "FIELD_INVALID"


async def test_a_match_that_nobody_joins_expires_automatically(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.api.matches.MIN_WAITING_SECONDS", 1)
    async with Service(settings) as service, Client(service.address) as client:
        made = await waiting(client, waiting_term=timedelta(seconds=1))
        async with (
            asyncio.timeout(20),
            aclosing(client.watch(made.tokens["creator"], made.match.match_id)) as news,
        ):
            kinds = [(await anext(news)).event.kind for _ in range(2)]
        assert kinds == ["match.MatchCreated", "match.MatchCancelled"]
        found = await client.match(made.match.match_id, 2)
        assert found.status == pb.MATCH_STATUS_CANCELLED
        verified = await client.verify_match(made.tokens["creator"], made.match.match_id)
        assert verified.sound, verified.findings


async def test_a_match_expires_while_the_service_is_away(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.api.matches.MIN_WAITING_SECONDS", 1)
    async with Service(settings) as service, Client(service.address) as client:
        made = await waiting(client, waiting_term=timedelta(seconds=2))
    await asyncio.sleep(2)
    async with (
        Service(settings) as service,
        Client(service.address) as client,
        asyncio.timeout(20),
        aclosing(
            client.watch(made.tokens["creator"], made.match.match_id, after_version=1)
        ) as news,
    ):
        assert (await anext(news)).event.kind == "match.MatchCancelled"
