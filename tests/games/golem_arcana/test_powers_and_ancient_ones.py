"""KNIGHTS, RELICS, MANA & ANCIENT ONES."""

FAR = "n1=horned-blight@i9:60"


def test_a_power_reaches_as_far_as_its_range(at) -> None:
    table = at(
        f"s1=sand-lion+ilbeth@a1:30;s2=sand-lion@b2:30;s3=sand-lion@c1:30;{FAR}",
        seats="south:6:9:0:-;north:0:0:0:-",
    )
    assert table.refused("use s1 knit-the-cracks s3") == "ga.power.range"
    assert table.refused("use s1 knit-the-cracks n1") == "ga.target.foe"
    assert table.refused("use s1 knit-the-cracks s9") == "ga.target.unknown"
    assert table.refused("use s1 knit-the-cracks") == "ga.syntax"
    table.do("use s1 knit-the-cracks s2", "use s1 knit-the-cracks s1")
    assert (table.unit("s1"), table.unit("s2")) == ("sand-lion+ilbeth@a1:42", "sand-lion@b2:42")
    assert table.figures("ga.effect.heal") == {"amount": 12, "printed": 50}
    assert table.refused("use s1 knit-the-cracks s1") == "ga.mana.short"


def test_healing_stops_at_the_printed_hit_points(at) -> None:
    table = at(f"s1=sand-lion*stonebark-salve.2@a1:45;{FAR}").do("relic s1 anoint s1")
    assert table.unit("s1") == "sand-lion*stonebark-salve.1@a1:50"


def test_cleansing_ends_what_others_caused(at) -> None:
    marks = "!bramblehorn.scouting-flare:uncovered:1:2:north!korvane.blood-price:damage:10:1:south"
    table = at(f"s1=sand-lion*stonebark-salve.2@a1:45{marks};{FAR}").do("relic s1 anoint s1")
    assert table.unit("s1").endswith("@a1:50!korvane.blood-price:damage:10:1:south")


def test_fold_the_map_teleports_where_there_is_room(at) -> None:
    table = at(
        f"s1=winged-preserver+cartographer@b5:110;s2=duneheart-engine@a3:220;{FAR}",
        seats="south:6:6:0:-;north:0:0:0:-",
    )
    assert table.refused("use s1 fold-the-map b5") == "ga.move.same"
    assert table.refused("use s1 fold-the-map b8") == "ga.terrain.blocking"
    assert table.refused("use s1 fold-the-map a3") == "ga.stack.full"
    assert table.refused("use s1 fold-the-map b9") == "ga.power.range"
    assert table.refused("use s1 fold-the-map k1") == "ga.region.unknown"
    assert "@b4:100" in table.do("use s1 fold-the-map b4").unit("s1"), "a pit hurts"


def test_shoulder_aside_displaces_an_enemy_in_the_same_region(at) -> None:
    table = at("s1=sand-lion+vask@a1:50;n1=sand-lion@a1:50;n2=sand-lion@a2:50")
    assert table.refused("use s1 shoulder-aside n2") == "ga.power.range"
    assert table.refused("use s1 shoulder-aside s1") == "ga.target.friend"
    table.do("use s1 shoulder-aside n1", "displace b1")
    assert "@b1" in table.unit("n1")
    assert table.unit("s1") == "sand-lion+vask@a1:50%shoulder-aside.1.1"


def test_a_power_on_a_golem_in_reserve_finds_it_off_the_board(at) -> None:
    table = at(
        f"s1=sand-lion+ilbeth@a1:30;s2=sand-lion@off:50;{FAR}", seats="south:6:9:0:-;north:0:0:0:-"
    )
    assert table.refused("use s1 knit-the-cracks s2") == "ga.target.off-board"


def test_drag_needs_line_of_sight(at) -> None:
    mana = "south:6:9:0:-;north:0:0:0:-"
    table = at("s1=sand-lion*undertow-chain.2@b7:50;n1=sand-lion@b9:50", seats=mana)
    assert table.refused("relic s1 drag n1") == "ga.los.blocked"
    table = at("s1=sand-lion*undertow-chain.2@a7:50;n1=sand-lion@a9:50", seats=mana)
    assert "@a8" in table.do("relic s1 drag n1").unit("n1")


