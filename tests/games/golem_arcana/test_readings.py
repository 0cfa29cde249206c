"""A position has one text, in whatever order it was written; certain choices are not prompted."""

import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.conformance.vectors import read_vector
from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.pack_reading import read_pack
from domain.games.golem_arcana.notation.position_reading import read_stored_position
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, ResolvedAction
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Accepted
from domain.match import MatchSetup, create, roles
from tests.command_contexts import context_at
from tests.hypothesis_settings import example_settings

HERE = Path(__file__).parent
READINGS = HERE.joinpath("readings.jsonl").read_bytes().splitlines()
STARTS = HERE.parents[2] / "domain" / "games" / "golem_arcana" / "content" / "eretsu-core"
NIGHT = Options(scenario="night-of-embers")
DEALT = "buried-cache=b3,unquiet-grave=a4,stranger=c4"


@pytest.mark.parametrize("line", READINGS)
def test_a_position_is_written_back_in_its_one_order(line: bytes) -> None:
    assert GAME.vector_checks["reading"](line) == ()


def test_a_reading_that_differs_is_reported() -> None:
    line = READINGS[0].replace(b'"position":"ga1 hold-the-ford - R2', b'"position":"ga1 hold - R2')
    read, again = GAME.vector_checks["reading"](line)
    assert (read.what, read.got[:16]) == (
        "golems in the order of play: as it is read",
        "ga1 hold-the-for",
    )
    assert "there is no scenario 'hold'" in again.got
    with pytest.raises(NotationError, match="not a vector"):
        GAME.vector_checks["reading"](b'{"kind": "reading"}')


# --- one order -----------------------------------------------------------------------------------


def positions() -> list[str]:
    """Positions of the vectors, every seventh."""
    vectors = map(read_vector, HERE.joinpath("vectors.jsonl").read_bytes().splitlines())
    return [step.position for vector in vectors for step in vector.steps][::7]


POSITIONS = positions()
COMMAS = {2: ",", 5: ";", 6: ";", 7: ";", 8: ",", 9: ",", 10: ","}
"""What parts the lists of a position, by field from 0."""


def shuffled(text: str, random: Random) -> str:
    """The same position with every list in another order."""
    fields = text.split(" ")
    for at, comma in COMMAS.items():
        parts = fields[at].split(comma)
        if at == 6:
            parts = [_marks_shuffled(part, random) for part in parts]
        fields[at] = comma.join(random.sample(parts, len(parts)))
    how, colon, leaders = fields[12].partition(":")
    fields[12] = how + colon + "+".join(reversed(leaders.split("+")))
    return " ".join(fields)


def _marks_shuffled(golem: str, random: Random) -> str:
    golem, *marks = re.split("(?=[%!])", golem)
    heats = [mark for mark in marks if mark[0] == "%"]
    effects = [mark for mark in marks if mark[0] == "!"]
    return "".join(
        (golem, *random.sample(heats, len(heats)), *random.sample(effects, len(effects)))
    )


@example_settings(100, deadline=None)
@given(text=st.sampled_from(POSITIONS), seed=st.integers(0, 10_000))
def test_whatever_order_a_position_is_written_in_it_is_the_same(text: str, seed: int) -> None:
    options = Options(scenario=text.split(" ")[1])
    state = GAME.read_position(text, options)
    other = GAME.read_position(shuffled(text, Random(seed)), options)
    assert GAME.write_position(other) == text
    assert other == state
    for prompt in GAME.turn(state):
        assert list(GAME.legal(other, prompt.seat)) == list(GAME.legal(state, prompt.seat))


def test_work_and_ancient_ones_are_in_an_order_that_tells_something() -> None:
    text = (
        "ga1 proving-ground - R1 south south:6:0:0:nahesh+urzal;north:0:0:0:- s1=sand-lion@a1:50;"
        "n1=horned-blight@b1:60 - - - - displace/n1/choose/1/b1/south,step/s1 *"
    )
    options = Options(scenario="proving-ground")
    for other in (
        text.replace("nahesh+urzal", "urzal+nahesh"),
        text.replace(
            "displace/n1/choose/1/b1/south,step/s1", "step/s1,displace/n1/choose/1/b1/south"
        ),
    ):
        assert GAME.write_position(GAME.read_position(other, options)) == other != text


# --- no prompts for certain choices --------------------------------------------------------------


