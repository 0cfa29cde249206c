"""Attacks: range, the roll, lucky and critical hits, damage, area attacks, special effects."""

import pytest

from domain.games.golem_arcana.display.questions import open_figures


def rolled(table, roll: str) -> str:
    """What the dice were worth."""
    return str(table.do(f"dice {roll}").figures("ga.hit.chance") and _result(table))


def _result(table) -> object:
    return next(r.figures["result"] for r in table.rulings if "result" in r.figures)


def test_melee_needs_the_same_region_and_ranged_another(at) -> None:
    table = at("s1=dune-viper@a9:75;n1=sand-lion@a9:50;n2=sand-lion@b9:50")
    assert table.refused("attack s1 slippery-strike n2") == "ga.melee.same-region"
    assert table.refused("attack s1 spiked-volley n1") == "ga.ranged.same-region"
    table.do("attack s1 spiked-volley n2")


def test_a_ranged_attack_reaches_as_far_as_its_range(at) -> None:
    table = at("s1=prism-archer@a9:40;n1=sand-lion@d9:50;n2=sand-lion@e9:50")
    assert table.refused("attack s1 shard-shot n2") == "ga.ranged.range"
    table.do("attack s1 shard-shot n1")


def test_targets_are_enemies_on_the_board(at) -> None:
    table = at("s1=sand-lion@a9:50;s2=sand-lion@a9:50;n1=sand-lion@off:50;n2=sand-lion@i9:50")
    assert table.refused("attack s1 bite n7") == "ga.target.unknown"
    assert table.refused("attack s1 bite s2") == "ga.target.friend"
    assert table.refused("attack s1 bite n1") == "ga.target.off-board"


def test_shooting_out_of_a_region_with_an_enemy_costs_20(at) -> None:
    """GA-R23: a friend beside the target costs nothing."""
    table = at("s1=prism-archer@a9:40;s2=sand-lion@b9:50;n1=sand-lion@a9:50;n2=sand-lion@b9:50")
    table.do("attack s1 shard-shot n2")
    assert open_figures(table.state)[0].engaged == -20
    assert table.figures("ga.hit.engaged") == {"penalty": 20, "region": "a9"}
    table = at("s1=prism-archer@a9:40;s2=sand-lion@b9:50;n1=sand-lion@b9:50")
    table.do("attack s1 shard-shot n1")
    assert open_figures(table.state)[0].engaged == 0


def test_shooting_from_a_pit_costs_30(at) -> None:
    table = at("s1=prism-archer@b4:40;n1=horned-blight@c4:60").do("attack s1 shard-shot n1")
    assert open_figures(table.state)[0].chance == 80 - 10 - 30
    assert table.figures("ga.hit.pit") == {"penalty": 30, "region": "b4"}


@pytest.mark.parametrize(
    ("roll", "rule", "result", "hit_points"),
    [
        ("00", "ga.hit.super", "super", 49),
        ("66", "ga.hit.critical", "critical", 49),
        ("67", "ga.hit.roll", "hit", 59),
        ("68", "ga.hit.roll", "miss", 80),
        ("77", "ga.hit.lucky", "lucky", 59),
        ("01", "ga.hit.roll", "hit", 59),
        ("99", "ga.hit.lucky", "lucky", 59),
    ],
)
def test_the_dice_against_a_chance_of_67(
    at, roll: str, rule: str, result: str, hit_points: int
) -> None:
    """LUCKY AND CRITICAL HITS: Bite does 31 - 10 = 21, critically 31."""
    table = at("s1=sand-lion@a9:50;n1=marble-halberdier@a9:80").do("attack s1 bite n1")
    assert rolled(table, roll) == result
    assert table.figures(rule) == {"target": "n1", "roll": roll, "chance": 67, "result": result}
    assert table.unit("n1") == f"marble-halberdier@a9:{hit_points}"
    cools = "" if roll == "00" else "%bite.2.1"
    assert table.unit("s1") == f"sand-lion@a9:50{cools}"


def test_doubles_equal_to_the_chance_are_critical(at) -> None:
    """GA-R53."""
    table = at("s1=horned-blight@a9:60;n1=bramblehorn@a9:45").do("attack s1 headbutt n1")
    assert open_figures(table.state)[0].chance == 55
    assert rolled(table, "55") == "critical"
    assert table.unit("n1") == "bramblehorn@a9:20"
    assert table.figures("ga.damage.critical") == {
        "times": "3/2", "of": "after armor", "inflicted": 25,
    }  # fmt: skip


