"""SETTING UP and INTRODUCTION: the start, and who begins."""

from collections.abc import Callable

import pytest

from domain.games.earthen_war import GAME
from domain.games.earthen_war.state import Options

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]

GRIDS = ".,W1,./.,.,./.,.,. .,W1,./.,.,./.,.,."
START = f"ew1 6 w init c0,d7 {GRIDS} - *"


def test_each_golem_starts_in_its_trench_with_a_white_1_on_the_front_moon() -> None:
    assert GAME.write_position(GAME.start(Options())) == START
    rulings = {rule: ruling.figures for ruling in GAME.opening(Options()) for rule in ruling.rules}
    assert rulings == {
        "ew.setup.board": {"squares": "6 x 6", "white_trench": "c0", "black_trench": "d7"},
        "ew.setup.die": {"colour": "white", "dots": 1, "grid_square": "f"},
    }


@pytest.mark.parametrize(
    ("size", "trenches"), [(5, "c0,c6"), (6, "c0,d7"), (7, "d0,d8"), (8, "d0,e9")]
)
def test_trenches_lie_next_to_the_middle_so_that_half_a_turn_changes_nothing(
    size: int, trenches: str
) -> None:
    assert GAME.write_position(GAME.start(Options(board=size))).split(" ")[4] == trenches


@pytest.mark.parametrize(
    ("size", "shown"), [(5, "5 c0,c6"), (6, "6m d0,c7"), (7, "7 d0,d8"), (8, "8m e0,d9")]
)
def test_with_start_d0_c7_they_are_mirrored_which_changes_nothing_on_an_odd_board(
    size: int, shown: str
) -> None:
    options = Options(board=size, start="d0-c7")
    fields = GAME.write_position(GAME.start(options)).split(" ")
    assert f"{fields[1]} {fields[4]}" == shown
    assert GAME.write_position(GAME.read_position(" ".join(fields), options)) == " ".join(fields)


def test_mirrored_trenches_are_where_golems_may_not_go(refusal: Refusal, after: After) -> None:
    walk = f"ew1 6m w use d1,c5 .,.,./.,.,./.,W1,. {GRIDS.split(' ')[1]} - *"
    assert refusal(walk, "use b") == "ew.move.trench"
    assert refusal(walk.replace("d1", "c1"), "use b") == "ew.move.board"
    assert refusal(walk.replace("6m", "6"), "use b") == "ew.move.board"


def test_the_position_shows_the_options() -> None:
    options = Options(board=5, artillery=True, offboard_attacks=True)
    assert GAME.write_position(GAME.start(options)).startswith("ew1 5ao w init ")
    options = Options(6, True, True, "white-row", "d0-c7")
    assert GAME.write_position(GAME.start(options)).startswith("ew1 6aorm w init d0,c7 ")


def test_each_player_rolls_two_dice_white_first_and_the_higher_total_starts(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert refusal(START, "dice 1 2", by="black") == "ew.turn.order"
    rolled = after(START, "dice 1 2")
    assert rolled == f"ew1 6 b init:3 c0,d7 {GRIDS} - *"
    assert refusal(rolled, "dice 1 2", by="white") == "ew.turn.order"
    assert after(rolled, "dice 3 1") == f"ew1 6 b improve c0,d7 {GRIDS} - *"
    assert after(rolled, "dice 1 1") == f"ew1 6 w improve c0,d7 {GRIDS} - *"
    assert cited(rolled, "dice 1 1")["ew.setup.initiative"] == {
        "white_total": 3,
        "black_total": 2,
        "first": "white",
    }


def test_a_tie_is_rolled_again_white_first(after: After, cited: Cited) -> None:
    rolled = after(START, "dice 1 3")
    assert after(rolled, "dice 2 2") == START
    assert cited(rolled, "dice 2 2")["ew.setup.tie"] == {"white_total": 4, "black_total": 4}


def test_dice_show_1_to_3_and_two_are_rolled(refusal: Refusal) -> None:
    for text in ("dice 0 1", "dice 1 4", "dice 10 1", "dice 2"):
        assert refusal(START, text) == "ew.entry.range", text


def test_what_the_dice_show_is_a_matter_of_chance_with_equally_likely_entries() -> None:
    state = GAME.start(Options())
    (prompt,) = GAME.turn(state)
    assert (prompt.seat, prompt.expected_action, prompt.is_chance) == ("white", "initiative", True)
    listed = [GAME.write_action(action) for action in GAME.legal(state, "white")]
    assert listed == [f"dice {a} {b}" for a in (1, 2, 3) for b in (1, 2, 3)]
    assert not list(GAME.legal(state, "black"))


def test_the_first_turn_starts_with_improving(after: After) -> None:
    with_shells = START.replace(" 6 ", " 6a ")
    assert after(with_shells, "dice 1 1", "dice 3 3").startswith("ew1 6a b improve c0,d7 ")