def setting_up(todo: str, secrets: str = "buried-cache=b3,unquiet-grave=a4") -> str:
    return (
        "ga1 night-of-embers - R0 - south:0:0:0:urzal;north:0:0:0:nahesh s1=horned-blight@a1:60;"
        f"n1=sand-lion@f6:50 - f2:L - {secrets} {todo} *"
    )


def test_a_sure_encounter_at_the_front_is_hidden_when_the_position_is_read() -> None:
    state = GAME.read_position(setting_up("hide/stranger,quest/south,quest/north,begin"), NIGHT)
    assert GAME.write_position(state) == setting_up("quest/south,quest/north,begin", DEALT)


def test_all_that_then_waits_for_nobody_is_carried_out_too() -> None:
    state = GAME.read_position(setting_up("deploy/south,hide/stranger,deploy/north,begin"), NIGHT)
    assert GAME.write_position(state) == (
        "ga1 night-of-embers - R1 south south:6:0:0:urzal;north:0:0:0:nahesh "
        f"s1=horned-blight@a1:60;n1=sand-lion@f6:50 - f2:L - {DEALT} - *"
    )


def test_behind_something_else_it_is_hidden_when_its_turn_comes() -> None:
    text = setting_up("quest/south,hide/stranger,quest/north,begin")
    state = GAME.read_position(text, NIGHT)
    assert GAME.write_position(state) == text
    outcome = GAME.decide(state, "south", GAME.read_action("quest 1"))
    assert isinstance(outcome, Accepted)
    after = fold(GAME, state, outcome.facts)
    assert GAME.write_position(after).split(" ")[10] == f"south=1,{DEALT}"
    happened = ResolvedAction("south", GAME.read_action("quest 1"), outcome.facts, outcome.rulings)
    for viewer in ("south", "north", "spectator", REFEREE):
        seen = GAME.redact(happened, viewer)
        assert ("stranger" in str(seen.facts)) == (viewer == REFEREE)
        assert all(ruling.fact is None or ruling.fact < len(seen.facts) for ruling in seen.rulings)


