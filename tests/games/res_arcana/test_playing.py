"""Phase 2: playing an artifact, claiming, discarding; whose turn it is."""

from collections.abc import Callable

At = Callable[..., str]
EAST = "0 | alchemy,seer"


def test_place_an_artifact_from_your_hand_paying_its_cost(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="2e1l2d | research,scholar | elvish-bow,hawk", east=EAST)
    new = after(before, "north play elvish-bow 2e1l")
    assert seat_of(new, "north") == "2d | elvish-bow,research,scholar | hawk"
    assert " r3 north east act " in new
    rulings = cited(before, "north play elvish-bow 2e1l")
    assert rulings["ra.play.cost"] == {"cost": "2e1l", "discount": 0, "payment": "2e1l"}
    assert rulings["ra.play.place"] == {"component": "elvish-bow"}
    assert rulings["ra.play.hand"] == {"component": "elvish-bow"}
    assert refusal(before, "north play crypt 2d") == "ra.play.hand"
    assert refusal(before, "north play no-such-card 2d") == "ra.play.hand"
    assert refusal(before, "north play hawk 1l1c") == "ra.pay.afford"
    assert refusal(before, "north play elvish-bow 2e") == "ra.play.cost"
    assert refusal(before, "north play elvish-bow 2e1d") == "ra.play.cost"
    assert refusal(before, "north play elvish-bow 2e1l1d") == "ra.play.cost"


def test_a_star_is_paid_with_any_type_gold_too(at: At, legal: Callable[..., list[str]]) -> None:
    before = at(north="1e1l1c2d2g | research,scholar | crypt", east=EAST)
    plays = legal(before, "north", "play")
    assert "play crypt 1e2d2g" in plays
    # Two death, and three of the five others: one elan, one life, one calm, two gold.
    assert len(plays) == 7


