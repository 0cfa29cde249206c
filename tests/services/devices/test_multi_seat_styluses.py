"""Styluses that act for more than one: entries of the referee and the table, seats that are asked
at once, and a whole table that had no line for hours."""

from pathlib import Path
from typing import Any

import pytest

from domain.match import TimeBudget
from services.client import Client
from services.client.gateway import GatewayClient
from services.main import Service
from services.mapping.clock_messages import time_control_message
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import tables_pb2
from services.wire.emeth.v1.matches_pb2 import CHANCE_ENTERED
from tests.services.conftest import STYLUS, CreatedMatch, actions, newest_version, set_up_gateway

OTHER = "AA:02"


async def entered(service: Service, roles: tuple[str, ...]) -> tuple[Any, str]:
    """A match of Res Arcana whose cards are dealt by hand, and a stylus with these tokens."""
    async with Client(service.address) as client:
        key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
        created = await client.create_match(game="res-arcana", chance=CHANCE_ENTERED)
        await client.pair_stylus(key, STYLUS, pin="0000")
        tokens = [created.tokens[role] for role in roles]
        answer = await client.seat_stylus(key, STYLUS, created.match.match_id, tokens)
    assert {*answer.stylus.seats} == {*roles}
    return created, key


@pytest.mark.parametrize("roles", [("table",), ("referee",)])
async def test_what_chance_showed_is_tapped_with_the_tables_or_the_referees_token(
    service: Service, roles: tuple[str, ...]
) -> None:
    created, key = await entered(service, roles)
    async with (
        GatewayClient(service.address, key) as gateway,
        Client(service.address) as client,
    ):
        prompt = await gateway.wait_for_prompt(STYLUS, 1)
        assert (prompt.seat, prompt.prompts[0].seat) == ("table", "table")
        await gateway.tap(STYLUS, prompt.next_targets[0] if prompt.next_targets else "cc rune 1")
        prompt = await gateway.tap(STYLUS, "button confirm")
        assert prompt.outcome == tables_pb2.TAP_OUTCOME_ACTED
        match = created.match.match_id
        assert len(await actions(client, created.tokens["referee"], match)) == 1
        # It gives nobody's seat up.
        refused = await gateway.tap(STYLUS, "match resign")
        assert refused.refusal.rule == "stylus.seat"


async def test_a_seat_alone_makes_no_entry_of_the_table(service: Service) -> None:
    _, key = await entered(service, ("north",))
    async with GatewayClient(service.address, key) as gateway:
        prompt = await gateway.wait_for_prompt(STYLUS, 1)
        assert (prompt.seat, list(prompt.next_targets)) == ("north", [])
        assert (await gateway.tap(STYLUS, "button confirm")).refusal.rule == "stylus.seat"


async def test_a_shared_stylus_answers_for_each_of_the_seats_that_are_asked_at_once(
    service: Service,
) -> None:
    shop = await set_up_gateway(service, "res-arcana")
    async with GatewayClient(service.address, shop.key) as gateway:
        prompt = await gateway.wait_for_prompt(STYLUS, 1)
        asked = [each.seat for each in prompt.prompts]
        assert asked == ["north", "east"], "both choose a mage in secret"
        assert (prompt.seat, "seat east" in prompt.next_targets) == ("north", True)
        prompt = await gateway.tap(STYLUS, "seat east")
        assert (prompt.seat, "seat north" in prompt.next_targets) == ("east", True)
        mages = [thing for thing in prompt.next_targets if not thing.startswith("seat")]
        await gateway.tap(STYLUS, mages[0])
        prompt = await gateway.tap(STYLUS, "button confirm")
        assert prompt.outcome == tables_pb2.TAP_OUTCOME_ACTED
        assert [each.seat for each in prompt.prompts] == ["north"]
        assert prompt.seat == "north"
        refused = await gateway.tap(STYLUS, "seat east")
        assert refused.refusal.rule == "stylus.seat"


