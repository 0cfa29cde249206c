"""CHARGING, displacement, the free step."""


def test_a_charge_costs_both_abilities_and_both_cool(at) -> None:
    table = at("s1=sand-lion@b7:50;n1=horned-blight@d7:60").do("charge s1 bite walk n1")
    assert table.purse("south")[0] == 6 - 2 - 1
    assert table.field(12) == "croll/s1/bite/n1,advance/s1/walk/c6-d7"
    assert table.figures("ga.charge.cost") == {"attack": 2, "movement": 1}
    table.do("dice 90")
    assert table.unit("s1") == "sand-lion@d7:50%bite.2.1%walk.1.1", "a miss still advances"


def test_a_hit_displaces_a_target_that_is_not_larger_and_the_attacker_moves_in(at) -> None:
    """GA-R27: one step away from where the attacker started, the attacker chooses."""
    table = at("s1=sand-lion@b7:50;n1=horned-blight@d7:60").do("charge s1 bite walk n1", "dice 30")
    assert table.field(12) == "displace/n1/away/1/b7/south,advance/s1/walk/c6-d7"
    assert table.legal() == ["displace d6", "displace d8", "displace e7"]
    assert table.refused("displace c7") == "ga.displace.place"
    assert table.refused("displace z9") == "ga.region.unknown"
    assert table.refused("die 1") == "ga.prompt.other"
    table.do("displace e7")
    assert (table.unit("s1")[:12], table.unit("n1")) == ("sand-lion@d7", "horned-blight@e7:43")
    assert table.figures("ga.displace.kind")["kind"] == "away"


def test_a_larger_target_is_displaced_only_critically(at) -> None:
    plain = at("s1=sand-lion@a9:50;n1=cinder-aurochs@b9:120")
    assert "@b9" in plain.do("charge s1 bite walk n1", "dice 30").unit("n1")
    critical = at("s1=sand-lion@a9:50;n1=cinder-aurochs@b9:120")
    critical.do("charge s1 bite walk n1", "dice 33")
    assert "@c9" in critical.unit("n1"), "the only Region away from a9 with room"
    assert critical.figures("ga.charge.displace") == {
        "attacker": 1, "target": 2, "hit": "critical",
    }  # fmt: skip


def test_an_attack_that_displaces_by_itself_does_so_instead(at) -> None:
    """GA-R27; Headlong adds 8 when charging: 42 + 8 - 14 = 36."""
    table = at("s1=cinder-aurochs@b7:120;n1=horned-blight@d7:60")
    table.do("charge s1 horn-toss walk n1", "dice 30")
    assert table.field(12).count("displace") == 1
    assert "@d7:24" in table.unit("n1")


def test_a_charge_into_a_full_region_stops_short(at) -> None:
    """GA-R29."""
    table = at("s1=sand-lion@b7:50;n1=cinder-aurochs@d7:120;n2=cinder-aurochs@d7:120")
    table.do("charge s1 bite walk n1", "dice 90")
    assert "@c6" in table.unit("s1")
    assert table.figures("ga.charge.advance") == {"path": "c6", "wanted": "d7"}
    near = at("s1=sand-lion@c7:50;n1=cinder-aurochs@d7:120;n2=cinder-aurochs@d7:120")
    near.do("charge s1 bite walk n1", "dice 90")
    assert "@c7" in near.unit("s1"), "it stays where it is"
    assert near.figures("ga.charge.advance") == {"stays": "c7"}


def test_the_blow_comes_before_the_way(at) -> None:
    """GA-R28: an attacker may die on the way having struck."""
    table = at(
        "s1=horned-blight@e4:5;s2=bramblehorn@a1:45;n1=bramblehorn@g4:45;n2=mossback-elder@f5:130;"
        "n3=mossback-elder@f3:130"
    ).do("charge s1 headbutt walk n1", "dice 50", "displace h4")
    assert (table.unit("s1"), table.unit("n1")) == ("", "bramblehorn@h4:28")


def test_a_super_critical_charge_cools_the_movement_only(at) -> None:
    """GA-R8."""
    table = at("s1=sand-lion@b7:50;n1=horned-blight@d7:60").do("charge s1 bite walk n1", "dice 00")
    assert table.unit("s1") == "sand-lion@b7:50%walk.1.1"
    assert "ga.hit.super" in {rule for r in table.rulings for rule in r.rules}


def test_a_missed_charge_by_air_still_lands(at) -> None:
    table = at("s1=thornbeast@a7:85;n1=cinder-aurochs@d7:120")
    table.do("charge s1 barbed-thorns fly n1", "dice 90")
    assert table.unit("n1") == "cinder-aurochs@d7:110"


