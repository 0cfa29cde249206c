"""Phase 2: life loss, and how it is ignored."""

from collections.abc import Callable

At = Callable[..., str]
DRAGON = "0 | fire-dragon,research,scholar"


def attacked(at: At, after: Callable[..., str], east: str, dragon: str = "fire-dragon") -> str:
    north = f"0 | {dragon},research,scholar"
    if dragon > "research":
        north = f"0 | research,scholar,{dragon}"
    return after(at(north=north, east=east), f"north use {dragon} 1")


def test_life_loss_is_inflicted_on_opponents_that_have_not_passed(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(
        north=DRAGON,
        east="out 5l | alchemy,seer",
        south="2l | divination,healer*",
        west="1l | protection*,witch",
    )
    new = after(before, "north use fire-dragon 1")
    assert " r3 north south act " in new
    assert seat_of(new, "east").startswith("out 5l ")
    assert seat_of(new, "south").startswith("0 ")
    assert seat_of(new, "west").startswith("0 ")
    rulings = cited(before, "north use fire-dragon 1")
    assert rulings["ra.loss.who"] == {"victim": "west", "attack": "fire-dragon"}
    assert rulings["ra.single"] == {"answer": "lose 1l"}


def test_victims_decide_clockwise_from_the_attacker_one_after_the_other(
    at: At, after: Callable[..., str], refusal: Callable[..., str]
) -> None:
    before = at(
        north="2l1c | alchemy,seer", turn="south", south=DRAGON, east="2l1c | divination,healer*"
    )
    asked = after(before, "south use fire-dragon 1")
    assert " loss.north.2.fire-dragon.1>loss.east.2.fire-dragon.1 " in asked
    assert refusal(asked, "east ignore") == "ra.seat"
    assert " loss.east.2.fire-dragon.1 " in after(asked, "north ignore")


def test_who_cannot_pay_the_life_loses_two_others_for_each(
    at: At,
    after: Callable[..., str],
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    asked = attacked(at, after, "2e1l1c1g | alchemy,seer")
    assert legal(asked, "east", "lose") == [
        "lose 1e1l1c",
        "lose 1e1l1g",
        "lose 1l1c1g",
        "lose 2e1l",
    ]
    assert refusal(asked, "east lose 2e1c1g") == "ra.loss.life"
    assert refusal(asked, "east lose 1e1l") == "ra.loss.other"
    assert refusal(asked, "east lose 2e1l1c") == "ra.loss.other"
    assert refusal(asked, "east lose 2d1l") == "ra.notation"
    assert refusal(asked, "east lose 1l2d") == "ra.pay.afford"
    assert seat_of(after(asked, "east lose 1l1c1g"), "east").startswith("2e ")
    assert cited(asked, "east lose 2e1l")["ra.loss.other"] == {"loss": 2, "life": 1, "others": 2}
    assert cited(asked, "east lose 2e1l")["ra.loss.life"] == {"loss": 2, "life": 1, "others": 2}


def test_who_has_too_little_loses_everything_in_the_pool_and_nothing_on_components(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    new = attacked(at, after, "1e1l | alchemy,seer,vault:3g")
    assert seat_of(new, "east") == "0 | alchemy,seer,vault:3g"
    nothing = attacked(at, after, "0 | alchemy,seer")
    assert seat_of(nothing, "east") == "0 | alchemy,seer"


def test_a_loss_is_ignored_at_the_price_of_the_attack(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    asked = attacked(at, after, "2l1c | alchemy,seer")
    assert seat_of(after(asked, "east ignore"), "east").startswith("2l ")
    assert cited(asked, "east ignore")["ra.loss.price"] == {
        "attack": "fire-dragon",
        "loss": 2,
        "price": "1c",
    }
    assert refusal(asked, "east ignore seer") == "ra.notation"
    poor = attacked(at, after, "3e3l | alchemy,guard-dog,seer")
    assert refusal(poor, "east ignore") == "ra.loss.price"
    bow = after(
        at(
            north="0 | elvish-bow,research,scholar",
            east="3l | alchemy,guard-dog,seer",
        ),
        "north use elvish-bow 1",
    )
    assert refusal(bow, "east ignore") == "ra.loss.price"


def test_the_wind_dragon_is_appeased_by_a_card_and_the_sea_serpent_by_an_artifact(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    wind = attacked(at, after, "2l | alchemy,seer | hawk,vault", "wind-dragon")
    assert refusal(wind, "east ignore") == "ra.notation"
    assert refusal(wind, "east ignore prism") == "ra.loss.price-card"
    assert refusal(wind, "east ignore seer") == "ra.loss.price-card"
    assert seat_of(after(wind, "east ignore hawk"), "east") == "2l | alchemy,seer | vault || hawk"
    sea = attacked(at, after, "2l | alchemy,colossus*,seer,vault:1g | hawk", "sea-serpent")
    assert refusal(sea, "east ignore colossus") == "ra.loss.price-card"
    assert refusal(sea, "east ignore hawk") == "ra.loss.price-card"
    new = after(sea, "east ignore vault")
    assert seat_of(new, "east") == "2l | alchemy,colossus*,seer | hawk || vault"
    assert "ra.loss.price-card" in cited(sea, "east ignore vault")


def test_a_reaction_ignores_the_whole_loss_and_is_used_out_of_turn(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    asked = attacked(
        at,
        after,
        "2l | hawk,healer,protection*",
    )
    assert refusal(asked, "east react temple") == "ra.react.own"
    assert refusal(asked, "east react hawk") == "ra.react.trigger"
    assert refusal(asked, "east react protection") == "ra.react.turned"
    new = after(asked, "east react healer")
    assert seat_of(new, "east") == "2l | hawk,healer*,protection*"
    assert cited(asked, "east react healer")["ra.react.ignore"] == {
        "component": "healer",
        "loss": 2,
    }


def test_a_turned_card_reacts_unless_turning_it_is_needed(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    asked = attacked(at, after, "1e2l | alchemy,dancing-sword*,elemental-spring*,seer")
    assert refusal(asked, "east react elemental-spring") == "ra.react.cost"
    new = after(asked, "east react dancing-sword")
    assert seat_of(new, "east") == "2l | alchemy,dancing-sword*:1d,elemental-spring*,seer"
    assert cited(asked, "east react dancing-sword")["ra.react.cost"] == {
        "component": "dancing-sword",
        "paid": "1e",
    }


def test_a_reaction_to_dragons_answers_dragons_only(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    east = "3l | alchemy,dragon-bridle,guard-dog,seer"
    dragon = attacked(at, after, east)
    assert "ra.react.turned" in cited(dragon, "east react dragon-bridle")
    bow = after(at(north="0 | elvish-bow,research,scholar", east=east), "north use elvish-bow 1")
    assert refusal(bow, "east react dragon-bridle") == "ra.react.trigger"
    assert refusal(bow, "east skip") == "ra.prompt"
