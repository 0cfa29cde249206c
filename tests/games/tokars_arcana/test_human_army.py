"""Imperial Warrior, Blue Knight, Wind Mage, Duelist."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

# --- Imperial Warrior ----------------------------------------------------------------------------

WARRIOR = "7n/8/8/3m4/4z3/2i5/3I4/8/8/7B - - south order -"


def test_a_warrior_may_only_move_forward(orders: Orders, refusal: Refusal, cited: Cited) -> None:
    assert orders(WARRIOR, "d4") == "-d5 -d5*e6"
    assert refusal(WARRIOR, "d4-d3") == "ta.warrior.move"
    assert refusal(WARRIOR, "d4-d6") == "ta.warrior.move"
    assert cited(WARRIOR, "d4-d5")["ta.warrior.move"] == {
        "model": "South's Imperial Warrior", "from": "d4", "to": "d5", "columns": 0,
        "rows_ahead": 1,
    }  # fmt: skip


def test_forward_is_away_from_ones_own_edge(after: After, refusal: Refusal) -> None:
    north = WARRIOR.replace("south", "north")
    assert after(north, "c5-c4").startswith("7n/8/8/3m4/4z3/8/2iI4/")
    assert refusal(north, "c5-c6") == "ta.warrior.move"


def test_a_warrior_kills_a_soldier_ahead_or_a_higher_rank_diagonally_ahead(
    orders: Orders, refusal: Refusal, cited: Cited
) -> None:
    position = "7n/8/8/8/8/2iik3/3I4/8/8/7B - - south order -"
    assert orders(position, "d4") == "*d5 *e5"
    assert refusal(position, "d4*c5") == "ta.warrior.kill.rank"
    officer = "7n/8/8/8/8/3k4/3I4/8/8/7B - - south order -"
    assert refusal(officer, "d4*d5") == "ta.warrior.kill.rank"
    assert cited(position, "d4*e5")["ta.warrior.kill.rank"]["rank"] == "sergeant"


def test_a_warrior_strikes_from_where_it_has_moved_to(after: After, refusal: Refusal) -> None:
    assert refusal(WARRIOR, "d4*e6") == "ta.warrior.kill.reach"
    assert refusal(WARRIOR, "d4-d5*c5") == "ta.warrior.kill.reach"
    assert after(WARRIOR, "d4-d5*e6").split()[2] == "z"


def test_with_warrior_either_a_warrior_steps_or_strikes(orders: Orders, refusal: Refusal) -> None:
    assert orders(WARRIOR, "d4", warrior="either") == "-d5"
    assert refusal(WARRIOR, "d4-d5*e6", warrior="either") == "ta.warrior.either"


def test_a_warrior_does_not_enter_an_occupied_square(refusal: Refusal) -> None:
    position = "7n/8/8/8/8/3i4/3I4/8/8/7B - - south order -"
    assert refusal(position, "d4-d5") == "ta.move.occupied"


# --- Blue Knight ---------------------------------------------------------------------------------

KNIGHT = "7n/8/8/8/2i5/2III3/2IKI3/8/8/7B - - south order -"


def test_a_knight_moves_in_an_l_over_anything(orders: Orders, refusal: Refusal) -> None:
    assert orders(KNIGHT, "d4") == "-b3 -b5 -c2 -e2 -e6 -f3 -f5 xc6"
    assert refusal(KNIGHT, "d4-d6") == "ta.knight.move"


def test_a_knight_kills_whom_it_lands_upon(after: After, refusal: Refusal, cited: Cited) -> None:
    assert after(KNIGHT, "d4xc6").split()[2] == "i"
    assert refusal(KNIGHT, "d4-c6") == "ta.notation.capture"
    assert refusal(KNIGHT, "d4xe6") == "ta.notation.capture"
    assert cited(KNIGHT, "d4xc6")["ta.knight.enemy"]["means"] == "entering"


def test_a_knight_lands_on_own_models_only_with_friendly_fire_any(
    after: After, refusal: Refusal
) -> None:
    position = "7n/8/8/8/2I5/8/3K4/8/8/7B - - south order -"
    assert refusal(position, "d4xc6") == "ta.knight.enemy"
    assert refusal(position, "d4xc6", friendly_fire="explicit") == "ta.knight.enemy"
    assert after(position, "d4xc6", friendly_fire="any").split()[1] == "I"


# --- Wind Mage -----------------------------------------------------------------------------------

MAGE = "7n/8/8/3S4/5t2/4I3/3W4/2i5/8/7B - - south order -"


def test_a_wind_mage_teleports_up_to_two_squares_diagonally_over_anything(
    orders: Orders, refusal: Refusal
) -> None:
    assert orders(MAGE, "d4") == "*d7 -b2 -b6 -c5 -e3 -f2 xc3 xe5 xf6"
    assert refusal(MAGE, "d4-g7") == "ta.windmage.move"
    assert refusal(MAGE, "d4-d5") == "ta.windmage.move"


def test_a_wind_mage_kills_friend_or_foe_where_it_lands(after: After) -> None:
    assert after(MAGE, "d4xe5").split()[1] == "I"
    assert after(MAGE, "d4xf6").split()[2] == "t"


def test_lightning_strikes_exactly_three_squares_ahead(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(MAGE, "d4*d7").split()[1] == "S"
    assert refusal(MAGE, "d4*d6") == "ta.windmage.bolt"
    assert refusal(MAGE, "d4*d1") == "ta.windmage.bolt"
    assert refusal(MAGE, "d4*g4") == "ta.windmage.bolt"
    assert cited(MAGE, "d4*d7")["ta.windmage.bolt"]["from"] == "d4"


def test_a_wind_mage_teleports_or_strikes(refusal: Refusal) -> None:
    assert refusal(MAGE, "d4-c5*c8") == "ta.order.ability"


# --- Duelist -------------------------------------------------------------------------------------

DUELIST = "7n/8/8/8/8/3t4/8/I7/1S6/D1s4B - - south order -"


def test_a_duelist_moves_as_far_as_he_likes_until_obstructed(
    orders: Orders, refusal: Refusal, cited: Cited
) -> None:
    assert orders(DUELIST, "a1") == "*b2 -a2 -a2*a3 -a2*b2 -b1 -b1*b2 -b1*c1 off"
    assert refusal(DUELIST, "a1-c3") == "ta.duelist.obstructed"
    assert refusal(DUELIST, "a1-c1") == "ta.move.occupied"
    assert refusal(DUELIST, "a1-b3") == "ta.duelist.move"
    assert "ta.duelist.obstructed" in cited(DUELIST, "a1-a2")


def test_a_duelist_shoots_any_adjacent_model_after_moving_or_without(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(DUELIST, "a1*b2").split()[1] == "S"
    assert after(DUELIST, "a1-b1*c1").split()[2] == "s"
    assert refusal(DUELIST, "a1*c1") == "ta.duelist.pistol"
    assert cited(DUELIST, "a1-a2*a3")["ta.duelist.pistol"]["from"] == "a2"
