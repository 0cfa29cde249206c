"""BUILDING AN ARMY: every error an army can have, each beside the army that may serve."""

import msgspec
import pytest

from domain.games.golem_arcana.content.armies import army_value, check_army
from domain.games.golem_arcana.content.cards import Army
from domain.games.golem_arcana.content.packs import CORE


def errors(army: dict, limit: int | None = 500) -> list[str]:
    found = check_army(CORE, msgspec.convert(army, Army), limit)
    assert all(error.why for error in found)
    return [str(error) for error in found]


def army(faction: str, *golems: dict, ancients: tuple[str, ...] = ()) -> dict:
    return {"faction": faction, "golems": list(golems), "ancients": list(ancients)}


LION = {"type": "sand-lion"}
BLIGHT = {"type": "horned-blight"}


@pytest.mark.parametrize(
    ("faction", "golem", "serves"),
    [
        ("gudanna", "sand-lion", True), ("gudanna", "bramblehorn", True),
        ("gudanna", "horned-blight", True), ("gudanna", "prism-archer", False),
        ("durani", "prism-archer", True), ("durani", "bramblehorn", True),
        ("durani", "horned-blight", True), ("durani", "sand-lion", False),
        ("mercenary", "bramblehorn", True), ("mercenary", "horned-blight", True),
        ("mercenary", "sand-lion", False), ("mercenary", "prism-archer", False),
    ],
)  # fmt: skip
def test_a_faction_fields_certain_arcana(faction: str, golem: str, serves: bool) -> None:
    expected = [] if serves else ["ga.army.arcanum golems[0].type"]
    assert errors(army(faction, {"type": golem})) == expected


def test_a_faction_must_be_known_and_then_nothing_else_is_checked() -> None:
    assert errors(army("elves", {"type": "mud-pie"})) == ["ga.army.faction faction"]


def test_an_army_has_a_golem_and_what_it_names_exists() -> None:
    assert errors(army("gudanna")) == ["ga.army.empty golems"]
    assert errors(army("gudanna", LION, {"type": "mud-pie", "relic": "ember-lens"})) == [
        "ga.army.unknown golems[1].type"
    ]


def test_knights_and_ancient_ones_serve_certain_factions() -> None:
    durani = army("durani", {**BLIGHT, "knight": "marrash"}, ancients=("sarnath",))
    gudanna = army("gudanna", {**BLIGHT, "knight": "marrash"}, ancients=("sarnath",))
    assert errors(gudanna) == []
    assert errors(durani) == [
        "ga.army.ancient-faction ancients[0]",
        "ga.army.knight-faction golems[0].knight",
    ]


def test_each_knight_relic_and_ancient_one_is_in_an_army_once_and_golems_are_not() -> None:
    """GA-R41, GA-R42."""
    assert errors(army("gudanna", LION, LION, LION)) == []
    twice = {**LION, "knight": "tamsin", "relic": "ember-lens"}
    assert errors(army("gudanna", twice, twice, ancients=("urzal", "urzal"))) == [
        "ga.army.ancient-twice ancients[1]",
        "ga.army.knight-twice golems[1].knight",
        "ga.army.relic-twice golems[1].relic",
    ]


def test_a_carriers_base_size_is_at_least_the_relics_size() -> None:
    assert errors(army("gudanna", {"type": "cinder-aurochs", "relic": "warding-obelisk"})) == []
    assert errors(army("gudanna", {**LION, "relic": "warding-obelisk"})) == [
        "ga.army.relic-size golems[0].relic"
    ]


def test_everything_counts_for_the_value_and_without_a_scenario_there_is_no_limit() -> None:
    """70 + 15 + 15 + 50."""
    full = army("gudanna", {**LION, "knight": "tamsin", "relic": "ember-lens"}, ancients=("urzal",))
    assert army_value(CORE, msgspec.convert(full, Army)) == 150
    assert errors(full, 150) == []
    assert errors(full, 149) == ["ga.army.apv total=150"]
    assert errors(full, None) == []
