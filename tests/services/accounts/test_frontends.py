"""Frontends: their keys, what they may do, how much, and what they use."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from services.client import Client, ServiceError
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import conditional_moves_pb2, matches_pb2, tables_pb2
from services.wire.emeth.v1 import frontends_pb2 as pb
from tests.services.accounts.conftest import EVERY_RIGHT, PUBLIC, Site, open_site, resign
from tests.services.conftest import STYLUS, GatewayConnection, GatewaySetup, refusal

NONE = timedelta()
"""No time in which two keys are valid."""


async def test_a_key_opens_until_it_is_rotated_or_the_frontend_revoked(
    site: Site, service: Service
) -> None:
    ada = await site.introduce("1", "Ada")
    request = str(uuid4())
    new = (await site.client.rotate_frontend_key(overlap=NONE, request_id=request)).key
    assert await refusal(site.introduce("1", "Ada")) == "FRONTEND_KEY_INVALID"
    async with Client(service.address, frontend_key=new) as client:
        assert (await client.rotate_frontend_key(overlap=NONE, request_id=request)).key == new
        assert (
            await client.update_player(player={"external_id": "1"}, allow_missing=True)
        ).token == ada.token
        await client.delete_frontend(service.admin_key, site.id)
        assert (
            await refusal(client.update_player(player={"external_id": "1"}, allow_missing=True))
            == "FRONTEND_KEY_INVALID"
        )
    async with Client(service.address) as anybody:
        assert await refusal(anybody.get_player(ada.token)) == "PLAYER_TOKEN_INVALID"
        (shown,) = await anybody.list_frontends(service.admin_key)
        assert (shown.HasField("delete_time"), shown.usage.players) == (True, 1)


@pytest.mark.parametrize(
    "key",
    ["nonsense", "emf_" + "0" * 32 + "_" + "x" * 43, "x" * 300],
    ids=["none", "forged", "long"],
)
async def test_a_key_that_is_no_frontends_is_refused_wherever_it_is_shown(
    service: Service, key: str
) -> None:
    async with Client(service.address, frontend_key=key) as client:
        assert await refusal(client.list_games()) == "FRONTEND_KEY_INVALID"
        assert await refusal(client.create_match(game="agog")) == "FRONTEND_KEY_INVALID"


async def test_only_a_digest_of_a_key_is_stored(site: Site, service: Service) -> None:
    ada = await site.introduce("1", "Ada")
    for file in Path(service.settings.folder).rglob("*sqlite*"):
        raw = file.read_bytes()
        assert site.key.encode() not in raw
        assert ada.token.encode() not in raw


async def test_frontends_are_the_operators_to_look_after(site: Site, other_site: Site) -> None:
    client = site.client
    for call in (
        client.list_frontends(),
        client.create_frontend(frontend={"name": "Another"}),
        client.update_frontend(frontend=pb.Frontend(frontend_id=site.id, rights=EVERY_RIGHT)),
        client.delete_frontend(frontend_id=site.id),
    ):
        assert await refusal(call) == "TOKEN_MISSING"
    assert await refusal(client.list_frontends(site.key)) == "ADMIN_KEY_INVALID"
    assert await refusal(client.get_frontend(frontend_id=other_site.id)) == "FRONTEND_KEY_INVALID"
    assert (
        await refusal(client.rotate_frontend_key(frontend_id=other_site.id))
        == "FRONTEND_KEY_INVALID"
    )
    assert (await client.get_frontend()).name == "A site"


async def test_faults_of_a_new_frontend_are_reported(service: Service) -> None:
    async with Client(service.address) as client:
        key = service.admin_key
        register = client.create_frontend
        assert await refusal(register(key, {"name": ""})) == "FIELD_INVALID"
        assert await refusal(register(key, {"name": "x" * 81})) == "FIELD_INVALID"
        assert await refusal(register(key, {"name": "A", "rights": [77]})) == "FIELD_INVALID"
        huge = pb.FrontendQuotas(stored_bytes=1 << 60)
        assert await refusal(register(key, {"name": "A", "quotas": huge})) == "FIELD_INVALID"
        assert await refusal(client.get_frontend(key, str(uuid4()))) == "FRONTEND_NOT_FOUND"
        assert await refusal(client.get_frontend(key)) == "FIELD_INVALID"
        request = str(uuid4())
        made = await register(key, {"name": "A"}, request_id=request)
        assert await register(key, {"name": "A"}, request_id=request) == made
        assert (
            await refusal(register(key, {"name": "B"}, request_id=request)) == "REQUEST_ID_REUSED"
        )


async def test_a_closed_service_takes_new_matches_from_frontends_alone(settings: Settings) -> None:
    closed = Settings(data=settings.data, listen=settings.listen, drain_seconds=1, open="no")
    async with Service(closed) as service, AsyncExitStack() as stack:
        site = await open_site(service)
        reader = await open_site(service, "Reader", rights=[pb.FRONTEND_RIGHT_READ_PUBLIC])
        for each in (site, reader):
            await stack.enter_async_context(each.client)
        anybody = await stack.enter_async_context(Client(service.address))
        match, tokens = await site.match(visibility=PUBLIC)
        assert await refusal(anybody.create_match(game="agog")) == "FRONTEND_KEY_MISSING"
        assert await refusal(reader.client.create_match(game="agog")) == "FRONTEND_RIGHT_MISSING"
        fork = anybody.fork_match(tokens["referee"], match)
        assert await refusal(fork) == "FRONTEND_KEY_MISSING"
        transcript = (await anybody.transcript(tokens["referee"], match)).text
        assert (
            await refusal(anybody.import_transcript(transcript=transcript))
            == "FRONTEND_KEY_MISSING"
        )
        ada = await site.introduce("1", "Ada")
        assert await refusal(anybody.create_match(game="agog")) == "FRONTEND_KEY_MISSING"
        assert (await anybody.get_match(match_id=match)).caller.role == "spectator"
        assert (await anybody.get_player(ada.token)).name == "Ada"


async def test_a_key_is_the_referee_of_what_it_created_if_it_has_that_right(
    site: Site, other_site: Site, service: Service
) -> None:
    match, tokens = await site.match()
    public, _ = await site.match(visibility=PUBLIC)
    assert (await site.client.get_match(match_id=match)).caller.role == "referee"
    assert (await site.client.get_match(site.key, match)).caller.role == "referee"
    assert (await site.client.match(match)).frontend_id == site.id
    assert await refusal(other_site.client.get_match(match_id=match)) == "MATCH_NOT_FOUND"
    assert (await other_site.client.get_match(match_id=public)).caller.role == "spectator"
    # Beside a token the key adds nothing to what the token is good for.
    assert (await site.client.get_match(tokens["white"], match)).caller.role == "white"
    less = pb.Frontend(frontend_id=site.id, rights=[pb.FRONTEND_RIGHT_CREATE])
    await site.client.update_frontend(service.admin_key, less)
    assert not (await site.client.get_match(match_id=match)).caller.role, "which created it"
    assert not (await site.client.get_match(match_id=public)).caller.role


async def test_a_cancelled_match_is_no_open_match_of_its_frontend(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(open_matches=1))
    waits: dict[str, Any] = {"start_policy": matches_pb2.START_POLICY_WHEN_FULL}
    async with site.client:
        made = await site.client.create_match(game="agog", **waits)
        assert await refusal(site.client.create_match(game="agog")) == "QUOTA_EXCEEDED"
        await site.client.cancel_match(match_id=made.match.match_id)
        await site.client.create_match(game="agog")


async def test_a_frontend_has_so_many_open_matches_at_once(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(open_matches=2))
    async with site.client:
        ada = await site.introduce("1", "Ada")
        request = str(uuid4())
        made = await site.client.create_match(game="agog", request_id=request)
        outcomes = await asyncio.gather(
            *(site.match(ada) for _ in range(4)), return_exceptions=True
        )
        refused = [each for each in outcomes if isinstance(each, ServiceError)]
        assert [each.reason for each in refused] == ["QUOTA_EXCEEDED"] * 3
        assert refused[0].metadata == {"quota": "open_matches", "used": "2", "most": "2"}
        again = await site.client.create_match(game="agog", request_id=request)
        assert again.match.match_id == made.match.match_id
        (match,) = [each[0] for each in outcomes if isinstance(each, tuple)]
        await resign(site, ada, match)
        await site.match()
        used = (await site.client.get_frontend()).usage
        assert (used.matches, used.open_matches) == (3, 2)


async def test_a_frontend_has_so_many_actions_a_minute(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(actions_per_minute=2))
    async with site.client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        match, _ = await site.match(ada, bob)
        request = str(uuid4())
        for _ in range(3):  # a repetition is no new action
            await site.client.submit(ada.token, match, "a6-b6", request_id=request)
        await site.client.submit(bob.token, match, "h3-g3")
        with pytest.raises(ServiceError) as refused:
            await site.client.submit(ada.token, match, "f1-g1")
        assert refused.value.reason == "QUOTA_EXCEEDED"
        assert 0 < refused.value.retry_seconds <= 30
        assert (await site.client.match(match)).version == 5


async def test_a_refused_action_is_not_counted(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(actions_per_minute=2))
    async with site.client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        match, _ = await site.match(ada, bob)
        for _ in range(5):
            refused = await site.client.submit(ada.token, match, "a6-a5")
            assert refused.HasField("refused")
        for player, action in ((ada, "a6-b6"), (bob, "h3-g3")):
            assert (await site.client.submit(player.token, match, action)).HasField("accepted")
        third = site.client.submit(ada.token, match, "f1-g1")
        assert await refusal(third) == "QUOTA_EXCEEDED"


async def test_a_player_has_so_many_actions_a_minute_and_uses_up_no_others(
    service: Service,
) -> None:
    quotas = pb.FrontendQuotas(actions_per_minute=4, player_actions_per_minute=1)
    site = await open_site(service, quotas=quotas)
    async with site.client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        matches = [(await site.match(ada, bob))[0] for _ in range(3)]
        await site.client.submit(ada.token, matches[0], "a6-b6")
        for match in matches[1:] * 3:
            with pytest.raises(ServiceError) as refused:
                await site.client.submit(ada.token, match, "a6-b6")
            assert refused.value.metadata["quota"] == "player_actions_per_minute"
        assert (await site.client.submit(bob.token, matches[0], "h3-g3")).HasField("accepted")
        # Without a player each seat is counted separately.
        match, tokens = await site.match()
        for seat, action in (("white", "a6-b6"), ("black", "h3-g3")):
            answer = await site.client.submit(tokens[seat], match, action)
            assert answer.HasField("accepted")


async def test_strangers_who_watch_use_up_no_watchers_of_a_frontend(
    service: Service, other_site: Site
) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(watchers=1))
    async with site.client, AsyncExitStack() as stack:
        match, tokens = await site.match(visibility=PUBLIC)
        anybody = await stack.enter_async_context(Client(service.address))
        for client in (anybody, anybody, other_site.client):
            watching = client.watch("", match)
            stack.push_async_callback(watching.aclose)
            await anext(watching)
        assert (await site.client.get_frontend()).usage.watchers == 0
        own = anybody.watch(tokens["white"], match)
        stack.push_async_callback(own.aclose)
        await anext(own)
        assert (await site.client.get_frontend()).usage.watchers == 1
        assert await refusal(anext(site.client.watch("", match))) == "QUOTA_EXCEEDED"


async def test_a_frontend_has_so_many_watchers(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(watchers=1))
    async with site.client:
        match, _ = await site.match(visibility=PUBLIC)
        watching = site.client.watch("", match)
        await anext(watching)
        assert (await site.client.get_frontend()).usage.watchers == 1
        assert await refusal(anext(site.client.watch("", match))) == "QUOTA_EXCEEDED"
        await watching.aclose()
        for _ in range(50):
            if not (await site.client.get_frontend()).usage.watchers:
                break
            await asyncio.sleep(0.02)
        again = site.client.watch("", match)
        await anext(again)
        await again.aclose()


async def test_taps_and_plans_count_as_actions(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(actions_per_minute=3))
    async with site.client, Client(service.address) as tables:
        match, tokens = await site.match()
        shop = GatewaySetup(
            (await tables.create_gateway(service.admin_key, name="Corner")).gateway_key,
            match,
            tokens,
        )
        await tables.pair_stylus(shop.key, STYLUS, pin="0000")
        await tables.seat_stylus(shop.key, STYLUS, match, [tokens["white"]])
        async with GatewayConnection(service, shop) as line:
            await line.tap("space a6")
            await line.tap("space b6")
            done = await line.tap("button confirm")
            assert done.outcome == tables_pb2.TAP_OUTCOME_ACTED
            left = [
                conditional_moves_pb2.ConditionalMove(trigger_action="f1-g1", responses=["c8-c7"])
            ]
            await site.client.set_conditional_moves(tokens["black"], match, moves=left)
            await site.client.submit(tokens["black"], match, "h3-g3")
            again = site.client.set_conditional_moves(tokens["black"], match, moves=left)
            assert await refusal(again) == "QUOTA_EXCEEDED"
            await line.tap("space f1")
            await line.tap("space g1")
            refused = await line.tap("button confirm")
        assert (refused.outcome, refused.refusal.rule) == (
            tables_pb2.TAP_OUTCOME_REFUSED, "stylus.match"
        )  # fmt: skip
        assert "quota of 3 actions per minute" in refused.refusal.why
        assert (await site.client.match(match)).version == 3


async def test_a_planned_action_waits_until_its_frontend_may_act_again(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(actions_per_minute=30))
    async with site.client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        match, _ = await site.match(ada, bob)
        left = [conditional_moves_pb2.ConditionalMove(trigger_action="a6-b6", responses=["h3-g3"])]
        await site.client.set_conditional_moves(bob.token, match, moves=left)
        # All but one of the minute's actions are spent.
        for _ in range(28):
            await site.client.set_conditional_moves(bob.token, match, moves=left)
        await site.client.submit(ada.token, match, "a6-b6")
        async with asyncio.timeout(30):
            while (await site.client.match(match)).version < 5:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        events = await site.client.list_events(ada.token, match)
        assert events[-1].details["answers"] == "4"


async def test_a_rematch_is_an_open_match_of_its_frontend(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(open_matches=1))
    async with site.client:
        ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
        match, _ = await site.match(ada, bob)
        await resign(site, ada, match)
        other, _ = await site.match(ada)
        assert (
            await refusal(site.client.create_proposal(bob.token, match, rematch={}))
            == "QUOTA_EXCEEDED"
        )
        await resign(site, ada, other)
        again = (await site.client.create_proposal(bob.token, match, rematch={})).rematch_seat
        made = await site.client.match(again.match_id)
        assert (made.rematch_of, again.seat) == (match, "white")
        # The second needs no room.
        assert (
            await site.client.create_proposal(ada.token, match, rematch={})
        ).rematch_seat.seat == "black"


async def test_a_stream_of_a_player_is_one_of_the_frontends_watchers(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(watchers=1))
    async with site.client:
        ada = await site.introduce("1", "Ada")
        match, _ = await site.match(ada, visibility=PUBLIC)
        await site.client.submit(ada.token, match, "a6-b6")
        watching = site.client.watch_player(ada.token, cursor="")
        await anext(watching)
        assert (await site.client.get_frontend()).usage.watchers == 1
        second = site.client.watch_player(ada.token, cursor="")
        assert await refusal(anext(second)) == "QUOTA_EXCEEDED"
        await watching.aclose()


async def test_a_frontend_stores_so_many_bytes(service: Service) -> None:
    site = await open_site(service, quotas=pb.FrontendQuotas(stored_bytes=100))
    async with site.client:
        ada = await site.introduce("1", "Ada")
        match, _ = await site.match(ada)
        used = (await site.client.get_frontend()).usage.stored_bytes
        assert used > 100
        assert await refusal(site.client.submit(ada.token, match, "a6-b6")) == "QUOTA_EXCEEDED"
        wider = pb.Frontend(frontend_id=site.id, quotas=pb.FrontendQuotas(stored_bytes=1_000_000))
        await site.client.update_frontend(service.admin_key, wider)
        assert (await site.client.submit(ada.token, match, "a6-b6")).HasField("accepted")


async def test_a_watch_ends_when_its_token_is_replaced(site: Site) -> None:
    ada = await site.introduce("1", "Ada")
    match, tokens = await site.match(ada)
    watching = site.client.watch(ada.token, match, after_version=2)
    await site.client.rotate_player_token(ada.token)
    await site.client.join_match(tokens["black"], match, "black", "Bob")
    assert await refusal(anext(watching)) == "PLAYER_TOKEN_INVALID"


async def valid(service: Service, key: str) -> bool:
    async with Client(service.address, frontend_key=key) as client:
        (outcome,) = await asyncio.gather(client.list_players(), return_exceptions=True)
    return getattr(outcome, "reason", "") != "FRONTEND_KEY_INVALID"


async def test_a_key_stays_valid_for_a_term_after_it_was_replaced(
    site: Site, service: Service
) -> None:
    new = (await site.client.rotate_frontend_key(overlap=timedelta(days=2))).key
    assert [await valid(service, key) for key in (site.key, new)] == [True, True]
    present, old = (await site.client.get_frontend()).keys
    assert not present.HasField("expire_time")
    until = old.expire_time.ToDatetime() - present.create_time.ToDatetime()
    assert until == timedelta(days=2)
    # At most two are valid at once: the first ends when there is a third.
    async with Client(service.address, frontend_key=new) as client:
        newest = (await client.rotate_frontend_key()).key
        _, old = (await client.get_frontend()).keys
    keys = (site.key, new, newest)
    assert [await valid(service, key) for key in keys] == [False, True, True]
    # Without a term every earlier key ends.
    async with Client(service.address, frontend_key=newest) as client:
        last = (await client.rotate_frontend_key(overlap=NONE)).key
    assert [await valid(service, key) for key in (*keys, last)] == [False, False, False, True]


async def test_a_key_ends_when_its_term_does(site: Site, service: Service) -> None:
    new = (await site.client.rotate_frontend_key(overlap=timedelta(milliseconds=300))).key
    async with asyncio.timeout(30):
        while await valid(service, site.key):  # noqa: ASYNC110  the clock is the service's
            await asyncio.sleep(0.02)
    assert await valid(service, new)
    async with Client(service.address, frontend_key=new) as client:
        assert len((await client.get_frontend()).keys) == 1


async def test_a_key_that_was_replaced_gives_out_no_other(site: Site, service: Service) -> None:
    request = str(uuid4())
    new = (await site.client.rotate_frontend_key(request_id=request)).key
    # Whoever missed the answer gets it again, with the key that it has.
    assert (await site.client.rotate_frontend_key(request_id=request)).key == new
    assert await refusal(site.client.rotate_frontend_key()) == "FRONTEND_KEY_INVALID"
    long = site.client.rotate_frontend_key(service.admin_key, site.id, overlap=timedelta(days=31))
    assert await refusal(long) == "FIELD_INVALID"


async def test_an_update_sets_the_fields_of_its_mask_alone(site: Site, service: Service) -> None:
    key, client = service.admin_key, site.client
    quotas = pb.FrontendQuotas(watchers=5, open_matches=6)
    wide = pb.Frontend(frontend_id=site.id, name="Club", quotas=quotas)
    await client.update_frontend(key, wide)
    more = pb.Frontend(frontend_id=site.id, quotas=pb.FrontendQuotas(watchers=9))
    updated = (await client.update_frontend(key, more, update_mask=["quotas.watchers"])).frontend
    assert (updated.name, list(updated.rights)) == ("Club", list(EVERY_RIGHT))
    assert (updated.quotas.watchers, updated.quotas.open_matches) == (9, 6)
    nothing = pb.Frontend(frontend_id=site.id)
    cleared = (
        await client.update_frontend(key, nothing, update_mask=["rights", "quotas"])
    ).frontend
    assert (cleared.name, list(cleared.rights)) == ("Club", [])
    assert cleared.quotas == pb.FrontendQuotas()
    for paths in (["frontend_id"], ["quotas.nonsense"], ["usage"], [], ["name"]):
        assert await refusal(client.update_frontend(key, nothing, paths)) == "FIELD_INVALID"


async def test_an_update_with_a_stale_etag_changes_nothing(site: Site, service: Service) -> None:
    key, client = service.admin_key, site.client
    before = await client.get_frontend()
    named = pb.Frontend(frontend_id=site.id, name="Club", etag=before.etag)
    request = str(uuid4())
    after = (await client.update_frontend(key, named, request_id=request)).frontend
    assert after.etag != before.etag
    # The same request is no second update.
    again = (await client.update_frontend(key, named, request_id=request)).frontend
    assert (again.etag, again.name) == (after.etag, "Club")
    assert await refusal(client.update_frontend(key, named)) == "VERSION_STALE"
    other = pb.Frontend(frontend_id=site.id, name="Other")
    reused = client.update_frontend(key, other, request_id=request)
    assert await refusal(reused) == "REQUEST_ID_REUSED"


async def test_a_deleted_frontend_is_not_updated(site: Site, service: Service) -> None:
    key = service.admin_key
    async with Client(service.address) as operator:
        for _ in range(2):
            await operator.delete_frontend(key, site.id)
        renamed = operator.update_frontend(key, pb.Frontend(frontend_id=site.id, name="Club"))
        assert await refusal(renamed) == "FRONTEND_DELETED"
        assert await refusal(operator.rotate_frontend_key(key, site.id)) == "FRONTEND_DELETED"
        assert (await operator.get_frontend(key, site.id)).HasField("delete_time")
