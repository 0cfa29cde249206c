"""What a gateway is answered: what came of a tap, also when its message comes again."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc.aio
import msgspec
import pytest

from domain.table import TapTaken
from domain.table.state import MAX_RECORDED_MESSAGES
from services.client import Client
from services.client.gateway import GatewayClient
from services.client.journal import Journal
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.devices.v1.gateways_pb2_grpc import GatewaysServiceStub
from services.wire.emeth.v1 import tables_pb2
from tests.services.conftest import STYLUS, GatewayConnection, GatewaySetup, set_up_gateway


def as_at_first(prompt: pb.DevicePrompt) -> pb.DevicePrompt:
    """An answer as it would be if it were the first."""
    assert prompt.replayed
    plain = pb.DevicePrompt()
    plain.CopyFrom(prompt)
    plain.replayed = False
    return plain


def of_the_tap(prompt: pb.DevicePrompt) -> tuple[Any, ...]:
    """Return the part of a response that states the outcome of the tap."""
    return prompt.answered_seq, prompt.outcome, prompt.refusal, list(prompt.events)


def next_code(shown: pb.DevicePrompt) -> str:
    """A tap that brings the next action nearer."""
    if shown.HasField("armed"):
        return "button confirm"
    return "cc rune 1" if shown.runes else shown.next_targets[0]


NOWHERE = "space z9"
MOVE = ("space a6", "space b6", "button confirm")


@pytest.fixture
async def shop(service: Service) -> GatewaySetup:
    return await set_up_gateway(service)


@pytest.fixture
async def line(service: Service, shop: GatewaySetup) -> AsyncIterator[GatewayConnection]:
    async with GatewayConnection(service, shop) as connected:
        yield connected


async def test_each_answer_says_what_came_of_the_tap(line: GatewayConnection) -> None:
    outcomes = [prompt.outcome for prompt in await line.taps(*MOVE, "figure/9", "button confirm")]
    assert outcomes == [
        tables_pb2.TAP_OUTCOME_DONE,
        tables_pb2.TAP_OUTCOME_DONE,
        tables_pb2.TAP_OUTCOME_ACTED,
        tables_pb2.TAP_OUTCOME_UNKNOWN_CODE,
        tables_pb2.TAP_OUTCOME_REFUSED,
    ]
    assert (await line.tap("space h3", prompt=77)).outcome == tables_pb2.TAP_OUTCOME_STALE


async def test_a_confirm_that_comes_again_at_once_is_answered_with_the_same_events(
    line: GatewayConnection,
) -> None:
    first = (await line.taps(*MOVE))[-1]
    assert [event.action.notation for event in first.events] == ["a6-b6"]
    assert as_at_first(await line.tap("button confirm", seq=3)) == first


async def test_a_refused_tap_that_comes_again_is_refused_again(line: GatewayConnection) -> None:
    first = await line.tap(NOWHERE)
    assert first.refusal.rule == "stylus.nothing"
    assert as_at_first(await line.tap(NOWHERE, seq=1)) == first


async def test_a_repeated_tap_gets_its_first_outcome_and_the_current_screen(
    line: GatewayConnection,
) -> None:
    first = await line.tap("space a6")
    await line.tap("space b6")
    again = await line.tap("space a6", seq=1)
    assert of_the_tap(again) == of_the_tap(first)
    assert again.armed.label == "a6-b6"
    assert again.acknowledged_seq == 2


async def test_another_message_under_an_old_number_gets_the_old_answer(
    line: GatewayConnection,
) -> None:
    first = (await line.taps(*MOVE))[-1]
    assert as_at_first(await line.tap("space h3", seq=3)) == first


async def test_a_sign_that_comes_again_is_acknowledged_again(line: GatewayConnection) -> None:
    sign = pb.StylusStatus(
        seq=1, stylus_id=STYLUS, kind=tables_pb2.STYLUS_STATUS_KIND_BATTERY, battery_percent=40
    )
    for _ in range(2):
        answer = await line.send(pb.ConnectRequest(status=sign), 1)
        assert answer.acknowledgement.highest_seq == 1


async def test_a_response_is_repeated_after_a_restart_of_the_service(
    settings: Settings,
) -> None:
    async with Service(settings) as service:
        shop = await set_up_gateway(service)
        async with GatewayConnection(service, shop) as line:
            first = await line.taps(*MOVE, NOWHERE)
    async with Service(settings) as service, GatewayConnection(service, shop) as line:
        assert line.welcome.highest_seq == 4
        for seq in (1, 2, 3, 4):
            again = await line.tap("whatever", seq=seq)
            assert again.replayed
            assert of_the_tap(again) == of_the_tap(first[seq - 1])


async def test_a_late_message_of_a_closed_run_gets_its_first_answer(
    service: Service, shop: GatewaySetup
) -> None:
    async with GatewayConnection(service, shop, "old") as line:
        first = await line.taps(*MOVE, NOWHERE)
    async with GatewayConnection(service, shop, "new") as newer:
        await newer.tap("cc map")
    async with GatewayConnection(service, shop, "old") as late:
        assert late.welcome.epoch_closed
        for seq in (3, 4):
            again = await late.tap("whatever", seq=seq)
            assert again.replayed
            assert again.acknowledged_seq == 4
            assert of_the_tap(again) == of_the_tap(first[seq - 1])
        unknown = pb.Tap(seq=9, stylus_id=STYLUS, code="space h3")
        answer = await late.send(pb.ConnectRequest(tap=unknown), 9)
        assert answer.acknowledgement.highest_seq == 4


async def test_an_old_answer_shows_no_more_than_the_first_did(service: Service) -> None:
    """Which mage a seat of Res Arcana chooses is in the events for that seat alone."""
    shop = await set_up_gateway(service, "res-arcana")
    async with GatewayConnection(service, shop) as line:
        shown = line.prompt
        for _ in range(12):
            code = next_code(shown)
            shown = await line.tap(code)
            assert as_at_first(await line.tap(code, seq=line.seq)) == shown


async def test_what_was_done_too_long_ago_is_answered_by_the_present_prompt(
    line: GatewayConnection,
) -> None:
    await line.tap(NOWHERE)
    for _ in range(MAX_RECORDED_MESSAGES):
        await line.tap("cc map")
    old = await line.tap(NOWHERE, seq=1)
    assert (old.replayed, old.outcome, old.view) == (
        True,
        tables_pb2.TAP_OUTCOME_UNSPECIFIED,
        "map",
    )
    assert not old.HasField("refusal")
    assert (await line.tap("cc map", seq=2)).outcome == tables_pb2.TAP_OUTCOME_DONE


async def test_a_message_before_some_that_were_lost_is_not_mistaken_for_another(
    service: Service, shop: GatewaySetup
) -> None:
    async with GatewayConnection(service, shop) as line:
        await line.tap(NOWHERE)
        hello = pb.Hello(gateway_id=shop.key.rpartition(".")[0], epoch="e", first_kept_seq=5)
        async with grpc.aio.insecure_channel(service.address) as channel:
            typed_for_blocking: Any = GatewaysServiceStub
            stub = typed_for_blocking(channel)
            call = stub.Connect(metadata=(("authorization", f"Bearer {shop.key}"),))
            await call.write(pb.ConnectRequest(hello=hello))
            assert (await call.read()).welcome.highest_seq == 4
            call.cancel()
    async with GatewayConnection(service, shop) as line:
        await line.tap(NOWHERE)
        assert (await line.tap(NOWHERE, seq=1)).outcome == tables_pb2.TAP_OUTCOME_UNSPECIFIED
        assert (await line.tap(NOWHERE, seq=5)).refusal.rule == "stylus.nothing"


async def test_taps_in_a_game_with_secrets_are_salted_as_any_action_is(service: Service) -> None:
    shop = await set_up_gateway(service, "res-arcana")
    async with GatewayConnection(service, shop) as line:
        shown = line.prompt
        while not shown.events:
            shown = await line.tap(next_code(shown))
    version = shown.events[0].version
    (sealed,) = service._log.events(UUID(shop.match), after=version - 1, until=version)
    assert msgspec.structs.asdict(sealed.event)["salt"]


async def test_a_gateway_asks_again_for_answers_that_were_lost_with_the_line(
    service: Service, shop: GatewaySetup, tmp_path: Path
) -> None:
    journal = Journal(tmp_path / "journal")
    async with GatewayConnection(service, shop, journal.epoch) as line:
        for code in MOVE:
            journal.add(pb.Tap(stylus_id=STYLUS, code=code, prompt_number=1))
            first = await line.tap(code, prompt=1)
    journal.close()
    async with GatewayClient(service.address, shop.key, journal=tmp_path / "journal") as gateway:
        again = await gateway.answer(3)
        await gateway.wait_until_settled()
    assert as_at_first(again) == first


# --- in the words of the game --------------------------------------------------------------------


async def test_a_table_answers_in_the_words_of_the_game_that_is_played_on_it(
    service: Service,
) -> None:
    shop = await set_up_gateway(service, "golem-arcana")
    async with Client(service.address) as client:
        for tries in range(6):
            refused = (await client.pair_stylus(shop.key, "AA:02", pin="1111")).refusal
            assert refused.rule == ("ga.stylus.pin" if tries < 5 else "ga.stylus.locked")
            assert refused.sentence
        named = await client.update_stylus(
            shop.key, STYLUS, name="", pin="4711", update_mask=["name", "pin"]
        )
        assert named.refusal.rule == "ga.stylus.name"
        table = UUID(shop.key.partition(".")[0])
        other = await client.create_gateway(service.admin_key, str(table), "Beside")
        busy = await client.pair_stylus(other.gateway_key, STYLUS, pin="0000")
        assert busy.refusal.rule == "ga.stylus.busy"
    async with GatewayConnection(service, shop) as line:
        early = pb.Tap(seq=5, stylus_id=STYLUS, code="cc map")
        gap = (await line.send(pb.ConnectRequest(tap=early), 5)).gap
        assert (gap.expected_seq, gap.refusal.rule) == (1, "ga.stylus.gap")
        assert gap.refusal.figures == {"expected": "1"}
        assert (await line.tap("figure/9")).refusal.rule == "ga.stylus.nothing"
        assert (await line.tap("button confirm")).refusal.rule == "ga.stylus.unready"
        assert (await line.tap("button confirm", prompt=9)).refusal.rule == "ga.stylus.stale"
        stranger = pb.Tap(seq=4, stylus_id="BB:99", code="cc map")
        unpaired = await line.send(pb.ConnectRequest(tap=stranger), 4)
        assert unpaired.prompt.refusal.rule == "ga.stylus.unpaired"
    taps = [each.event for each in service._log.table_events(table)]
    rules = [tap.rule for tap in taps if isinstance(tap, TapTaken)]
    assert rules == [f"ga.stylus.{word}" for word in ("nothing", "unready", "stale", "unpaired")]


async def test_the_same_taps_at_a_table_of_another_game_are_refused_by_the_rules_of_all_tables(
    line: GatewayConnection,
) -> None:
    refused = (await line.tap("figure/9")).refusal
    assert refused.rule == "stylus.nothing"
    assert refused.sentence == "A tap must mean something that can be done now [docs/gateway.md]"


# --- the contents of the screen ------------------------------------------------------------------


async def test_what_is_armed_is_shown_with_its_path_and_abilities_with_their_cost(
    service: Service,
) -> None:
    shop = await set_up_gateway(service, "golem-arcana")
    async with GatewayConnection(service, shop) as line:
        base = next(thing for thing in line.prompt.next_targets if thing.startswith("base "))
        picked = await line.tap(base)
        costs = {ability.target: dict(ability.figures) for ability in picked.abilities}
        assert costs
        assert {*costs} <= {*picked.next_targets}
        assert all(cost["pips"] == "0" and int(cost["AP"]) for cost in costs.values())
        region = next(thing for thing in picked.next_targets if thing.startswith("region "))
        moved = await line.tap(region)
        assert moved.armed.label.startswith("move ")
        assert moved.armed.path[-1] == region.removeprefix("region ")
        assert moved.armed.cost.endswith(" AP")


async def test_the_light_shows_how_a_stylus_stands(line: GatewayConnection) -> None:
    assert line.prompt.led == pb.LED_BLUE
    for number, (kind, led) in enumerate(
        (
            (tables_pb2.STYLUS_STATUS_KIND_DISCONNECTED, pb.LED_OFF),
            (tables_pb2.STYLUS_STATUS_KIND_CONNECTED, pb.LED_BLUE),
            (tables_pb2.STYLUS_STATUS_KIND_SWITCHED_OFF, pb.LED_RED),
            (tables_pb2.STYLUS_STATUS_KIND_SWITCHED_ON, pb.LED_BLUE_BLINKING),
            (tables_pb2.STYLUS_STATUS_KIND_FACTORY_RESET, pb.LED_BLUE_BLINKING),
        ),
        1,
    ):
        sign = pb.StylusStatus(seq=number, stylus_id=STYLUS, kind=kind)
        answer = await line.send(pb.ConnectRequest(status=sign), number)
        assert answer.prompt.led == led, kind
        assert answer.prompt.acknowledged_seq == number


async def test_a_gateway_is_shown_nothing_through_a_stylus_of_another(
    service: Service, shop: GatewaySetup
) -> None:
    async with Client(service.address) as client:
        table = shop.key.partition(".")[0]
        other = await client.create_gateway(service.admin_key, table, "Beside")
        await client.pair_stylus(other.gateway_key, "BB:01", pin="0000")
    async with GatewayConnection(service, shop._replace(key=other.gateway_key)) as line:
        answer = await line.tap("space a6")
        assert answer.refusal.rule == "stylus.unpaired"
        assert answer.led == pb.LED_BLUE_BLINKING
        assert (answer.match_version, list(answer.next_targets), list(answer.runes)) == (0, [], [])