def test_a_chance_below_nothing_still_hits_with_doubles(at) -> None:
    """GA-R51."""
    blind = "!x.y:accuracy:-200:1:north"
    table = at(f"s1=sand-lion@a9:50{blind};n1=marble-halberdier@a9:80").do("attack s1 bite n1")
    assert open_figures(table.state)[0].accuracy == 0, "accuracy is at least 0"
    assert open_figures(table.state)[0].chance == -8
    assert rolled(table, "01") == "miss"
    assert rolled(table.do("attack s1 bite n1"), "11") == "lucky"


def test_a_critical_hit_may_multiply_before_armor(at) -> None:
    """GA-R54."""
    golems = "s1=sand-lion@a9:50;n1=marble-halberdier@a9:80"
    gross = at(golems, options="critical=gross").do("attack s1 bite n1", "dice 66")
    assert gross.unit("n1") == f"marble-halberdier@a9:{80 - (46 - 10)}"


def test_massive_strike_does_three_times_the_damage_critically(at) -> None:
    table = at("s1=sand-widow@a9:55;n1=basalt-regent@b9:240")
    table.do("charge s1 massive-strike walk n1", "dice 33")
    assert table.unit("n1") == f"basalt-regent@c9:{240 - 20 * 3}"


def test_doubles_miss_a_fated_golem_in_the_open(at) -> None:
    table = at("s1=sand-lion@a9:50;n1=gilded-blight@a9:55").do("attack s1 bite n1")
    assert rolled(table, "22") == "fated"
    assert rolled(table.do("attack s1 bite n1"), "23") == "hit"
    assert table.figures("ga.hit.roll")["result"] == "hit"
    covered = at("s1=sand-lion@b6:50;n1=gilded-blight@b6:55").do("attack s1 bite n1")
    assert rolled(covered, "22") == "critical"


def test_00_against_a_fated_golem_misses_and_does_not_cool(at) -> None:
    """GA-R8."""
    table = at("s1=sand-lion@a9:50;n1=gilded-blight@a9:55").do("attack s1 bite n1", "dice 00")
    assert (table.unit("s1"), table.unit("n1")) == ("sand-lion@a9:50", "gilded-blight@a9:55")
    assert "ga.hit.fated" in {rule for r in table.rulings for rule in r.rules}


def test_armor_takes_damage_off_down_to_none_and_the_effect_still_applies(at) -> None:
    table = at("s1=sand-lion@a9:50;n1=horned-blight@a9:60").do("attack s1 hamstring n1", "dice 10")
    assert table.unit("n1") == "horned-blight@a9:60!sand-lion.hamstring:dodge:-15:2:south"
    assert table.figures("ga.attack.effects") == {"stat": "dodge", "amount": -15, "rounds": 2}
    assert table.figures("ga.effect.status") == {"stat": "dodge", "amount": -15, "rounds": 2}


def test_hamstring_takes_15_dodge_down_to_none_for_two_rounds(at) -> None:
    """The rulebook's special effect (GA-R33)."""
    table = at("s1=sand-lion@a9:50;n1=horned-blight@a9:60").do("attack s1 hamstring n1", "dice 85")
    table.do("attack s1 bite n1")
    assert open_figures(table.state)[0].dodge == 0
    table.do("dice 75", "end", "end")
    assert "dodge:-15:1:south" in table.unit("n1")
    table.do("end", "end")
    assert "dodge" not in table.unit("n1")


def test_the_same_effect_starts_again_and_others_add(at) -> None:
    """GA-R31."""
    worn = "!sand-lion.hamstring:dodge:-15:1:south"
    table = at(f"s1=sand-lion@a9:50;n1=thornbeast@a9:85{worn}").do(
        "attack s1 hamstring n1", "dice 10"
    )
    assert table.unit("n1").count("hamstring") == 1
    assert "dodge:-15:2:south" in table.unit("n1")


def test_a_disarmed_golem_does_no_melee_damage_and_shoots_as_ever(at) -> None:
    mark = "!gilded-blight.stunning-blow:disarmed:1:1:north"
    table = at(f"s1=dune-viper@a9:75{mark};n1=sand-lion@a9:50;n2=sand-lion@b9:50")
    table.do("attack s1 slippery-strike n1")
    assert open_figures(table.state)[0].damage == 0
    table.do("dice 01", "stay", "attack s1 spiked-volley n2")
    assert open_figures(table.state)[0].damage == 28 - 4


