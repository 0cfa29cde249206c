"""Whole stories told to the command line, with a real service at the other end."""

import json
import re
from collections.abc import Callable
from xml.etree.ElementTree import fromstring

import pytest
from click.testing import Result

from services.cli import keyring

Emeth = Callable[..., Result]
START = "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *"


@pytest.fixture
def match(emeth_online: Emeth) -> str:
    """A new match, whose tokens are remembered."""
    made = json.loads(emeth_online("new", "agog", "--public", "--title", "Sunday", "--json").output)
    return str(made["match"]["match_id"])


def test_a_new_match_shows_its_tokens_and_what_to_do_next(emeth_online: Emeth) -> None:
    shown = emeth_online("new", "agog", "--option", "handicap=3").output
    assert re.match(r"Match [-0-9a-f]{36} \(A\.G\.O\.G\.\): White to move\n", shown)
    assert re.findall(r"^(\w+) +[-_A-Za-z0-9]{43}$", shown, re.MULTILINE) == [
        "white",
        "black",
        "referee",
        "spectator",
    ]
    assert "emeth play --against club" in shown


@pytest.mark.parametrize(
    ("words", "clash"),
    [
        (
            ("res-arcana", "--option", "chance=entered", "--chance", "rolled"),
            "--option chance=entered and --chance rolled contradict each other: leave one of them",
        ),
        (
            ("agog", "--option", "handicap=3", "--option", "handicap=4"),
            "handicap is given twice",
        ),
        (("golem-arcana", "--army", "south=a", "--army", "south=b"), "--army names south twice"),
        (
            ("golem-arcana", "--option", 'armies={"south":{}}', "--army", "south=a"),
            "--option armies, which has south, and --army south=a contradict each other",
        ),
    ],
)
def test_what_is_said_in_two_ways_is_refused(
    emeth: Emeth, words: tuple[str, ...], clash: str
) -> None:
    result = emeth("new", *words)
    assert result.exit_code == 2
    assert clash in result.output


@pytest.mark.parametrize(
    ("words", "chance"),
    [
        ((), "CHANCE_ENTERED"),
        (("--chance", "rolled"), "CHANCE_ROLLED"),
        (("--option", "chance=rolled"), "CHANCE_ROLLED"),
        (("--option", "chance=rolled", "--chance", "rolled"), "CHANCE_ROLLED"),
    ],
)
def test_who_tells_chance_may_be_said_in_either_way(
    emeth_online: Emeth, words: tuple[str, ...], chance: str
) -> None:
    made = json.loads(emeth_online("new", "res-arcana", *words, "--json").output)
    assert made["match"]["chance"] == chance


@pytest.mark.parametrize(
    ("words", "chance", "seats"),
    [
        (("rolled", "black=entered"), "CHANCE_ROLLED", {"black": "CHANCE_ENTERED"}),
        (("white=rolled",), "CHANCE_ENTERED", {"white": "CHANCE_ROLLED"}),
        (("white=rolled", "black=rolled", "rolled"), "CHANCE_ROLLED", {}),
    ],
)
def test_each_seat_may_roll_in_its_own_way(
    emeth_online: Emeth, words: tuple[str, ...], chance: str, seats: dict[str, str]
) -> None:
    said = [each for word in words for each in ("--chance", word)]
    made = json.loads(emeth_online("new", "earthen-war", *said, "--json").output)["match"]
    assert (made["chance"], made.get("seat_chance", {})) == (chance, seats)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("rolled", "entered"), "--chance is given twice"),
        (("white=rolled", "white=entered"), "--chance for white is given twice"),
        (("dice",), "--chance dice is invalid: it is entered or rolled"),
        (("=rolled",), "--chance =rolled is invalid: it is entered or rolled"),
        (("green=rolled",), "there is no such seat; the seats are white, black"),
    ],
)
def test_what_is_no_way_of_rolling_is_said(
    emeth_online: Emeth, words: tuple[str, ...], why: str
) -> None:
    said = [each for word in words for each in ("--chance", word)]
    result = emeth_online("new", "earthen-war", *said)
    assert result.exit_code != 0
    assert why in " ".join(result.output.replace("│", " ").split())


def test_turns_are_taken_in_machine_or_in_score_notation(emeth_online: Emeth, match: str) -> None:
    assert emeth_online("play", "a6-b6").output == (
        "2 white ab6  White's golem moves from a6 to b6.\nblack: turn\n"
    )
    assert emeth_online("play", "hg3", "-m", match[:8]).exit_code == 0
    assert emeth_online("export", "--format", "score").output == "1. ab6 hg3\n"


