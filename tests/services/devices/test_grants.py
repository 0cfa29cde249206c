"""The right to tap without a seat's token, gateways that set themselves up by a code, seats that
are claimed under a stylus, and floods.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from domain.table.events import SeatsEnded
from services.accounts.tokens import TokenIssuer
from services.client import Client
from services.client.gateway import GatewayClient
from services.devices.one_time_codes import LIFETIME_SECONDS, OneTimeCodes
from services.main import Service
from services.runtime.errors import ApiError
from services.runtime.rate_limits import RateLimit
from services.wire.emeth.devices.v1 import connections_pb2
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.matches_pb2 import CHANCE_ROLLED
from tests.services.conftest import STYLUS, GatewayConnection, refusal, set_up_gateway


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


async def granted(service: Service, client: Client, game: str, seat: str) -> Any:
    """A match, and a stylus that may tap for one of its seats; the match, the grant, the key."""
    created = await client.create_match(game=game, chance=CHANCE_ROLLED)
    match, token = created.match.match_id, created.tokens[seat]
    key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
    await client.pair_stylus(key, STYLUS, pin="0000")
    grant = await client.create_tap_grant(token, match)
    answer = await client.seat_stylus(
        key, STYLUS, "", [], codes=[grant.code.lower().replace("-", " ")]
    )
    assert list(answer.stylus.granted_seats) == [seat], answer
    return created, grant, key


async def test_a_code_gives_the_right_to_tap_and_is_withdrawn(
    service: Service, client: Client
) -> None:
    created, grant, key = await granted(service, client, "agog", "white")
    match, token = created.match.match_id, created.tokens["white"]
    (right,) = await client.list_tap_grants(token, match)
    assert (right.grant_id, right.stylus_id, right.table_name) == (grant.grant_id, STYLUS, "Corner")
    assert await client.list_tap_grants(created.tokens["black"], match) == []
    async with GatewayClient(service.address, key) as gateway:
        await gateway.wait_for_prompt(STYLUS, 1)
        for code in ("space a6", "space b6", "button confirm"):
            prompt = await gateway.tap(STYLUS, code)
        assert prompt.outcome == tables_pb2.TAP_OUTCOME_ACTED
        # Another seat withdraws nothing of this one.
        assert (
            await client.delete_tap_grant(created.tokens["black"], match, grant.grant_id)
        ).deleted_count == 0
        assert (await client.delete_tap_grant(token, match, grant.grant_id)).deleted_count == 1
        assert (await client.delete_tap_grant(token, match, grant_id="-")).deleted_count == 0
        refused = await gateway.tap(STYLUS, "space f1")
        assert (list(refused.ended_seats), refused.seat) == (["white"], "")
    (stylus,) = (await client.list_devices(key))[0].styluses
    assert (list(stylus.seats), list(stylus.ended_seats)) == ([], ["white"])


async def test_a_code_counts_once_for_a_while_and_for_its_own_purpose(
    service: Service, client: Client
) -> None:
    created, grant, key = await granted(service, client, "agog", "white")
    match = created.match.match_id
    await client.pair_stylus(key, "AA:02", pin="0000")
    seat = client.seat_stylus(key, "AA:02", match, [], codes=[grant.code])
    assert await refusal(seat) == "CODE_INVALID"
    assert await refusal(client.create_gateway(name="Thief", code=grant.code)) == "CODE_INVALID"
    for seats in ("referee", "spectator"):
        assert (
            await refusal(client.create_tap_grant(created.tokens[seats], match))
            == "ROLE_NOT_ALLOWED"
        )
    # What is refused leaves the code as it was.
    another = await client.create_tap_grant(created.tokens["black"], match)
    answer = await client.seat_stylus(key, "AA:03", match, [], codes=[another.code])
    assert answer.refusal.rule == "stylus.unpaired"
    answer = await client.seat_stylus(key, "AA:02", match, [], codes=[another.code])
    assert list(answer.stylus.seats) == ["black"]


def test_a_code_is_good_for_ten_minutes() -> None:
    now = [0.0]
    codes = OneTimeCodes(TokenIssuer(b"secret"), clock=lambda: now[0])
    issued = codes.issue("taps", "one", "white")
    assert codes.issue("taps", "one", "white") == issued
    assert codes.redeem("taps", issued.code, "first") == "white"
    assert codes.redeem("taps", issued.code.replace("0", "o"), "first") == "white"
    now[0] = LIFETIME_SECONDS + 1
    for purpose in ("taps", "gateway"):
        with pytest.raises(ApiError):
            codes.redeem(purpose, issued.code, "first")  # type: ignore[arg-type]  # one of the two


async def test_a_grant_shows_no_hand(service: Service, client: Client) -> None:
    """A seat of Res Arcana, once by its token and once by a grant: what is listed of its hand."""
    created, _, key = await granted(service, client, "res-arcana", "north")
    match = created.match.match_id
    await client.pair_stylus(key, "AA:02", pin="0000")
    await client.seat_stylus(key, "AA:02", match, [created.tokens["north"]])
    async with GatewayClient(service.address, key) as gateway:
        own, open_ = (
            await gateway.wait_for_prompt("AA:02", 1),
            await gateway.wait_for_prompt(STYLUS, 1),
        )
        hidden = {each for each in own.next_targets if each.startswith("card")}
        mage = min(hidden)
        assert hidden
        text = str(open_)
        assert not [each for each in hidden if each.partition(" ")[2] in text]
        # Its player knows the card, taps it, and confirms.
        prompt = await gateway.tap(STYLUS, mage)
        assert mage in prompt.selected
        assert prompt.HasField("armed")
        other = (hidden - {mage}).pop().partition(" ")[2]
        assert other not in str(prompt)
        prompt = await gateway.tap(STYLUS, "button confirm")
        assert prompt.outcome == tables_pb2.TAP_OUTCOME_ACTED
        events = str(prompt.events)
        assert mage.partition(" ")[2] not in events, "which mage is chosen is still a secret"


async def test_a_grant_takes_no_action_but_by_taps_and_opens_nothing_else(
    service: Service, client: Client
) -> None:
    created, grant, _ = await granted(service, client, "agog", "white")
    match = created.match.match_id
    for shown in (grant.code, grant.grant_id):
        for call in (
            client.submit(shown, match, "a6-b6"),
            client.list_actions(shown, match, "white"),
            client.submit_action(shown, match, resignation=True),
            client.join_match(shown, match, "white", "Eve"),
            client.create_tap_grant(shown, match),
            client.view(shown, match, "text"),
        ):
            assert await refusal(call) == "TOKEN_WRONG_MATCH"


async def test_a_seat_that_somebody_claims_ends_the_right_visibly(
    service: Service, client: Client
) -> None:
    shop = await set_up_gateway(service, seats=("white",))
    async with GatewayClient(service.address, shop.key) as gateway:
        await gateway.wait_for_prompt(STYLUS, 1)
        await client.join_match(shop.tokens["white"], shop.match, "white", "Eve")
        prompt = await gateway.wait_for_prompt(STYLUS, 2)
        assert (list(prompt.ended_seats), prompt.seat) == (["white"], "")
        assert list(prompt.signals.lines) == ["Seat taken", "white"]
    (stylus,) = (await client.list_devices(shop.key))[0].styluses
    assert (list(stylus.seats), list(stylus.ended_seats)) == ([], ["white"])
    table = UUID(shop.key.partition(".")[0])
    ended = [each.event for each in service._log.table_events(table)]
    assert [e.why for e in ended if isinstance(e, SeatsEnded)] == ["claimed"]
    (listed,) = await client.list_devices(shop.key)
    assert [list(each.seats) for each in listed.styluses] == [[]]


async def test_a_gateway_sets_itself_up_by_a_code(service: Service, client: Client) -> None:
    invited = await client.create_gateway_invite(service.admin_key)
    made = await client.create_gateway(name="Corner", code=invited.code)
    assert made.owner_key
    assert await refusal(client.create_gateway(name="Again", code=invited.code)) == "CODE_INVALID"
    assert await refusal(client.create_gateway_invite(made.gateway_key)) == "ADMIN_KEY_INVALID"
    invite = await client.create_gateway_invite(made.owner_key, made.table_id)
    second = await client.create_gateway(name="Window", code=invite.code)
    assert (second.table_id, second.owner_key) == (made.table_id, "")
    async with GatewayClient(service.address, second.gateway_key) as gateway:
        await gateway.wait_until_welcomed()


async def test_a_flood_is_refused_and_slows_only_its_own_caller(
    service: Service, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So few that even a machine under load is quicker than what is allowed.
    monkeypatch.setattr(
        "services.devices.gateway_stream.MESSAGE_RATE", RateLimit(per_second=1, burst=50)
    )
    shop = await set_up_gateway(service)
    (table,) = await client.list_devices(shop.key)
    other = await client.create_gateway(service.admin_key, table.table_id, "Beside")
    async with (
        GatewayClient(service.address, other.gateway_key) as calm,
        GatewayConnection(service, shop) as flood,
    ):
        await calm.wait_until_welcomed()
        throttled, done = asyncio.Event(), 0

        async def listen() -> None:
            nonlocal done
            while (answer := await flood.read()) is not None:
                if answer.WhichOneof("message") == "throttling":
                    assert answer.throttling.pause.nanos > 0
                    throttled.set()
                done = max(done, answer.prompt.acknowledged_seq)

        listening = asyncio.create_task(listen())
        for seq in range(1, 121):
            tap = connections_pb2.Tap(seq=seq, stylus_id=STYLUS, code="cc map")
            await flood._call.write(connections_pb2.ConnectRequest(tap=tap))
        async with asyncio.timeout(30):
            await throttled.wait()
        for _ in range(10):
            answer = await calm.tap("BB:01", "space a6")
            assert answer.outcome == tables_pb2.TAP_OUTCOME_UNKNOWN_STYLUS
        assert done < 120, "nobody waits for the flooder"
        listening.cancel()
