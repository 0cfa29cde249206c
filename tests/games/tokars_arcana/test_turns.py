"""Playing the game: whose turn it is, orders and answers, passing, draws, resigning."""

from collections.abc import Callable

import pytest

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.state import Options
from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

START = "mztnxtzm/ssssssss/8/8/8/8/8/8/IIIIIIII/WKPDBAKW - - south order -"
QUIET = "8/8/3n4/8/s7/S7/8/8/8/B7 - - south order -"


def test_each_turn_a_player_orders_one_model(after: After, refusal: Refusal, cited: Cited) -> None:
    assert after(START, "d2-d3").endswith(" north order -")
    rulings = cited(START, "d2-d3")
    assert rulings["ta.turn.one_order"] == {"ordered": "South's Imperial Warrior", "on": "d2"}
    assert rulings["ta.turn.end"] == {"to_move": "north"}
    assert refusal(START, "e9-e8", by="north") == "ta.turn.seat"


def test_a_player_commands_own_models(refusal: Refusal) -> None:
    assert refusal(START, "e9-e8") == "ta.order.own"
    assert refusal(START, "e5-e6") == "ta.order.own"


def test_a_model_does_what_its_card_says(refusal: Refusal) -> None:
    assert refusal(START, "d2xd3") == "ta.order.ability"
    assert refusal(START, "d1 vanquish") == "ta.order.ability"
    assert refusal(START, "b1*b2") == "ta.order.ability"


def test_a_square_lies_on_the_board(refusal: Refusal) -> None:
    assert refusal(START, "d2-d11") == "ta.board.square"
    assert refusal(START, "d2-d11", by="north") == "ta.board.square"
    assert refusal("8/8/3n4/8/s7/8/8/B7 - - south order -", "a1-a9") == "ta.board.square"


def test_a_player_may_pass(after: After, refusal: Refusal, cited: Cited) -> None:
    assert after(QUIET, "pass") == QUIET.replace("south", "north")
    assert cited(QUIET, "pass")["ta.turn.pass"] == {"pass": "always"}
    assert refusal(QUIET, "pass", **{"pass": "stuck"}) == "ta.turn.pass"


def test_who_is_stuck_may_pass_in_any_case(after: After, orders: Orders) -> None:
    held = "8/8/8/8/8/8/8/n7/m7/B7 - - south order -"
    assert orders(held, **{"pass": "stuck"}) == "draw offer pass"
    assert after(held, "pass", **{"pass": "stuck"}).endswith(" north order -")


def test_an_answer_that_nobody_requested_is_refused(refusal: Refusal) -> None:
    answers = ("draw accept", "draw decline", "place a2", "revive a2", "decline", "raise S a2")
    for text in (*answers, "skip", "ready south", "first south"):
        assert refusal(QUIET, text) == "ta.turn.prompt", text


def test_an_offer_of_a_draw_does_not_use_up_the_order(after: After, refusal: Refusal) -> None:
    offered = after(QUIET, "draw offer")
    assert offered.endswith(" south draw -")
    assert refusal(offered, "draw accept", by="south") == "ta.turn.seat"
    assert refusal(offered, "a1-a2") == "ta.turn.prompt"
    assert after(offered, "draw accept").endswith(" south end:draw:agreement -")
    assert after(offered, "draw decline").endswith(" south order! -")


def test_one_offer_in_a_turn_and_none_where_draws_are_not_agreed(
    refusal: Refusal, after: After, cited: Cited
) -> None:
    declined = QUIET.replace("order", "order!")
    assert refusal(declined, "draw offer") == "ta.draw.offer"
    assert after(declined, "pass", "draw offer").endswith(" north draw -")
    assert refusal(QUIET, "draw offer", draw_offers=False) == "ta.draw.offer"
    assert cited(QUIET, "draw offer")["ta.draw.offer"] == {"offered_by": "south"}
    offered = QUIET.replace("order", "draw")
    assert cited(offered, "draw decline")["ta.draw.offer"] == {"declined_by": "north"}
    assert cited(offered, "draw accept")["ta.end.agreement"] == {"winner": "nobody"}


@pytest.mark.parametrize("phase", ["order", "draw"])
def test_a_player_resigns_at_any_time_for_the_own_seat(
    after: After, refusal: Refusal, cited: Cited, phase: str
) -> None:
    position = QUIET.replace("order", phase)
    assert after(position, "resign north", by="north").endswith(" south end:south:resign -")
    assert after(position, "resign south", by="south").endswith(" south end:north:resign -")
    assert refusal(position, "resign north", by="south") == "ta.resign.own"
    assert cited(position, "resign north", by="north")["ta.end.resign"] == {"winner": "south"}


def test_after_the_end_nothing_can_be_done(refusal: Refusal, orders: Orders) -> None:
    over = QUIET.replace("order", "end:north:resign")
    assert refusal(over, "pass") == "ta.end.over"
    assert refusal(over, "resign south") == "ta.end.over"
    assert orders(over) == ""


def test_models_in_the_air_go_to_their_graveyards_when_a_player_resigns(after: After) -> None:
    flying = "7n/8/8/8/8/3B4/8/8/8/8 - s south vanquish:zm** -"
    assert after(flying, "resign south", by="south") == (
        "7n/8/8/8/8/3B4/8/8/8/8 - szm south end:north:resign -"
    )
    awaiting = "7n/8/8/8/8/3B4/8/8/8/8 I s south revive:Pp -"
    assert after(awaiting, "resign north", by="north") == (
        "7n/8/8/8/8/3B4/8/8/8/8 IP ps south end:south:resign -"
    )


def test_with_a_quiet_limit_turns_without_death_or_return_are_counted(
    after: After, cited: Cited
) -> None:
    position = "3n4/8/8/8/8/4z3/3B4/I7/8/8 - - south order 1"
    assert after(position, "a3-a4", quiet_limit=3).endswith(" north order 2")
    assert after(position, "d4*e5", quiet_limit=3).endswith(" z north order 0")
    ended = after(position, "a3-a4", "pass", quiet_limit=3)
    assert ended.endswith(" north end:draw:quiet 3")
    assert cited(position, "a3-a4", quiet_limit=2)["ta.end.quiet"]["winner"] == "nobody"


def test_a_death_by_fire_restarts_the_quiet_count(after: After) -> None:
    position = "3n4/8/8/8/8/8/3B4/I*7/8/8 - - south order 1"
    assert after(position, "pass", quiet_limit=2) == ("3n4/8/8/8/8/8/3B4/8/8/8 I - north order 0")


def test_who_is_asked_and_for_what() -> None:
    wanted = {
        "8/8/3n4/8/s7/S7/8/8/8/B7 - - south order -": [("south", "order")],
        "8/8/3n4/8/s7/S7/8/8/8/B7 - - south draw -": [("north", "draw")],
        "8/8/3n4/8/s7/S7/8/8/8/B7 - - south vanquish:s -": [("south", "place")],
        "8/8/3n4/8/s7/S7/8/8/8/B7 - - south revive:pp -": [("north", "revive")],
        "8/8/3n4/8/z7/S7/8/8/8/B7 - s north raise:a6:soldier -": [("north", "raise")],
        "8/8/3n4/8/s7/S7/8/8/8/B7 - - south end:draw:quiet -": [],
    }
    for position, asked in wanted.items():
        state = GAME.read_position(position, Options())
        assert [(prompt.seat, prompt.expected_action) for prompt in GAME.turn(state)] == asked