def test_the_chalice_drains_no_more_than_there_is(at) -> None:
    table = at("s1=sand-lion*thirsting-chalice.3@a9:50;n1=horned-blight@b9:60",
               seats="south:6:0:0:-;north:0:3:0:-").do("relic s1 drink n1")  # fmt: skip
    assert (table.purse("south")[1], table.purse("north")[1]) == (3, 0)
    assert table.unit("s1") == "sand-lion*thirsting-chalice.2@a9:44"
    assert table.figures("ga.effect.drain") == {"amount": 4, "taken": 3}
    assert table.figures("ga.relic.spent") == {"charges_left": 2}


def test_marrow_drain_drains_and_heals(at) -> None:
    mana = "south:6:0:0:-;north:0:9:0:-"
    table = at("s1=ossuary-hulk@a9:100;n1=sand-lion@a9:50", seats=mana)
    table.do("attack s1 marrow-drain n1", "dice 30")
    assert table.unit("s1") == "ossuary-hulk@a9:108%marrow-drain.2.1"
    assert (table.purse("south")[1], table.purse("north")[1]) == (3, 6)


def test_the_yoke_gives_action_points(at) -> None:
    table = at(f"s1=duneheart-engine*colossus-yoke.1@a9:220;{FAR}").do("relic s1 heave")
    assert (table.purse("south")[0], table.unit("s1")) == (
        9,
        "duneheart-engine*colossus-yoke.0@a9:205",
    )
    assert table.refused("relic s1 heave a9") == "ga.relic.spent"


def test_a_power_for_the_golem_itself_names_no_target(at) -> None:
    table = at(f"s1=sand-lion+marrash@a1:50;{FAR}")
    assert table.refused("use s1 whip-the-reins s1") == "ga.syntax"
    table.do("use s1 whip-the-reins")


# --- constructs ----------------------------------------------------------------------------------


def test_a_relic_places_its_construct_one_in_a_region(at) -> None:
    table = at(
        f"s1=plague-bringer*briar-totem.1@a1:85;s2=cinder-aurochs*warding-obelisk.1@a1:120;{FAR}"
    ).do("relic s1 plant b1")
    assert table.field(8) == "s1k=briar-totem@b1:18"
    assert table.refused("relic s2 raise b1") == "ga.construct.one"
    table.do("relic s2 raise a1")
    assert table.field(8) == "s1k=briar-totem@b1:18;s2k=warding-obelisk@a1:30"


def test_an_obelisk_armors_its_side(at) -> None:
    table = at(
        "s1=sand-lion@a1:50;n1=marble-halberdier*warding-obelisk.0@a1:80;n2=sand-lion@a2:50",
        constructs="n1k=warding-obelisk@a1:30",
    ).do("attack s1 bite n1", "dice 30")
    assert table.unit("n1") == f"marble-halberdier*warding-obelisk.0@a1:{80 - (31 - 10 - 6)}"
    assert table.figures("ga.damage.armor")["armor from Warding Obelisk n1k"] == 6


def test_a_construct_causes_no_breakaway_and_contests_nothing(at) -> None:
    table = at(
        "s1=sand-lion@i5:50;n1=plague-bringer*briar-totem.0@a9:85", turn="north",
        constructs="n1k=briar-totem@i5:18", seats="south:0:0:0:-;north:6:0:0:-",
    ).do("end")  # fmt: skip
    assert table.purse("south")[2] == 1
    assert table.unit("s1") == "sand-lion@i5:45", "but it hurts"
    assert table.figures("ga.effect.aura") == {"source": "n1k", "damage": 5}
    table.do("move s1 walk i6")
    assert table.purse("south")[0] == 6 - 1


# --- ancient ones --------------------------------------------------------------------------------


def ancient(at, golems: str = f"s1=sand-lion@a1:50;{FAR}", mana: int = 20, **more: str):
    served = "south:6:{}:0:nahesh+urzal+green-mother+sarnath;north:0:20:0:nahesh"
    return at(golems, seats=served.format(mana), **more)


def test_a_blessing_is_placed_for_its_initial_cost_and_moved_for_its_movement_cost(at) -> None:
    table = ancient(at).do("invoke nahesh calm-harbour a1")
    assert (table.field(10), table.purse("south")[1]) == ("south.nahesh.calm-harbour@a1", 14)
    assert table.figures("ga.ancient.blessing") == {"cost": 6}
    assert table.refused("invoke nahesh calm-harbour a1") == "ga.ancient.same-region"
    table.do("invoke nahesh calm-harbour b4")
    assert (table.field(10), table.purse("south")[1]) == ("south.nahesh.calm-harbour@b4", 11)


