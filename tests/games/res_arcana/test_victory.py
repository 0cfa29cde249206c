"""Phase 3: points, the check, the end."""

from collections.abc import Callable

At = Callable[..., str]
TOWER = "alchemists-tower:10g"


def ending(at: At, north: str, east: str, **more: str) -> str:
    """North is about to pass, and all others have."""
    return at("act", "north", north=north, east="out " + east, **more)


def test_ten_or_more_points_end_the_game_and_the_most_points_win(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = ending(at, f"0 | {TOWER},research,scholar", "0 | alchemy,dwarven-mines:11g,seer")
    over = after(before, "north pass reanimate")
    assert " r3 north - over.east.11,11.0,0 " not in over
    assert " over.north+east.11,11.0,0 " in over  # ten and the token against eleven
    assert cited(before, "north pass reanimate")["ra.check.ten"] == {"most": 11}
    assert refusal(before, "north pass reanimate", "north pass alchemy") == "ra.over"
    assert refusal(before, "north pass reanimate", "table next hawk") == "ra.over"


def test_nine_points_do_not(at: At, after: Callable[..., str]) -> None:
    before = ending(
        at, "0 | alchemists-tower:9g,research,scholar", "0 | alchemy,seer", first="east"
    )
    assert " r4 east - collect " in after(before, "north pass reanimate")


def test_several_tied_count_their_essences_with_gold_counted_double(
    at: At, after: Callable[..., str], cited: Callable[..., dict[str, object]]
) -> None:
    before = ending(
        at,
        f"3e | {TOWER},research,scholar",
        "2g | alchemy,catacombs-of-the-dead:10d,seer,vault:5g",
        rules="t0",
    )
    assert " over.east.10,10.3,4 " in after(before, "north pass reanimate")
    assert cited(before, "north pass reanimate")["ra.check.tie"] == {"north": 3, "east": 4}


def test_if_any_are_still_tied_they_share_the_victory(at: At, after: Callable[..., str]) -> None:
    before = ending(
        at,
        f"4e | {TOWER},research,scholar",
        "2g | alchemy,catacombs-of-the-dead:10d,seer",
        rules="t0",
    )
    assert " over.north+east.10,10.4,4 " in after(before, "north pass reanimate")


def test_points_are_those_of_the_table_turned_or_not(
    at: At, after: Callable[..., str], cited: Callable[..., dict[str, object]]
) -> None:
    # 2 for the grove and 1 for each life on it, 1 for the statue, 1 for the token; the hand and
    # the essences on the vault count nothing.
    before = ending(
        at,
        "0 | golden-statue*,research,sacred-grove*:3l1d,scholar,vault:9g | hawk",
        "0 | alchemy,seer",
    )
    assert cited(before, "north pass reanimate")["ra.check.points"] == {"north": 7, "east": 0}


def test_the_bestiary_counts_creatures_and_dragons_and_both_for_a_card_that_is_both(
    at: At, cited: Callable[..., dict[str, object]]
) -> None:
    before = ending(
        at,
        "0 | hawk,research,scholar,sea-serpent,sorcerers-bestiary,wind-dragon",
        "0 | alchemy,seer",
        rules="t0",
    )
    # Hawk 1, serpent 1 + 1 + 2, wind dragon 1 + 2.
    assert cited(before, "north pass reanimate")["ra.check.points"] == {"north": 8, "east": 0}


def test_the_token_counts_a_point_only_by_option(
    at: At, cited: Callable[..., dict[str, object]]
) -> None:
    without = ending(at, "0 | research,scholar", "0 | alchemy,seer", rules="t0")
    assert cited(without, "north pass reanimate")["ra.check.points"] == {"north": 0, "east": 0}


def test_the_statue_is_requested_clockwise_from_the_holder_of_the_token(
    at: At,
    after: Callable[..., str],
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(
        "act",
        "north",
        first="east",
        north=f"3g | {TOWER},research,scholar",
        east="out 3g | alchemy,golden-statue,seer",
        south="out 3g | divination,witch",
    )
    asked = after(before, "north pass reanimate")
    assert " check.end.0.0,0,0 " in asked
    assert legal(asked, "east") == ["react golden-statue", "skip"]
    assert refusal(asked, "north react golden-statue") == "ra.seat"
    assert refusal(asked, "east react seer") == "ra.react.trigger"
    assert " over.north.10,2,0.6,6,6 " in after(asked, "east skip")
    # 1 for the token, 1 for the statue, 3 more: not enough, and the gold is gone.
    assert " over.north.10,5,0.6,0,6 " in after(asked, "east react golden-statue")
    assert cited(asked, "east react golden-statue")["ra.react.turned"] == {
        "component": "golden-statue",
    }


def test_a_seat_that_cannot_pay_for_its_reaction_is_not_asked(
    at: At, after: Callable[..., str]
) -> None:
    before = ending(at, f"0 | {TOWER},research,scholar", "2g | alchemy,golden-statue,seer")
    assert " over.north.11,1.0,4 " in after(before, "north pass reanimate")


def test_a_check_at_once_counts_everybodys_points_and_ends_or_play_continues(
    at: At, after: Callable[..., str]
) -> None:
    before = at(
        north="0 | coral-castle,research,scholar",
        east=f"0 | {TOWER},alchemy,seer",
    )
    assert " over.east.4,10.0,0 " in after(before, "north use coral-castle 1")
    few = at(north="0 | coral-castle,research,scholar", east="0 | alchemy,seer")
    assert " r3 north east act " in after(few, "north use coral-castle 1")


def test_points_added_by_a_reaction_last_for_that_check_only(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="3g | coral-castle,golden-statue,research,scholar", east="0 | alchemy,seer")
    asked = after(before, "north use coral-castle 1")
    assert " check.now.0.0,0 " in asked
    new = after(asked, "north react golden-statue")
    assert " r3 north east act " in new
    assert seat_of(new, "north") == "0 | coral-castle*,golden-statue*,research,scholar"
