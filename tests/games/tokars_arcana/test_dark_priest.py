"""The Dark Priest: night wind, explosion, slaying; and what moves him."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

NIGHT = "3x3n/8/8/5T2/s4S2/4Is2/4I3/8/3I4/I2B4 - - north order -"
BOMB = "3x3n/8/8/8/8/2Ts4/2Sm1z2/4K3/8/7B - - north order -"


def test_a_dark_priest_may_not_move(refusal: Refusal) -> None:
    for text in ("d10-d9", "d10xd9", "d10-d9*d8", "d10 off"):
        assert refusal(NIGHT, text) == "ta.darkpriest.immobile", text
    assert refusal(NIGHT, "d10*d9") == "ta.order.ability"


def test_the_night_wind_pushes_every_enemy_back_the_rear_rows_first(
    after: After, cited: Cited
) -> None:
    assert after(NIGHT, "d10 wind a6") == (
        "3x3n/8/8/5T2/5S2/5s2/4I3/4I3/3I4/I2B4 - s south order -"
    )
    figures = cited(NIGHT, "d10 wind a6")
    assert figures["ta.darkpriest.wind.push"] == {"pushed": 2, "held": 5}
    assert "ta.darkpriest.wind.order" in figures
    assert "ta.darkpriest.wind.edge" in figures


def test_its_price_is_an_own_soldier_anywhere(refusal: Refusal, cited: Cited) -> None:
    assert refusal(NIGHT, "d10 wind h10") == "ta.darkpriest.wind.soldier"
    assert refusal(NIGHT, "d10 wind d2") == "ta.darkpriest.wind.soldier"
    assert refusal(NIGHT, "d10 wind a1") == "ta.darkpriest.wind.soldier"
    assert "ta.kill.graveyard" in cited(NIGHT, "d10 wind f5")


def test_the_soldiers_square_is_free_before_the_wind_blows(after: After, refusal: Refusal) -> None:
    gas = "8/8/7n/2Mi4/4S3/4i3/8/8/8/3X3N - - south order -"
    blown = after(gas, "d1 wind e6")
    assert blown == "8/7n/3i4/2M5/4i3/8/8/8/8/3X3N S - north order -"
    assert refusal(blown, "d8-d7") == "ta.mummy.gas"  # the wind blows into tomb gas


def test_an_own_model_above_soldier_explodes_with_all_around_it(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(BOMB, "d10 explode d4").split()[1:3] == ["KST", "sm"]
    assert refusal(BOMB, "d10 explode d5") == "ta.darkpriest.explode.unit"
    assert refusal(BOMB, "d10 explode e3") == "ta.darkpriest.explode.unit"
    assert refusal(BOMB, "d10 explode d10") == "ta.darkpriest.explode.unit"
    rulings = cited(BOMB, "d10 explode d4")
    assert rulings["ta.darkpriest.explode.all"]["exploded"] == "d4"
    assert "ta.darkpriest.explode.rank" in rulings
    immunity = rulings["ta.kill.immune"]["immunity"]
    assert immunity == "against soldiers only, and this attack is a general's"


def test_the_dark_priest_dies_of_an_explosion_next_to_him(after: After) -> None:
    close = "3xz2n/8/8/8/8/8/8/8/8/7B - - north order -"
    assert after(close, "d10 explode e10").split()[2] == "zx"


def test_he_slays_all_adjacent_enemies_and_no_own_model(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    position = "3xK2n/2IsT3/5I2/8/8/8/8/8/8/7B - - north order -"
    assert after(position, "d10 slay").split()[1:3] == ["IKT", "-"]
    assert cited(position, "d10 slay")["ta.darkpriest.slay.all"]["means"] == "slaying"
    assert refusal(BOMB, "d10 slay") == "ta.darkpriest.slay.nobody"


def test_once_moved_by_another_he_takes_no_order_in_his_next_turn(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    swapped = "7n/8/8/8/8/8/3s4/8/8/A1X4B - - south order -"
    marked = after(swapped, "a1-c1")
    assert "X!" in marked  # by an own Alchemist, too
    again = after(marked, "pass")
    assert refusal(again, "b1 explode c1") == "ta.darkpriest.moved"
    assert "X!" not in after(again, "pass")
    assert cited(again, "pass")["ta.darkpriest.mark"] == {"square": "b1", "mark": "lifted"}


def test_a_wind_that_could_not_move_him_leaves_no_mark(after: After) -> None:
    facing = "3x3n/s7/8/8/8/8/8/8/3X4/7B - - north order -"
    assert "X!" in after(facing, "d10 wind a9")
    home = "3x3n/s7/8/8/8/8/8/8/8/3X3B - - north order -"
    assert "X!" not in after(home, "d10 wind a9")
