"""HANDICAPPING: the stronger player has Black and leaves golems off."""

import pytest

from domain.games.agog import GAME
from domain.games.agog.setup import left_off
from domain.games.agog.state import Options

# What each handicap adds to or takes from others shows no pattern (f6 is off for 1, stands for 2),
# so the whole table is here.
FRONT = {
    0: "",
    1: "f6",
    2: "e6 f5",
    3: "e6 f5 f6",
    4: "d7 e6 f5 g4",
    5: "d7 e6 f5 f6 g4",
    6: "d7 e6 e7 f5 g4 g5",
    7: "d7 e6 e7 f5 f6 g4 g5",
    8: "d7 e6 e7 f5 f6 g4 g5 g7",
    9: "d7 e6 e7 f5 f6 f7 g4 g5 g6",
    10: "d7 e6 e7 f5 f6 f7 g4 g5 g6 g7",
    11: "d7 d8 e6 e7 f5 f6 f7 g4 g5 g6 h4",
    12: "d7 d8 e6 e7 f5 f6 f7 g4 g5 g6 g7 h4",
    13: "d7 d8 e6 e7 e8 f5 f6 f7 g4 g5 g6 h4 h5",
    14: "d7 d8 e6 e7 e8 f5 f6 f7 g4 g5 g6 g7 h4 h5",
    15: "c8 d7 d8 e6 e7 e8 f5 f6 f7 g4 g5 g6 h3 h4 h5",
    16: "c8 d7 d8 e6 e7 e8 f5 f6 f7 g4 g5 g6 g7 h3 h4 h5",
    17: "c8 d7 d8 e6 e7 e8 f5 f6 f7 f8 g4 g5 g6 h3 h4 h5 h6",
    18: "c8 d7 d8 e6 e7 e8 f5 f6 f7 f8 g4 g5 g6 g7 h3 h4 h5 h6",
    19: "c8 d7 d8 e6 e7 e8 f5 f6 f7 f8 g4 g5 g6 g8 h3 h4 h5 h6 h7",
    20: "c8 d7 d8 e6 e7 e8 f5 f6 f7 f8 g4 g5 g6 g7 g8 h3 h4 h5 h6 h7",
}
SPINE = FRONT | {
    4: "e6 e7 f5 g5",
    5: "e6 e7 f5 f6 g5",
    11: "d7 e6 e7 e8 f5 f6 f7 g4 g5 g6 h5",
    12: "d7 e6 e7 e8 f5 f6 f7 g4 g5 g6 g7 h5",
    15: "d7 d8 e6 e7 e8 f5 f6 f7 f8 g4 g5 g6 h4 h5 h6",
    16: "d7 d8 e6 e7 e8 f5 f6 f7 f8 g4 g5 g6 g7 h4 h5 h6",
}


@pytest.mark.parametrize("handicap", range(21))
def test_a_handicap_takes_off_the_golems_nearest_to_the_centre(handicap: int) -> None:
    assert " ".join(left_off(Options(handicap, "front"))) == FRONT[handicap]
    assert " ".join(left_off(Options(handicap, "spine"))) == SPINE[handicap]


@pytest.mark.parametrize("handicap", range(21))
def test_the_golems_that_remain_are_a_mirror_image_in_the_long_diagonal(handicap: int) -> None:
    for tie in ("front", "spine"):
        squares = set(left_off(Options(handicap, tie)))
        mirrored = {f"{'abcdefgh'[int(s[1]) - 1]}{'abcdefgh'.index(s[0]) + 1}" for s in squares}
        assert mirrored == squares


def test_with_a_handicap_white_still_starts_and_black_has_no_golem_to_corrupt_with() -> None:
    three = Options(handicap=3)
    position = "2gggggj/3ggggg/G5gg/GG4gg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *"
    assert GAME.write_position(GAME.start(three)) == position
    cited = {rule: ruling.figures for ruling in GAME.opening(three) for rule in ruling.rules}
    assert cited["agog.handicap.black"] == {"handicapped": "black"}
    assert cited["agog.handicap.squares"] == {"handicap": 3, "left_off": "e6 f5 f6"}
    assert cited["agog.handicap.supply"] == {"black_supply": 0}
    assert cited["agog.setup.units"] == {"white_golems": 20, "black_golems": 17}
    assert cited["agog.setup.first"] == {"first": "white"}


def test_golems_left_off_are_in_the_supply_if_the_option_says_so() -> None:
    armed = Options(handicap=2, handicap_supply=True)
    position = "2gggggj/3ggggg/G4ggg/GG4gg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 2 - *"
    assert GAME.write_position(GAME.start(armed)) == position
    cited = {rule: ruling.figures for ruling in GAME.opening(armed) for rule in ruling.rules}
    assert cited["agog.handicap.supply"] == {"black_supply": 2}


def test_with_a_handicap_of_twenty_black_has_the_journeyman_alone() -> None:
    position = "7j/8/G7/GG6/GGG5/GGGG4/GGGGG3/JGGGGG2 w 0 0 - *"
    assert GAME.write_position(GAME.start(Options(handicap=20))) == position
