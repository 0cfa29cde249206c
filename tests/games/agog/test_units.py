"""UNITS: moving forward, jumping any way, and what is compulsory."""

from collections.abc import Callable

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, dict[str, int | str]]]
Turns = Callable[[str], str]

# White's golem on c3 is alone with the journeymen.
ALONE = "7j/8/8/8/8/2G5/8/J7 w 0 0 - *"
BLACK_ALONE = "7j/8/8/8/8/2g5/8/J7 b 0 0 - *"


def test_units_move_forward_along_a_file_or_a_rank(turns: Turns, refusal: Refusal) -> None:
    assert turns(ALONE) == "a1-a2 a1-b1 c3-c4 c3-d3"
    assert turns(BLACK_ALONE) == "c3-b3 c3-c2 h8-g8 h8-h7"
    assert refusal(ALONE, "c3-d4") == "agog.move.straight"
    assert refusal(ALONE, "c3-c3") == "agog.move.straight"
    assert refusal(ALONE, "c3-b3") == "agog.move.forward"
    assert refusal(ALONE, "c3-c2") == "agog.move.forward"
    assert refusal(BLACK_ALONE, "c3-d3") == "agog.move.forward"


def test_units_move_to_free_squares_only(refusal: Refusal) -> None:
    crowded = "7j/8/8/8/2Gg4/2GG4/8/J7 w 0 0 - *"
    assert refusal(crowded, "c3-c4") == "agog.move.clear"
    assert refusal(crowded, "c4-d4") == "agog.move.clear"


def test_units_jump_an_enemy_in_any_of_four_ways(turns: Turns, cited: Cited) -> None:
    ringed = "7j/8/8/2g5/1gGg4/2g5/8/J7 w 0 0 - *"
    assert turns(ringed) == "c4xa4 c4xc2 c4xc6 c4xe4"
    forward = {"from": "c4", "over": "d4", "to": "e4", "way": "forward"}
    assert cited(ringed, "c4xe4")["agog.capture.ways"] == forward
    backward = {"from": "c4", "over": "c3", "to": "c2", "way": "backward"}
    assert cited(ringed, "c4xc2")["agog.capture.ways"] == backward


def test_a_jump_goes_straight_over_one_enemy_to_a_free_square(refusal: Refusal) -> None:
    # Enemies on c5 (free behind), d4 and e4 (in a row), b4 (free behind), an own golem on c3.
    ringed = "7j/8/8/2g5/1gGgg3/2G5/8/J7 w 0 0 - *"
    assert refusal(ringed, "c4xe6") == "agog.capture.straight"
    assert refusal(ringed, "c4xc4") == "agog.capture.straight"
    assert refusal(ringed, "c4xe4") == "agog.capture.landing"
    assert refusal(ringed, "c4xc2") == "agog.capture.own"
    assert refusal(ringed, "c3xe3") == "agog.capture.nothing"
    flown = "7j/8/8/2g5/1gHgg3/2G5/8/J7 w 0 0 - *"
    assert refusal(flown, "c4xf4") == "agog.capture.single"


def test_units_cannot_jump_off_the_board(turns: Turns, refusal: Refusal) -> None:
    rim = "7j/8/8/6Gg/8/8/8/J7 w 0 0 - *"
    assert turns(rim) == "a1-a2 a1-b1 g5-g6"
    assert refusal(rim, "g5xi5") == "agog.action.syntax"


def test_a_player_who_can_capture_must(turns: Turns, refusal: Refusal, cited: Cited) -> None:
    facing = "7j/8/8/2g5/2G5/8/8/J7 w 0 0 - *"
    assert turns(facing) == "c4xc6"
    assert refusal(facing, "c4-d4") == "agog.capture.mandatory"
    assert refusal(facing, "a1-a2") == "agog.capture.mandatory"
    figures = {"jumps_made": 1, "longest_possible": 1}
    assert cited(facing, "c4xc6")["agog.capture.mandatory"] == figures
    assert "agog.capture.mandatory" not in cited(ALONE, "c3-c4")


def test_even_the_winning_step_gives_way_to_a_capture(turns: Turns, refusal: Refusal) -> None:
    nearly = "3j4/7J/8/8/8/1g6/1G6/8 w 0 0 - *"
    assert turns(nearly) == "b2xb4"
    assert refusal(nearly, "h7-h8") == "agog.capture.mandatory"


def test_a_sequence_continues_while_the_unit_can_jump(after: After, refusal: Refusal) -> None:
    chain = "7j/8/8/3g4/2g5/2G5/8/J7 w 0 0 - *"
    assert after(chain, "c3xc5xe5") == "7j/8/8/4G3/8/8/8/J7 b 0 2 - *"
    assert refusal(chain, "c3xc5") == "agog.capture.continue"


def test_the_sequence_that_captures_the_most_is_compulsory_even_against_the_journeyman(
    turns: Turns, refusal: Refusal, cited: Cited
) -> None:
    choice = "8/8/8/3g4/2g5/2G2j2/5G2/J7 w 0 0 - *"
    assert turns(choice) == "c3xc5xe5"
    assert refusal(choice, "f2xf4") == "agog.capture.maximal"
    figures = {"jumps_made": 2, "longest_possible": 2}
    assert cited(choice, "c3xc5xe5")["agog.capture.maximal"] == figures


