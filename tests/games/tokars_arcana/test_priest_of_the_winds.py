"""The Priest of the Winds: his blow, his blessing, his angel."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

PRIEST = "7n/8/8/8/5i2/3st3/3P4/8/8/7B - - south order -"
CORNER = "Q6n/8/8/8/8/8/8/8/8/B7 IIKQ - south order -"


def test_a_priest_moves_one_square_and_kills_soldiers_only(
    orders: Orders, refusal: Refusal, cited: Cited
) -> None:
    assert orders(PRIEST, "d4") == ("*d5 -c3 -c4 -c4*d5 -c5 -c5*d5 -d3 -e3 -e4 -e4*d5")
    assert refusal(PRIEST, "d4-d6") == "ta.priest.move"
    assert refusal(PRIEST, "d4*f6") == "ta.priest.kill.reach"
    assert refusal(PRIEST, "d4*e5") == "ta.priest.kill.rank"
    figures = cited(PRIEST, "d4*d5")["ta.kill.immune"]
    assert figures["immunity"] == "against soldiers only, and this attack is a captain's"


def test_in_a_corner_a_priest_revives_a_soldier_next_to_him(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(CORNER, "a10 revive I b9").startswith("Q6n/1I6/")
    assert refusal(CORNER, "a10 revive K b9") == "ta.priest.revive.unit"
    assert refusal(CORNER, "a10 revive S b9") == "ta.priest.revive.unit"
    assert refusal(CORNER, "a10 revive I c10") == "ta.priest.revive.square"
    assert refusal(CORNER, "a10 revive I a10") == "ta.priest.revive.square"
    elsewhere = CORNER.replace("Q6n", "1Q5n")
    assert refusal(elsewhere, "b10 revive I b9") == "ta.priest.revive.corner"
    rulings = cited(CORNER, "a10 revive I b9")
    assert rulings["ta.graveyard.return"]["square"] == "b9"
    assert "ta.alchemist.brew.gone" in rulings


def test_any_of_the_four_corners_will_do(orders: Orders) -> None:
    for board in ("P6n/8/8/8/8/8/8/B7", "B6P/8/8/8/8/8/8/7n", "B6n/8/8/8/8/8/8/P7",
                  "B6n/8/8/8/8/8/8/7P"):  # fmt: skip
        position = f"{board} I - south order -"
        assert orders(position).count("revive I") == 3, position


def test_a_priest_killed_in_any_manner_may_return_to_any_free_square(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    struck = "7n/8/8/8/8/4t3/4P3/8/8/7B I - north order -"
    asked = after(struck, "e5*e4")
    assert asked == "7n/8/8/8/8/4t3/8/8/8/7B I - north revive:P -"
    assert cited(struck, "e5*e4")["ta.priest.angel"] == {"priests": 1, "asked_first": "south"}
    assert after(asked, "revive e4").startswith("7n/8/8/8/8/4t3/4Q3/")
    assert refusal(asked, "revive e5") == "ta.priest.angel.square"
    assert refusal(asked, "revive e4", by="north") == "ta.turn.seat"
    assert after(asked, "decline").split()[1] == "IP"
    assert cited(asked, "revive e4")["ta.priest.angel.square"]["square"] == "e4"


def test_also_by_walking_off_and_by_own_models(after: After) -> None:
    walking = "7n/8/8/8/8/P*7/8/8/8/7B - - south order -"
    assert after(walking, "a5 off", "revive g9").startswith("7n/6Q1/")
    shot = "7n/8/8/8/8/4D3/4P3/8/8/7B - - south order -"
    assert after(shot, "e5*e4", "decline").split()[1] == "P"


def test_the_angel_answers_once(after: After, cited: Cited) -> None:
    struck = "7n/8/8/8/8/4t3/4Q3/8/8/7B - - north order -"
    assert after(struck, "e5*e4") == "7n/8/8/8/8/4t3/8/8/8/7B Q - south order -"
    assert cited(struck, "e5*e4")["ta.priest.angel.once"]["angel"] == "spent"


def test_the_priest_of_the_seat_on_turn_is_asked_first(after: After) -> None:
    bomb = "3x3n/8/8/8/8/8/2PmpI2/8/8/7B - - north order -"
    asked = after(bomb, "d10 explode d4")
    assert asked.split()[4] == "revive:pP"
    assert after(asked, "decline", "revive d4").split()[1:5] == ["-", "pm", "south", "order"]


def test_no_angel_answers_once_a_general_is_dead(after: After) -> None:
    bomb = "3x3n/8/8/8/8/8/2PmI3/2B5/8/8 - - north order -"
    over = after(bomb, "d10 explode d4")
    assert over.split()[1:5] == ["IPB", "m", "north", "end:north:general"]
