"""Boards that speak MQTT and have a memory of their own: what they kept, what did not count, and
which match they are for."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.client.gateways import TableClient
from services.client.mqtt_bridge import Broker
from services.client.mqtt_devices import Heard, Register
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


def test_what_was_noted_and_is_not_in_the_journal_was_not_heard(tmp_path: Path) -> None:
    """Each entry is noted by itself, so a bridge that dies in the middle asks for the rest."""
    path = tmp_path / "journal.devices"
    register = Register(path, ("e", 0))
    for number in (1, 2, 3):
        register.note(PEN, Heard("r1", number, "e", number))
    assert Register(path, ("e", 3)).due(PEN, "r1") == 4
    assert Register(path, ("e", 2)).due(PEN, "r1") == 3
