"""Building armies from the command line: checked, saved, listed, fielded; how they stand."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

Emeth = Callable[..., Result]
ARMIES = Path(__file__).parent / "armies"
LIONS, FAULTY = ARMIES / "lions.toml", ARMIES / "faulty.toml"
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


def saved(emeth: Emeth, *flags: object) -> str:
    """The id of a saved army."""
    result = emeth("army", "save", LIONS, *flags)
    assert result.exit_code == 0, result.output
    found = ID.search(result.output)
    assert found is not None
    return found[0]


def test_an_army_is_checked_without_a_service(emeth: Emeth) -> None:
    sound = emeth("army", "check", LIONS, "--for", "scenario=twin-wells")
    assert (sound.exit_code, sound.output) == (0, "lions.toml: 215 of 500 points\n")
    faulty = emeth("army", "check", FAULTY)
    assert faulty.exit_code == 1
    assert "[ga.army.ancient-faction]" in faulty.output
    assert "[ga.army.relic-size]" in faulty.output


def test_an_army_may_be_json_and_its_check_too(emeth: Emeth, tmp_path: Path) -> None:
    path = tmp_path / "lions.json"
    path.write_text(json.dumps({"faction": "moon"}))
    result = emeth("army", "check", path, "--json")
    assert result.exit_code == 1
    checked = json.loads(result.stdout)
    assert [fault["path"] for fault in checked["faults"]] == ["faction"]
    assert checked["points"] == 0


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.toml", "faction", "cannot read"),
        ("a.json", "[]", "is not an army"),
        ("a.toml", "", "Object missing required field `faction`"),
        ("a.toml", 'faction = "gudanna"\nmascot = "cat"', "Object contains unknown field"),
    ],
)
def test_a_file_that_is_no_army_is_a_usage_error(
    emeth: Emeth, tmp_path: Path, name: str, text: str, why: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    result = emeth("army", "check", path)
    assert result.exit_code == 2
    assert why in result.output


def test_games_without_armies_and_wrong_constraints_are_usage_errors(emeth: Emeth) -> None:
    other = emeth("army", "check", LIONS, "--game", "agog")
    assert other.exit_code == 2
    assert "games that have: golem-arcana" in other.output
    assert emeth("army", "check", LIONS, "--for", "scenario=moon").exit_code == 2


def test_armies_are_saved_listed_shown_changed_and_deleted(emeth_online: Emeth) -> None:
    emeth = emeth_online
    assert emeth("army", "list").output.splitlines() == ["ARMY  GAME  NAME  POINTS"]
    name = saved(emeth, "--name", "Two lions")
    other = saved(emeth, "--for", "scenario=twin-wells")
    assert [line.split()[0] for line in emeth("army", "list").output.splitlines()[1:]] == [
        other,
        name,
    ]
    assert emeth("army", "list", "--name", "TWO").output.splitlines()[1:] == [
        f"{name}  golem-arcana  Two lions  215"
    ]
    shown = emeth("army", "show", name).output
    assert shown.startswith("Two lions (golem-arcana, 215 points)\n{")
    assert json.loads(shown.partition("\n")[2])["faction"] == "gudanna"
    again = emeth("army", "save", LIONS, "--over", name, "--json")
    assert json.loads(again.output)["army"]["name"] == "lions"
    assert emeth("army", "delete", name).output == f"Army {name} is deleted.\n"
    assert name not in emeth("army", "list").output
    gone = emeth("army", "show", name)
    assert gone.exit_code == 3
    assert "[ARMY_NOT_FOUND]" in gone.output


def test_an_army_with_faults_is_refused_with_all_of_them(emeth_online: Emeth) -> None:
    result = emeth_online("army", "save", FAULTY)
    assert result.exit_code == 1
    assert "ancients[1]: Nahesh of the Still Water serves only durani, mercenary" in result.output
    assert "golems[1].relic: " in result.output


def test_the_owners_token_is_kept_where_only_its_owner_reads(
    emeth_online: Emeth, tmp_path: Path
) -> None:
    saved(emeth_online)
    path = tmp_path / "config" / "owners.json"
    assert path.stat().st_mode & 0o077 == 0
    (token,) = json.loads(path.read_text()).values()
    path.unlink()
    assert len(emeth_online("army", "list").output.splitlines()) == 1
    assert len(emeth_online("army", "list", "--owner", token).output.splitlines()) == 2
    path.write_text("{")
    damaged = emeth_online("army", "list")
    assert (damaged.exit_code, "is damaged" in damaged.output) == (2, True)


def test_a_saved_army_is_fielded_and_its_status_is_shown(emeth_online: Emeth) -> None:
    emeth = emeth_online
    name = saved(emeth)
    fielded = emeth(
        "new", "golem-arcana", "--option", "scenario=twin-wells", "--army", f"south={name}"
    )
    assert fielded.exit_code == 0, fielded.output
    lines = emeth("status").output.splitlines()
    assert lines[0] == "south: Action Points 0, Mana 0, Victory Points 0"
    assert lines[1] == "ancient: Urzal Who Counts Bones"
    assert lines[2].split() == ["UNIT", "NAME", "WHERE", "STANDS", "HAS"]
    assert re.match(
        r"s1 +Sand Lion +not deployed +Hit Points 50/50, armor 4, dodge 16, size", lines[3]
    )
    assert "knight Yeshe of the Lantern" in lines[3]
    assert "relic Ember Lens (Mana 3, charges 3)" in lines[4]
    assert lines[-1].startswith("version ")
    both = emeth("status")
    assert "\nnorth: " in both.output
    sides: Any = json.loads(emeth("status", "--json").output)["army_status"]["sides"]
    assert [side["seat"] for side in sides] == ["south", "north"]


@pytest.mark.parametrize("pair", ["south", "=x", "south="])
def test_an_army_is_fielded_for_a_seat(emeth: Emeth, pair: str) -> None:
    result = emeth("new", "golem-arcana", "--army", pair)
    assert result.exit_code == 2
    assert "is not SEAT=VALUE" in result.output


def test_content_is_listed_by_filter(emeth_online: Emeth) -> None:
    result = emeth_online("content", "golem-arcana", "--kind", "golem", "--faction", "mercenary")
    header, *found = result.output.splitlines()
    assert header.split()[:5] == ["KIND", "ID", "NAME", "SIZE", "POINTS"]
    (blight,) = (line.split() for line in found if "horned-blight" in line)
    assert blight[:6] == ["golem", "horned-blight", "Horned", "Blight", "warsprite", "80"]
    assert emeth_online("content", "agog").exit_code == 3


def test_one_space_is_shown_closely(emeth_online: Emeth) -> None:
    emeth_online("new", "golem-arcana")
    shown = emeth_online("show", "--focus", "a1")
    assert shown.output.startswith("a1, medium cover")
    assert "South's Sand Lion s1" in shown.output
    assert emeth_online("show", "--focus", "a1", "--svg").output.startswith("<svg")
    assert emeth_online("show", "--focus", "z9").exit_code == 3
