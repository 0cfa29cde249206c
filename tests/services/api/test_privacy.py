"""Whom private matches are shown, and which matches are listed to whom."""

from contextlib import aclosing
from typing import Any

import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.wire.emeth.v1 import matches_pb2 as pb
from tests.services.accounts.conftest import open_site
from tests.services.conftest import create_match, refusal

PUBLIC, UNLISTED = pb.VISIBILITY_PUBLIC, pb.VISIBILITY_UNLISTED
PRIVATE = pb.VISIBILITY_PRIVATE
WAITS: dict[str, Any] = {"start_policy": pb.START_POLICY_WHEN_FULL}
OPEN: dict[str, Any] = WAITS | {"join_policy": pb.JOIN_POLICY_ANYONE}


async def listed(client: Client, wanted: str = "", token: str = "") -> set[str]:
    return {each.match_id for each in await client.list_matches(token, wanted)}


async def made(client: Client, **terms: Any) -> str:
    created = await client.create_match(game="agog", **terms)
    await client.match(created.match.match_id, 1)  # lists have it, too, once this does
    return created.match.match_id


async def test_a_private_match_is_shown_to_its_own_people_alone(
    client: Client, service: Service
) -> None:
    match = await create_match(client, title="Secret", visibility=PRIVATE)
    other = await create_match(client, visibility=PRIVATE)
    for token in (*match.tokens.values(), service.admin_key):
        assert (await client.get_match(token, match.id)).match.title == "Secret"
    for token in ("", "nonsense", *other.tokens.values()):
        assert await refusal(client.get_match(token, match.id)) == "MATCH_NOT_FOUND"
    assert await listed(client) == set()
    assert await listed(client, f"match_id : {match.id}") == set()
    assert await listed(client, f"match_id : {match.id}", match.tokens["white"]) == {match.id}
    assert await listed(client, "", service.admin_key) == {match.id, other.id}


async def test_a_code_shows_what_a_spectator_sees_until_it_is_used(client: Client) -> None:
    created = await client.create_match(game="res-arcana", **WAITS)
    match, code = created.match.match_id, created.invite_codes["north"]
    found = await client.get_match(code, match)
    assert (found.caller.role, found.caller.invited_role) == ("spectator", "north")
    await client.join_match(code, match, "", "Ann")
    assert await refusal(client.get_match(code, match)) == "MATCH_NOT_FOUND"


async def test_a_match_that_anyone_may_join_is_shown_until_it_starts(client: Client) -> None:
    match = await made(client, **OPEN)
    async with Client(client.address) as stranger:
        assert await listed(stranger) == await listed(stranger, "joinable = true") == {match}
        assert (await stranger.get_match(match_id=match)).caller.role == ""
        for name in ("Ann", "Bob"):
            taken = await client.join_match(match_id=match, role="", player=name)
        await client.match(match, taken.match.version, token=taken.token)
        assert await listed(stranger) == set()
        assert await refusal(stranger.get_match(match_id=match)) == "MATCH_NOT_FOUND"


async def test_a_match_that_is_made_private_leaves_lists_and_lobbies(client: Client) -> None:
    created = await client.create_match(game="agog", visibility=PUBLIC)
    match, referee = created.match.match_id, created.tokens["referee"]
    await client.match(match, 1)
    async with Client(client.address) as stranger, aclosing(stranger.watch_lobby()) as news:
        assert (await anext(news)).lobby_event.match.match_id == match
        await client.update_match(
            referee, match={"match_id": match, "visibility": PRIVATE}, update_mask=["visibility"]
        )
        assert (await anext(news)).lobby_event.removed == match
        assert await listed(stranger) == set()
        assert await refusal(stranger.get_match(match_id=match)) == "MATCH_NOT_FOUND"


async def test_a_lobby_of_private_matches_takes_their_tokens(client: Client) -> None:
    match, other = [await create_match(client, visibility=PRIVATE) for _ in range(2)]
    await client.match(other.id, 1)
    wanted = f'match_id : "{match.id},{other.id}"'
    tokens = [match.tokens["white"], "nonsense"]
    async with aclosing(client.watch_lobby(wanted, tokens=tokens)) as news:
        assert (await anext(news)).lobby_event.match.match_id == match.id
        await client.submit(other.tokens["white"], other.id, "a6-b6")
        await client.submit(match.tokens["white"], match.id, "a6-b6")
        assert (await anext(news)).lobby_event.match.match_id == match.id
    many = client.watch_lobby(wanted, tokens=["x"] * 201)
    with pytest.raises(ServiceError) as refused:
        await anext(many)
    assert refused.value.reason == "FIELD_INVALID"


async def test_a_frontend_lists_its_own_matches_and_what_others_share(service: Service) -> None:
    one, two = await open_site(service, "One"), await open_site(service, "Two")
    async with one.client, two.client, Client(service.address) as anybody:
        public = await made(one.client, visibility=PUBLIC)
        shared = await made(one.client, visibility=PUBLIC, shared=True)
        private = await made(one.client)
        hidden = await made(one.client, shared=True)
        unlisted = await made(one.client, visibility=UNLISTED, shared=True)
        theirs = await made(two.client, visibility=PUBLIC)
        own = await made(anybody, visibility=PUBLIC)
        everything_of_one = {public, shared, private, hidden, unlisted}
        assert await listed(one.client) == everything_of_one
        assert await listed(two.client) == {theirs, shared}
        assert await listed(anybody) == {public, shared, theirs, own}
        assert await refusal(two.client.get_match(match_id=private)) == "MATCH_NOT_FOUND"
        assert (await one.client.get_match(match_id=private)).match.match_id == private
        ada = await one.introduce("1", "Ada")
        assert await listed(anybody, "", ada.token) == {public, shared}
        seated, _ = await one.match(ada)
        await one.client.match(seated, 2)
        assert await listed(anybody, "", ada.token) == {public, shared, seated}
        assert await listed(anybody, f"player_id = {ada.id}") == set()
        assert await listed(two.client, f"frontend_id = {one.id}") == {shared}
        for size in (1, 2, 3):
            found, token = [], ""
            while True:
                page = await one.client.list_matches_page(page_size=size, page_token=token)
                found += [each.match_id for each in page.matches]
                token = page.next_page_token
                if not token:
                    break
            assert found == [seated, unlisted, hidden, private, shared, public]


async def test_players_of_a_private_match_find_its_rematch(client: Client) -> None:
    match = await made(client, **OPEN)
    ann = await client.join_match(match_id=match, role="white", player="Ann")
    bob = await client.join_match(match_id=match, role="black", player="Bob")
    await client.submit_action(ann.token, match, resignation=True)
    again = (await client.create_proposal(ann.token, match, rematch={})).rematch_seat.match_id
    wanted = f"rematch_of = {match}"
    await client.match(again, 1)
    assert await listed(client, wanted, bob.token) == {again}
    assert await listed(client, wanted) == set()