async def test_so_it_does_where_both_say_that_they_are_ready(service: Service) -> None:
    shop = await set_up_gateway(service, "tokars-arcana", options={"debriefing": True})
    async with GatewayClient(service.address, shop.key) as gateway:
        prompt = await gateway.wait_for_prompt(STYLUS, 1)
        first, second = (each.seat for each in prompt.prompts)
        assert prompt.seat == first
        prompt = await gateway.tap(STYLUS, f"seat {second}")
        assert prompt.HasField("armed")
        prompt = await gateway.tap(STYLUS, "button confirm")
        assert prompt.outcome == tables_pb2.TAP_OUTCOME_ACTED
        assert prompt.events[0].seat == second
        assert ([each.seat for each in prompt.prompts], prompt.seat) == ([first], first)
        prompt = await gateway.tap(STYLUS, "button confirm")
        assert prompt.events[0].seat == first


MOVES = ((STYLUS, "a6", "b6"), (OTHER, "h3", "g3"), (STYLUS, "f1", "g1"), (OTHER, "c8", "c7"))


async def offline(
    service: Service, journal: Path, *, meanwhile: str = ""
) -> tuple[dict[int, pb.DevicePrompt], list[str]]:
    """Two styluses play at a table without a line; what their taps were answered, and the match."""
    shop = await set_up_gateway(service, seats=("white",))
    async with Client(service.address) as client:
        await client.pair_stylus(shop.key, OTHER, pin="0000")
        await client.seat_stylus(shop.key, OTHER, shop.match, [shop.tokens["black"]])
        async with GatewayClient(service.address, shop.key, journal=journal) as gateway:
            seen = {
                pen: (await gateway.wait_for_prompt(pen, 1)).prompt_number
                for pen in (STYLUS, OTHER)
            }
        away = GatewayClient("localhost:1", shop.key, journal=journal)
        for pen, start, end in MOVES:
            for code in (f"space {start}", f"space {end}", "button confirm"):
                away.send(pen, code, prompt=seen[pen])
        away._journal.close()
        if meanwhile:
            await client.submit(shop.tokens["white"], shop.match, meanwhile)
        answers: dict[int, pb.DevicePrompt] = {}

        def note(prompt: pb.DevicePrompt) -> None:
            answers.setdefault(prompt.answered_seq, prompt)

        async with GatewayClient(
            service.address, shop.key, journal=journal, on_prompt=note
        ) as gateway:
            await gateway.wait_until_settled()
        version = await newest_version(client, CreatedMatch(shop.match, shop.tokens))
        return answers, await actions(client, shop.tokens["referee"], shop.match, version)


async def test_a_table_that_had_no_line_for_hours_continues_with_what_was_done_at_it(
    service: Service, tmp_path: Path
) -> None:
    answers, played = await offline(service, tmp_path / "journal")
    assert played == ["a6-b6", "h3-g3", "f1-g1", "c8-c7"]
    assert not [each for each in answers.values() if each.HasField("refusal")]


async def test_what_came_too_late_is_named_to_its_player_and_nothing_is_guessed(
    service: Service, tmp_path: Path
) -> None:
    answers, played = await offline(service, tmp_path / "journal", meanwhile="b5-c5")
    assert played == ["b5-c5"]
    late = [answers[seq] for seq in (3, 6, 9, 12)]
    assert {each.refusal.rule for each in late} == {"stylus.stale"}
    assert late[0].refusal.why.startswith("button confirm was tapped while the connection was down")
    assert [each.stylus_id for each in late] == [STYLUS, OTHER, STYLUS, OTHER]
    assert not [each for each in answers.values() if each.selected]


