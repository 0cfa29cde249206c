"""Phase 1: collect."""

from collections.abc import Callable

At = Callable[..., str]
EAST = "0 | alchemy,seer"


def round_3(at: At, north: str, east: str = "0 | alchemy,seer") -> str:
    """The last moment of round 2: north, the only one not out, is about to pass."""
    return at("act", "north", round="r2", north=north, east="out " + east)


def test_each_player_activates_collect_abilities(
    at: At, after: Callable[..., str], seat_of: Callable[..., str], cited: Callable[..., object]
) -> None:
    before = round_3(at, "0 | chalice-of-fire*,druid,research,vault*")
    new = after(before, "north pass reanimate")
    assert " r3 north north act " in new
    assert seat_of(new, "north") == "2e1l | chalice-of-fire,druid,reanimate,vault"
    assert seat_of(new, "east") == "1c | alchemy,seer"
    rulings = cited(before, "north pass reanimate")
    assert rulings["ra.collect.gain"] == {"component": "seer", "essences": "1c"}
    assert rulings["ra.round.next"] == {"round": 3}


def test_if_a_slash_is_shown_one_is_chosen(
    at: At, after: Callable[..., str], legal: Callable[..., list[str]], seat_of: Callable[..., str]
) -> None:
    asked = at("collect", "-", north="0 | healer,research ||||+healer", east=EAST)
    assert legal(asked, "north") == ["collect healer 1c", "collect healer 1l"]
    assert seat_of(after(asked, "north collect healer 1c"), "north") == "1c | healer,research"


def test_a_mix_has_the_number_and_the_types_that_are_shown(
    at: At, refusal: Callable[..., str], legal: Callable[..., list[str]]
) -> None:
    asked = at(
        "collect", "-", north="0 | celestial-horse,healer,research ||||+celestial-horse", east=EAST
    )
    assert len(legal(asked, "north")) == 6
    assert refusal(asked, "north collect celestial-horse 1e") == "ra.gain.count"
    assert refusal(asked, "north collect celestial-horse 1e1l1c") == "ra.gain.count"
    assert refusal(asked, "north collect celestial-horse 1e1d") == "ra.gain.type"
    assert refusal(asked, "north collect celestial-horse 2g") == "ra.gain.type"


def test_seats_do_not_wait_for_each_other_but_answer_their_own_questions_in_order(
    at: At, after: Callable[..., str], refusal: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    asked = at(
        "collect",
        "-",
        north="0 | athanor:1e,healer,research ||||+healer,?athanor",
        east="0 | alchemy,witch ||||+witch",
    )
    assert refusal(asked, "north take athanor") == "ra.collect.order"
    assert refusal(asked, "north take healer") == "ra.collect.order"
    assert refusal(asked, "north collect witch 1l") == "ra.collect.order"
    assert refusal(asked, "table take athanor") == "ra.seat"
    later = after(asked, "east collect witch 1d", "north collect healer 1l", "north take athanor")
    assert " r3 north north act " in later
    assert seat_of(later, "north") == "1e1l | athanor,healer,research"
    done = after(asked, "east collect witch 1d")
    assert refusal(done, "east collect witch 1d") == "ra.seat"


def test_if_you_take_any_essence_off_a_component_you_must_take_all_of_them(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    asked = at("collect", "-", north="1g | hawk:2e1c,research,scholar ||||?hawk", east=EAST)
    assert refusal(asked, "north take hawk 2e") == "ra.notation"
    taken = after(asked, "north take hawk")
    assert seat_of(taken, "north") == "2e1c1g | hawk,research,scholar"
    assert cited(asked, "north take hawk")["ra.collect.take"] == {
        "component": "hawk",
        "essences": "2e1c",
    }
    left = after(asked, "north leave hawk")
    assert seat_of(left, "north") == "1g | hawk:2e1c,research,scholar"


def test_gold_left_on_the_vault_brings_a_mix_and_nothing_else_does(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    gold = at("collect", "-", north="0 | research,scholar,vault:1c1g ||||?vault", east=EAST)
    assert refusal(gold, "north leave vault") == "ra.collect.leave"
    assert refusal(gold, "north leave vault 1e") == "ra.gain.count"
    assert refusal(gold, "north leave vault 1e1g") == "ra.gain.type"
    left = after(gold, "north leave vault 1e1d")
    assert seat_of(left, "north") == "1e1d | research,scholar,vault:1c1g"
    assert cited(gold, "north leave vault 2e")["ra.collect.stored"] == {
        "component": "vault",
        "left": "1c1g",
    }
    calm = at("collect", "-", north="0 | research,scholar,vault:2c ||||?vault", east=EAST)
    assert refusal(calm, "north leave vault 1e1d") == "ra.collect.leave"
    assert seat_of(after(calm, "north leave vault"), "north") == "0 | research,scholar,vault:2c"


def test_essences_left_on_the_windup_man_grow_by_two_of_each_type_on_it(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    asked = at(
        "collect", "-", north="0 | research,scholar,windup-man:1e3g ||||?windup-man", east=EAST
    )
    left = after(asked, "north leave windup-man")
    assert seat_of(left, "north") == "0 | research,scholar,windup-man:3e5g"


def test_after_collecting_the_collect_costs_are_paid_or_the_component_is_turned(
    at: At, after: Callable[..., str], seat_of: Callable[..., str], refusal: Callable[..., str]
) -> None:
    asked = at(
        "collect", "-", north="1d | cursed-forge,research,scholar ||||!cursed-forge", east=EAST
    )
    paid = after(asked, "north pay cursed-forge")
    assert seat_of(paid, "north") == "0 | cursed-forge,research,scholar"
    turned = after(asked, "north turn cursed-forge")
    assert seat_of(turned, "north") == "1d | cursed-forge*,research,scholar"
    assert refusal(asked, "north leave cursed-forge") == "ra.collect.order"


def test_a_cost_that_cannot_be_paid_is_not_requested(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    asked = at(
        "collect",
        "-",
        east=EAST,
        north="0 | athanor:1e,cursed-forge,research,scholar ||||?athanor,!cursed-forge",
    )
    turned = after(asked, "north take athanor")
    assert seat_of(turned, "north") == "1e | athanor,cursed-forge*,research,scholar"
    assert "ra.collect.cost" in cited(asked, "north take athanor")
    assert "ra.single" in cited(asked, "north take athanor")


def test_essences_just_taken_can_pay_the_cost(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    asked = at(
        "collect",
        "-",
        east=EAST,
        north="0 | crypt:1d,cursed-forge,research,scholar ||||?crypt,!cursed-forge",
    )
    paid = after(asked, "north take crypt", "north pay cursed-forge")
    assert seat_of(paid, "north") == "0 | crypt,cursed-forge,research,scholar"


def test_the_first_player_acts_first(at: At, after: Callable[..., str]) -> None:
    asked = at("collect", "-", first="east", north="0 | healer,research ||||+healer", east=EAST)
    assert " r3 east east act " in after(asked, "north collect healer 1c")
