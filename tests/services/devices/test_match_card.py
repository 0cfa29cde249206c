"""The match card: taking back, giving up and agreeing with nothing but a stylus."""

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from uuid import UUID

import pytest

from domain.registry import GAMES
from domain.table import CARD_COMMANDS, CardOrder, TapTaken
from services.client import Client
from services.client.gateway import GatewayClient
from services.main import Service
from services.proof.match_file import verify_file
from services.runtime.settings import Settings
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.actions_pb2 import Event
from services.wire.emeth.v1.matches_pb2 import UNDO_POLICY_FREE, UNDO_POLICY_NONE
from tests.services.conftest import STYLUS, GatewayConnection, GatewaySetup, set_up_gateway

OTHER = "AA:02"
MOVE = ("space a6", "space b6", "button confirm")


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with Client(service.address) as connected:
        yield connected


@pytest.fixture
async def shop(service: Service, client: Client) -> GatewaySetup:
    """White has one stylus, Black the other."""
    opened = await set_up_gateway(service, seats=["white"])
    await client.pair_stylus(opened.key, OTHER, pin="0000")
    await client.seat_stylus(opened.key, OTHER, opened.match, [opened.tokens["black"]])
    return opened


@pytest.fixture
async def gateway(service: Service, shop: GatewaySetup) -> AsyncIterator[GatewayClient]:
    async with GatewayClient(service.address, shop.key) as connected:
        for stylus in (STYLUS, OTHER):
            await connected.wait_for_prompt(stylus, 1)
        yield connected


async def taps(gateway: GatewayClient, stylus: str, *codes: str) -> pb.DevicePrompt:
    """Tap one after the other, when the stylus shows what others did; the last answer."""
    async with asyncio.timeout(30):
        latest = max(shown.match_version for shown in gateway.prompts.values())
        answer = await gateway.wait_for_prompt(stylus, latest)
        for code in codes:
            answer = await gateway.tap(stylus, code)
    return answer


def kinds(prompt: pb.DevicePrompt) -> list[str]:
    return [event.kind.removeprefix("match.") for event in prompt.events]


async def events(client: Client, shop: GatewaySetup, until: int) -> list[Event]:
    return await client.list_events(shop.tokens["referee"], shop.match, at_least_version=until)