def test_a_blessing_helps_only_its_own_side_and_a_curse_only_harms_the_other(at) -> None:
    table = at(
        "s1=sand-lion@a1:50;n1=sand-lion@a1:50",
        seats="south:6:0:0:nahesh+urzal;north:0:0:0:-",
        powers="south.nahesh.calm-harbour@a1,south.urzal.grave-chill@a1",
    ).do("attack s1 bite n1")
    assert table.figures("ga.hit.chance")["chance"] == 75 - 16
    table.do("dice 99", "end", "attack n1 bite s1")
    figures = table.figures("ga.hit.chance")
    assert (figures["accuracy"], figures["dodge"]) == (65, -26)
    assert figures["accuracy from urzal.grave-chill"] == -10
    assert figures["dodge from nahesh.calm-harbour"] == 10


def test_a_curse_is_laid_where_the_enemy_will_be(at) -> None:
    table = ancient(at).do("invoke sarnath quicksand i9")
    assert table.figures("ga.ancient.curse") == {"cost": 6}
    table.do("end")
    assert "move n1 walk i5" not in table.legal()
    assert "move n1 walk i6" in table.legal()


def test_nothing_is_laid_in_water(at) -> None:
    table = ancient(at)
    assert table.refused("invoke nahesh calm-harbour g5") == "ga.ancient.water"
    assert table.refused("invoke urzal grave-chill h6") == "ga.ancient.water"
    table.do("invoke urzal grave-chill b8")


def test_one_calls_only_upon_ones_own_ancient_ones_with_enough_mana(at) -> None:
    table = at(f"s1=sand-lion@a1:50;{FAR}", seats="south:6:4:0:urzal;north:0:20:0:nahesh")
    assert table.refused("invoke nahesh calm-harbour a1") == "ga.ancient.unknown"
    assert table.refused("invoke urzal sing") == "ga.ability.unknown"
    assert table.refused("invoke urzal reckoning a1") == "ga.syntax"
    assert table.refused("invoke urzal grave-chill") == "ga.syntax"
    assert table.refused("invoke urzal grave-chill q1") == "ga.region.unknown"
    assert table.refused("invoke urzal grave-chill a1") == "ga.mana.short"
    assert table.refused("invoke nahesh calm-harbour a1", by="north") == "ga.turn.not-yours"


def test_tide_of_mending_heals_all_ones_own_golems(at) -> None:
    table = ancient(at, f"s1=sand-lion@a1:30;s2=sand-lion@off:30;s3=sand-lion@a2:45;{FAR}")
    table.do("invoke nahesh tide-of-mending")
    assert [table.unit(name)[-2:] for name in ("s1", "s2", "s3")] == ["40", "30", "50"]
    assert table.figures("ga.ancient.miracle") == {"golems": "s1, s3"}


def test_reckoning_hurts_all_enemies_and_may_end_the_game(at) -> None:
    table = ancient(at, "s1=sand-lion@a1:50;n1=sand-lion@i9:8;n2=sand-lion@i8:9")
    table.do("invoke urzal reckoning")
    assert (table.unit("n1"), table.unit("n2")) == ("", "sand-lion@i8:1")
    last = ancient(at, "s1=sand-lion@a1:50;n1=sand-lion@i9:8").do("invoke urzal reckoning")
    assert last.field(13) == "win:south"


def test_spring_tide_cools_every_ability(at) -> None:
    table = ancient(at, f"s1=sand-lion@a1:50%bite.2.1%walk.1.1;{FAR}")
    assert table.do("invoke green-mother spring-tide").unit("s1") == "sand-lion@a1:50%bite.1.1"


def test_halt_pins_small_enemies(at) -> None:
    table = ancient(at, "s1=sand-lion@a1:50;n1=sand-lion@i9:50;n2=cinder-aurochs@i8:120")
    table.do("invoke sarnath halt")
    assert ("pinned" in table.unit("n1"), "pinned" in table.unit("n2")) == (True, False)


def test_rooted_strength_armors_and_glare_uncovers(at) -> None:
    table = at(
        "s1=sand-lion@e6:50;n1=sand-lion@e6:50",
        seats="south:6:0:0:sarnath;north:0:0:0:green-mother",
        powers="north.green-mother.rooted-strength@e6,south.sarnath.glare@e6",
    ).do("attack s1 bite n1")
    assert table.figures("ga.hit.chance")["cover"] == 0
    assert "@e6:28" in table.do("dice 30").unit("n1"), "31 - 4 - 5 = 22"
