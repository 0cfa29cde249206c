"""Killing a unit, the graveyards, own models, immunity, moving off-field."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]


def test_the_dead_lie_in_their_owners_graveyard_after_any_kill(after: After, cited: Cited) -> None:
    position = "7n/8/8/8/8/3z*4/2ID4/8/8/7B W - south order -"
    assert after(position, "d4*d5") == "7n/8/8/8/8/8/2ID4/8/8/7B W z north order -"
    assert after(position, "d4*c4") == "7n/8/8/8/8/3z*4/3D4/8/8/7B IW - north order -"
    figures = cited(position, "d4*d5")["ta.kill.graveyard"]
    assert (figures["victim"], figures["means"], figures["immunity"]) == (
        "North's Zombie", "a strike", "none",
    )  # fmt: skip


def test_there_must_be_a_model_to_hit(refusal: Refusal, cited: Cited) -> None:
    position = "7n/8/8/8/8/3z4/2ID4/8/8/7B - - south order -"
    assert refusal(position, "d4*e4") == "ta.kill.target"
    assert refusal(position, "d4-e4*d4") == "ta.kill.target"  # he has just left it
    assert cited(position, "d4-e4*d5")["ta.order.sequence"] == {
        "first": "moves to e4",
        "then": "strikes d5",
    }


def test_a_soldier_cannot_kill_a_skeleton_or_a_tomb_keeper(refusal: Refusal, cited: Cited) -> None:
    position = "7n/8/8/8/8/3st3/2SID3/8/8/7B - - south order -"
    assert refusal(position, "d4*d5") == "ta.kill.immune"
    assert refusal(position, "d4*e5") == "ta.kill.immune"
    skeletons = "7n/8/8/8/8/3s4/3S4/8/8/7B - - south order -"
    assert refusal(skeletons, "d4xd5") == "ta.kill.immune"
    figures = cited(position, "e4*e5")["ta.kill.immune"]
    assert figures["immunity"] == "against soldiers only, and this attack is a chief's"


def test_with_friendly_fire_explicit_only_teleport_and_explosion_hit_own_models(
    refusal: Refusal, after: After
) -> None:
    position = "7n/8/8/2I5/1I6/IW6/2DI4/8/2SA4/2SZ3B - - south order -"
    explicit = {"friendly_fire": "explicit"}
    assert refusal(position, "c4*d4", **explicit) == "ta.kill.friendly"
    assert refusal(position, "d1xc1", **explicit) == "ta.kill.friendly"
    assert refusal(position, "c1xc2", **explicit) == "ta.kill.friendly"
    assert refusal(position, "d2 brew d1", **explicit) == "ta.kill.friendly"
    assert after(position, "b5xc4", **explicit).split()[1] == "D"
    bomb = "7n/8/8/8/8/8/8/8/1TS5/X6B - - south order -"
    assert after(bomb, "a1 explode b2", **explicit).split()[1] == "STX"


def test_by_the_cards_any_unit_may_kill_its_own_but_the_blue_knight(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    position = "7n/8/8/8/8/8/2DI4/8/2K5/7B - - south order -"
    assert after(position, "c4*d4").split()[1] == "I"
    assert cited(position, "c4*d4")["ta.kill.friendly"]["friendly_fire"] == "cards"
    assert refusal(position, "c2xd4") == "ta.knight.enemy"


def test_what_died_leaves_no_tokens_behind(after: After) -> None:
    position = "7n/8/8/8/8/8/2DI***4/8/8/N7 - - south order -".replace("N", "B")
    dead = after(position, "c4*d4")
    assert dead == "7n/8/8/8/8/8/2D5/8/8/B7 I - north order -"


def test_a_model_that_moves_off_the_board_is_killed(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    position = "3I3n/2I5/8/8/8/8/8/8/8/7B - - south order -"
    assert after(position, "d10 off").split()[1] == "I"
    assert refusal(position, "c9 off") == "ta.offboard.reach"
    rulings = cited(position, "d10 off")
    assert rulings["ta.offboard.killed"]["means"] == "walking off the board"
    assert "ta.offboard.reach" in rulings


def test_with_offboard_forbid_nobody_walks_off(refusal: Refusal) -> None:
    position = "3I3n/2I5/8/8/8/8/8/8/8/7B - - south order -"
    assert refusal(position, "d10 off", offboard="forbid") == "ta.offboard.forbidden"


def test_a_leap_that_ends_outside_leads_off_the_board(after: After, refusal: Refusal) -> None:
    leapers = "8/8/3n4/8/8/8/2W5/1K6/3W4/7B - - south order -"
    assert after(leapers, "b3 off").split()[1] == "K"
    assert after(leapers, "d2 off").split()[1] == "W"
    assert refusal(leapers, "c4 off") == "ta.offboard.reach"


def test_a_duelist_walks_off_along_a_free_line_only(after: After, refusal: Refusal) -> None:
    closed = "7n/8/8/8/8/2III3/2IDI3/2III3/8/7B - - south order -"
    assert refusal(closed, "d4 off") == "ta.offboard.reach"
    assert after(closed.replace("2IDI3", "2ID4"), "d4 off").split()[1] == "D"


def test_a_zombie_walks_off_in_two_steps_if_the_first_is_free(
    after: After, refusal: Refusal
) -> None:
    assert after("7n/8/8/8/8/8/1Z6/8/8/7N - - south order -", "b4 off").split()[1] == "Z"
    blocked = "7n/8/8/8/8/8/SZ6/8/8/7N - - south order -"
    assert refusal(blocked, "b4 off") == "ta.offboard.reach"
    assert refusal("7n/8/8/8/8/8/2Z5/8/8/7N - - south order -", "c4 off") == "ta.offboard.reach"


def test_the_general_who_walks_off_has_lost(after: After) -> None:
    position = "7n/8/8/8/8/8/8/8/8/7B - - south order -"
    assert after(position, "h1 off").endswith(" B - south end:north:general -")
