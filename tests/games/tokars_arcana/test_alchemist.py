"""The Alchemist: his slide and his firebrew."""

from collections.abc import Callable

from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]
Orders = Callable[..., str]

ROW = "7n/8/8/8/8/8/8/B7/8/WAK1sID1 - - south order -"
BREW = "7n/8/8/8/8/8/8/4t3/3I4/3A3B - - south order -"


def test_an_alchemist_changes_places_with_every_model_on_his_way(
    after: After, cited: Cited
) -> None:
    assert after(ROW, "b1-f1").split()[0].endswith("/WK1sIAD1")
    assert cited(ROW, "b1-f1")["ta.alchemist.swap"] == {"from": "b1", "to": "f1", "swapped": 3}
    assert after(ROW, "b1-a1").split()[0].endswith("/AWK1sID1")


def test_he_slides_one_to_five_squares_along_his_row(refusal: Refusal, cited: Cited) -> None:
    assert refusal(ROW, "b1-h1") == "ta.alchemist.slide"
    assert refusal(ROW, "b1-b1") == "ta.alchemist.slide"
    assert refusal(ROW, "b1-b2") == "ta.alchemist.slide"
    assert "ta.alchemist.slide" in cited(ROW, "b1-g1")


def test_he_never_leaves_his_row(refusal: Refusal) -> None:
    assert refusal(ROW, "b1 off") == "ta.alchemist.row"
    assert refusal(ROW, "b1 off", offboard="forbid") == "ta.alchemist.row"


def test_paralysed_models_and_generals_are_swapped_too(after: After) -> None:
    position = "7n/8/8/8/8/8/8/8/4m3/A1BK4 - - south order -"
    assert after(position, "a1-d1").split()[0].endswith("/1BKA4")


def test_a_dark_priest_that_is_swapped_is_marked(after: After, cited: Cited) -> None:
    position = "7n/8/8/8/8/8/8/8/8/A1x*3B1 - - south order -"
    assert after(position, "a1-c1").split()[0].endswith("/1x!*A3B1")
    assert cited(position, "a1-c1")["ta.darkpriest.mark"] == {"square": "b1", "mark": "set"}


def test_firebrew_flies_two_squares_any_way_over_one_model(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    assert "t***" in after(BREW, "d1 brew e3")
    assert cited(BREW, "d1 brew e3")["ta.alchemist.brew.tokens"]["tokens"] == 3
    assert refusal(BREW, "d1 brew d1") == "ta.alchemist.brew.range"
    assert refusal(BREW, "d1 brew d4") == "ta.alchemist.brew.range"
    assert refusal(BREW, "d1 brew d3") == "ta.kill.target"
    assert "ta.alchemist.brew.range" in cited(BREW, "d1 brew d2")


def test_a_second_firebrew_has_no_effect(refusal: Refusal) -> None:
    assert refusal(BREW.replace("4t3", "4t*3"), "d1 brew e3") == "ta.alchemist.brew.already"


def test_he_may_throw_and_slide_in_either_order(after: After, refusal: Refusal) -> None:
    position = "7n/8/8/8/8/8/8/B4i2/8/3Az3 - - south order -"
    assert after(position, "d1 brew e1 then f1").split()[0].endswith("/3z***1A2")
    assert after(position, "d1-f1 brew d1").split()[0].endswith("/3z***1A2")
    assert refusal(position, "d1-f1 brew e1") == "ta.kill.target"
    assert refusal(position, "d1 brew f3 then h2") == "ta.alchemist.slide"
    assert refusal(position, "d1-h2 brew f3") == "ta.alchemist.slide"


def test_whenever_the_owner_ends_a_turn_a_token_goes_and_with_the_last_the_model(
    after: After, cited: Cited
) -> None:
    burning = "7n/8/8/8/8/8/4t**3/8/8/7B - - north order -"
    assert "t*3" in after(burning, "pass")
    assert "t**" in after(burning.replace("north", "south"), "pass")  # not its owner's turn
    last = burning.replace("**", "*")
    assert after(last, "e4-e5") == "7n/8/8/8/8/8/8/8/8/7B - t south order -"
    figures = cited(last, "e4-e5")["ta.alchemist.brew.burn"]
    assert figures["means"] == "firebrew"
    assert figures["immunity"] == "against attacks of soldiers only, and this is no attack"


def test_what_burns_after_a_strike_was_not_struck(cited: Cited) -> None:
    position = "7n/8/8/8/8/8/4Is2/4D3/8/I*6B - - south order -"
    figures = cited(position, "e3*f4")["ta.alchemist.brew.burn"]
    assert (figures["victim"], figures["means"]) == ("South's Imperial Warrior", "firebrew")


def test_on_an_own_model_the_first_token_goes_at_once(after: After) -> None:
    assert "3I**4" in after(BREW, "d1 brew d2")


def test_burned_priests_are_requested_at_the_end_of_the_turn(after: After) -> None:
    burning = "7n/8/8/8/8/8/8/3P*4/8/3A3B - - south order -"
    asked = after(burning, "pass")
    assert asked == "7n/8/8/8/8/8/8/8/8/3A3B - - south endrevive:P -"
    assert after(asked, "revive d3") == "7n/8/8/8/8/8/8/3Q4/8/3A3B - - north order -"


def test_the_general_who_burns_has_lost(after: After) -> None:
    burning = "7n/8/8/8/8/8/8/8/8/3A3B* - - south order -"
    assert after(burning, "pass").endswith(" B - south end:north:general -")
