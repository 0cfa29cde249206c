"""A board that misread, and one that is right where the match is not, over the wire."""

from uuid import UUID

import pytest

from services.client.gateway import GatewayClient
from services.client.gateways import TableClient
from services.server import Service
from services.wire.emeth.v1 import gateways_pb2 as pb
from services.wire.emeth.v1.audit_pb2 import ListDisputesRequest
from services.wire.emeth.v1.matches_pb2 import UNDO_POLICY_FREE
from tests.services.conftest import PEN, Shop, open_shop, refusal
from tests.services.tables.test_boards import seen


def sides(shop: Shop) -> str:
    return shop.key.partition(".")[0]


async def test_a_reading_that_is_corrected_counts_until_it_changes(service: Service) -> None:
    shop = await open_shop(service)
    async with (
        GatewayClient(service.address, shop.key) as board,
        TableClient(service.address) as client,
    ):
        await board.shown(PEN, 1)
        await board.answer(board.scan(PEN, seen()))
        wrong = {"a6": [], "b6": ["white/hulk"]}
        prompt = await board.answer(board.scan(PEN, wrong, whole=False))
        assert prompt.refusal.rule == "stylus.board"
        # Its player knows better: the action is armed by the correction, and Confirm takes it.
        answer = await client.correct_board(
            shop.tokens["white"],
            PEN,
            {"b6": ["white/golem"]},
            table_id=sides(shop),
            match_id=shop.match,
            why="a wrong tag",
        )
        assert (answer.corrected, answer.HasField("refused")) == (1, False)
        while not (prompt := board.prompts[PEN]).HasField("armed"):
            board._prompted.clear()
            await board._prompted.wait()
        assert prompt.armed.label == "a6-b6"
        (held,) = prompt.board.corrected
        assert (held.space, [*held.read], [*held.meant]) == ("b6", ["white/hulk"], ["white/golem"])
        again = await board.answer(board.scan(PEN, wrong, whole=False))
        assert again.armed.label == "a6-b6"
        prompt = await board.tap(PEN, "button/confirm")
        assert (prompt.events[0].action.notation, prompt.board.agrees) == ("a6-b6", True)
        listed = await client.list_taps(shop.key)
        (corrected,) = (each for each in listed if each.corrected_by)
        assert (corrected.corrected_by, corrected.why) == ("white", "a wrong tag")
        assert {each.space: [*each.signs] for each in corrected.scan.spaces} == {
            "b6": ["white/golem"]
        }
        # Now it reads something else there: it is believed again.
        prompt = await board.answer(board.scan(PEN, {"b6": []}, whole=False))
        assert not prompt.board.corrected
        assert [each.sentence for each in prompt.board.steps] == ["White's golem is missing on b6"]
        verified = await client.explain(shop.tokens["referee"], shop.match, 2)
        assert verified.event.version == 2


async def test_a_board_that_lost_a_piece_is_told_that_the_position_is_right(
    service: Service,
) -> None:
    shop = await open_shop(service)
    async with GatewayClient(service.address, shop.key) as board:
        await board.shown(PEN, 1)
        refused = await board.tap(PEN, "board misread")
        assert refused.refusal.rule == "stylus.board"
        knocked = {**seen(), "a6": [], "f1": ["*", "*"]}
        prompt = await board.answer(board.scan(PEN, knocked))
        assert prompt.refusal.rule == "stylus.board"
        prompt = await board.tap(PEN, "board misread")
        assert prompt.board.agrees
        assert [each.space for each in prompt.board.corrected] == ["a6", "f1"]
        assert (await board.answer(board.scan(PEN, knocked))).board.agrees
        prompt = await board.answer(board.scan(PEN, {"a6": ["white"]}, whole=False))
        assert prompt.board.agrees
        assert [each.space for each in prompt.board.corrected] == ["f1"]
        prompt = await board.answer(board.scan(PEN, {"a6": [], "b6": ["white"]}, whole=False))
        assert prompt.armed.label == "a6-b6"
        events = [each.event for each in service._log.table_events(UUID(sides(shop)))]
        (corrected,) = (each for each in events if type(each).__name__ == "BoardCorrected")
        assert corrected.by == "white"