async def test_actions_by_the_match_card_are_explained_with_their_taps_and_exported(
    client: Client, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    await taps(gateway, STYLUS, *MOVE)
    await taps(gateway, OTHER, "match dispute", "button confirm")
    await taps(gateway, STYLUS, "match undo", "button confirm")
    last = await taps(gateway, OTHER, "match agree", "button confirm")
    targets = {}
    for event in await events(client, shop, last.match_version):
        explained = await client.explain(shop.tokens["spectator"], shop.match, event.version)
        found = [tap.target for tap in explained.taps]
        targets[event.kind.removeprefix("match.")] = (event.client, found)
        assert len(event.details.get("taps", "").split()) == len(found)
    assert targets["UndoAsked"] == ("gateway", ["match undo", "button confirm"])
    assert targets["UndoAnswered"] == ("gateway", ["match agree", "button confirm"])
    assert targets["LineContinued"] == ("", [])  # the answer before it has them
    assert targets["DisputeRaised"] == ("gateway", ["match dispute", "button confirm"])
    file = client.export_match(shop.tokens["referee"], shop.match)
    verified = verify_file(BytesIO(b"".join([piece.data async for piece in file])))
    assert verified.report.sound, verified.report.findings
    assert (verified.taps.proven_count, verified.taps.lost_count) == (9, 0)


async def test_a_tap_arms_what_confirm_will_do_and_records_nothing_in_the_match(
    gateway: GatewayClient,
) -> None:
    await taps(gateway, STYLUS, *MOVE)
    shown = await taps(gateway, STYLUS, "match undo")
    assert shown.armed.label == "match undo"
    assert shown.armed.sentence == "white takes back all moves after version 1; black must agree"
    assert (shown.outcome, shown.match_version) == (tables_pb2.TAP_OUTCOME_DONE, 2)


@pytest.mark.parametrize("other", ["match undo", "button page", "cc map", "space z9"])
async def test_a_second_tap_or_another_one_drops_it(gateway: GatewayClient, other: str) -> None:
    await taps(gateway, STYLUS, *MOVE)
    dropped = await taps(gateway, STYLUS, "match undo", other, "button confirm")
    assert not dropped.HasField("armed")
    assert dropped.match_version == 2
    assert not dropped.events


async def test_another_target_of_the_card_takes_its_place_and_a_selection_outlives_it(
    gateway: GatewayClient,
) -> None:
    armed = await taps(gateway, STYLUS, "space a6", "match draw", "match resign")
    assert armed.armed.sentence == "white resigns"
    assert list(armed.selected) == ["space a6"]
    assert (await taps(gateway, STYLUS, "space b6")).armed.label == "a6-b6"


async def test_an_undo_takes_the_consent_of_the_other_and_the_prompts_say_so(
    client: Client, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    await taps(gateway, STYLUS, *MOVE)
    asked = await taps(gateway, STYLUS, "control/match/undo", "button confirm")
    assert (asked.outcome, kinds(asked)) == (tables_pb2.TAP_OUTCOME_ACTED, ["UndoAsked"])
    assert (asked.proposal.seat, list(asked.proposal.awaiting_seats)) == ("white", ["black"])
    shown = await taps(gateway, OTHER, "match agree")
    assert shown.proposal.target_version == 1
    assert shown.armed.sentence == "black agrees to return to version 1"
    agreed = await taps(gateway, OTHER, "button confirm")
    assert kinds(agreed) == ["UndoAnswered", "LineContinued"]
    assert not agreed.HasField("proposal")
    back = await taps(gateway, STYLUS, "match redo", "button confirm")
    assert kinds(back) == ["UndoAsked"]
    again = await taps(gateway, OTHER, "match agree", "button confirm")
    assert [event.kind for event in await events(client, shop, again.match_version)][-2:] == [
        "match.UndoAnswered",
        "match.LineContinued",
    ]
    assert again.match_version == 8
    scene = await client.view(shop.tokens["referee"], shop.match, "text", at_least_version=8)
    moved = await client.view(
        shop.tokens["referee"], shop.match, "text", version=2, at_least_version=8
    )
    assert scene.position == moved.position


async def test_an_undo_may_be_refused(gateway: GatewayClient) -> None:
    await taps(gateway, STYLUS, *MOVE)
    await taps(gateway, STYLUS, "match undo", "button confirm")
    refused = await taps(gateway, OTHER, "match refuse", "button confirm")
    assert kinds(refused) == ["UndoAnswered"]
    assert not refused.HasField("proposal")


async def test_who_is_not_asked_cannot_agree(gateway: GatewayClient) -> None:
    nobody = await taps(gateway, OTHER, "match agree")
    assert nobody.refusal.rule == "stylus.match"
    await taps(gateway, STYLUS, *MOVE)
    await taps(gateway, STYLUS, "match undo", "button confirm")
    refused = await taps(gateway, STYLUS, "match agree")
    assert refused.refusal.rule == "stylus.seat"
    assert not refused.HasField("armed")


async def test_what_others_do_drops_what_was_armed(
    client: Client, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    armed = await taps(gateway, STYLUS, "match resign")
    await client.submit(shop.tokens["white"], shop.match, "b5-c5")
    late = await gateway.answer(gateway.send(STYLUS, "button confirm", prompt=armed.prompt_number))
    assert late.refusal.rule == "stylus.stale"
    assert not late.HasField("armed")
    assert not late.HasField("result")


async def test_a_stylus_without_a_seat_asks_for_nothing(
    client: Client, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    await client.seat_stylus(shop.key, OTHER, shop.match, [shop.tokens["spectator"]])
    for command in CARD_COMMANDS:
        refused = await taps(gateway, OTHER, f"match {command}")
        assert refused.refusal.rule == "stylus.seat", command


async def test_what_the_match_does_not_take_is_refused_when_it_is_tapped(
    gateway: GatewayClient,
) -> None:
    for command in ("undo", "redo", "agree", "refuse", "dispute"):
        refused = await taps(gateway, STYLUS, f"match {command}")
        assert refused.refusal.rule == "stylus.match", command
        assert refused.outcome == tables_pb2.TAP_OUTCOME_REFUSED
        assert refused.refusal.why
    assert (await taps(gateway, STYLUS, "match castle")).refusal.rule == "stylus.nothing"


async def test_a_match_without_undo_says_so(service: Service) -> None:
    shop = await set_up_gateway(service, undo_policy=UNDO_POLICY_NONE)
    async with GatewayConnection(service, shop) as line:
        refused = (await line.taps(*MOVE, "match undo"))[-1].refusal
    assert (refused.rule, refused.figures["reason"]) == ("stylus.match", "UNDO_FORBIDDEN")


async def test_a_dispute_is_raised_on_the_last_action_and_names_the_stylus(
    client: Client, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    await client.update_stylus(shop.key, OTHER, name="Bob's pen", pin="4711")
    await taps(gateway, STYLUS, *MOVE)
    raised = await taps(gateway, OTHER, "match dispute", "button confirm")
    assert kinds(raised) == ["DisputeRaised"]
    sentence = (await events(client, shop, raised.match_version))[-1].sentence
    assert sentence == "Black disputes event 2: raised at the table, with the stylus Bob's pen."


async def test_giving_up_ends_the_match_and_names_its_taps(
    client: Client, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    over = await taps(gateway, STYLUS, "match resign", "button confirm")
    assert list(over.result.winners) == ["black"]
    resigned = (await events(client, shop, over.match_version))[1]
    assert (resigned.seat, resigned.details["stylus"]) == ("white", STYLUS)
    assert len(resigned.details["taps"].split(" ")) == 2


async def test_a_confirm_of_the_card_that_comes_again_does_nothing_more(service: Service) -> None:
    shop = await set_up_gateway(service, undo_policy=UNDO_POLICY_FREE)
    async with GatewayConnection(service, shop) as line:
        undone = (await line.taps(*MOVE, "match undo", "button confirm"))[-1]
        assert kinds(undone) == ["LineContinued"]
        again = await line.tap("button confirm", seq=5)
        assert again.replayed
        assert list(again.events) == list(undone.events)
        assert again.match_version == 3


async def test_what_is_armed_outlives_the_service_and_its_answer_too(settings: Settings) -> None:
    async with Service(settings) as service:
        shop = await set_up_gateway(service)
        async with GatewayConnection(service, shop) as line:
            await line.taps(*MOVE, "match undo")
    async with Service(settings) as service, GatewayConnection(service, shop) as line:
        assert line.prompt.armed.label == "match undo"
        asked = await line.tap("button confirm")
        assert kinds(asked) == ["UndoAsked"]
        agreed = (await line.taps("match agree", "button confirm"))[-1]
        assert kinds(agreed) == ["UndoAnswered", "LineContinued"]
    async with Service(settings) as service, GatewayConnection(service, shop) as line:
        assert list((await line.tap("x", seq=5)).events) == list(asked.events)
        assert list((await line.tap("x", seq=7)).events) == list(agreed.events)


async def test_taps_on_the_card_are_recorded_with_what_they_armed(
    service: Service, shop: GatewaySetup, gateway: GatewayClient
) -> None:
    await taps(gateway, STYLUS, *MOVE)
    await taps(gateway, STYLUS, "match undo", "button confirm")
    table = UUID(shop.key.partition(".")[0])
    events = [each.event for each in service._log.table_events(table)]
    armed, confirmed = [tap for tap in events if isinstance(tap, TapTaken)][-2:]
    assert armed.order == CardOrder("undo", "white", 1, ("black",))
    assert (confirmed.outcome, confirmed.order) == ("acted", None)


# --- in every game -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_an_action_is_undone_and_redone_at_a_shared_stylus(
    service: Service, client: Client, game: str
) -> None:
    shop = await set_up_gateway(service, game)
    referee = shop.tokens["referee"]
    async with GatewayConnection(service, shop) as line:
        first, began = line.prompt.prompts[0].seat, line.prompt.match_version
        chosen = (await client.list_actions(referee, shop.match, first))[0].notation
        taken = await client.submit(shop.tokens[first], shop.match, chosen)
        while line.prompt.match_version < taken.accepted.version:
            await line.read()
        before = line.prompt.match_version
        shown = await line.tap("match undo")
        what = f"takes back all moves after version {began}"
        assert shown.armed.sentence.startswith(f"{first} {what}")
        undone = await agreed(line, await line.tap("button confirm"))
        assert "match.LineContinued" in [event.kind for event in undone.events]
        shown = await line.tap("match redo")
        assert shown.armed.sentence.startswith(f"{first} redoes")
        redone = await agreed(line, await line.tap("button confirm"))
    there, then = [
        (
            await client.view(
                referee, shop.match, "text", version=v, at_least_version=redone.match_version
            )
        )
        for v in (redone.match_version, before)
    ]
    assert there.position == then.position


async def agreed(line: GatewayConnection, shown: pb.DevicePrompt) -> pb.DevicePrompt:
    """The answer when all who are asked have agreed."""
    while shown.HasField("proposal"):
        await line.tap("match agree")
        shown = await line.tap("button confirm")
        assert shown.outcome == tables_pb2.TAP_OUTCOME_ACTED
    return shown


@pytest.mark.parametrize("game", GAMES)
async def test_in_every_game_a_stylus_can_resign(service: Service, game: str) -> None:
    shop = await set_up_gateway(service, game)
    async with GatewayConnection(service, shop) as line:
        armed = await line.tap("match resign")
        assert armed.armed.sentence.endswith(" resigns")
        resigned = await line.tap("button confirm")
        assert resigned.outcome == tables_pb2.TAP_OUTCOME_ACTED
        assert resigned.events


async def test_a_draw_is_offered_and_agreed_on_where_the_notation_has_none(
    service: Service,
) -> None:
    shop = await set_up_gateway(service, "earthen-war")
    async with GatewayConnection(service, shop) as line:
        offered = (await line.taps("match draw", "button confirm"))[-1]
        assert not offered.proposal.HasField("target_version")
        shown = await line.tap("match agree")
        assert shown.armed.sentence.endswith(" agrees to a draw")
        over = await line.tap("button confirm")
        assert over.HasField("result")
        assert not over.result.winners


async def test_a_stylus_shows_that_the_match_is_paused(service: Service, client: Client) -> None:
    shop = await set_up_gateway(service, pause_on_dispute=True)
    async with GatewayClient(service.address, shop.key) as gateway:
        await gateway.wait_for_prompt(STYLUS, 1)
        raised = await taps(gateway, STYLUS, *MOVE, "match dispute", "button confirm")
        assert kinds(raised) == ["DisputeRaised"]
        paused = await gateway.wait_for_prompt(STYLUS, raised.match_version)
        assert paused.text.startswith("The match is paused until the referee's verdict")
        assert not paused.prompts
        given = await client.resolve_dispute(
            shop.tokens["referee"], shop.match, raised.match_version, "it stands", uphold=True
        )
        going_on = await gateway.wait_for_prompt(STYLUS, given.dispute.verdict.version)
        assert (going_on.text, [each.seat for each in going_on.prompts]) == (
            "Black to move",
            ["black"],
        )
