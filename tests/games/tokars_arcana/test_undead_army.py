"""Skeleton, Zombie, Mummy, Tomb Keeper."""

from collections.abc import Callable

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.state import Options
from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

# --- Skeleton ------------------------------------------------------------------------------------

SKELETONS = "8/8/8/8/8/n3s3/4S3/8/8/2s**B4 - - north order -"


def test_a_skeleton_moves_forward_and_kills_by_entering(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    position = "7n/8/8/8/8/3s4/3I4/8/8/7B - - north order -"
    assert after(position, "d5xd4").split()[1] == "I"
    assert cited(position, "d5xd4")["ta.skeleton.move"]["by"] == "North's Skeleton"
    assert refusal(position, "d5-d4") == "ta.notation.capture"
    assert refusal(SKELETONS, "e5-d4") == "ta.skeleton.move"


def test_from_the_far_row_it_walks_off_and_reappears_next_to_its_general(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert after(SKELETONS, "c1 return b5").startswith("8/8/8/8/8/ns*2s3/")
    assert refusal(SKELETONS, "c1 return c5") == "ta.skeleton.return.square"
    assert refusal(SKELETONS, "c1 return a5") == "ta.skeleton.return.square"
    assert refusal(SKELETONS, "e5 return b5") == "ta.skeleton.return.row"
    assert "ta.skeleton.return" in cited(SKELETONS, "c1 return a6")


def test_it_never_dies_over_the_edge(refusal: Refusal) -> None:
    assert refusal(SKELETONS, "c1 off") == "ta.skeleton.edge"


def test_a_paralysed_general_still_receives_it(after: After) -> None:
    held = "8/8/8/8/M7/n7/8/8/8/2sB4 - - north order -"
    assert after(held, "c1 return b5").startswith("8/8/8/8/M7/ns6/")


# --- Zombie --------------------------------------------------------------------------------------

ZOMBIE = "7n/8/8/8/8/3Ii3/2sZ4/8/8/7B - - south order -"
BITE = "7n/8/8/8/2Iw4/8/3Z4/8/8/7B SZMT - south order -"


def test_a_zombie_takes_up_to_two_orthogonal_steps_around_models(
    orders: Orders, refusal: Refusal, cited: Cited
) -> None:
    assert orders(ZOMBIE, "d4") == "-c3 -d2 -d3 -e3 -e4 -f4 xc4 xd5 xe5"
    assert refusal(ZOMBIE, "d4-b4") == "ta.zombie.nohop"
    assert refusal(ZOMBIE, "d4-c5") == "ta.zombie.nohop"
    assert refusal(ZOMBIE, "d4-e6") == "ta.zombie.move"
    assert refusal(ZOMBIE, "d4-d4") == "ta.zombie.move"
    assert "ta.zombie.nohop" in cited(ZOMBIE, "d4-f4")


def test_after_killing_it_may_raise_a_unit_of_the_victims_rank(
    after: After, refusal: Refusal, cited: Cited, orders: Orders
) -> None:
    asked = after(BITE, "d4xd6")
    assert asked.split()[4] == "raise:d6:lieutenant"
    assert cited(BITE, "d4xd6")["ta.zombie.raise"] == {"zombie": "d6", "rank": "lieutenant"}
    assert orders(asked, "raise") == "M c5 M c7 M d5 M d7 M e5 M e6 M e7"
    assert refusal(asked, "raise Z e7") == "ta.zombie.raise.unit"
    assert refusal(asked, "raise M c6") == "ta.zombie.raise.square"
    assert refusal(asked, "raise M d4") == "ta.zombie.raise.square"
    assert after(asked, "raise M e7").split()[1] == "SZT"
    assert after(asked, "skip").split()[1] == "SZMT"
    assert cited(asked, "raise M e7")["ta.zombie.raise.unit"]["rank"] == "lieutenant"
    assert "ta.zombie.raise.square" in cited(asked, "raise M e7")


def test_nothing_is_raised_without_a_unit_of_that_rank_or_a_free_square(after: After) -> None:
    assert after(BITE.replace("SZMT", "SZT"), "d4xd6").endswith(" north order -")
    crowded = "7n/8/8/SSS5/SwS5/SSS5/1Z6/8/8/7B M - south order -".replace("SSS5/1Z6", "S1S5/1Z6")
    full = crowded.replace("S1S5/1Z6", "SZS5/8")
    assert after(full, "b5xb6").split()[4] == "raise:b6:lieutenant"  # onto the square it left
    assert after("7n/8/8/8/8/8/8/8/ZS6/wSB5 M - south order -", "a2xa1").split()[4] == (
        "raise:a1:lieutenant"
    )


def test_with_raise_rank_class_sergeants_and_lieutenants_are_raised_for_each_other(
    after: After, orders: Orders, refusal: Refusal
) -> None:
    position = "7n/8/8/8/4k3/8/4Z3/8/8/7B SZMT - south order -"
    by_class = {"raise_rank": "class"}
    killed = after(position, "e4xe6", **by_class)
    assert killed.endswith(" SZMT k south raise:e6:sergeant -")
    assert {text[0] for text in orders(killed, "raise", **by_class).split()} >= {"Z", "M"}
    assert after(killed, "raise M e7", **by_class).startswith("7n/8/8/4M3/4Z3/")
    for unit in "STK":
        assert refusal(killed, f"raise {unit} e7", **by_class) == "ta.zombie.raise.unit"
    exact = after(position, "e4xe6")
    assert refusal(exact, "raise M e7") == "ta.zombie.raise.unit"
    assert "raises a Zombie or a Mummy on a free square" in GAME.caption(
        GAME.read_position(killed, Options(raise_rank="class")), "spectator"
    )
    assert "raises a Zombie on" in GAME.caption(GAME.read_position(exact, Options()), "spectator")


def test_captains_and_soldiers_are_classes_of_their_own(after: After) -> None:
    position = "7n/8/8/8/4i3/8/4Z3/8/8/7B ZMT - south order -"
    assert after(position, "e4xe6", raise_rank="class").endswith(" ZMT i north order -")


def test_nothing_is_raised_for_a_victim_of_the_own_side(after: After, cited: Cited) -> None:
    position = "7n/8/8/8/2IZ4/8/8/8/8/7B S - south order -"
    assert after(position, "d6xc6") == "7n/8/8/8/2Z5/8/8/8/8/7B IS - north order -"
    assert "ta.zombie.raise.own" in cited(position, "d6xc6")


def test_the_angel_answers_before_the_zombie_raises_and_may_take_its_last_square(
    after: After,
) -> None:
    bitten = "7n/8/8/8/8/4z3/4P3/8/8/7B - t north order -"
    asked = after(bitten, "e5xe4")
    assert asked.split()[4] == "revive:P+raise:e4:captain"
    assert after(asked, "revive d3").split()[4] == "raise:e4:captain"
    assert after(asked, "decline").split()[4] == "raise:e4:captain"
    cornered = "7n/8/8/8/8/8/8/8/z6B/PI6 - t north order -"
    cornered = cornered.replace("z6B", "zI5B").replace("PI6", "PI6")
    one_square = after(cornered, "a2xa1")
    assert one_square.split()[4] == "revive:P+raise:a1:captain"
    assert after(one_square, "revive a2").split()[4] == "order"


# --- Mummy ---------------------------------------------------------------------------------------

GAS = "7n/8/8/8/4K3/2I5/3m4/8/3B4/8 - - south order -"


def test_a_mummy_moves_one_orthogonal_step(refusal: Refusal, cited: Cited) -> None:
    north = GAS.replace("south", "north")
    assert refusal(north, "d4-c3") == "ta.mummy.move"
    assert "ta.mummy.move" in cited(north, "d4-c4")


def test_what_is_next_to_an_enemy_mummy_takes_no_order(refusal: Refusal, orders: Orders) -> None:
    assert refusal(GAS, "c5-c6") == "ta.mummy.gas"
    assert orders(GAS, "c5") == ""
    assert refusal(GAS.replace("m", "M"), "c5-b5") == "ta.warrior.move"  # no effect on its own side


def test_inside_an_order_gas_stops_nothing(after: After) -> None:
    assert after(GAS, "d2-d3*d4").split()[2] == "m"


def test_two_mummies_hold_each_other(refusal: Refusal) -> None:
    assert refusal("7n/8/8/8/8/8/3Mm3/8/8/7B - - south order -", "d4-d5") == "ta.mummy.gas"


def test_a_mummy_that_burns_at_the_end_of_its_turn_holds_nobody_in_the_next(after: After) -> None:
    position = "7n/8/8/8/8/2I5/3m*4/8/8/7B - - north order -"
    assert after(position, "pass", "c5-c6").endswith(" m north order -")


# --- Tomb Keeper ---------------------------------------------------------------------------------


def test_a_tomb_keeper_moves_one_square_and_kills_any_adjacent_model(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    position = "7n/8/8/8/8/2d5/3T4/8/8/7B - - south order -"
    assert after(position, "d4*c5").split()[2] == "d"
    assert after(position, "d4-d5*c5").startswith("7n/8/8/8/8/3T4/")
    assert refusal(position, "d4-d6") == "ta.tombkeeper.move"
    assert refusal(position, "d4*d6") == "ta.tombkeeper.kill"
    assert refusal(position, "d4-c5") == "ta.move.occupied"
    assert "ta.tombkeeper.move" in cited(position, "d4-d5")
    assert "ta.tombkeeper.kill" in cited(position, "d4*c5")
