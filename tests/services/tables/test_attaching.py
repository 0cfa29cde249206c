"""Boards that find their match by the position that they show, over the wire."""

from typing import Any
from uuid import UUID

from services.client.gateway import GatewayClient
from services.client.gateways import TableClient
from services.server import Service
from services.wire.emeth.v1 import gateways_pb2 as pb
from tests.services.conftest import PEN, Begun, begun, play, refusal
from tests.services.tables.test_boards import seen

BLACK = "BB:02"


async def waiting(client: TableClient, service: Service, *matches: Begun) -> str:
    """A gateway whose board, and a stylus of Black's, wait for these matches; its key."""
    key = (await client.register_gateway(service.admin_key, "Corner")).key
    for pen, seats in ((PEN, ("white", "black")), (BLACK, ("black",))):
        await client.pair_stylus(key, pen, "0000")
        for each in matches:
            tokens = [each.tokens[seat] for seat in seats]
            answer = await client.seat_stylus(key, pen, each.id, tokens, waits=True)
            assert [*answer.seated.seats] == []
    return key


def after(*moves: str) -> dict[str, list[str]]:
    """What a board shows after some moves of golems."""
    board = seen()
    for move in moves:
        source, to = move.split("-")
        board[to], board[source] = board[source], []
    return board


async def test_a_board_goes_to_the_match_whose_position_it_shows(service: Service) -> None:
    async with TableClient(service.address) as client:
        first, second = await begun(client), await begun(client)
        await play(client, first, ("white", "a6-b6"))
        key = await waiting(client, service, first, second)
        async with GatewayClient(service.address, key) as board:
            prompt = await board.answer(board.scan(PEN, after("a6-b6", "h3-g3")))
            assert prompt.outcome == pb.TAP_OUTCOME_NO_MATCH
            assert (prompt.match_id, prompt.attached) == ("", False)
            prompt = await board.answer(board.scan(PEN, after("a6-b6")))
            assert (prompt.match_id, prompt.attached) == (first.id, True)
            assert prompt.board.agrees
            assert (await board.shown(BLACK, 2)).seat == "black"
            listed = await client.list_styluses(key)
            assert listed.match_id == first.id
            assert [[w.match_id for w in each.waits] for each in listed.styluses] == [
                [second.id],
                [second.id],
            ]
            events = [e.event for e in service._log.table_events(UUID(key.partition(".")[0]))]
            seated = [each for each in events if type(each).__name__ == "StylusSeated"]
            assert [(each.stylus, each.shown) for each in seated] == [(PEN, True), (BLACK, True)]

            # While it is under way nothing else counts; when it is over the board finds the next.
            prompt = await board.answer(board.scan(PEN, seen()))
            assert prompt.match_id == first.id
            await client.resign(first.tokens["black"], first.id)
            await board.shown(PEN, 3)
            board.scan(PEN, after("a6-b6"))
            prompt = await board.answer(board.scan(PEN, seen()))
            assert (prompt.match_id, prompt.attached) == (second.id, True)
            await board.answer(board.scan(PEN, after("a6-b6")))
            prompt = await board.tap(PEN, "button/confirm")
            assert [each.action.notation for each in prompt.events] == ["a6-b6"]


async def test_of_several_matches_that_stand_so_the_player_chooses(service: Service) -> None:
    async with TableClient(service.address) as client:
        matches = [await begun(client, title=f"Round {n}") for n in range(8)]
        key = await waiting(client, service, *matches)
        async with GatewayClient(service.address, key) as board:
            prompt = await board.answer(board.scan(PEN, seen()))
            assert [each.match_id for each in prompt.offers] == [each.id for each in matches]
            assert [each.title for each in prompt.offers][-1] == "Round 7"
            assert (len(prompt.runes), prompt.pages, prompt.attached) == (6, 2, False)
            assert not board.prompts.get(BLACK, pb.Prompt()).match_id
            unsettled = await board.tap(PEN, "button/confirm")
            assert unsettled.refusal.rule == "stylus.unready"
            await board.tap(PEN, "button/page")
            prompt = await board.tap(PEN, "cc rune 2")
            assert prompt.armed.label == matches[7].id
            assert [*prompt.cues.lines] == ["Which match?", "Round 7: white, "]
            assert prompt.cues.urgency == pb.URGENCY_ANSWER
            assert (await board.tap(PEN, "cc rune 3")).refusal.rule == "stylus.nothing"
            prompt = await board.tap(PEN, "button/confirm")
            assert (prompt.match_id, prompt.attached) == (matches[7].id, True)
            assert prompt.cues.lines[0] == "Match found"
            assert prompt.board.agrees
            assert not prompt.offers