@pytest.mark.parametrize(
    ("todo", "why"),
    [
        ("begin", "begin needs neither"),
        ("quest/south,quest/south,begin", "done once"),
        ("quest/south,hide/stranger,hide/stranger,begin", "done once"),
    ],
)
def test_nothing_else_may_come_first_that_waits_for_nobody(todo: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        GAME.read_position(setting_up(todo), NIGHT)


def test_what_was_stored_before_is_read_as_it_was_meant() -> None:
    """Continue a match that was recorded when `hide 1` still had a prompt."""
    text = setting_up("hide/stranger,quest/south,quest/north,begin")
    state = read_stored_position(text, NIGHT)
    assert GAME.write_position(state) == text
    assert [GAME.write_action(each) for each in GAME.legal(state, REFEREE)] == ["hide 1"]
    outcome = GAME.decide(state, REFEREE, GAME.read_action("hide 1"))
    assert isinstance(outcome, Accepted)
    assert fold(GAME, state, outcome.facts) == GAME.read_position(text, NIGHT)


# --- encounters that want the same Region --------------------------------------------------------


@pytest.fixture
def crowded():
    """Makes options for a pack whose encounters have these candidates, in scenario order."""

    def make(cache: str, grave: str, stranger: str) -> Options:
        content = STARTS.with_suffix(".content.toml").read_bytes()
        boards = STARTS.with_suffix(".boards.toml").read_text()
        for was, now in (
            ('["b3", "d3", "f4"]', cache), ('["a4", "c3", "e6"]', grave), ('["c4"]', stranger)
        ):  # fmt: skip
            assert was in boards
            listed = ", ".join(f'"{region}"' for region in now.split())
            boards = boards.replace(f"candidates = {was}", f"candidates = [{listed}]")
        pack = read_pack(content, boards.encode())
        return Options(pack=pack, scenario="night-of-embers")

    return make


@pytest.mark.parametrize(
    ("cache", "grave", "stranger", "secrets", "todo"),
    [
        ("b3 c4", "a4 c3", "c4", "buried-cache=b3,stranger=c4", "hide/unquiet-grave,"),
        ("c4", "a4 c3", "c4", "buried-cache=c4", "hide/unquiet-grave,"),
        ("b3 d3", "b3 d3", "c4", "stranger=c4", "hide/buried-cache,hide/unquiet-grave,"),
    ],
)
def test_an_encounter_lies_where_no_other_does(
    crowded, cache: str, grave: str, stranger: str, secrets: str, todo: str
) -> None:
    written = GAME.write_position(GAME.start(crowded(cache, grave, stranger))).split(" ")
    assert written[10:12] == [secrets, f"{todo}quest/south,quest/north,begin"]


def test_what_one_encounter_takes_is_no_candidate_of_the_next(crowded) -> None:
    options = crowded("b3 d3 f4", "b3 d3 e6", "d3 e6")
    state = GAME.start(options)
    for text, left in (("hide 2", 3), ("hide 1", 2)):
        assert len(list(GAME.legal(state, REFEREE))) == left
        outcome = GAME.decide(state, REFEREE, GAME.read_action(text))
        assert isinstance(outcome, Accepted)
        assert "d3" in GAME.parts(state, GAME.read_action(text)).sentence or text == "hide 1"
        state = fold(GAME, state, outcome.facts)
    fields = GAME.write_position(state).split(" ")
    assert fields[10] == "buried-cache=d3,unquiet-grave=b3,stranger=e6", "e6 is all that is left"
    assert fields[11] == "quest/south,quest/north,begin"


def test_two_encounters_in_a_region_are_met_one_after_the_other(crowded) -> None:
    """GA-R46: the choice of the first is made before the second is met."""
    options = crowded("b3 c4", "a4 c4", "c4 e6")
    text = (
        "ga1 night-of-embers - R1 south south:6:0:0:-;north:0:0:0:- s1=horned-blight@c5:40;"
        "n1=sand-lion@f6:50 - f2:L - south=1,north=2,unquiet-grave=c4,stranger=c4 - *"
    )
    boards = GAME.read_position(text, options)
    met = _after(boards, "move s1 walk c4")
    assert met.split(" ")[11] == "choice/stranger/s1"
    assert "s1=horned-blight@c4:28" in met, "the grave comes first in the scenario: 12 damage"
    state = GAME.read_position(
        text.replace("unquiet-grave=c4,stranger=c4", "stranger=c4,buried-cache=b3"), options
    )
    assert "choice/stranger/s1" in _after(state, "move s1 walk c4")


def test_a_second_choice_is_requested_after_the_first() -> None:
    lines = STARTS.with_suffix(".boards.toml").read_text().splitlines()
    cache, stranger = (
        next(n for n, line in enumerate(lines) if f'id = "{name}"' in line)
        for name in ("buried-cache", "stranger")
    )
    lines[cache] = lines[stranger].replace('"stranger"', '"buried-cache"')
    content = STARTS.with_suffix(".content.toml").read_bytes()
    pack = read_pack(content, "\n".join(lines).encode())
    options = Options(pack=pack, scenario="night-of-embers")
    text = (
        "ga1 night-of-embers - R1 south south:6:0:0:-;north:0:0:0:- s1=horned-blight@c5:40;"
        "n1=sand-lion@f6:50 - f2:L - south=1,north=2,buried-cache=c4,stranger=c4 - *"
    )
    first = _after(GAME.read_position(text, options), "move s1 walk c4")
    assert first.split(" ")[10:12] == [
        "south=1,north=2,buried-cache=c4!,stranger=c4", "choice/buried-cache/s1"
    ]  # fmt: skip
    second = _after(GAME.read_position(first, options), "choose 2")
    assert second.split(" ")[10:12] == [
        "south=1,north=2,buried-cache=c4!,stranger=c4!", "choice/stranger/s1"
    ]  # fmt: skip
    assert "south:5:0:1:-" in second
    assert _after(GAME.read_position(second, options), "choose 1").split(" ")[11] == "-"


def _after(state, text: str) -> str:
    """The position after an action of South's."""
    outcome = GAME.decide(state, "south", GAME.read_action(text))
    assert isinstance(outcome, Accepted), outcome
    return GAME.write_position(fold(GAME, state, outcome.facts))


def test_a_stored_match_opens_with_what_was_asked_when_it_was_stored() -> None:
    keys = {role: f"{role}-key" for role in roles(GAME, NIGHT)}
    command_context = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
    start = setting_up("hide/stranger,deploy/south,begin")
    match = create(MatchSetup(GAME, NIGHT, start=start), UUID(int=1), keys, command_context).state
    assert GAME.write_position(match.position) == start
    assert [prompt.expected_action for prompt in match.prompts] == ["hide"]
