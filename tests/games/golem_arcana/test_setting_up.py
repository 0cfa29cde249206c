"""GAME SETUP AND BASICS: what a scenario fixes, deployment, reserves."""

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.deployment import fielded
from domain.games.golem_arcana.content.armies import check_army
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import read_options
from domain.log.digests import encode_as_digest

SMALL = {"faction": "gudanna", "golems": [{"type": "sand-lion"}, {"type": "ossuary-hulk"}]}
OTHER = {"faction": "durani", "golems": [{"type": "horned-blight"}, {"type": "bramblehorn"}]}


def test_the_tutorial_starts_at_once_with_fixed_armies(start) -> None:
    assert start(scenario="first-steps").position == (
        "ga1 first-steps - R1 south south:4:0:0:-;north:0:0:0:- "
        "s1=sand-lion@a1:50;s2=dune-viper@b1:75;n1=vigilant-sentinel@e3:45;n2=prism-archer@f3:40 "
        "- - - - - *"
    )
    rulings = {rule for r in GAME.opening(Options()) for rule in r.rules}
    assert {"ga.setup.scenario", "ga.setup.order", "ga.turn.order"} <= rulings


def test_encounters_then_quests_then_round_1(start) -> None:
    table = start(scenario="night-of-embers")
    assert table.field(12) == "hide/buried-cache,hide/unquiet-grave,quest/south,quest/north,begin"
    assert table.field(11) == "stranger=c4", "its only candidate"
    assert table.asked == "referee"
    assert table.refused("hide 4") == "ga.entry.range"
    table.do("hide 2", "hide 1")
    assert (table.asked, table.legal()) == ("south", ["quest 1", "quest 2", "quest 3"])
    table.do("quest 2")
    assert (table.asked, table.legal()) == ("north", ["quest 1", "quest 3"])
    assert table.refused("quest 2") == "ga.entry.range"
    table.do("quest 3")
    assert table.field(11) == "south=2,north=3,buried-cache=d3,unquiet-grave=a4,stranger=c4"
    assert (table.field(4), table.field(5), table.field(12)) == ("R1", "south", "-")


def test_each_seat_deploys_in_its_zone_in_turn_order(start) -> None:
    table = start(scenario="twin-wells", armies={"south": SMALL, "north": OTHER})
    assert table.field(12) == "deploy/south,deploy/north,begin"
    assert table.refused("deploy s1 a2") == "ga.deploy.zone"
    assert table.refused("deploy s1 z1") == "ga.region.unknown"
    assert table.refused("deploy n1 a6") == "ga.golem.not-yours"
    assert table.refused("deploy s3 a1") == "ga.golem.unknown"
    assert table.refused("hold s1") == "ga.deploy.reserve"
    table.do("deploy s1 a1")
    assert table.figures("ga.deploy.zone") == {"region": "a1"}
    assert table.refused("deploy s1 b1") == "ga.deploy.done"
    table.do("deploy s2 a1")
    assert table.asked == "north"
    table.do("deploy n2 i6", "deploy n1 i6")
    assert (table.field(4), table.field(5), table.field(9)) == ("R1", "south", "b3:L,h4:L")


def test_deployment_keeps_to_terrain_and_room(at) -> None:
    crowd = ";".join(f"s{n}=sand-lion@a1:50" for n in range(2, 6))
    table = at(
        f"s1=sand-lion@?:50;{crowd};n1=sand-lion@a6:50", scenario="twin-wells", rounds=0, turn="-",
        seats="south:0:0:0:-;north:0:0:0:-", todo="deploy/south,begin",
    )  # fmt: skip
    assert table.refused("deploy s1 a1") == "ga.stack.full"
    ground = at(
        "s1=sand-lion@?:50;n1=sand-lion@i9:50", rounds=0, turn="-",
        seats="south:0:0:0:-;north:0:0:0:-", todo="deploy/south,begin",
    )  # fmt: skip
    assert ground.refused("deploy s1 g2") == "ga.terrain.blocking"


