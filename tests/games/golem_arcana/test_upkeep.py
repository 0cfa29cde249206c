"""BEGINNING A TURN: places, wells, ongoing damage, status effects, Cooldown, in this order."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.destruction import credit

NORTH_ENDS = {"turn": "north", "seats": "south:0:0:0:-;north:6:0:0:-"}


def test_all_in_its_order(at) -> None:
    """The Hulk harvests before its poison destroys it; only then do effects and pips fall."""
    table = at(
        "s1=ossuary-hulk@e5:4%walk.1.1!mossback-elder.spore-cloud:dot:4:2:north;"
        "s2=sand-lion@i5:50%bite.2.1;n1=horned-blight@i9:60!sand-lion.hamstring:dodge:-15:1:south",
        wells="a5:L,e5:L",
        **NORTH_ENDS,
    ).do("end")
    assert table.purse("south") == (6, 8 + 30, 1)
    assert table.purse("north") == (0, 6, 3)
    assert table.field(7) == "s2=sand-lion@i5:50%bite.1.1;n1=horned-blight@i9:60"
    assert table.field(9) == "a5:L,e5:S"
    order = [rule for r in table.rulings for rule in r.rules if rule.startswith("ga.upkeep.")]
    assert order == [
        "ga.upkeep.order", "ga.upkeep.places", "ga.upkeep.wells", "ga.upkeep.damage",
        "ga.upkeep.status", "ga.upkeep.cooldown",
    ]  # fmt: skip


def test_a_place_gives_its_points_to_who_holds_it_alone(at) -> None:
    held = at("s1=sand-lion@i5:50;n1=sand-lion@a9:50", **NORTH_ENDS).do("end")
    contested = at("s1=sand-lion@i5:50;n1=sand-lion@i5:50", **NORTH_ENDS).do("end")
    assert (held.purse("south")[2], contested.purse("south")[2]) == (1, 0)
    assert held.figures("ga.vp.place") == {"place": "mark", "points": 1}


def test_a_place_of_several_regions_is_contested_by_an_enemy_in_any(at) -> None:
    """Hold the Ford: west ford is b3 and b4."""
    more = {"scenario": "hold-the-ford", "turn": "south"}
    seats = "north:0:0:0:-;south:4:0:0:-"
    held = at("n1=sand-lion@b3:50;s1=sand-lion@a1:50", seats=seats, **more).do("end")
    contested = at("n1=sand-lion@b3:50;s1=sand-lion@b4:50", seats=seats, **more).do("end")
    assert (held.purse("north")[2], contested.purse("north")[2]) == (1, 0)


def test_a_well_gives_its_capacity_times_the_largest_base_size_then_less_then_nothing(at) -> None:
    """MANA WELLS (GA-R40): several Golems of a seat harvest once."""
    table = at("s1=ossuary-hulk@e5:125;s2=sand-lion@e5:50;n1=horned-blight@i9:60",
               wells="a5:L,e5:L", **NORTH_ENDS).do("end")  # fmt: skip
    assert (table.purse("south")[1], table.field(9)) == (8, "a5:L,e5:S")
    assert table.figures("ga.mana.well") == {
        "side": "large", "capacity": 4, "largest_base_size": 2, "mana": 8,
    }  # fmt: skip
    table.do("end", "end")
    assert (table.purse("south")[1], table.field(9)) == (8 + 6 + 4, "a5:L")
    table.do("end", "end")
    assert table.purse("south")[1] == 18 + 6


def test_two_seats_at_a_well_harvest_nothing(at) -> None:
    table = at("s1=sand-lion@e5:50;n1=sand-lion@e5:50", wells="e5:L", **NORTH_ENDS).do("end")
    assert (table.purse("south")[1], table.field(9)) == (0, "e5:L")


def test_an_aura_hurts_enemies_in_their_upkeep(at) -> None:
    """Plague Cloud."""
    table = at("s1=sand-lion@a1:50;n1=plague-bringer@a1:85;n2=plague-bringer@a1:85",
               **NORTH_ENDS).do("end")  # fmt: skip
    assert table.unit("s1") == "sand-lion@a1:40"
    assert table.figures("ga.effect.aura") == {"source": "Plague Cloud of n1", "damage": 5}
    assert table.unit("n1") == "plague-bringer@a1:85"


def test_who_poisons_earns_the_points(at) -> None:
    """Among three, the seat whose effect did the damage (GA-R36)."""
    table = at(
        "s1=sand-lion@a1:5!gilded-plague.contagion:dot:5:2:east;s2=sand-lion@b1:50;"
        "n1=sand-lion@a5:50;e1=gilded-plague@i2:90",
        scenario="three-banners", rounds=2, turn="east",
        seats="south:0:0:0:-;north:0:0:0:-;east:4:0:0:-",
    ).do("end")  # fmt: skip
    assert [table.purse(seat)[2] for seat in ("south", "north", "east")] == [0, 0, 1]
    assert table.figures("ga.effect.dot") == {"source": "gilded-plague.contagion", "damage": 5}


def test_what_terrain_destroyed_is_the_opponents_among_two_and_nobodys_among_three(start) -> None:
    """GA-R36."""
    two, three = (Battle(start(scenario=name).state) for name in ("first-steps", "three-banners"))
    assert credit(two, "south", None) == "north"
    assert credit(three, "south", None) is None
    assert credit(three, "south", "south") is None
    assert credit(three, "south", "east") == "east"


def test_damage_over_time_hurts_its_victim_in_each_of_its_rounds(at) -> None:
    """GA-R33: Spore Cloud, three Rounds."""
    table = at("s1=mossback-elder@a1:130;n1=cinder-aurochs@a2:120")
    table.do("attack s1 spore-cloud a2", "dice 01")
    lost = []
    for _ in range(4):
        before = int(table.unit("n1").split(":")[1].split("!")[0])
        table.do("end")
        lost.append(before - int(table.unit("n1").split(":")[1].split("!")[0]))
        table.do("end")
    assert lost == [4, 4, 4, 0]


def test_a_status_effect_ends_in_the_upkeep_of_the_seat_that_caused_it(at) -> None:
    table = at("s1=wildwood-dryad@a1:70;n1=sand-lion@a2:50")
    table.do("attack s1 grasping-vines n1", "dice 01", "end")
    assert "pinned" in table.unit("n1")
    assert table.refused("move n1 walk a3") == "ga.status.pinned"
    table.do("end")
    assert "pinned" not in table.unit("n1")
    assert table.figures("ga.upkeep.status") == {}
