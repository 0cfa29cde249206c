"""Boards that sense their pieces, on a real service: set up, moved, corrected, taken back."""

import json
from typing import Any
from uuid import UUID

import pytest

from domain.registry import GAMES
from domain.stylus.boards import kind_of, standing_in
from services.client.gateway import GatewayClient
from services.client.gateways import TableClient
from services.server import Service
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.matches_pb2 import UNDO_POLICY_FREE
from tests.services.conftest import PEN, Line, actions, open_shop

AGOG = GAMES["agog"]


def seen(position: str = "") -> dict[str, list[str]]:
    """What a board sees on which a match of A.G.O.G. is set up."""
    options = AGOG.options()
    state = AGOG.read_position(position, options) if position else AGOG.start(options)
    scene = AGOG.look(state, "spectator")
    standing = standing_in(scene)
    return {each.id: [*map(kind_of, standing.get(each.id, ()))] for each in scene.spaces}


async def test_a_board_is_set_up_played_on_and_put_back(service: Service) -> None:
    shop = await open_shop(service, undo=UNDO_POLICY_FREE)
    async with (
        GatewayClient(service.address, shop.key) as board,
        TableClient(service.address) as client,
    ):
        await board.shown(PEN, 1)
        lying = {**seen(), "f1": [], "f3": ["white/golem"]}
        prompt = await board.answer(board.scan(PEN, lying))
        assert [each.sentence for each in prompt.board.steps] == [
            "White's golem stands on f3, not f1"
        ]
        prompt = await board.answer(board.scan(PEN, seen()))
        assert prompt.board.agrees
        assert not prompt.HasField("refusal")

        # A quick hand: of many scans the last is answered.
        board.scan(PEN, {"a6": []}, whole=False)
        board.scan(PEN, {"b7": ["white/golem"]}, whole=False)
        board.scan(PEN, {"b7": []}, whole=False)
        prompt = await board.answer(board.scan(PEN, {"b6": ["white/golem"]}, whole=False))
        assert (prompt.armed.label, prompt.version) == ("a6-b6", 1)
        prompt = await board.tap(PEN, "button/confirm")
        assert [each.action.notation for each in prompt.events] == ["a6-b6"]
        assert prompt.board.agrees

        # Others act: the board is told what to move, and when it has been.
        await client.submit(shop.tokens["black"], shop.match, "h3-g3")
        prompt = await board.shown(PEN, 3)
        (step,) = prompt.board.steps
        assert (step.sign, step.stands, step.belongs) == ("black/golem/golem", "h3", "g3")
        followed = {"h3": [], "g3": ["black"]}
        prompt = await board.answer(board.scan(PEN, followed, whole=False))
        assert prompt.board.agrees
        assert not prompt.HasField("armed")

        # Taken back: what stands there is not played once more.
        for code in ("match undo", "button confirm"):
            prompt = await board.tap(PEN, code)
        assert not prompt.HasField("armed")
        assert [each.sentence for each in prompt.board.steps] == [
            "Black's golem stands on g3, not h3"
        ]
        prompt = await board.answer(board.scan(PEN, {"h3": ["black"], "g3": []}, whole=False))
        assert prompt.board.agrees
        assert (await actions(client, shop.tokens["referee"], shop.match, 3))[:2] == [
            "a6-b6",
            "h3-g3",
        ]


async def test_what_no_action_leads_to_is_said_with_what_comes_nearest(service: Service) -> None:
    shop = await open_shop(service)
    async with GatewayClient(service.address, shop.key) as board:
        await board.shown(PEN, 1)
        board.scan(PEN, seen())
        wrong = {"a6": [], "b6": ["white/golem"], "c6": ["*"]}
        prompt = await board.answer(board.scan(PEN, wrong, whole=False))
        assert prompt.outcome == pb.TAP_OUTCOME_REFUSED
        assert prompt.refusal.rule == "stylus.board"
        assert prompt.refusal.why == (
            "White's golem stands on b6, not a6; a piece does not belong on c6. "
            "For a6-b6: a piece does not belong on c6"
        )
        assert prompt.board.nearest == "a6-b6"
        assert [each.stands for each in prompt.board.lacking] == ["c6"]
        confirmed = await board.tap(PEN, "button/confirm")
        assert confirmed.refusal.rule == "stylus.unready"


