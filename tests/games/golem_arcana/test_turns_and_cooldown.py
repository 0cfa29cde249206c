"""THE PLAYER TURN; ACTIVATING ABILITIES; Cooldown with the rulebook's two examples."""

from collections.abc import Callable

import pytest

Set = Callable[..., "object"]


def test_the_rulebooks_first_cooldown_example(at) -> None:
    """Bramblehorn's Walk costs 1, gains a pip and doubles; in the next Upkeep it is cool again."""
    table = at("s1=bramblehorn@c5:45;n1=horned-blight@i9:60").do("move s1 walk c7")
    assert table.unit("s1") == "bramblehorn@c7:45%walk.1.1"
    assert table.figures("ga.cooldown.gain") == {
        "ability": "Walk", "pips_before": 0, "pips_gained": 1, "cost_now": 2,
    }  # fmt: skip
    table.do("end", "end")
    assert table.unit("s1") == "bramblehorn@c7:45"
    assert "ga.cooldown.clear" in {rule for r in table.rulings for rule in r.rules}


def test_the_rulebooks_second_cooldown_example(at) -> None:
    """Slippery Strike: 1 AP and 2 pips, 2 AP and 3 pips; next Turn 4 AP; the Turn after 8 of 6."""
    table = at("s1=dune-viper@a9:75;n1=marble-halberdier@a9:80")
    strike = ("attack s1 slippery-strike n1", "dice 80")
    table.do(*strike)
    assert table.unit("s1").endswith("%slippery-strike.2.1")
    table.do(*strike)
    assert table.unit("s1").endswith("%slippery-strike.3.2")
    table.do("end", "end")
    assert table.unit("s1").endswith("%slippery-strike.2.2")
    table.do(*strike)
    assert table.purse("south")[0] == 6 - 4
    assert table.unit("s1").endswith("%slippery-strike.3.3")
    table.do("end", "end")
    assert table.refused(strike[0]) == "ga.cooldown.double"
    table.do("end", "end", "end", "end")
    assert table.unit("s1") == "dune-viper@a9:75"
    table.do(strike[0])
    assert table.purse("south")[0] == 6 - 1


def test_in_the_reading_of_the_text_the_first_use_in_a_turn_always_brings_its_full_pips(at) -> None:
    golems = "s1=dune-viper@a9:75%slippery-strike.2.2;n1=marble-halberdier@a9:80"
    strike = ("attack s1 slippery-strike n1", "dice 80")
    assert at(golems).do(*strike).unit("s1").endswith("%slippery-strike.3.3")
    text = at(golems, options="cooldown=text").do(*strike)
    assert text.unit("s1").endswith("%slippery-strike.4.3u")


def test_in_the_reading_of_the_text_00_is_a_use_that_cools_nothing(at) -> None:
    """GA-R4: the next use in that Turn costs what is printed and gains 1 pip, not 2."""
    table = at("s1=sand-lion@a9:50;n1=marble-halberdier@a9:80", options="cooldown=text")
    table.do("attack s1 bite n1", "dice 00")
    assert table.unit("s1") == "sand-lion@a9:50%bite.0.0u"
    table.do("attack s1 bite n1")
    assert table.purse("south")[0] == 6 - 2 - 2
    assert table.do("dice 30").unit("s1") == "sand-lion@a9:50%bite.1.1u"


def test_00_leaves_old_pips_as_they_are_but_for_the_use(at) -> None:
    golems = "s1=sand-lion@a9:50%bite.1.1;n1=marble-halberdier@a9:80"
    text = at(golems, options="cooldown=text").do("attack s1 bite n1", "dice 00")
    assert text.unit("s1") == "sand-lion@a9:50%bite.1.1u"
    assert text.do("end", "end").unit("s1") == "sand-lion@a9:50"
    example = at(golems).do("attack s1 bite n1", "dice 00")
    assert example.unit("s1") == "sand-lion@a9:50%bite.1.1"


def test_in_the_reading_of_the_text_a_record_of_use_ends_with_the_next_upkeep(at) -> None:
    table = at("s1=sand-lion@a9:50;n1=marble-halberdier@a9:80", options="cooldown=text")
    table.do("attack s1 bite n1", "dice 00", "end", "end")
    assert table.unit("s1") == "sand-lion@a9:50"


def test_an_ability_cooled_in_the_turn_of_its_use_is_remembered_as_used(at) -> None:
    table = at(
        "s1=sand-lion*mirror-of-hours.1@a1:50%walk.1.1u;n1=horned-blight@i9:60",
        options="cooldown=text",
        seats="south:6:8:0:-;north:0:0:0:-",
    ).do("relic s1 turn-back")
    assert table.unit("s1") == "sand-lion*mirror-of-hours.0@a1:50%walk.0.0u"
    assert table.figures("ga.effect.cool") == {"pips": 1}
    table.do("end", "end")
    assert table.unit("s1") == "sand-lion*mirror-of-hours.0@a1:50"


def test_too_few_points_for_the_printed_cost_are_too_few_points(at) -> None:
    table = at("s1=sand-lion@a9:50;n1=horned-blight@a9:60", seats="south:1:0:0:-;north:0:0:0:-")
    assert table.refused("attack s1 bite n1") == "ga.ap.short"
    table.do("attack s1 hamstring n1")


def test_only_the_doubled_cost_is_too_much(at) -> None:
    table = at(
        "s1=sand-lion@a9:50%hamstring.2.1;n1=horned-blight@a9:60",
        seats="south:1:0:0:-;north:0:0:0:-",
    )
    assert table.refused("attack s1 hamstring n1") == "ga.cooldown.double"


