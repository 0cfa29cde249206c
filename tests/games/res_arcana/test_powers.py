"""Phase 2: powers, their costs and their effects."""

from collections.abc import Callable

At = Callable[..., str]
EAST = "0 | alchemy,seer"


def test_a_power_is_used_by_its_number_on_a_component_of_ones_own(
    at: At, refusal: Callable[..., str]
) -> None:
    before = at(north="1e | research,ring-of-midas,scholar | hawk", east=EAST)
    assert refusal(before, "north use alchemy 1 4e") == "ra.use.own"
    assert refusal(before, "north use hawk 1 deck") == "ra.use.own"
    assert refusal(before, "north use ring-of-midas 3") == "ra.use.power"
    assert refusal(before, "north use scholar 2 1e") == "ra.use.power"


def test_if_a_card_is_turned_its_powers_cannot_be_used(
    at: At, after: Callable[..., str], refusal: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="2l | research,ring-of-midas*,scholar", east=EAST)
    assert refusal(before, "north use ring-of-midas 1") == "ra.use.turned"
    # A straight one turns as cost, and one that need not turn can be used again and again.
    straight = at(north="2l | research,ring-of-midas,scholar", east="out " + EAST)
    new = after(straight, "north use ring-of-midas 1", "north use ring-of-midas 2")
    assert seat_of(new, "north") == "0 | research,ring-of-midas*:2g,scholar"


