"""Movement: Terrain Effects Chart, nimble and flying, stopping, stacking, Breakaway, pits."""

import pytest

OPEN = "n1=horned-blight@i9:60"


def reached(table, golem: str = "s1", ability: str = "walk") -> set[str]:
    return {text.split(" ")[3] for text in table.legal(f"move {golem} {ability} ")}


@pytest.mark.parametrize(
    ("region", "points"),
    [
        ("e8", "open ground"), ("b6", "ground cover"), ("g5", "shallow water"),
        ("b4", "pit"), ("f4", "swamp"),
    ],
)  # fmt: skip
def test_one_movement_point_enters(at, region: str, points: str) -> None:
    column, row = region[0], int(region[1])
    before = f"{column}{row - 1}"
    table = at(f"s1=ossuary-hulk@{before}:125!x.y:mp:-2:1:north;{OPEN}")
    assert region in reached(table), points


@pytest.mark.parametrize("region", ["e6", "d8", "h5", "f8", "h8", "d4", "d3"])
def test_two_movement_points_enter_medium_cover_elevated_ground_deep_water_obstructions(
    at, region: str
) -> None:
    before = f"{region[0]}{int(region[1]) + 1}"
    two = at(f"s1=ossuary-hulk@{before}:125!x.y:mp:-1:1:north;{OPEN}")
    one = at(f"s1=ossuary-hulk@{before}:125!x.y:mp:-2:1:north;{OPEN}")
    assert (region in reached(two), region in reached(one)) == (True, False)
    assert one.refused(f"move s1 walk {region}") == "ga.move.reach"


def test_nobody_walks_into_blocking_terrain(at) -> None:
    table = at(f"s1=horned-blight@b7:60;{OPEN}")
    assert table.refused("move s1 walk b8") == "ga.terrain.blocking"


def test_a_walking_colossus_pays_one_point_everywhere(at) -> None:
    """It walks through medium cover, elevated ground and deep water within its 3 points."""
    table = at("s1=canopy-strider@e5:210;n1=sand-lion@i1:50")
    assert {"e6", "d5", "d4", "h5"} <= reached(table)
    assert "f8" not in reached(table), "an obstruction leaves no room for Base Size 4"
    table.do("move s1 walk h5")
    assert "ga.move.colossus" in {rule for r in table.rulings for rule in r.rules}


def test_only_nimble_movement_goes_diagonally(at) -> None:
    nimble = at(f"s1=sand-lion@a1:50!x.y:mp:-2:1:north;{OPEN}")
    plain = at(f"s1=charred-demon@a1:45!x.y:mp:-2:1:north;{OPEN}")
    assert reached(nimble) == {"a2", "b1", "b2"}
    assert reached(plain) == {"a2", "b1"}


def test_flying_costs_one_point_and_passes_blocking_terrain(at) -> None:
    table = at(f"s1=thornbeast@b7:85;{OPEN}")
    assert {"b9", "d8"} <= reached(table, ability="fly")
    assert table.refused("move s1 fly b8") == "ga.terrain.blocking"
    table.do("move s1 fly b9")
    assert table.figures("ga.move.fly")["path"] == "b8, b9"


def test_a_golem_stops_on_entering_a_region_with_an_enemy(at) -> None:
    table = at("s1=horned-blight@a1:60;n1=sand-lion@a2:50;n2=sand-lion@b1:50;n3=sand-lion@b2:50")
    assert reached(table) == {"a2", "b1"}
    table.do("move s1 walk a2")
    assert "ga.move.stop" in {rule for r in table.rulings for rule in r.rules}


def test_an_own_golem_does_not_stop_anybody(at) -> None:
    table = at("s1=horned-blight@a1:60;s2=sand-lion@a2:50;s3=sand-lion@b1:50;n1=sand-lion@i9:50")
    assert "c1" in reached(table)


def test_an_enemy_construct_is_no_obstacle(at) -> None:
    """GA-R50."""
    table = at(
        "s1=horned-blight@a1:60;n1=plague-bringer*briar-totem.0@i9:85",
        constructs="n1k=briar-totem@a2:18",
    )
    assert {"a2", "a3", "a4"} <= reached(table)


