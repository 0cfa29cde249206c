"""Several services on one log: all give the same answers, and everything is done once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing, closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import grpc
import psycopg
import pytest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub

from domain.match import TimeBudget
from services.client import Client, ServiceError, new_request
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.runtime.settings import Settings, SettingsError, load_settings
from services.store.errors import KeysDiffer
from services.store.log import Log
from services.store.opened_log import Downtime
from services.store.startup import StartError
from services.wire.emeth.v1 import matches_pb2
from tests.services.conftest import STYLUS, GatewayConnection, create_match, set_up_gateway

SECRET, SIGNING, CALLER = (sha256(word).hexdigest() for word in (b"secret", b"signing", b"client"))
ADMIN = "an admin key for all of them".replace(" ", "-")


class Replicas(NamedTuple):
    services: list[Service]
    clients: list[Client]


def settings_of(folder: Path, store: str, **others: str) -> Settings:
    given = {"secret": SECRET, "signing_key": SIGNING, "admin_key": ADMIN} | others
    return Settings(
        data=str(folder), store=store, listen="127.0.0.1:0", http="no", drain_seconds=1, **given
    )


@pytest.fixture
async def replicas(tmp_path: Path, database: str) -> AsyncIterator[Replicas]:
    async with AsyncExitStack() as stack:
        found = Replicas([], [])
        for number in range(2):
            settings = settings_of(tmp_path / f"data-{number}", database)
            found.services.append(await stack.enter_async_context(Service(settings)))
            # One caller, who may be served by any replica.
            address = found.services[-1].address
            client = Client(address, name="tests/1", client_secret=CALLER)
            found.clients.append(await stack.enter_async_context(client))
        yield found


async def test_each_replica_continues_from_what_another_recorded(replicas: Replicas) -> None:
    one, other = replicas.clients
    match = await create_match(one)
    for seat, action, client in (
        ("white", "a6-b6", other),
        ("black", "h3-g3", one),
        ("white", "f1-g1", other),
        ("black", "c8-c7", one),
    ):
        # Both have the match in memory, and neither waits for the other's news of it.
        assert await one.list_actions(match.tokens[seat], match.id, seat)
        assert await other.list_actions(match.tokens[seat], match.id, seat)
        answer = await client.submit(match.tokens[seat], match.id, action)
        assert answer.HasField("accepted"), answer
    scenes = [
        await each.view(match.tokens["referee"], match.id, at_least_version=5)
        for each in replicas.clients
    ]
    assert scenes[0].position == scenes[1].position
    assert (await one.verify_match(match.tokens["referee"], match.id)).sound


async def test_nobody_is_refused_by_what_was_so_before(replicas: Replicas) -> None:
    one, other = replicas.clients
    match = await create_match(one)
    await other.list_actions(match.tokens["white"], match.id, "white")
    await one.submit(match.tokens["white"], match.id, "a6-b6")
    # In the memory of the other it is white's turn yet.
    answer = await other.submit(match.tokens["black"], match.id, "h3-g3")
    assert answer.HasField("accepted"), answer


async def test_a_request_is_done_once_at_any_replica(replicas: Replicas) -> None:
    one, other = replicas.clients
    creation = new_request()
    made = await asyncio.gather(
        *(each.create_match(game="agog", request_id=creation) for each in replicas.clients)
    )
    assert made[0].match.match_id == made[1].match.match_id
    assert made[0].tokens == made[1].tokens
    match, white = made[0].match.match_id, made[0].tokens["white"]
    claim = new_request()
    claims = [
        await each.join_match(white, match, "white", "Ada", request_id=claim)
        for each in replicas.clients
    ]
    assert claims[0].token == claims[1].token
    action = new_request()
    answers = await asyncio.gather(
        *(
            each.submit(claims[0].token, match, "a6-b6", request_id=action)
            for each in (one, other, one, other)
        )
    )
    assert {answer.accepted.version for answer in answers} == {3}
    with pytest.raises(ServiceError) as reused:
        await other.submit(claims[0].token, match, "f1-g1", request_id=action)
    assert reused.value.reason == "REQUEST_ID_REUSED"


async def test_those_who_act_at_once_on_all_replicas_are_judged_one_after_the_other(
    replicas: Replicas,
) -> None:
    matches = [await create_match(replicas.clients[0]) for _ in range(3)]
    random = Random(1)

    async def play(match: object, actions: int) -> int:
        accepted = 0
        for _ in range(actions):
            client = random.choice(replicas.clients)
            seat = random.choice(["white", "black"])
            if legal := await client.list_actions(match.tokens[seat], match.id, seat):  # type: ignore[attr-defined]
                chosen = random.choice(legal).notation
                answer = await client.submit(match.tokens[seat], match.id, chosen)  # type: ignore[attr-defined]
                accepted += answer.HasField("accepted")
        return accepted

    counts = await asyncio.gather(*(play(match, 12) for match in matches for _ in range(3)))
    for number, match in enumerate(matches):
        played = 1 + sum(counts[3 * number : 3 * number + 3])
        for client in replicas.clients:
            assert (await client.match(match.id, played)).version == played
            assert (await client.verify_match(match.tokens["referee"], match.id)).sound


async def test_a_watcher_sees_what_is_played_on_another_replica(replicas: Replicas) -> None:
    one, other = replicas.clients
    match = await create_match(one)
    async with asyncio.timeout(30):
        watching = other.watch(match.tokens["spectator"], match.id)
        seen = [await anext(watching)]
        await one.submit(match.tokens["white"], match.id, "a6-b6")
        while seen[-1].event.version != 2:
            seen.append(await anext(watching))
        await watching.aclose()


async def test_a_gateway_is_shown_what_is_played_and_changed_on_another_replica(
    replicas: Replicas,
) -> None:
    here, there = replicas.services
    shop = await set_up_gateway(here, seats=["white"])
    async with GatewayConnection(here, shop) as line, Client(there.address) as elsewhere:
        moved = await elsewhere.submit(shop.tokens["white"], shop.match, "a6-b6")
        assert moved.HasField("accepted")
        async with asyncio.timeout(30):
            while line.prompt.match_version < 2:
                await line.read()
        await elsewhere.seat_stylus(shop.key, STYLUS, shop.match, [shop.tokens["black"]])
        async with asyncio.timeout(30):
            while not line.prompt.next_targets:  # it is black's turn, and now the stylus is black's
                await line.read()


async def test_a_gateway_continues_at_another_replica(replicas: Replicas) -> None:
    here, there = replicas.services
    shop = await set_up_gateway(here)
    async with GatewayConnection(here, shop) as line:
        first = await line.taps("space a6", "space b6")
        highest = line.seq
    async with GatewayConnection(there, shop) as line:
        assert line.welcome.highest_seq == highest
        again = await line.tap("space b6", seq=highest)
        assert again.replayed
        assert again.acknowledged_seq == first[-1].acknowledged_seq
        done = await line.tap("button confirm")
        assert done.match_version == 2


async def test_one_sequence_of_checkpoints_is_signed_by_all(replicas: Replicas) -> None:
    match = await create_match(replicas.clients[0])
    await replicas.clients[1].submit(match.tokens["white"], match.id, "a6-b6")
    for client in replicas.clients:
        await client.match(match.id, 2)
    notes = [(await each.get_checkpoint()).checkpoint for each in replicas.clients]
    assert notes[0] == notes[1]


async def test_one_of_them_publishes_and_the_others_show_what_it_published(
    tmp_path: Path, database: str
) -> None:
    async with AsyncExitStack() as stack:
        stack.enter_context(patch("services.proof.published_tree.PUBLISH_SECONDS", 3600.0))
        services, clients = [], []
        for number in range(2):
            settings = settings_of(tmp_path / f"data-{number}", database)
            services.append(await stack.enter_async_context(Service(settings)))
            clients.append(await stack.enter_async_context(Client(services[-1].address)))
            before = (await clients[-1].get_checkpoint()).checkpoint
            match = await create_match(clients[-1])  # the next to come finds a longer log
            await clients[-1].match(match.id, 1)
        assert (await clients[0].get_checkpoint()).checkpoint == before
        await services[0]._published._publish()
        after = (await clients[0].get_checkpoint()).checkpoint
        size = int(after.splitlines()[1])
        assert size > int(before.splitlines()[1])
        # Who has it from the one asks the other, which has not looked for it yet.
        assert (await clients[1].get_proof(extended_size=1, log_size=size)).checkpoint == after
        assert (await clients[1].get_checkpoint()).checkpoint == after


async def test_a_replica_with_other_keys_does_not_start(
    replicas: Replicas, tmp_path: Path, database: str
) -> None:
    for other in ({"secret": SIGNING}, {"signing_key": SECRET}):
        with pytest.raises((KeysDiffer, StartError), match="another s"):
            async with Service(settings_of(tmp_path / "other", database, **other)):
                pass


@pytest.fixture
async def player(replicas: Replicas, tmp_path: Path, database: str) -> AsyncIterator[Service]:
    """A service that only plays."""
    async with Service(settings_of(tmp_path / "player", database, role="play")) as service:
        yield service


async def test_who_only_plays_keeps_no_read_models_and_knows_what_others_record(
    replicas: Replicas, player: Service, tmp_path: Path
) -> None:
    one = replicas.clients[0]
    match = await create_match(one)
    async with Client(player.address, session=True) as playing, Client(player.address) as other:
        for seat, action, client in (
            ("white", "a6-b6", playing),
            ("black", "h3-g3", one),
            ("white", "f1-g1", playing),
        ):
            assert await playing.list_actions(match.tokens[seat], match.id, seat)
            answer = await client.submit(match.tokens[seat], match.id, action)
            assert answer.HasField("accepted"), answer
        with pytest.raises(ServiceError) as refused:
            await playing.view(match.tokens["white"], match.id)
        assert refused.value.reason == "READ_MODELS_DISABLED"
        with pytest.raises(ServiceError) as unknown:
            await other.match(match.id)
        assert unknown.value.code is grpc.StatusCode.UNIMPLEMENTED
    assert not (tmp_path / "player" / "reads").exists()
    assert (
        await one.view(match.tokens["white"], match.id, "text", at_least_version=4)
    ).version == 4


async def test_a_gateway_at_a_service_that_only_plays_is_shown_what_others_do(
    replicas: Replicas, player: Service
) -> None:
    shop = await set_up_gateway(replicas.services[0])
    async with GatewayConnection(player, shop) as line:
        await line.taps("space a6", "space b6", "button confirm")
        await replicas.clients[0].submit(shop.tokens["black"], shop.match, "h3-g3")
        async with asyncio.timeout(30):
            while line.prompt.match_version < 3:
                await line.read()


@pytest.mark.parametrize(
    ("role", "served", "not_served"),
    [("play", "PlayService", "ViewsService"), ("read", "ViewsService", "PlayService")],
)
async def test_health_shows_what_a_role_serves(
    tmp_path: Path, database: str, role: str, served: str, not_served: str
) -> None:
    async with (
        Service(settings_of(tmp_path / role, database, role=role)) as service,
        grpc.aio.insecure_channel(service.address) as channel,
    ):
        typed_for_blocking: Any = HealthStub
        check = typed_for_blocking(channel).Check
        asked = HealthCheckRequest(service=f"emeth.v1.{served}")
        assert (await check(asked)).status == HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await check(HealthCheckRequest(service=f"emeth.v1.{not_served}"))
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND


def test_a_role_needs_a_log_that_is_shared() -> None:
    with pytest.raises(SettingsError, match="needs a shared database"):
        load_settings({}, role="play")


async def test_a_clock_runs_out_once_also_if_the_service_that_kept_it_is_gone(
    tmp_path: Path, database: str
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(Service(settings_of(tmp_path / "1", database)))
        async with (
            Service(settings_of(tmp_path / "2", database)) as other,
            Client(other.address) as client,
        ):
            clock = time_control_message(TimeBudget(ms=1_000))
            matches = [await create_match(client, time_control=clock) for _ in range(3)]
        # The other service has ended, and with it all that it had in mind.
        client = await stack.enter_async_context(Client(first.address))
        for match in matches:
            async with asyncio.timeout(30):
                async for _ in client.watch(match.tokens["white"], match.id, until_over=True):
                    pass
            events = await client.list_events(match.tokens["referee"], match.id)
            assert [event.kind for event in events].count("match.TimeRanOut") == 1


async def test_a_match_expires_once_also_if_the_service_that_made_it_is_gone(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.api.matches.MIN_WAITING_SECONDS", 1)
    async with AsyncExitStack() as stack:
        replicas = [
            await stack.enter_async_context(Service(settings_of(tmp_path / name, database)))
            for name in ("1", "2")
        ]
        async with (
            Service(settings_of(tmp_path / "3", database)) as other,
            Client(other.address) as client,
        ):
            made = [
                await client.create_match(
                    game="agog",
                    start_policy=matches_pb2.START_POLICY_WHEN_FULL,
                    waiting_term=timedelta(seconds=2),
                )
                for _ in range(3)
            ]
        client = await stack.enter_async_context(Client(replicas[0].address))
        for each in made:
            token, match = each.tokens["referee"], each.match.match_id
            async with asyncio.timeout(30), aclosing(client.watch(token, match)) as news:
                assert [(await anext(news)).event.version for _ in range(2)] == [1, 2]
            events = await client.list_events(token, match)
            assert [event.kind for event in events][1:] == ["match.MatchCancelled"]


def test_nobody_was_away_while_another_service_was_there(tmp_path: Path, database: str) -> None:
    def arriving(folder: str) -> Downtime:
        (tmp_path / folder).mkdir()
        with closing(Log(tmp_path / folder, print, database)) as log:
            found = log.register()
            assert found is not None
            return found

    begun, later = arriving("1"), arriving("2")
    assert (begun.since, later.until) == (None, begun.until)
    an_hour_ago = datetime.now(UTC) - timedelta(hours=1)
    with psycopg.connect(database, autocommit=True) as outside:
        statement = "UPDATE emeth_log SET value = %s WHERE name = 'last there'"
        outside.execute(statement, (an_hour_ago.isoformat(),))
    after, together = arriving("3"), arriving("4")
    assert after == together
    assert after.since == an_hour_ago
    assert after.until > later.until
