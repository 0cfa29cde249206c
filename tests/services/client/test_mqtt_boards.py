"""Boards that speak MQTT and have a memory of their own: what they kept, what did not count, and
which match they are for."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.client.gateways import TableClient
from services.client.mqtt_bridge import MqttBridge
from services.client.mqtt_broker import Broker
from services.client.mqtt_devices import MOST_DEVICES, MOST_STRETCHES, Heard, Register
from services.server import Service
from tests.services.client.test_mqtt_bridge import bridged, broker, pen
from tests.services.conftest import PEN, actions, open_shop
from tests.services.tables.test_journals import start

__all__ = ["broker"]


@pytest.fixture
async def client(service: Service) -> AsyncIterator[TableClient]:
    async with TableClient(service.address) as connected:
        yield connected


def scanned(seq: int, spaces: Any, **more: Any) -> dict[str, Any]:
    seen = {space: [*signs] for space, signs in spaces.items()}
    return {"seq": seq, "device_ms": seq * 1000, "scan": seen, "whole": False, **more}


def confirmed(seq: int, side: str) -> dict[str, Any]:
    press = {"code": "button/confirm", "prompt": 1, "side": side}
    return {"seq": seq, "device_ms": seq * 1000, **press}


async def test_what_a_board_kept_is_played_and_what_did_not_count_is_told(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    key, match, tokens = await open_shop(service)
    async with bridged(service, key, broker, tmp_path), pen(broker) as board:
        # A number of the gateway's own before it, so that the board's and the gateway's differ.
        await board.publish("DDATA", run="r0", seq=1, battery=80)
        kept = [
            scanned(1, start(), whole=True),
            scanned(2, {"a6": (), "b6": ("white",)}),
            confirmed(3, "black"),  # the other side of the clock: nothing is taken
            confirmed(4, "white"),
            scanned(5, {"h3": (), "g3": ("black",)}),
            confirmed(6, "black"),
        ]
        await board.publish("DDATA", run="r1", journal=kept)
        shown = await board.shown(6)
        assert [(each["seq"], each["device_ms"]) for each in shown["left"]] == [(3, 3000)]
        assert (shown["left"][0]["rule"], shown["sound"]) == ("stylus.seat", "SOUND_DONE")
        assert await actions(client, tokens["referee"], match, 3) == ["a6-b6", "h3-g3"]
        # Told twice, it counts once; what is new after it counts.
        board.seq = 6
        await board.publish("DDATA", run="r1", journal=[*kept, confirmed(7, "white")])
        assert [each["seq"] for each in (await board.shown(7))["left"]] == [3, 7]
        assert await actions(client, tokens["referee"], match, 3) == ["a6-b6", "h3-g3"]
        await board.publish("DDATA", run="r1", journal=[confirmed(9, "white")])
        assert (await board.heard("again"))["again"] == 8
        board.seq = 7
        assert "left" not in await board.tap("space f1")


async def test_confirm_takes_what_its_user_saw_or_nothing(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    key, match, tokens = await open_shop(service)
    async with bridged(service, key, broker, tmp_path), pen(broker) as board:
        await board.heard("show")
        for code in ("space a6", "space b6"):
            await board.tap(code)
        assert (await board.tap("button confirm", side="black"))["urgency"] == "URGENCY_REFUSED"
        assert (await board.tap("button confirm", armed="a6-a7"))["urgency"] == "URGENCY_REFUSED"
        shown = await board.tap("button confirm", side="white", armed="a6-b6")
        assert shown["sound"] == "SOUND_DONE"
    assert await actions(client, tokens["referee"], match) == ["a6-b6"]


async def test_a_board_is_offered_the_matches_that_it_waits_for(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    created = [await client.create_match("agog") for _ in range(2)]
    matches = [each.match.match_id for each in created]
    async with bridged(service, made.key, broker, tmp_path), pen(broker) as board:
        await board.publish("DBIRTH", pin="0000")
        await board.heard("show")
        for each in created:
            grant = await client.grant_taps(each.tokens["white"], each.match.match_id)
            await board.publish("DDATA", seat=[grant.code], waits=True)
            assert (await board.heard("seated"))["waits"][each.match.match_id] == ["white"]
        told = {space: [*signs] for space, signs in start().items()}
        await board.publish("DDATA", run="r1", seq=1, scan=told)
        shown = await board.shown(1)
        assert {each["match_id"] for each in shown["offers"]} == {*matches}
        assert shown["offers"][0]["seats"] == ["white"]
        board.seq = 1
        chosen = shown["offers"][1]["match_id"]
        assert (await board.tap("cc rune 2"))["lines"][0] == "Which match?"
        shown = await board.tap("button confirm")
        assert (shown["lines"], "offers" in shown) == (["Match found", "as white"], False)
        there = await client.list_styluses(made.key)
        assert there.match_id == chosen


WRONG = (
    ({"run": "r1", "seq": 1, "code": "space a6", "journal": [confirmed(2, "")]}, "all that counts"),
    ({"run": "r1", "journal": [{"seq": 1}]}, "each entry"),
    ({"journal": [confirmed(1, "white")]}, "`run` and a `seq`"),
    ({"run": "r1", "journal": [{"seq": 1, "code": "space a6"}]}, "has the `prompt`"),
    ({"run": "r1", "journal": [{"seq": 1, "battery": 1}] * 1001}, "length <= 1000"),
    ({"run": "r1", "seq": 1, "code": "button/confirm", "side": "x" * 65}, "length <= 64"),
)


async def test_what_makes_no_sense_of_a_journal_is_answered_and_changes_nothing(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    async with bridged(service, made.key, broker, tmp_path) as bridge, pen(broker) as board:
        for told, why in WRONG:
            await board.publish("DDATA", **told)
            assert why in (await board.heard("wrong"))["wrong"]
        assert bridge._gateway.written[1] == 0


def kept(*numbers: int, anew: bool = False, epoch: str = "e") -> Heard:
    """A device of which these numbers of the journal were heard, one after the other."""
    heard = Heard()
    for seq, number in enumerate(numbers, 1):
        heard = heard.then("r1", seq, epoch, number - 1, anew=anew)
    return heard


def test_what_was_noted_and_is_not_in_the_journal_was_not_heard(tmp_path: Path) -> None:
    """Each entry is noted by itself, so a bridge that dies in the middle asks for the rest."""
    path = tmp_path / "journal.devices"
    Register(path, ("e", 0)).note(PEN, kept(1, 2, 5))
    assert Register(path, ("e", 5)).due(PEN, "r1") == 4
    assert [*Register(path, ("e", 5)).numbered()] == [(1, PEN, 1), (2, PEN, 2), (5, PEN, 3)]
    assert Register(path, ("e", 4)).due(PEN, "r1") == 3
    assert [*Register(path, ("e", 4)).numbered()] == [(1, PEN, 1), (2, PEN, 2)]
    Register(path, ("e", 0)).note(PEN, kept(1, 2))
    assert [*Register(path, ("e", 1)).numbered()] == [(1, PEN, 1)]
    # Numbers of another epoch say nothing.
    assert (Register(path, ("f", 9)).due(PEN, "r1"), [*Register(path, ("f", 9)).numbered()]) == (
        3,
        [],
    )


def test_what_is_told_over_a_line_ends_what_was_kept_before_it() -> None:
    assert kept(1, 2, 3, anew=True).kept == kept(1, 2, 3).then("r1", 3, "e", 2, anew=True).kept
    assert len(kept(1, 2, 3).kept) == 1, "one stretch"
    assert len(kept(*range(1, 2000, 2)).kept) == MOST_STRETCHES


def test_names_that_somebody_makes_up_push_out_who_was_heard_longest_ago(tmp_path: Path) -> None:
    register = Register(tmp_path / "journal.devices", ("e", 0))
    register.note("first", kept(1))
    for number in range(MOST_DEVICES - 1):
        register.note(f"made up {number}", kept(1))
    register.note("first", kept(1, 2))
    register.note("one more", kept(1))
    again = Register(tmp_path / "journal.devices", ("e", 2))
    assert (again.due("first", "r1"), again.due("made up 0", "r1")) == (3, 1)
    assert len(again._heard) == MOST_DEVICES


async def test_left_says_the_devices_own_numbers_after_the_bridge_was_started_anew(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    key, *_ = await open_shop(service)
    async with pen(broker) as board:
        async with bridged(service, key, broker, tmp_path):
            await board.publish("DBIRTH", pin="0000")
            await board.heard("show")
            told = {space: [*signs] for space, signs in start().items()}
            entries = [
                {"seq": 1, "device_ms": 1000, "scan": told},
                {"seq": 2, "device_ms": 2000, "battery": 40},
                confirmed(3, "white"),
            ]
            await board.publish("DDATA", run="r1", journal=entries)
            first = (await board.shown(3))["left"]
        async with bridged(service, key, broker, tmp_path):
            board.seq = 3
            await board.publish("DDATA", run="r1", seq=4, battery=39)
            await board.publish("DBIRTH", pin="0000")
            # What was shown before has answers, and this one has none yet.
            again = (await board.heard("show"))["show"]
            while "left" not in again or again["answers"]:
                again = (await board.heard("show"))["show"]
    assert [each["seq"] for each in first] == [3]
    assert again["left"] == first


async def test_a_device_that_was_lost_before_the_bridge_was_started_anew_is_heard_when_it_is_born(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    key, *_ = await open_shop(service)
    async with pen(broker) as stylus:
        async with bridged(service, key, broker, tmp_path):
            await stylus.publish("DBIRTH", pin="0000")
            await stylus.heard("show")
            await stylus.publish("DDEATH")
            await is_lost(client, key, lost=True)
        async with bridged(service, key, broker, tmp_path) as bridge:
            assert not bridge._dead
            await stylus.publish("DBIRTH", pin="0000")
            await is_lost(client, key, lost=False)


async def is_lost(client: TableClient, key: str, *, lost: bool) -> None:
    """Wait until the service has heard that the stylus of a table is lost, or is not any more."""
    async with asyncio.timeout(30):
        async for table in client.watch_devices(key):
            if [each.lost for each in table.styluses] == [lost]:
                return


async def test_devices_that_nobody_knows_leave_nothing_behind(
    service: Service, client: TableClient, broker: Broker, tmp_path: Path
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    async with bridged(service, made.key, broker, tmp_path) as bridge:
        for number in range(MOST_DEVICES + 20):
            bridge.take(broker.topic("DDEATH", f"X{number}"), b"")
        assert len(bridge._dead) == MOST_DEVICES
        told = b'{"run": "r", "seq": 1, "code": "space a6", "prompt": 1}'
        bridge.take(broker.topic("DDATA", "Y1"), told)
        await bridge._gateway.settled()
        assert not bridge._gateway.prompts


async def test_the_bridge_says_what_the_users_of_its_devices_read(
    service: Service, client: TableClient, broker: Broker
) -> None:
    made = await client.register_gateway(service.admin_key, "Corner")
    async with MqttBridge(service.address, made.key, broker, locale="de-CH") as bridge:
        await bridge.welcomed()
        async with asyncio.timeout(30):
            async for table in client.watch_devices(made.key):
                if table.gateways[0].locale == "de-CH":
                    break