def test_a_knights_power_brings_one_pip_and_one_without_ap_none(at) -> None:
    """GA-R5."""
    table = at("s1=sand-lion+marrash@a1:50;n1=horned-blight@i9:60").do("use s1 whip-the-reins")
    assert "%whip-the-reins.1.1!marrash.whip-the-reins:mp:2:1:south" in table.unit("s1")
    table = at("s1=sand-lion+korvane@a1:50;n1=horned-blight@i9:60").do("use s1 blood-price")
    assert table.unit("s1") == "sand-lion+korvane@a1:42!korvane.blood-price:damage:10:1:south"


def test_a_relic_does_not_cool(at) -> None:
    """GA-R6."""
    table = at("s1=sand-lion*stonebark-salve.2@a1:10;n1=horned-blight@i9:60").do(
        "relic s1 anoint s1", "relic s1 anoint s1"
    )
    assert table.purse("south")[0] == 6 - 1 - 1
    assert table.unit("s1") == "sand-lion*stonebark-salve.0@a1:50"
    assert table.refused("relic s1 anoint s1") == "ga.relic.spent"


def test_a_price_in_hit_points_may_not_destroy_the_golem(at) -> None:
    """GA-R7."""
    assert (
        at("s1=sand-lion+korvane@a1:9;n1=horned-blight@i9:60")
        .do("use s1 blood-price")
        .unit("s1")
        .startswith("sand-lion+korvane@a1:1!")
    )
    table = at("s1=sand-lion+korvane@a1:8;n1=horned-blight@i9:60")
    assert table.refused("use s1 blood-price") == "ga.hp.short"


def test_unspent_action_points_become_mana(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=horned-blight@i9:60").do("move s1 walk b1", "end")
    assert table.purse("south") == (0, 5, 0)
    assert table.figures("ga.ap.leftover") == {"unspent": 5}
    assert table.rulings[0].rules == ("ga.turn.end",)


@pytest.mark.parametrize(
    ("scenario", "pool"),
    [
        ("first-steps", 4),
        ("proving-ground", 6),
        ("siege-of-grey-gate", 8),
        ("war-for-the-wells", 10),
    ],
)
def test_the_size_of_the_battle_gives_the_pool(start, scenario: str, pool: int) -> None:
    """AP Pool Table (GA-R1)."""
    table = start(scenario=scenario)
    while table.state.turn is None:
        table.do(table.legal()[0])
    assert table.purse(table.asked)[0] == pool
    if table.rulings:
        assert table.figures("ga.ap.pool")["pool"] == pool


def test_the_seats_take_their_turns_in_the_scenarios_order(start) -> None:
    table = start(scenario="hold-the-ford")
    assert table.asked == "north"
    table = start(scenario="first-steps").do("end")
    assert table.field(5) == "north"
    assert "ga.turn.order" in {rule for r in table.rulings for rule in r.rules}
    table.do("end")
    assert (table.field(4), table.field(5)) == ("R2", "south")


def test_a_seat_without_golems_takes_no_turn_but_what_it_caused_runs_out(at) -> None:
    """GA-R37."""
    table = at(
        "s1=sand-lion@a1:50!bramblehorn.scouting-flare:uncovered:1:1:north;e1=bramblehorn@i1:45",
        scenario="three-banners",
        seats="south:4:0:0:-;north:0:0:3:-;east:0:0:0:-",
    ).do("end")
    assert table.field(5) == "east"
    assert table.unit("s1") == "sand-lion@a1:50"
    assert "ga.turn.skip" in {rule for r in table.rulings for rule in r.rules}


def test_a_turn_ends_only_when_its_seat_says_so(at) -> None:
    """GA-R3."""
    table = at("s1=sand-lion@a1:50;n1=horned-blight@i9:60", seats="south:0:0:0:-;north:0:0:0:-")
    assert table.legal() == ["end"]


def test_nobody_acts_in_anothers_turn(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=horned-blight@i9:60")
    assert table.refused("end", by="north") == "ga.turn.not-yours"
    assert table.refused("end", by="referee") == "ga.turn.not-yours"
    assert table.refused("move n1 walk i8") == "ga.golem.not-yours"
    assert table.refused("move s2 walk a2") == "ga.golem.unknown"


def test_an_open_question_comes_first_and_an_answer_needs_one(at) -> None:
    table = at("s1=sand-lion@a9:50;n1=horned-blight@a9:60")
    for answer in ("dice 16", "die 1", "displace a1", "step a1", "stay", "choose 1", "quest 1",
                   "hide 1", "deploy s1 a1", "hold s1"):  # fmt: skip
        assert table.refused(answer) == "ga.prompt.none"
    table.do("attack s1 bite n1")
    assert table.refused("end") == "ga.prompt.other"
    assert table.refused("dice 7") == "ga.entry.range"
    assert table.refused("dice 100") == "ga.entry.range"
    table.do("dice 07")


def test_actions_name_abilities_of_the_right_class(at) -> None:
    table = at("s1=sand-lion+marrash@a9:50;n1=horned-blight@a9:60")
    assert table.refused("move s1 bite a8") == "ga.ability.class"
    assert table.refused("attack s1 walk n1") == "ga.ability.class"
    assert table.refused("use s1 bite") == "ga.ability.class"
    assert table.refused("use s1 sing") == "ga.ability.unknown"
    assert table.refused("relic s1 focus") == "ga.ability.unknown"


def test_after_the_end_nothing_can_be_done(at) -> None:
    table = at("s1=sand-lion@a9:50;n1=horned-blight@a9:5").do("attack s1 bite n1", "dice 10")
    assert table.field(13) == "win:south"
    assert table.refused("end") == "ga.over"