async def test_two_lines_say_that_dice_are_wanted_and_how_many(service: Service) -> None:
    async with Client(service.address) as client:
        key = (await client.create_gateway(service.admin_key, name="Corner")).gateway_key
        created = await client.create_match(game="earthen-war", chance=CHANCE_ENTERED)
        await client.pair_stylus(key, STYLUS, pin="0000")
        tokens = [t for role, t in created.tokens.items() if role not in ("referee", "spectator")]
        await client.seat_stylus(key, STYLUS, created.match.match_id, tokens)
    async with GatewayClient(service.address, key) as gateway:
        prompt = await gateway.wait_for_prompt(STYLUS, 1)
        while not prompt.dice_count:  # the forces are placed first
            await gateway.tap(
                STYLUS, next(each for each in prompt.next_targets if each.startswith("space"))
            )
            prompt = await gateway.tap(STYLUS, "button confirm")
        assert not prompt.HasField("clocks"), "nobody has one"
        assert (prompt.dice_count, list(prompt.signals.lines)) == (
            2,
            ["Enter 2 dice", "digit by digit"],
        )
        prompt = await gateway.tap(STYLUS, "cc digit 3")
        assert list(prompt.signals.lines) == ["Enter 2 dice", "typed 3"]
        prompt = await gateway.tap(STYLUS, "cc digit 2")
        assert prompt.signals.lines[0] == "Confirm takes"


async def test_a_prompt_carries_the_clocks_of_the_match(service: Service) -> None:
    shop = await set_up_gateway(
        service, time_control=time_control_message(TimeBudget(ms=60_000, increment_ms=1_000))
    )
    async with (
        GatewayClient(service.address, shop.key) as gateway,
        Client(service.address) as client,
    ):
        prompt = await gateway.wait_for_prompt(STYLUS, 1)
        shown = (await client.match(shop.match, token=shop.tokens["spectator"])).clocks
        assert [(each.seat, each.running) for each in prompt.clocks.seats] == [
            (each.seat, each.running) for each in shown.seats
        ]
        for code in ("space a6", "space b6", "button confirm"):
            prompt = await gateway.tap(STYLUS, code)
        assert [each.seat for each in prompt.clocks.seats if each.running] == ["black"]
        assert prompt.clocks.seats[0].remaining_time.ToMilliseconds() <= 61_000


async def test_a_prompt_carries_what_any_device_can_do(service: Service) -> None:
    shop = await set_up_gateway(service)
    async with (
        GatewayClient(service.address, shop.key) as gateway,
        Client(service.address) as client,
    ):
        signals = (await gateway.wait_for_prompt(STYLUS, 1)).signals
        assert list(signals.lines) == ["Your turn", "white"]
        assert (signals.light, signals.sound, signals.locale) == (
            pb.LIGHT_GREEN,
            pb.SOUND_TURN,
            "en",
        )
        assert "a6" in signals.highlighted_spaces
        signals = (await gateway.tap(STYLUS, "space a6")).signals
        assert list(signals.lines) == ["space a6", "tap what is next"]
        assert {*signals.highlighted_spaces} >= {"b6", "a7"}
        signals = (await gateway.tap(STYLUS, "space b6")).signals
        assert list(signals.lines) == ["Confirm takes", "a6-b6"]
        assert (
            signals.light,
            signals.sound,
            [each.ToMilliseconds() for each in signals.vibration.pattern],
        ) == (
            pb.LIGHT_BLUE,
            pb.SOUND_TICK,
            [20],
        )
        signals = (await gateway.tap(STYLUS, "nonsense")).signals
        assert (signals.urgency, signals.light) == (pb.URGENCY_REFUSED, pb.LIGHT_RED)
        assert list(signals.lines) == ["Means nothing", "nothing"]
        signals = (await gateway.tap(STYLUS, "button confirm")).signals
        assert (signals.sound, signals.urgency) == (pb.SOUND_DONE, pb.URGENCY_ACT)
        await client.submit_action(shop.tokens["white"], shop.match, resignation=True)
        signals = (await gateway.wait_for_prompt(STYLUS, 3)).signals
        assert (list(signals.lines), signals.sound) == (["It is over", "0-1"], pb.SOUND_OVER)
        assert all(len(line) <= 16 for line in signals.lines)