async def test_who_corrects_a_board(service: Service) -> None:
    shop = await open_shop(service, seats=("white",))
    async with (
        GatewayClient(service.address, shop.key) as board,
        TableClient(service.address) as client,
    ):
        await board.shown(PEN, 1)
        unknown = await client.correct_board(shop.key, "ZZ:09")
        assert unknown.refused.rule == "stylus.unpaired"
        unseen = await client.correct_board(shop.key, PEN)
        assert unseen.refused.rule == "stylus.board"
        await board.answer(board.scan(PEN, {**seen(), "a6": []}))
        strange = await client.correct_board(shop.key, PEN, {"nowhere": []})
        assert strange.refused.why == "the board does not watch nowhere"
        many = await client.correct_board(shop.key, PEN, {"a6": ["x"] * 17})
        assert many.refused.rule == "stylus.board"
        at: dict[str, str] = {"table_id": sides(shop), "match_id": shop.match}
        for role in ("black", "spectator"):
            call = client.correct_board(shop.tokens[role], PEN, **at)
            assert await refusal(call) == "ROLE_FORBIDS"
        other = await open_shop_elsewhere(client, service)
        for key, table, reason in (
            (other, sides(shop), "ADMIN_KEY_WRONG"),
            ("", sides(shop), "TOKEN_MISSING"),
            ("strange", "", "GATEWAY_KEY_WRONG"),
        ):
            call = client.correct_board(key, PEN, table_id=table)
            assert await refusal(call) == reason
        foreign = client.correct_board(
            shop.tokens["referee"], PEN, table_id=other.partition(".")[0], match_id=shop.match
        )
        assert await refusal(foreign) == "ROLE_FORBIDS"
        for key, more in (
            (shop.key, {}),
            (service.admin_key, {"table_id": sides(shop)}),
            (shop.tokens["referee"], at),
            (shop.tokens["white"], at),
        ):
            assert (await client.correct_board(key, PEN, **more)).corrected == 1
        listed = await client.list_taps(shop.key)
        assert [each.corrected_by for each in listed if each.corrected_by] == [
            "gateway", "owner", "referee", "white",
        ]  # fmt: skip


async def open_shop_elsewhere(client: TableClient, service: Service) -> str:
    return (await client.register_gateway(service.admin_key, "Elsewhere")).key


@pytest.mark.parametrize("over", [False, True])
async def test_a_board_that_is_right_has_the_match_set_right(service: Service, over: bool) -> None:
    """What it shows is looked for among the last positions, also after the end: the line goes on
    from there by the match's own undo, with the consent that this needs."""
    shop = await open_shop(service, undo=UNDO_POLICY_FREE)
    async with (
        GatewayClient(service.address, shop.key) as board,
        TableClient(service.address) as client,
    ):
        await board.shown(PEN, 1)
        await board.answer(board.scan(PEN, seen()))
        assert (await board.tap(PEN, "board right")).refusal.rule == "stylus.match"
        for seat, action in (("white", "a6-b6"), ("black", "h3-g3")):
            await client.submit(shop.tokens[seat], shop.match, action)
        if over:
            await client.resign(shop.tokens["black"], shop.match)
        await board.shown(PEN, 4 if over else 3)
        await board.answer(board.scan(PEN, {"a6": [], "b6": ["white"]}, whole=False))
        prompt = await board.tap(PEN, "control/board/right")
        assert prompt.armed.sentence.startswith("white takes back what came after version 2")
        assert "must agree" in prompt.armed.sentence
        for code in ("button/confirm", "match agree", "button/confirm"):
            prompt = await board.tap(PEN, code)
        assert prompt.outcome == pb.TAP_OUTCOME_ACTED
        assert (prompt.board.agrees, prompt.HasField("result")) == (True, False)


async def test_what_a_board_shows_that_never_stood_there_is_disputed(service: Service) -> None:
    shop = await open_shop(service, undo=UNDO_POLICY_FREE)
    async with (
        GatewayClient(service.address, shop.key) as board,
        TableClient(service.address) as client,
    ):
        await client.submit(shop.tokens["white"], shop.match, "a6-b6")
        await board.shown(PEN, 2)
        await board.answer(board.scan(PEN, {**seen(), "a6": [], "b7": ["white"]}))
        prompt = await board.tap(PEN, "board right")
        assert prompt.armed.label == "match dispute"
        assert (await board.tap(PEN, "button/confirm")).outcome == pb.TAP_OUTCOME_ACTED
        request = ListDisputesRequest(match_id=shop.match, at_least_version=3)
        (dispute,) = (await client.list_disputes(shop.tokens["referee"], request)).disputes
        assert "whose board says: White's golem stands on b7, not b6" in dispute.reason