def test_burning_beacon_marks_enemies_for_ranged_attacks(at) -> None:
    table = at("s1=vigilant-sentinel@a9:45;s2=prism-archer@b9:40;n1=marble-halberdier@a9:80")
    table.do("attack s1 burning-beacon a9", "dice 50", "attack s2 shard-shot n1")
    assert open_figures(table.state)[0].damage == 18 - 10 + 15


# --- area attacks --------------------------------------------------------------------------------


def test_an_area_attack_strikes_friend_and_foe_with_one_roll_but_not_the_attacker(at) -> None:
    table = at("s1=cinder-aurochs@a9:120;s2=sand-lion@a9:50;n1=sand-lion@a9:50").do(
        "attack s1 trample a9", "dice 50"
    )
    assert table.unit("s1") == "cinder-aurochs@a9:120%trample.2.1"
    assert table.unit("s2") == table.unit("n1") == "sand-lion@a9:24"
    assert table.figures("ga.area.all") == {"targets": 2}


def test_an_area_attack_needs_an_enemy_golem_or_construct_in_the_region(at) -> None:
    """GA-R24."""
    table = at("s1=mossback-elder@a9:130;s2=sand-lion@b9:50;n1=sand-lion@i9:50")
    assert table.refused("attack s1 spore-cloud b9") == "ga.area.no-enemy"
    assert table.refused("attack s1 spore-cloud n1") == "ga.region.unknown"
    at(
        "s1=mossback-elder@a9:130;n1=plague-bringer*briar-totem.0@i9:85",
        constructs="n1k=briar-totem@b9:18",
    ).do("attack s1 spore-cloud b9")


def test_an_effect_for_enemies_spares_friends(at) -> None:
    table = at("s1=vigilant-sentinel@a9:45;s2=sand-lion@a9:50;n1=sand-lion@a9:50")
    table.do("attack s1 burning-beacon a9", "dice 05")
    assert ("taken-ranged" in table.unit("s2"), "taken-ranged" in table.unit("n1")) == (False, True)


def test_a_whole_attack_is_resolved_before_the_end_is_checked(at) -> None:
    """GA-R26: both armies fall, so the Victory Points decide."""
    table = at("s1=cinder-aurochs@a9:120;n1=sand-lion@a9:5").do("attack s1 trample a9", "dice 50")
    assert table.field(13) == "win:south"
    assert table.rulings[0].rules == ("ga.attack.order", "ga.area.all")


# --- destruction ---------------------------------------------------------------------------------


def test_a_destroyed_golem_is_gone_with_knight_and_relic_and_releases_a_fifth_as_mana(at) -> None:
    """GOLEM DESTRUCTION (GA-R34, GA-R35): 55 / 5 and 12 / 5, each rounded down."""
    table = at("s1=sand-lion@a9:50;n1=bramblehorn+korvane*ember-lens.3@a9:5;n2=sand-lion@i9:50")
    table.do("attack s1 hamstring n1", "dice 30")
    assert table.unit("n1") == ""
    assert table.purse("north")[1] == 11 + 2
    assert table.purse("south")[2] == 1
    assert table.figures("ga.mana.destroyed") == {
        "golem_apv": 55, "percent": 20, "mana": 13, "knight_apv": 12,
    }  # fmt: skip
    assert table.figures("ga.damage.destroy") == {"hit_points": 0}
    assert table.figures("ga.vp.kill") == {"unit": "n1", "points": 1}


def test_a_construct_survives_its_carrier_and_is_destroyed_for_points_not_mana(at) -> None:
    """GA-R32."""
    table = at(
        "s1=sand-lion@a9:50;n1=plague-bringer*briar-totem.0@a9:1;n2=sand-lion@i9:50",
        constructs="n1k=briar-totem@a9:18",
    ).do("attack s1 bite n1", "dice 30")
    assert table.field(8) == "n1k=briar-totem@a9:18"
    mana = table.purse("north")[1]
    table.do("attack s1 bite n1k", "dice 01")
    assert table.field(8) == "-"
    assert (table.purse("north")[1], table.purse("south")[2]) == (mana, 2 + 1)


def test_a_scenario_may_let_the_fallen_release_less(at) -> None:
    """Siege of the Grey Gate: a tenth."""
    table = at(
        "s1=sand-lion@a1:50;n1=bramblehorn@a1:5;n2=sand-lion@l9:50",
        scenario="siege-of-grey-gate",
        seats="south:8:0:0:-;north:0:0:2:-",
    ).do("attack s1 hamstring n1", "dice 30")
    assert table.purse("north")[1] == 5