async def test_a_board_is_offered_nothing_by_rights_that_have_ended(service: Service) -> None:
    async with TableClient(service.address) as client:
        claimed, withdrawn, over, strange = [await begun(client) for _ in range(4)]
        key = await waiting(client, service, claimed, over)
        grant = await client.grant_taps(withdrawn.tokens["white"], withdrawn.id)
        await client.seat_stylus(key, PEN, "", [], codes=[grant.code], waits=True)
        (right,) = await client.list_tap_rights(withdrawn.tokens["white"], withdrawn.id)
        assert (right.grant_id, right.stylus) == (grant.grant_id, PEN)
        assert await client.withdraw_taps(withdrawn.tokens["white"], withdrawn.id) == 1
        for seat in ("white", "black"):
            await client.claim_seat(claimed.tokens[seat], claimed.id, seat, "Somebody")
        await client.resign(over.tokens["white"], over.id)
        async with GatewayClient(service.address, key) as board:
            prompt = await board.answer(board.scan(PEN, seen()))
            assert (prompt.outcome, prompt.match_id) == (pb.TAP_OUTCOME_NO_MATCH, "")
            assert not prompt.offers
            # A right that is good now is found at once by the board that stands there already.
            seats = [strange.tokens["white"]]
            answer = await client.seat_stylus(key, PEN, strange.id, seats, waits=True)
            assert [*answer.seated.seats] == ["white"]
            assert [*answer.seated.waits] == []
            assert (await board.shown(PEN, 1)).match_id == strange.id


async def test_what_is_offered_does_not_stand_between_a_board_and_its_last_match(
    service: Service,
) -> None:
    """The match that is over can be disputed while others are offered."""
    async with TableClient(service.address) as client:
        over, *others = [await begun(client) for _ in range(3)]
        await play(client, over, ("white", "a6-b6"))
        key = await waiting(client, service, over, *others)
        async with GatewayClient(service.address, key) as board:
            await board.answer(board.scan(PEN, after("a6-b6")))
            await client.resign(over.tokens["black"], over.id)
            await board.shown(PEN, 3)
            prompt = await board.answer(board.scan(PEN, seen()))
            assert (len(prompt.offers), prompt.match_id) == (2, over.id)
            await board.tap(PEN, "match dispute")
            assert (await board.tap(PEN, "button/confirm")).outcome == pb.TAP_OUTCOME_ACTED
            await board.tap(PEN, "cc rune 1")
            prompt = await board.tap(PEN, "button/confirm")
            assert (prompt.match_id, prompt.attached) == (others[0].id, True)


async def test_what_a_board_may_wait_for_is_bounded_and_can_be_dropped(service: Service) -> None:
    async with TableClient(service.address) as client:
        matches = [await begun(client) for _ in range(17)]
        key = await waiting(client, service, *matches[:16])
        again: dict[str, Any] = {"waits": True, "request_id": matches[16].id}
        tokens = [matches[16].tokens["white"]]
        assert await refusal(client.seat_stylus(key, PEN, matches[16].id, tokens, waits=True)) == (
            "TABLE_FULL"
        )
        looking = [matches[16].tokens["spectator"]]
        assert await refusal(client.seat_stylus(key, PEN, matches[16].id, looking, **again)) == (
            "FIELD_INVALID"
        )
        dropped = await client.seat_stylus(key, PEN, matches[0].id, [], waits=True)
        assert len(dropped.seated.waits) == 15
        (table,) = await client.list_devices(key, at_least_version=2 + 2 * 17 + 1)
        assert [len(each.waits) for each in table.styluses] == [15, 16]
        answer = await client.seat_stylus(key, PEN, matches[16].id, tokens, waits=True)
        assert answer.seated.waits[15].match_id == matches[16].id
        assert await refusal(client.seat_stylus(key, PEN, matches[0].id, [], waits=True)) == (
            "FIELD_INVALID"
        )