def test_four_base_sizes_fill_a_region(at) -> None:
    table = at(
        "s1=sand-lion@a8:50;s2=ossuary-hulk@a9:125;s3=ossuary-hulk@a9:125;n1=sand-lion@i1:50"
    )
    assert table.refused("move s1 walk a9") == "ga.stack.full"
    table = at("s1=sand-lion@a8:50;s2=ossuary-hulk@a9:125;s3=sand-lion@a9:50;n1=sand-lion@i1:50")
    table.do("move s1 walk a9")
    pushed = at("s1=ossuary-hulk@e7:125;n1=horned-blight@e7:60")
    pushed.do("attack s1 bone-flail n1", "dice 30", "die 2")
    assert "ga.stack.limit" in {rule for r in pushed.rulings for rule in r.rules}


def test_each_obstruction_takes_the_room_of_one_base_size(at) -> None:
    """g3 has three."""
    table = at("s1=sand-lion@g4:50;s2=sand-lion@h3:50;n1=sand-lion@a9:50").do("move s1 walk g3")
    assert table.refused("move s2 walk g3") == "ga.stack.full"
    pushed = at("s1=winged-preserver@g4:110;n1=sand-lion@g4:50")
    pushed.do("attack s1 wing-buffet n1", "dice 30", "displace g3")
    assert "ga.stack.obstruction" in {rule for r in pushed.rulings for rule in r.rules}


def test_a_region_with_some_room_left_can_be_passed_even_by_who_does_not_fit(at) -> None:
    """GA-R11."""
    crowd = ";".join(f"s{n}=bramblehorn@a8:45" for n in (2, 3, 4))
    table = at(f"s1=ossuary-hulk@a9:125;{crowd};n1=sand-lion@i1:50")
    assert table.refused("move s1 walk a8") == "ga.stack.full"
    assert "a7" in reached(table)
    full = at(f"s1=ossuary-hulk@a9:125;{crowd};s5=bramblehorn@a8:45;n1=sand-lion@i1:50")
    assert "a7" not in reached(full)


def test_getting_away_from_an_enemy_costs_one_more_however_many_there_are(at) -> None:
    """GA-R9."""
    table = at("s1=sand-lion@a1:50;n1=sand-lion@a1:50;n2=sand-lion@a1:50").do("move s1 walk a2")
    assert table.purse("south")[0] == 6 - 2
    assert table.figures("ga.move.breakaway") == {"cost": 1, "breakaway": 1}


def test_breakaway_is_not_doubled_by_cooldown_but_in_a_pit(at) -> None:
    table = at("s1=sand-lion@a1:50%walk.1.1;n1=sand-lion@a1:50").do("move s1 walk a2")
    assert table.purse("south")[0] == 6 - 3
    table = at("s1=sand-lion@b4:50;n1=sand-lion@b4:50").do("move s1 walk b5")
    assert table.purse("south")[0] == 6 - 3


