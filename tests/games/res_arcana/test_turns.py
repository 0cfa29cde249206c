"""Phase 2: passing."""

from collections.abc import Callable

At = Callable[..., str]
NORTH = "1e | hawk:1c,research:1c,scholar || vault,crypt"


def test_the_first_to_pass_takes_the_token_swaps_the_item_and_draws_a_card(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(first="east", north=NORTH, east="0 | alchemy,seer")
    new = after(before, "north pass divination")
    assert " r3 north east act " in new
    assert seat_of(new, "north") == "out 1e | divination,hawk:1c,scholar | vault | crypt"
    assert "research" in new.split(" ")[6]
    rulings = cited(before, "north pass divination")
    assert rulings["ra.pass.token"] == {"seat": "north"}
    assert rulings["ra.pass.swap"] == {"gave": "research"}
    assert "ra.pass.draw" in rulings
    assert rulings["ra.draw"] == {"wanted": 1, "drawn": 1}
    assert rulings["ra.pass.out"] == {"seat": "north"}


def test_who_passes_later_does_not_take_the_token(
    at: At, after: Callable[..., str], cited: Callable[..., dict[str, object]]
) -> None:
    before = at(first="east", north=NORTH, east="out 0 | alchemy,seer", south="0 | calm-elan,witch")
    assert " r3 east south act " in after(before, "north pass divination")
    assert "ra.pass.token" not in cited(before, "north pass divination")


def test_the_item_must_be_another_from_the_supply(at: At, refusal: Callable[..., str]) -> None:
    before = at(north=NORTH, east="0 | alchemy,seer")
    assert refusal(before, "north pass research") == "ra.pass.swap"
    assert refusal(before, "north pass alchemy") == "ra.pass.swap"
    assert refusal(before, "north pass hawk") == "ra.pass.swap"


def test_who_has_passed_can_take_no_action(at: At, refusal: Callable[..., str]) -> None:
    before = at(north=NORTH, east="0 | alchemy,seer", south="0 | calm-elan,witch")
    assert refusal(before, "north pass divination", "north pass protection") == "ra.seat"


def test_when_all_have_passed_and_nobody_has_ten_points_the_next_round_starts(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(
        first="east",
        north="1e | research,scholar* || crypt",
        east="out 0 | alchemy,seer*",
    )
    new = after(before, "north pass divination")
    assert " r4 east east act " in new
    assert seat_of(new, "north") == "1e | divination,scholar | crypt"
    assert seat_of(new, "east") == "1c | alchemy,seer"
    rulings = cited(before, "north pass divination")
    assert rulings["ra.check.ten"] == {"north": 0, "east": 1}
    assert rulings["ra.round.next"] == {"round": 4}


def test_an_item_that_was_turned_comes_back_straight(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="0 | research*,scholar", east="0 | alchemy,seer")
    new = after(before, "north pass protection", "east pass research")
    assert seat_of(new, "east").endswith("| research,seer")