def test_only_so_many_are_held_in_reserve(start) -> None:
    """Hold the Ford lets each seat hold one; it enters from Round 2 for 1 AP."""
    table = start(scenario="hold-the-ford", armies={"south": SMALL, "north": OTHER})
    table.do("hold n1")
    assert table.figures("ga.deploy.reserve") == {"most": 1}
    assert table.refused("hold n2") == "ga.deploy.reserve"
    table.do("deploy n2 a6", "deploy s1 a1", "deploy s2 b1")
    assert table.refused("enter n1 b6") == "ga.reserve.round"
    assert table.refused("move n1 walk b6") == "ga.golem.off-board"
    table.do("end", "end")
    assert table.refused("enter n1 a1") == "ga.reserve.zone"
    assert table.refused("enter n1 k1") == "ga.region.unknown"
    assert table.refused("enter n2 b6") == "ga.reserve.on-board"
    table.do("enter n1 b6")
    assert table.figures("ga.reserve.round") == {"cost": 1, "to": "b6"}
    assert table.purse("north")[0] == 4 - 1
    assert any(text.startswith("move n1") for text in table.legal()), "it can act at once"


def test_reserves_do_not_enter_onto_enemies_or_without_points(at) -> None:
    more = {"scenario": "hold-the-ford", "rounds": 2, "turn": "north"}
    golems = "n1=sand-lion@off:50;n2=sand-lion@c6:50;s1=sand-lion@a6:50"
    table = at(golems, seats="north:4:0:0:-;south:0:0:0:-", **more)
    assert table.refused("enter n1 a6") == "ga.reserve.enemy"
    poor = at(golems, seats="north:0:0:0:-;south:0:0:0:-", **more)
    assert poor.refused("enter n1 b6") == "ga.ap.short"


def test_a_golem_that_fits_nowhere_may_be_held(at) -> None:
    """GA-R39: the row of Twin Wells is full."""
    crowd = [f"s{n}=cinder-aurochs@{'abcdefghi'[(n - 2) // 2]}1:120" for n in range(2, 20)]
    golems = ";".join(["s1=sand-lion@?:50", *crowd, "n1=sand-lion@a6:50"])
    table = at(
        golems, scenario="twin-wells", rounds=0, turn="-",
        seats="south:0:0:0:-;north:0:0:0:-", todo="deploy/south,begin",
    )  # fmt: skip
    assert table.legal() == ["hold s1"]
    assert "@off" in table.do("hold s1").unit("s1")


def test_a_siege_starts_with_points_for_the_defender(start) -> None:
    assert start(scenario="siege-of-grey-gate").purse("north") == (0, 0, 2)


@pytest.mark.parametrize("name", [s.id for s in CORE.scenarios.values()])
def test_who_builds_no_army_fields_a_ready_one_that_may_serve(name: str) -> None:
    scenario = CORE.scenarios[name]
    armies = fielded(Options(scenario=name))
    assert tuple(armies) == scenario.seats
    if scenario.build:
        assert all(check_army(CORE, army, scenario.apv) == () for army in armies.values())


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"scenario": "nowhere"}, "there is no scenario"),
        ({"pack": "0" * 64}, "there is no content pack"),
        ({"armies": {"south": SMALL}}, "fixes the armies"),
        ({"scenario": "twin-wells", "armies": {"east": SMALL}}, "does not play"),
        ({"scenario": "twin-wells", "armies": {"south": {"faction": "elves"}}}, "ga.army.faction"),
        ({"half-cover": "both"}, "Invalid enum value"),
        ({"weather": "rain"}, "unknown field"),
    ],
)
def test_options_that_the_content_does_not_allow_are_refused(options: dict, why: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=why):
        read_options(GAME, options)


def test_a_match_pins_its_pack_and_writes_its_defaults_out() -> None:
    written = msgspec.to_builtins(Options(), enc_hook=encode_as_digest)
    assert written["pack"] == CORE.digest
    assert written["melee-cover"] == "yes"
    assert read_options(GAME, written) == Options()
    assert msgspec.json.schema(Options)
