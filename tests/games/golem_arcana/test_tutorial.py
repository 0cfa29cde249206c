"""The tutorial walks a beginner through, step by step; packs may bring tutorials of their own."""

from importlib.resources import files

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.lessons import lessons
from domain.games.golem_arcana.content.pack_reading import PackError, read_pack
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.options import Options
from domain.kernel.game import SPECTATOR
from domain.kernel.notation_error import NotationError

CONTENT = files("domain.games.golem_arcana.content")
FIELD = """
[[scenario]]
id = "field"
name = "Field"
about = "A field."
source = "house"
seats = ["south", "north"]
apv = 500
grid = ["P P", "P P"]
rounds = 3
elimination = "win"
army.south = {{ faction = "gudanna", golems = [ {{ type = "sand-lion", at = "a1" }} ] }}
army.north = {{ faction = "durani", golems = [ {{ type = "prism-archer", at = "b2" }} ] }}
lesson = [ {} ]
"""


def lesson_of(table) -> str:
    """The lesson in the caption."""
    return GAME.caption(table.state, SPECTATOR).partition(". ")[2]


def test_the_tutorial_goes_from_moving_to_attacking_to_winning(start) -> None:
    course = lessons(CORE, "first-steps")
    table = start()
    assert lesson_of(table) == course[0].text
    table.do("move s1 walk b2")
    assert lesson_of(table) == course[1].text
    table.do("end")
    assert lesson_of(table) == course[0].text  # North has not moved yet
    table.do("move n2 walk f2", "end")
    assert lesson_of(table) == course[2].text


def test_a_question_is_explained_whenever_it_is_asked(at) -> None:
    asked = {each.asked: each.text for each in lessons(CORE, "first-steps") if each.asked}
    table = at("s1=sand-lion@a1:50;n1=prism-archer@c1:40", scenario="first-steps")
    table.do("charge s1 bite walk n1")
    assert lesson_of(table) == asked["dice"]
    table.do("dice 30")
    assert lesson_of(table) == asked["displace"]


def test_an_attack_ends_its_lesson_and_a_kill_the_next(at) -> None:
    course = lessons(CORE, "first-steps")
    later = {"scenario": "first-steps", "rounds": 2}
    whole = "s1=sand-lion@b1:50;n1=vigilant-sentinel@e3:45;n2=prism-archer@f3:40"
    assert lesson_of(at(whole, **later)) == course[2].text
    hurt = whole.replace("prism-archer@f3:40", "prism-archer@f3:39")
    assert lesson_of(at(hurt, **later)) == course[3].text
    missed = whole.replace("@b1:50", "@b1:50%bite.2.1")
    assert lesson_of(at(missed, **later)) == course[3].text
    fallen = "s1=sand-lion@b1:50;n1=vigilant-sentinel@e3:45"
    assert lesson_of(at(fallen, **later)) == course[4].text


def test_no_lesson_is_shown_elsewhere_or_after_the_end(at, start) -> None:
    assert lesson_of(start(scenario="three-banners")) == ""
    over = at("s1=sand-lion@a1:50;n1=prism-archer@a1:1", scenario="first-steps")
    over.do("attack s1 bite n1", "dice 10")
    assert lesson_of(over) == ""


@pytest.mark.parametrize("unit", ["n3", "n4", "s3"])
def test_a_position_of_a_tutorial_names_only_units_of_its_armies(at, unit) -> None:
    """The lessons look a Golem up in the army of its seat."""
    with pytest.raises(NotationError, match=f"first-steps has no Golem {unit}"):
        at(f"s1=sand-lion@a1:50;{unit}=prism-archer@c1:40", scenario="first-steps")


@pytest.mark.parametrize("unit", ["n3", "n4"])
def test_a_stored_match_that_started_with_other_units_is_still_shown(unit) -> None:
    """Earlier versions took such positions."""
    start = GAME.write_position(GAME.start(Options()))
    state = GAME.read_stored_position(start.replace("n1=", f"{unit}="), Options())
    for viewer in ("south", "north", SPECTATOR):
        assert GAME.caption(state, viewer)
        GAME.scene(state, viewer)
        GAME.status(state, viewer, Options())


def test_lessons_change_no_digest_of_a_shipped_pack() -> None:
    assert CORE.digest == "a741ee937eb13440bcee583af5ac1e4cd218e21c77d568a63550f23ccedd5f4f"
    assert not any(scenario.lessons for scenario in CORE.scenarios.values())


def field(lesson: str) -> bytes:
    return FIELD.format(lesson).encode()


def cards() -> bytes:
    return (CONTENT / "eretsu-core.content.toml").read_bytes()


def test_a_pack_may_bring_a_tutorial_of_its_own() -> None:
    step = '{ until = "moved", text = "Go." }, { text = "Win." }'
    pack = read_pack(cards(), field(step))
    state = GAME.start(Options(pack=pack, scenario="field"))
    assert GAME.caption(state, "south").endswith(". Go.")


@pytest.mark.parametrize(
    ("lesson", "fault"),
    [
        ('{ until = "moved", round = 2, text = "Go." }', "has one of until, round and asked"),
        ('{ text = "Go." }, { text = "Win." }', "lesson[0]: never ends"),
        ('{ round = 4, text = "Go." }', "there are 3 Rounds"),
        ('{ until = "bored", text = "Go." }', "Invalid enum value 'bored'"),
    ],
)
def test_faults_of_a_tutorial_are_found(lesson: str, fault: str) -> None:
    with pytest.raises(PackError, match="lesson") as faults:
        read_pack(cards(), field(lesson))
    assert fault in str(faults.value)