def test_the_guard_dog_straightens_itself_while_turned_and_wastes_elan_while_straight(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    turned = at(north="1e | guard-dog*,research,scholar", east=EAST)
    assert (
        seat_of(after(turned, "north use guard-dog 1"), "north") == "0 | guard-dog,research,scholar"
    )
    straight = at(north="1e | guard-dog,research,scholar", east=EAST)
    assert (
        seat_of(after(straight, "north use guard-dog 1"), "north")
        == "0 | guard-dog,research,scholar"
    )


def test_you_must_pay_all_of_the_cost_and_nothing_else(
    at: At,
    refusal: Callable[..., str],
    legal: Callable[..., list[str]],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="1e1g | research,scholar || vault", east=EAST)
    assert legal(before, "north", "use research") == ["use research 1 1e", "use research 1 1g"]
    assert refusal(before, "north use research 1 0") == "ra.use.cost"
    assert refusal(before, "north use research 1 1e1g") == "ra.use.cost"
    assert refusal(before, "north use research 1 1d") == "ra.pay.afford"
    assert refusal(before, "north use research 1") == "ra.notation"
    assert refusal(before, "north use research 1 vault") == "ra.notation"
    paid = cited(before, "north use research 1 1g")
    assert paid["ra.use.cost"] == {"component": "research", "power": 1, "paid": "1g"}
    fixed = at(north="1e | druid,flaming-pit,research", east=EAST)
    assert refusal(fixed, "north use flaming-pit 1") == "ra.pay.afford"


def test_essences_can_be_paid_from_the_component_only_if_they_are_there(
    at: At, after: Callable[..., str], refusal: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    few = at(north="3l | athanor:5e,research,scholar", east=EAST)
    assert refusal(few, "north use athanor 2 3l") == "ra.use.take"
    enough = at(north="3l | athanor:7e,research,scholar", east=EAST)
    new = after(enough, "north use athanor 2 2l")
    assert seat_of(new, "north") == "1l2g | athanor*:1e,research,scholar"
    assert refusal(enough, "north use athanor 2 1l1e") == "ra.notation"
    both = at(north="1e3l | athanor:7e,research,scholar", east=EAST)
    assert refusal(both, "north use athanor 2 1e2l") == "ra.use.cost"


def test_an_equal_sign_asks_for_identical_essences(
    at: At,
    legal: Callable[..., list[str]],
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
) -> None:
    stone = at(north="1e3l | philosophers-stone,research,scholar", east=EAST)
    # Two of any, and X of one type besides: X is the payment less two.
    assert legal(stone, "north", "use philosophers-stone") == [
        "use philosophers-stone 1 1e1l",
        "use philosophers-stone 1 1e2l",
        "use philosophers-stone 1 1e3l",
        "use philosophers-stone 1 2l",
        "use philosophers-stone 1 3l",
    ]
    assert seat_of(after(stone, "north use philosophers-stone 1 1e3l"), "north") == (
        "2g | philosophers-stone*,research,scholar"
    )
    prism = at(north="2e2l | prism,research,scholar", east=EAST)
    assert refusal(prism, "north use prism 2 1e1l") == "ra.use.cost"


def test_identical_essences_become_as_many_of_one_type(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="3g | prism,research,scholar", east=EAST)
    asked = after(before, "north use prism 2 3g")
    assert " same.north.3.elcd " in asked
    assert refusal(asked, "north gain 2e1c") == "ra.gain.same"
    assert refusal(asked, "north gain 2e") == "ra.gain.count"
    assert refusal(asked, "north gain 3g") == "ra.gain.type"
    assert cited(asked, "north gain 3c")["ra.gain.same"] == {"n": 3}
    assert " r3 north east act " in after(before, "north use prism 2 0")


def test_a_component_turned_as_cost_is_a_straight_one_of_the_type(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="0 | hawk*,research,sacred-grove,scholar,sea-serpent,vault", east=EAST)
    assert refusal(before, "north use sacred-grove 2 hawk") == "ra.use.turn-other"
    assert refusal(before, "north use sacred-grove 2 vault") == "ra.use.turn-other"
    assert refusal(before, "north use sacred-grove 2 mermaid") == "ra.use.turn-other"
    new = after(before, "north use sacred-grove 2 sea-serpent")
    assert seat_of(new, "north") == (
        "0 | hawk*,research,sacred-grove*:1l,scholar,sea-serpent*,vault"
    )
    rulings = cited(before, "north use sacred-grove 2 sea-serpent")
    assert rulings["ra.use.turn-other"] == {
        "component": "sacred-grove",
        "power": 2,
        "other": "sea-serpent",
    }
    assert rulings["ra.use.turned"] == {"component": "sacred-grove", "power": 2}


def test_when_destroying_a_card_any_essence_on_it_goes_back_to_the_supply(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="0 | corrupt-altar:1e,research,scholar,vault*:2g", east=EAST)
    new = after(before, "north use corrupt-altar 2 vault")
    assert " gain.north.4.elcd " in new
    assert seat_of(new, "north") == "0 | corrupt-altar*:1e,research,scholar ||| vault"
    assert cited(before, "north use corrupt-altar 2 vault")["ra.destroy"] == {
        "component": "corrupt-altar",
        "power": 2,
        "card": "vault",
        "value": 2,
        "lost": "2g",
    }
    itself = after(before, "north use corrupt-altar 2 corrupt-altar")
    assert " gain.north.7.elcd " in itself
    assert refusal(before, "north use corrupt-altar 2 research") == "ra.use.destroy"
    assert refusal(before, "north use corrupt-altar 2 hawk") == "ra.use.destroy"


def test_another_artifact_is_not_this_one(at: At, refusal: Callable[..., str]) -> None:
    before = at(north="0 | fiery-whip,research,scholar", east=EAST)
    assert refusal(before, "north use fiery-whip 2 fiery-whip") == "ra.use.destroy"
    assert refusal(before, "north use fiery-whip 2") == "ra.notation"


def test_discarding_is_from_hand(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="0 | research,sacrificial-dagger:2d,scholar,vault | hawk,prism", east=EAST)
    assert refusal(before, "north use sacrificial-dagger 2 vault") == "ra.use.discard"
    new = after(before, "north use sacrificial-dagger 2 hawk", "north gain 1e1d")
    assert seat_of(new, "north") == (
        "1e1d | research,scholar,vault | prism || hawk,sacrificial-dagger"
    )
    assert cited(before, "north use sacrificial-dagger 2 hawk")["ra.use.discard"] == {
        "component": "sacrificial-dagger",
        "power": 2,
        "card": "hawk",
        "value": 2,
    }
    # A card that costs nothing brings nothing, and nothing is asked.
    assert " r3 north east act " in after(before, "north use sacrificial-dagger 2 prism")


def test_a_mix_of_an_effect_totals_the_cost(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="2d | research,transmuter,vault", east=EAST)
    asked = after(before, "north use transmuter 1 2d")
    assert refusal(asked, "north gain 2e") == "ra.gain.count"
    assert refusal(asked, "north gain 1e1g") == "ra.gain.count"
    assert refusal(asked, "north gain 2e1g") == "ra.gain.type"
    assert refusal(asked, "north decline") == "ra.prompt"
    assert refusal(asked, "east gain 3e") == "ra.seat"
    assert cited(asked, "north gain 2e1c")["ra.gain.type"] == {"n": 3}


def test_one_straightens_what_is_turned_when_the_cost_is_paid_or_nothing(
    at: At,
    after: Callable[..., str],
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="1e | hawk*,reanimate,scholar,vault", east=EAST)
    assert legal(before, "north", "use reanimate") == [
        "use reanimate 1 1e -",
        "use reanimate 1 1e hawk",
        "use reanimate 1 1e reanimate",
    ]
    assert refusal(before, "north use reanimate 1 1e vault") == "ra.use.target"
    assert refusal(before, "north use reanimate 1 1e seer") == "ra.use.target"
    new = after(before, "north use reanimate 1 1e reanimate")
    assert seat_of(new, "north") == "0 | hawk*,reanimate,scholar,vault"
    assert cited(before, "north use reanimate 1 1e hawk")["ra.use.target"] == {"component": "hawk"}
    waived = cited(before, "north use reanimate 1 1e -")
    assert waived["ra.use.effect"] == {"straightened": "nothing"}
    druid = at(north="0 | druid,hawk*,research,vault*", east=EAST)
    assert legal(druid, "north", "use druid") == ["use druid 1 -", "use druid 1 hawk"]


def test_essences_placed_on_a_component_come_from_the_supply(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="2c | chalice-of-life:1l,research,scholar", east=EAST)
    new = after(before, "north use chalice-of-life 1")
    assert seat_of(new, "north") == "0 | chalice-of-life:2l2c,research,scholar"
    assert cited(before, "north use chalice-of-life 1")["ra.put"] == {
        "component": "chalice-of-life",
        "put": "1l2c",
    }


def test_what_was_paid_can_go_onto_any_component_of_ones_own(
    at: At, after: Callable[..., str], refusal: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="1e1g | mermaid,research,scholar,vault", east=EAST)
    assert refusal(before, "north use mermaid 1 1e vault") == "ra.use.cost"
    assert refusal(before, "north use mermaid 1 1g alchemy") == "ra.use.target"
    new = after(before, "north use mermaid 1 1g vault")
    assert seat_of(new, "north") == "1e | mermaid*,research,scholar,vault:1g"


def test_rivals_gain_passed_or_not(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(
        north="0 | hand-of-glory,research,scholar",
        east="out 0 | alchemy,seer",
        south="0 | divination,healer",
    )
    new = after(before, "north use hand-of-glory 1")
    assert seat_of(new, "north").startswith("2d ")
    assert seat_of(new, "east").startswith("out 1d ")
    assert seat_of(new, "south").startswith("1d ")
    assert cited(before, "north use hand-of-glory 1")["ra.rivals"] == {"seat": "south"}


def test_you_can_choose_an_opponent_who_has_passed(
    at: At, after: Callable[..., str], refusal: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="1d | research,scholar,treant", east="out 3d | alchemy,seer")
    assert seat_of(after(before, "north use treant 1 east"), "north").startswith("3e1d ")
    assert refusal(before, "north use treant 1 north") == "ra.use.target"
    assert refusal(before, "north use treant 1 south") == "ra.use.target"


def test_place_an_artifact_by_a_power_at_less(
    at: At,
    after: Callable[..., str],
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(
        north="4e1d | crypt,research,scholar ||| fire-dragon,hawk",
        east="0 | alchemy,seer ||| vault",
    )
    asked = after(before, "north use crypt 2")
    assert legal(asked, "north") == ["decline", "place fire-dragon 4e", "place hawk 0"]
    assert refusal(asked, "north place vault 0") == "ra.place.card"
    assert refusal(asked, "north place fire-dragon 3e") == "ra.place.pay"
    assert refusal(asked, "north place hawk 1e") == "ra.place.pay"
    new = after(asked, "north place fire-dragon 4e")
    assert seat_of(new, "north") == "0 | crypt*,fire-dragon,research,scholar ||| hawk"
    rulings = cited(asked, "north place fire-dragon 4e")
    assert rulings["ra.place.pay"] == {"cost": "6e", "discount": 2, "payment": "4e", "struck": 2}
    assert rulings["ra.place.card"] == {"component": "fire-dragon"}
    declined = after(asked, "north decline")
    assert seat_of(declined, "north") == "4e | crypt*,research,scholar ||| fire-dragon,hawk"


def test_a_discard_pile_with_nothing_to_place_is_not_asked_about_but_a_hand_is(
    at: At,
    after: Callable[..., str],
    cited: Callable[..., dict[str, object]],
    refusal: Callable[..., str],
) -> None:
    crypt = at(north="1d | crypt,research,scholar ||| sea-serpent", east=EAST)
    assert " r3 north east act " in after(crypt, "north use crypt 2")
    assert cited(crypt, "north use crypt 2")["ra.single"] == {"answer": "decline"}
    egg = at(north="0 | dragon-egg,research,scholar | hawk", east=EAST)
    asked = after(egg, "north use dragon-egg 1")
    assert " place.north.dragon-egg.1 " in asked
    assert refusal(asked, "north place hawk 0") == "ra.place.card"
    assert " r3 north east act " in after(asked, "north decline")


def test_a_free_dragon_and_one_out_of_any_discard_pile(
    at: At, after: Callable[..., str], refusal: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    teeth = at(north="3e | dragon-teeth,research,scholar | sea-serpent", east=EAST)
    asked = after(teeth, "north use dragon-teeth 2")
    assert refusal(asked, "north place sea-serpent 1e") == "ra.place.pay"
    assert seat_of(after(asked, "north place sea-serpent 0"), "north") == (
        "0 | dragon-teeth*,research,scholar,sea-serpent"
    )
    lair = at(
        north="6c4d | research,scholar,sorcerers-bestiary",
        east="0 | alchemy,seer ||| vault,water-dragon",
    )
    asked = after(lair, "north use sorcerers-bestiary 2 4d")
    new = after(asked, "north place water-dragon 6c")
    assert seat_of(new, "north") == "0 | research,scholar,sorcerers-bestiary*,water-dragon"
    assert seat_of(new, "east") == "0 | alchemy,seer ||| vault"