def test_a_refused_turn_shows_the_rule_and_ends_with_1(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("play", "h3-h2", "--as", "black")
    assert result.exit_code == 1
    assert "agog.turn.order" in result.output
    assert len(result.output.splitlines()) == 1
    as_json = emeth_online("play", "h3-h2", "--as", "black", "--json")
    assert as_json.exit_code == 1
    assert json.loads(as_json.output)["refused"]["rule"] == "agog.turn.order"


def test_an_action_can_be_tried_before_it_is_taken(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("preview", "a6-b6")
    assert "agog.move.step" in result.output
    assert emeth_online("preview", "a6-c6").exit_code == 1
    assert START in emeth_online("show").output


def test_actions_lists_what_may_be_done(emeth_online: Emeth, match: str) -> None:
    lines = emeth_online("actions").output.splitlines()
    assert lines[0] == "ACTION        WHAT IT IS"
    assert lines[1] == "a6-b6         Move the golem from a6 to b6"
    found = json.loads(emeth_online("actions", "--as", "black", "--json").output)
    assert [action["notation"] for action in found] == ["resign black"]


def test_a_claimed_seat_is_ones_own(emeth_online: Emeth, match: str) -> None:
    invitation = keyring.load()[match].invitations["white"]
    assert emeth_online("join", "white", "--name", "Ann").output == (
        f"Ann is white in match {match}: White to move\n"
    )
    stale = emeth_online("play", "a6-b6", "--token", invitation)
    assert stale.exit_code == 3
    assert "[TOKEN_WRONG_MATCH]" in stale.output
    assert emeth_online("play", "a6-b6").exit_code == 0
    assert emeth_online("join", "white", "--name", "Eve").exit_code == 3
    assert emeth_online("leave", "white").output == f"white is open again in match {match}.\n"
    assert emeth_online("join", "white", "--name", "Bea").exit_code == 0
    assert "white Bea, black open" in emeth_online("list", "--mine").output


def test_matches_are_listed_by_what_is_asked(emeth_online: Emeth, match: str) -> None:
    emeth_online("join", "black", "--name", "Zoe of the tests")
    found = json.loads(emeth_online("list", "--player", "Zoe of the tests", "--json").output)
    assert [each["match_id"] for each in found] == [match]
    assert found[0]["title"] == "Sunday"
    assert emeth_online("list", "--limit", 1).output.count("\n") == 2
    assert match in emeth_online("list", "--game", "agog", "--open", "--status", "active").output


def test_a_match_is_shown_as_it_was(emeth_online: Emeth, match: str) -> None:
    emeth_online("play", "a6-b6")
    shown = emeth_online("show", "--at", 1).output.splitlines()
    assert shown[2] == "6 G . . . g g g g"
    assert shown[-1] == f"version 1  {START}"
    assert emeth_online("show").output.splitlines()[2] == "6 .*G*. . g g g g"
    assert json.loads(emeth_online("show", "--json").output)["version"] == 2
    across = "6 g g g g . . G*.*"
    assert emeth_online("show", "--opposite").output.splitlines()[5] == across
    assert emeth_online("show", "--as", "black").output.splitlines()[5] == across
    assert emeth_online("show", "--as", "black", "--opposite").output == emeth_online("show").output
    beyond = emeth_online("show", "--at", 9)
    assert beyond.exit_code == 3
    assert "[VERSION_OUT_OF_RANGE]" in beyond.output


def test_a_match_is_drawn_as_svg(emeth_online: Emeth, match: str) -> None:
    root = fromstring(emeth_online("show", "--svg").output)  # noqa: S314  our own service's
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_a_resigned_match_is_over(emeth_online: Emeth, match: str) -> None:
    emeth_online("play", "a6-b6")
    assert emeth_online("resign", "--as", "white").output.splitlines()[-1] == (
        "black won (resign), 0-1"
    )
    assert emeth_online("export", "--format", "score").output == "1. ab6\n0-1\n"
    over = emeth_online("play", "h3-g3", "--as", "black")
    assert over.exit_code == 1
    assert "agog.end.over" in over.output


def test_history_explains_each_event(emeth_online: Emeth, match: str) -> None:
    emeth_online("play", "a6-b6")
    assert emeth_online("history").output.splitlines() == [
        "1 A match of A.G.O.G. begins.",
        "2 white ab6  White's golem moves from a6 to b6.",
    ]
    explained = emeth_online("history", "--why").output
    assert "White's golem goes from a6 to b6." in explained
    assert "agog.move.forward" in explained
    assert len(json.loads(emeth_online("history", "--json").output)) == 2


def test_a_stale_version_is_an_error_and_changes_nothing(emeth_online: Emeth, match: str) -> None:
    emeth_online("play", "a6-b6", "--at", 1)
    stale = emeth_online("play", "h3-g3", "--at", 1)
    assert stale.exit_code == 3
    assert (
        stale.output
        == "Error: the match is at version 2, not 1: get the match again [VERSION_STALE]\n"
    )


def test_watch_shows_a_finished_match_from_any_version(emeth_online: Emeth, match: str) -> None:
    emeth_online("play", "a6-b6")
    emeth_online("resign")
    lines = emeth_online("watch", "--after", 0).output.splitlines()
    assert lines[0] == "1 A match of A.G.O.G. begins."
    assert lines.count("  a b c d e f g h") == 3
    assert lines[-1] == "white won (resign), 1-0"
    events = [json.loads(line) for line in emeth_online("watch", "--json").output.splitlines()]
    assert [each["event"]["version"] for each in events] == [3]


def test_options_that_the_service_refuses_are_named(emeth_online: Emeth) -> None:
    result = emeth_online("new", "agog", "--option", "handicap=21")
    assert result.exit_code == 3
    assert "handicap" in result.output
    assert "[OPTIONS_INVALID]" in result.output


@pytest.mark.parametrize("word", ["show", "watch"])
def test_a_service_that_is_away_is_one_sentence(emeth_online: Emeth, match: str, word: str) -> None:
    result = emeth_online(word, "--address", "127.0.0.1:1")
    assert result.exit_code == 3
    assert result.output.startswith("Error: no service answers at 127.0.0.1:1: ")
    assert len(result.output.splitlines()) == 1