def test_what_cannot_charge(at) -> None:
    table = at("s1=dune-viper@a9:75;s2=cinder-aurochs@a7:120;n1=sand-lion@b9:50;n2=sand-lion@i1:50;"
               "n3=sand-lion@a9:50")  # fmt: skip
    assert table.refused("charge s1 spiked-volley walk n1") == "ga.charge.melee-only"
    assert table.refused("charge s2 trample walk n1") == "ga.charge.area"
    assert table.refused("charge s1 slippery-strike walk n3") == "ga.charge.same-region"
    assert table.refused("charge s1 slippery-strike walk n2") == "ga.charge.reach"
    assert table.refused("charge s1 slippery-strike spiked-volley n1") == "ga.ability.class"
    assert table.refused("charge s1 slippery-strike walk s2") == "ga.target.friend"
    table.do("charge s1 slippery-strike walk n1")
    assert table.purse("south")[0] == 6 - 1 - 1 - 1, "Breakaway is part of the cost (GA-R9)"


def test_a_construct_can_be_charged_and_is_never_displaced(at) -> None:
    table = at(
        "s1=sand-lion@b7:50;n1=plague-bringer*warding-obelisk.0@i1:85",
        constructs="n1k=warding-obelisk@d7:30",
    ).do("charge s1 bite walk n1k", "dice 01")
    assert (table.field(8), table.field(12)) == ("n1k=warding-obelisk@d7:4", "-")
    assert "@d7" in table.unit("s1")


# --- displacement --------------------------------------------------------------------------------


def test_a_random_displacement_asks_the_die_among_the_regions_in_order(at) -> None:
    table = at("s1=ossuary-hulk@e7:125;n1=horned-blight@e7:60")
    table.do("attack s1 bone-flail n1", "dice 30")
    assert table.legal() == ["die 1", "die 2", "die 3", "die 4"]
    assert table.refused("displace d7") == "ga.prompt.other"
    assert table.refused("die 5") == "ga.entry.range"
    assert "@e6" in table.do("die 2").unit("n1")


def test_the_defender_chooses_where_wing_buffet_sends_it(at) -> None:
    table = at("s1=winged-preserver@a1:110;n1=sand-lion@a1:50")
    table.do("attack s1 wing-buffet n1", "dice 30")
    assert table.asked == "north"
    assert table.refused("displace b1", by="south") == "ga.turn.not-yours"
    assert "@b1" in table.do("displace b1").unit("n1")


def test_with_one_region_it_goes_there_and_with_none_it_stays(at) -> None:
    """Hooking Chain draws toward the attacker."""
    one = at("s1=marble-halberdier@a1:80;n1=sand-lion@a3:50")
    assert "@a2" in one.do("attack s1 hooking-chain n1", "dice 30").unit("n1")
    none = at("s1=marble-halberdier@a1:80;s2=duneheart-engine@b1:220;n1=sand-lion@a2:50;"
              "n2=duneheart-engine@a3:220")  # fmt: skip
    none.do("attack s1 hooking-chain n1", "dice 30")
    assert "@a1" in none.unit("n1"), "the attacker's own Region is nearer"
    full = at("s1=ossuary-hulk@a1:125;s2=ossuary-hulk@a1:125;s3=marble-halberdier@a3:80;"
              "n1=sand-lion@a2:50;n2=duneheart-engine@b3:220")  # fmt: skip
    full.do("attack s3 hooking-chain n1", "dice 30")
    assert "@a3" in full.unit("n1")


def test_a_displaced_golem_with_nowhere_to_go_stays(at) -> None:
    walls = "n2=duneheart-engine@a2:220;n3=duneheart-engine@b1:220"
    table = at(f"s1=ossuary-hulk@a1:125;n1=sand-lion@a1:50;{walls}")
    table.do("attack s1 bone-flail n1", "dice 30")
    assert ("@a1" in table.unit("n1"), table.field(12)) == (True, "-")


def test_scarring_whip_pulls_two_steps_but_no_colossus(at) -> None:
    table = at("s1=charred-demon@a1:45;n1=sand-lion@b1:50").do(
        "attack s1 scarring-whip n1", "dice 30"
    )
    assert {"displace a1", "displace d1", "displace b3"} <= set(table.legal())
    colossus = at("s1=charred-demon@a1:45;n1=basalt-regent@b1:240")
    colossus.do("attack s1 scarring-whip n1", "dice 30")
    assert colossus.field(12) == "-"
    assert colossus.figures("ga.displace.kind") == {"golem": "n1", "size": "colossus"}


def test_displacement_into_a_pit_hurts_and_the_distance_is_not_walked(at) -> None:
    table = at("s1=charred-demon@b6:45;n1=sand-lion@b5:50").do(
        "attack s1 scarring-whip n1", "dice 30"
    )
    pit, beyond = table.state, table
    assert "@b4:19" in beyond.do("displace b4").unit("n1")
    beyond.state = pit
    assert "@b3:29" in beyond.do("displace b3").unit("n1")


# --- the free step -------------------------------------------------------------------------------