def test_only_breakaway_makes_it_too_dear(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@a1:50", seats="south:1:0:0:-;north:0:0:0:-")
    assert table.refused("move s1 walk a2") == "ga.move.breakaway"


def test_flying_off_costs_breakaway_only_if_an_enemy_there_flies(at) -> None:
    free = at("s1=thornbeast@a1:85;n1=sand-lion@a1:50").do("move s1 fly a2")
    held = at("s1=thornbeast@a1:85;n1=thornbeast@a1:85").do("move s1 fly a2")
    assert (free.purse("south")[0], held.purse("south")[0]) == (5, 4)


def test_a_pit_hurts_every_golem_on_entering(at) -> None:
    """GA-R13."""
    table = at(f"s1=gilded-blight@b5:55;{OPEN}").do("move s1 walk b4")
    assert table.unit("s1") == "gilded-blight@b4:45%walk.1.1"
    assert table.figures("ga.terrain.pit") == {"damage": 10}
    flyer = at(f"s1=thornbeast@b5:85;{OPEN}").do("move s1 fly b4")
    assert flyer.unit("s1") == "thornbeast@b4:75%fly.1.1"


def test_a_flyer_over_a_pit_suffers_only_on_landing_in_the_other_reading(at) -> None:
    walls = "s2=duneheart-engine@a4:220;s3=duneheart-engine@c4:220;s4=duneheart-engine@a5:220"
    golems = f"s1=thornbeast@b5:85!x.y:mp:-1:1:north;{walls};s5=duneheart-engine@c5:220;{OPEN}"
    enter = at(golems).do("move s1 fly b3")
    land = at(golems, options="flyer-hazard=land").do("move s1 fly b3")
    assert "@b3:75" in enter.unit("s1")
    assert "@b3:85" in land.unit("s1")
    assert "@b4:75" in at(golems, options="flyer-hazard=land").do("move s1 fly b4").unit("s1")


def test_a_golem_destroyed_on_the_way_is_removed_there(at) -> None:
    table = at("s1=sand-lion@b5:10;s2=sand-lion@a1:50;n1=sand-lion@i9:50").do("move s1 walk b4")
    assert table.unit("s1") == ""
    assert table.purse("north") == (0, 0, 1), "in a match of two the opponent earns it (GA-R36)"
    assert table.purse("south")[1] == 70 // 5


def test_a_swamp_hurts_on_entering_and_at_the_start_of_each_turn_there(at) -> None:
    table = at(f"s1=sand-lion@e4:50;{OPEN}").do("move s1 walk f4")
    assert "@f4:45" in table.unit("s1")
    table.do("end", "end")
    assert "@f4:40" in table.unit("s1")
    assert table.figures("ga.terrain.swamp") == {"source": "swamp", "damage": 5}


def test_the_path_is_the_kindest_then_the_shortest_then_the_first(at) -> None:
    """GA-R12."""
    table = at(f"s1=horned-blight@a4:60;{OPEN}").do("move s1 walk c4")
    assert table.figures("ga.move.path")["path"] == "a3, b3, c3, c4"
    assert "ga.move.cost" in {rule for r in table.rulings for rule in r.rules}
    table = at(f"s1=sand-lion@a1:50;{OPEN}").do("move s1 walk c2")
    assert table.figures("ga.move.nimble")["path"] == "b1, c2"


def test_a_golem_must_move_to_another_region_of_the_board(at) -> None:
    table = at(f"s1=sand-lion@a1:50;{OPEN}")
    assert table.refused("move s1 walk a1") == "ga.move.same"
    assert table.refused("move s1 walk j1") == "ga.region.unknown"
    assert table.refused("move s1 walk a9") == "ga.move.reach"


def test_a_pinned_golem_uses_no_movement_ability(at) -> None:
    pinned = "!wildwood-dryad.grasping-vines:pinned:1:1:north"
    table = at(f"s1=sand-lion@a1:50{pinned};{OPEN}")
    assert table.legal("move") == []
    assert table.refused("move s1 walk a2") == "ga.status.pinned"


def test_a_golem_off_the_board_does_not_move(at) -> None:
    table = at(f"s1=sand-lion@off:50;s2=sand-lion@a1:50;{OPEN}")
    assert table.refused("move s1 walk a2") == "ga.golem.off-board"


def test_a_landing_hurts_each_enemy_in_the_region(at) -> None:
    table = at("s1=thornbeast@a1:85;s2=sand-lion@a3:50;n1=sand-lion@a3:50;n2=sand-lion@a3:50")
    table.do("move s1 fly a3")
    assert (table.unit("s2"), table.unit("n1"), table.unit("n2")) == (
        "sand-lion@a3:50",
        "sand-lion@a3:40",
        "sand-lion@a3:40",
    )
    assert table.figures("ga.effect.landing") == {"passive": "Landing Zone", "damage": 10}


def test_a_knight_and_a_status_give_movement_points(at) -> None:
    assert "a5" in reached(at(f"s1=sand-lion+tamsin@a1:50;{OPEN}"))
    assert "a5" not in reached(at(f"s1=sand-lion@a1:50;{OPEN}"))