def test_stacks_count_as_one_unit_each(turns: Turns) -> None:
    # A hulk holds two golems, but two golems in a row are more units.
    hulk_or_two = "7j/8/8/3g4/2g5/2G2h2/5G2/J7 w 0 0 - *"
    assert turns(hulk_or_two) == "c3xc5xe5"


def test_a_sequence_that_ends_too_soon_by_another_way_is_too_short(refusal: Refusal) -> None:
    # From c3 one golem is up, two are to the right.
    fork = "7j/8/8/8/2g5/2Gg1g2/8/J7 w 0 0 - *"
    assert refusal(fork, "c3xc5") == "agog.capture.maximal"
    assert refusal(fork, "c3xe3") == "agog.capture.continue"


def test_between_equally_long_sequences_the_player_chooses(turns: Turns, cited: Cited) -> None:
    either = "8/8/8/8/2g5/2G2j2/5G2/J7 w 0 0 - *"
    assert turns(either) == "c3xc5 f2xf4"
    assert cited(either, "c3xc5")["agog.capture.ties"] == {"longest_possible": 1}
    assert "agog.capture.ties" not in cited("7j/8/8/8/2g5/2G5/8/J7 w 0 0 - *", "c3xc5")
    # To capture or to corrupt is a choice as well.
    assert "agog.capture.ties" in cited("7j/8/8/8/2g5/2J5/8/8 w 1 0 - *", "c3xc5")


def test_captured_units_leave_as_the_sequence_completes(after: After, cited: Cited) -> None:
    facing = "7j/8/8/2g5/2G5/8/8/J7 w 0 3 - *"
    assert after(facing, "c4xc6") == "7j/8/2G5/8/8/8/8/J7 b 0 4 - *"
    rulings = cited(facing, "c4xc6")
    figures = rulings["agog.capture.remove"]
    assert (figures["unit"], figures["square"]) == ("golem", "c5")
    supply = rulings["agog.supply.captured"]
    assert (supply["black_supply_before"], supply["black_supply_after"]) == (3, 4)


def test_no_unit_is_jumped_twice_and_all_stand_in_the_way_until_the_end(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    # Round the square c3 c5 e5 e3, back to where it began.
    ring = "7j/8/8/3g4/2g1g3/2Gg4/8/J7 w 0 0 - *"
    assert after(ring, "c3xc5xe5xe3xc3") == "7j/8/8/8/8/2G5/8/J7 b 0 4 - *"
    assert refusal(ring, "c3xc5xe5xe3xc3xc5") == "agog.capture.once"
    assert refusal(ring, "c3xc5xc4") == "agog.capture.adjacent"
    stay = cited(ring, "c3xc5xe5xe3xc3")["agog.capture.stay"]
    assert stay == {"jumped": 4}


def test_a_jumped_unit_still_bars_the_line_of_a_hulk(turns: Turns, refusal: Refusal) -> None:
    # Back from c5, the golem jumped on c4 bars the way to the one on c2.
    line = "7j/8/8/8/2g5/2H5/2g5/J7 w 0 0 - *"
    assert turns(line) == "c3xc1 c3xc5 c3xc6 c3xc7 c3xc8"
    assert refusal(line, "c3xc5xc1") == "agog.capture.once"
    assert refusal(line, "c3xc5xc4") == "agog.capture.landing"


def test_the_square_that_the_capturing_unit_left_is_free(after: After, cited: Cited) -> None:
    ring = "7j/8/8/3g4/2g1g3/2Gg4/8/J7 w 0 0 - *"
    assert cited(ring, "c3xc5xe5xe3xc3")["agog.capture.start_free"] == {"square": "c3"}
    # A hulk comes back over the square it left.
    swing = "7j/8/8/3g4/2g1g3/1gH5/8/J7 w 0 0 - *"
    assert after(swing, "c3xc5xe5xe3xa3") == "7j/8/8/8/8/H7/8/J7 b 0 4 - *"
    assert cited(swing, "c3xc5xe5xe3xa3")["agog.capture.start_free"] == {"square": "c3"}
    short = "7j/8/8/8/2g5/2G5/8/J7 w 0 0 - *"
    assert "agog.capture.start_free" not in cited(short, "c3xc5")


def test_a_capture_may_end_on_the_own_sanctum(after: After, cited: Cited) -> None:
    back = "7j/8/8/8/8/J7/8/1gG5 w 0 0 - *"
    assert after(back, "c1xa1") == "7j/8/8/8/8/J7/8/G7 b 0 1 - *"
    assert cited(back, "c1xa1")["agog.sanctum.own"] == {"sanctum": "a1"}
    away = "7j/8/8/8/8/J7/8/2Gg4 w 0 0 - *"
    assert "agog.sanctum.own" not in cited(away, "c1xe1")