async def test_scans_are_recorded_once_listed_and_named_by_their_action(service: Service) -> None:
    shop = await open_shop(service)
    async with TableClient(service.address) as client, Line(service, shop) as line:
        codes = {"tile/61": "space a6", "tile/62": "space b6", "tag/7": "piece white/golem"}
        await client.set_tap_map(shop.key, codes)
        scan = pb.Scan(seq=1, stylus=PEN, spaces=[pb.ScannedSpace(space="tile/61")])
        scan.spaces.add(space="tile/62", signs=["tag/7"])
        answer = await line.send(pb.ConnectRequest(scan=scan), 1)
        assert answer.acknowledged.highest == 1
        assert (await line.read()).prompt.armed.label == "a6-b6"
        again = await line.send(pb.ConnectRequest(scan=scan), 1)
        assert again.prompt.repeated
        assert again.prompt.outcome == pb.TAP_OUTCOME_DONE
        line.seq = 1
        acted = await line.tap("button confirm")
        assert acted.outcome == pb.TAP_OUTCOME_ACTED
        listed = await client.list_taps(shop.key)
        assert [each.code for each in listed] == ["scan", "button confirm"]
        assert {each.space: [*each.signs] for each in listed[0].scan.spaces} == {
            "a6": [],
            "b6": ["white/golem"],
        }
        event = (await client.list_history(shop.tokens["referee"], shop.match, 2))[-1]
        named = event.details["taps"].split(" ")
        assert named == [str(each.version) for each in listed]


async def test_scans_made_offline_count_when_the_line_is_back(
    service: Service, tmp_path: Any
) -> None:
    """A board's own memory: what was moved and confirmed without a line is played in order."""
    shop = await open_shop(service)
    journal = tmp_path / "journal"
    async with GatewayClient(service.address, shop.key, journal=journal) as board:
        await board.shown(PEN, 1)
        await board.answer(board.scan(PEN, seen()))
    offline = GatewayClient("localhost:1", shop.key, journal=journal)
    offline.scan(PEN, {"a6": [], "b6": ["white"]}, whole=False)
    offline.send(PEN, "button confirm", prompt=1)
    offline.scan(PEN, {"h3": [], "g3": ["black"]}, whole=False)
    offline.send(PEN, "button confirm", prompt=1)
    offline._journal.close()
    async with (
        GatewayClient(service.address, shop.key, journal=journal) as board,
        TableClient(service.address) as client,
    ):
        await board.settled()
        assert (await board.shown(PEN, 3)).board.agrees
        assert await actions(client, shop.tokens["referee"], shop.match, 3) == ["a6-b6", "h3-g3"]


@pytest.mark.parametrize("spaces", [1025, 2])
async def test_a_scan_that_is_too_large_is_refused_and_changes_nothing(
    service: Service, spaces: int
) -> None:
    shop = await open_shop(service)
    async with Line(service, shop) as line:
        scan = pb.Scan(seq=1, stylus=PEN, whole=True)
        for number in range(spaces):
            scan.spaces.add(space=f"s{number}", signs=["x" * (65 if spaces == 2 else 1)])
        assert (await line.send(pb.ConnectRequest(scan=scan), 1)).acknowledged.highest == 1
        prompt = (await line.read()).prompt
        assert prompt.refusal.rule == "stylus.board"
        assert not prompt.HasField("board")
        table = UUID(line.welcome.table_id)
        recorded = [e.event for e in service._log.table_events(table)][-1]
        assert recorded.spaces == {}
        assert len(json.dumps(recorded.why)) < 100