def test_discounts_strike_what_the_payer_likes_but_never_gold(
    at: At,
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    artificer = at(north="1e1l1c1d1g | artificer,research | chalice-of-life", east=EAST)
    assert legal(artificer, "north", "play") == [
        "play chalice-of-life 1c1g",
        "play chalice-of-life 1l1g",
    ]
    assert refusal(artificer, "north play chalice-of-life 1l1c") == "ra.play.cost"
    assert refusal(artificer, "north play chalice-of-life 1l1c1g") == "ra.play.cost"
    rulings = cited(artificer, "north play chalice-of-life 1l1g")
    assert rulings["ra.discount"] == {
        "cost": "1l1c1g",
        "discount": 1,
        "payment": "1l1g",
        "struck": 1,
    }
    gold = at(north="2g | artificer,research | horn-of-plenty", east=EAST)
    assert legal(gold, "north", "play") == ["play horn-of-plenty 2g"]


def test_discounts_of_turned_components_add_up_and_do_not_go_below_nothing(
    at: At, legal: Callable[..., list[str]]
) -> None:
    before = at(
        north="1c | artificer*,dragon-bridle*,dragons-lair*,research | wind-dragon", east=EAST
    )
    assert legal(before, "north", "play") == ["play wind-dragon 1c"]
    free = at(north="1c | artificer,dragon-bridle,dragons-lair,research | water-dragon", east=EAST)
    assert legal(free, "north", "play") == ["play water-dragon 0"]


def test_claim_a_place_of_power_paying_its_cost(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    places = "alchemists-tower,sacrificial-pit"
    before = at(north="7e4d3g | research,scholar", east=EAST, places=places)
    new = after(before, "north claim alchemists-tower")
    assert seat_of(new, "north") == "7e4d | alchemists-tower,research,scholar"
    assert " sacrificial-pit great-pyramid,library " in new
    assert cited(before, "north claim alchemists-tower")["ra.claim.cost"] == {"cost": "3g"}
    assert "ra.claim.open" in cited(before, "north claim alchemists-tower")
    assert refusal(before, "north claim sacrificial-pit") == "ra.claim.cost"
    assert refusal(before, "north claim sacred-grove") == "ra.claim.open"


def test_claim_a_monument_and_the_row_is_refilled(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="4g | research,scholar", east=EAST, row="library,obelisk")
    new = after(before, "north claim library")
    assert seat_of(new, "north") == "0 | library,research,scholar"
    assert " obelisk,oracle temple " in new
    assert cited(before, "north claim library")["ra.claim.refill"] == {"open": 2}
    # A monument that is still in the deck is as unknown as one that does not exist.
    assert refusal(before, "north claim oracle") == "ra.claim.open"
    assert refusal(before, "north claim no-such-card") == "ra.claim.open"
    poor = at(north="3g | research,scholar", east=EAST)
    assert refusal(poor, "north claim library") == "ra.claim.cost"


def test_you_may_claim_the_top_monument_on_the_deck_unseen(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="4g | research,scholar", east=EAST)
    new = after(before, "north claim top")
    assert seat_of(new, "north") == "0 | oracle,research,scholar"
    assert " great-pyramid,library temple " in new
    assert "ra.claim.deck" in cited(before, "north claim top")
    empty = at(north="4g | research,scholar", east=EAST, mdeck="-")
    assert refusal(empty, "north claim top") == "ra.claim.deck"
    poor = at(north="3g | research,scholar", east=EAST)
    assert refusal(poor, "north claim top") == "ra.claim.cost"


def test_an_empty_deck_refills_no_row(at: At, after: Callable[..., str]) -> None:
    before = at(north="4g | research,scholar", east=EAST, mdeck="-")
    assert " - great-pyramid - north/" in after(before, "north claim library")


def test_the_row_is_refilled_after_what_the_monument_brings(
    at: At, after: Callable[..., str]
) -> None:
    before = at(north="4g | research,scholar", east=EAST, row="library,obelisk")
    asked = after(before, "north claim obelisk")
    assert " gain.north.6.elcd>reveal " in asked
    assert " library oracle,temple " in asked
    assert " library,oracle temple " in after(asked, "north gain 6c")


def test_discard_an_artifact_for_1_gold_or_any_other_2_essences(
    at: At,
    after: Callable[..., str],
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="0 | research,scholar | hawk", east=EAST)
    assert len(legal(before, "north", "discard")) == 11
    new = after(before, "north discard hawk 1e1d")
    assert seat_of(new, "north") == "1e1d | research,scholar ||| hawk"
    rulings = cited(before, "north discard hawk 1g")
    assert rulings["ra.discard.gain"] == {"gained": "1g"}
    assert rulings["ra.discard.hand"] == {"card": "hawk"}
    assert refusal(before, "north discard hawk 2g") == "ra.discard.gain"
    assert refusal(before, "north discard hawk 1e1g") == "ra.discard.gain"
    assert refusal(before, "north discard hawk 1e") == "ra.discard.gain"
    assert refusal(before, "north discard vault 1g") == "ra.discard.hand"


def test_turns_go_clockwise_and_seats_that_have_passed_are_left_out(
    at: At, after: Callable[..., str], cited: Callable[..., dict[str, object]]
) -> None:
    before = at(
        north="0 | research,scholar | hawk",
        east="out 0 | alchemy,seer",
        south="0 | divination,healer",
        west="0 | calm-elan,witch",
    )
    assert " r3 north south act " in after(before, "north discard hawk 1g")
    assert cited(before, "north discard hawk 1g")["ra.turn.next"] == {"seat": "south"}


def test_when_all_others_have_passed_one_continues_alone(at: At, after: Callable[..., str]) -> None:
    before = at(north="0 | research,scholar | hawk", east="out 0 | alchemy,seer")
    assert " r3 north north act " in after(before, "north discard hawk 1g")


def test_only_the_seat_whose_turn_it_is_acts_and_only_as_asked(
    at: At, refusal: Callable[..., str]
) -> None:
    before = at(north="0 | research,scholar | hawk", east="0 | alchemy,seer | vault")
    assert refusal(before, "east discard vault 1g") == "ra.seat"
    assert refusal(before, "table discard hawk 1g") == "ra.seat"
    assert refusal(before, "north gain 1g") == "ra.prompt"
    assert refusal(before, "north react hawk") == "ra.prompt"
    assert refusal(before, "north discard hawk") == "ra.notation"