def test_a_free_step_costs_nothing_whatever_pins_the_golem(at) -> None:
    """GA-R30."""
    pinned = "!wildwood-dryad.grasping-vines:pinned:1:1:north"
    table = at(f"s1=dune-viper@a1:75{pinned};n1=sand-lion@a1:50")
    table.do("attack s1 slippery-strike n1", "dice 30")
    assert table.legal() == ["stay", "step a2", "step b1"]
    assert table.refused("step b2") == "ga.step.place"
    assert table.refused("step k1") == "ga.region.unknown"
    points = table.purse("south")[0]
    table.do("step a2")
    assert ("@a2" in table.unit("s1"), table.purse("south")[0]) == (True, points)


def test_a_golem_may_stay_and_a_miss_gives_no_step(at) -> None:
    table = at("s1=dune-viper@a1:75;n1=sand-lion@a1:50").do(
        "attack s1 slippery-strike n1", "dice 30"
    )
    assert "@a1" in table.do("stay").unit("s1")
    assert table.figures("ga.step.place") == {"stays": "a1"}
    table.do("attack s1 slippery-strike n1", "dice 98")
    assert table.field(12) == "-"


def test_after_a_charge_the_step_comes_last(at) -> None:
    table = at("s1=dune-viper@b7:75;n1=horned-blight@d7:60")
    table.do("charge s1 slippery-strike walk n1", "dice 30")
    assert table.field(12) == "displace/n1/away/1/b7/south,advance/s1/walk/c6-d7,step/s1"
    table.do("displace e7")
    assert (table.field(12), "@d7" in table.unit("s1")) == ("step/s1", True)


def test_a_free_step_with_nowhere_to_go_is_asked_of_nobody(at) -> None:
    crowd = ";".join(f"n{n}=cinder-aurochs@{where}:120" for n, where in
                     enumerate(("a2", "a2", "b1", "b1"), 2))  # fmt: skip
    table = at(f"s1=dune-viper@a1:75;n1=sand-lion@a1:50;{crowd}")
    table.do("attack s1 slippery-strike n1", "dice 30")
    assert (table.asked, table.field(12)) == ("south", "-")
    assert table.figures("ga.step.place") == {"possible": "nowhere"}


# --- a Charge with an area attack ----------------------------------------------------------------

TRAMPLE = "s1=cinder-aurochs@b7:120;n1=horned-blight@d7:60;n2=bramblehorn@d7:45"
YES = {"options": "charge-area=yes"}


def test_by_option_an_area_attack_charges_a_region(at) -> None:
    """GA-R25, the worked example: 38 - 14 = 24 and 38 - 3 = 35; both are displaced in id order."""
    table = at(TRAMPLE, **YES)
    assert table.legal("charge s1 trample") == ["charge s1 trample walk d7"]
    table.do("charge s1 trample walk d7")
    assert table.figures("ga.charge.area") == {"region": "d7"}
    assert table.purse("south")[0] == 6 - 3 - 2
    table.do("dice 50")
    assert [table.unit(unit) for unit in ("n1", "n2")] == [
        "horned-blight@d7:36", "bramblehorn@d7:10",
    ]  # fmt: skip
    table.do("displace e7", "displace d6")
    assert "@d7" in table.unit("s1")


def test_friends_in_the_region_are_hit_and_displaced_like_foes(at) -> None:
    table = at(TRAMPLE.replace(";n1", ";s2=sand-lion@d7:50;n1"), **YES)
    table.do("charge s1 trample walk d7", "dice 50")
    assert table.field(12).startswith("displace/s2/away/1/b7/south,displace/n1/")
    assert table.unit("s2") == "sand-lion@d7:16"
    table.do("displace e7", "displace d6", "displace d8")
    assert [table.unit(unit)[-3:] for unit in ("s2", "n1", "n2")] == [":16", ":36", ":10"]


def test_a_construct_in_the_region_is_hit_and_nobody_displaced(at) -> None:
    table = at(
        "s1=cinder-aurochs@b7:120;n1=plague-bringer*warding-obelisk.0@i1:85",
        constructs="n1k=warding-obelisk@d7:30",
        **YES,
    ).do("charge s1 trample walk d7", "dice 01")
    assert table.field(8) == "-", "38 - 5 = 33 of its 30 Hit Points"
    assert (table.field(12), "@d7" in table.unit("s1")) == ("-", True)


def test_what_an_area_charge_must_keep_to(at) -> None:
    table = at(TRAMPLE, **YES)
    for text, rule in (
        ("charge s1 trample walk k1", "ga.region.unknown"),
        ("charge s1 trample walk n1", "ga.region.unknown"),
        ("charge s1 trample walk b7", "ga.charge.same-region"),
        ("charge s1 trample walk e7", "ga.area.no-enemy"),
        ("charge s1 horn-toss walk d7", "ga.target.unknown"),
    ):
        assert table.refused(text) == rule
    poor = at(TRAMPLE, seats="south:4:0:0:-;north:0:0:0:-", **YES)
    assert poor.refused("charge s1 trample walk d7") == "ga.ap.short"
    far = at(TRAMPLE.replace("@d7", "@i7"), **YES)
    assert far.refused("charge s1 trample walk i7") == "ga.charge.reach"
