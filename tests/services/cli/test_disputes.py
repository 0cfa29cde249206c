"""Explaining, disputing and judging from the command line."""

import json
from collections.abc import Callable

import pytest
from click.testing import Result

Emeth = Callable[..., Result]
BACK = '{"type": "agog.unit-moved", "unit": "G", "start": "b6", "end": "a6"}'


@pytest.fixture
def match(emeth_online: Emeth) -> str:
    """A match in which Black disputes White's move, event 2: dispute 4."""
    made = json.loads(emeth_online("new", "agog", "--json").output)
    emeth_online("play", "a6-b6")
    emeth_online("play", "h3-g3")
    raised = emeth_online("dispute", 2, "it was knocked over", "--as", "black")
    assert raised.output == "dispute 4 on event 2 is open: the referee resolves it\n"
    return str(made["match"]["match_id"])


def test_a_dispute_is_listed_until_it_is_answered(emeth_online: Emeth, match: str) -> None:
    asked = "dispute 4 on event 2 by black, open: it was knocked over\n"
    assert emeth_online("disputes", "--open").output == asked
    assert emeth_online("disputes", "--find", "knock").output == asked
    assert emeth_online("disputes", "--find", "queen").output == ""
    given = emeth_online("verdict", 4, "it was not", "--uphold", "--rule", "agog.move.step")
    assert given.output.startswith(f"verdict {match[:8]}-5 is given: 2gggggj/")
    assert emeth_online("disputes", "--open").output == ""
    assert emeth_online("disputes").output == (
        "dispute 4 on event 2 by black: it was knocked over\n"
        f"  upheld ({match[:8]}-5): it was not [agog.move.step]\n"
    )
    (as_json,) = json.loads(emeth_online("disputes", "--json").output)
    assert as_json["verdict"]["kind"] == "VERDICT_KIND_UPHELD"


def test_history_shows_disputes_and_verdicts(emeth_online: Emeth, match: str) -> None:
    emeth_online("verdict", 4, "it was", "--revert-to", 1)
    lines = emeth_online("history").output.splitlines()
    assert lines[3] == "4 black  Black disputes event 2: it was knocked over."
    assert lines[4] == (
        f"5 Verdict {match[:8]}-5 on dispute 4, the match goes on from version 1: it was."
    )
    assert emeth_online("play", "a6-b6").exit_code == 0


def test_a_position_is_corrected_by_a_fact_as_explain_shows_it(
    emeth_online: Emeth, match: str
) -> None:
    shown = emeth_online("explain", 2, "--facts").output.splitlines()
    assert json.loads(shown[0]) == {**json.loads(BACK), "start": "a6", "end": "b6"}
    given = json.loads(emeth_online("verdict", 4, "put back", "--fact", BACK, "--json").output)
    assert given["position"].startswith("2gggggj/3ggggg/G3gggg/")
    assert "White's golem goes from b6 to a6." in emeth_online("history", "--why").output


def test_an_event_is_explained(emeth_online: Emeth, match: str) -> None:
    emeth_online("verdict", 4, "it was not", "--uphold", "--rule", "agog.move.step")
    shown = emeth_online("explain", 2).output
    assert shown.startswith("2 white ab6  White's golem moves from a6 to b6.\n")
    assert "agog.move.step: a golem or journeyman moves one square [The Golem, " in shown
    assert f"  precedents: {match[:8]}-5" in shown
    assert "AGOG-R2]" in shown
    assert "dispute 4 on event 2 by black: it was knocked over\n" in shown
    before, after = shown.split("\nBefore:\n")[1].split("\n\nAfter:\n")
    assert before.splitlines()[2] == "6 G . . . g g g g"
    assert after.splitlines()[2] == "6 .*G*. . g g g g"
    assert json.loads(emeth_online("explain", 2, "--json").output)["event"]["version"] == 2
    assert "[VERSION_OUT_OF_RANGE]" in emeth_online("explain", 99).output


def test_the_referee_learns_who_sees_what(emeth_online: Emeth, match: str) -> None:
    lines = emeth_online("who-sees", 2).output.splitlines()
    assert lines[0].split() == ["FACT", "SEEN", "BY"]
    assert lines[1].startswith("White's golem goes from a6 to b6.  white, black, ")
    assert emeth_online("who-sees", 2, "--as", "white").exit_code == 2
    seen = json.loads(emeth_online("who-sees", 2, "--json").output)
    assert "spectator" in seen[0]["viewers"]
    shown = emeth_online("show", "--as", "referee", "--viewer", "black")
    assert "6 g g g g . . G .\n" in shown.output  # from Black's side of the board
    assert "[ROLE_NOT_ALLOWED]" in emeth_online("show", "--as", "white", "--viewer", "black").output


def test_citations_are_listed(emeth_online: Emeth, match: str) -> None:
    shown = emeth_online("citations").output
    assert shown.splitlines()[0].split() == ["RULE", "MEANING", "EVENTS", "PRECEDENTS"]
    (line,) = emeth_online("citations", "agog.turn.order").output.splitlines()[1:]
    assert line.split()[-2:] == ["2", "3"]
    assert "[RULE_NOT_FOUND]" in emeth_online("citations", "agog.nope").output


@pytest.mark.parametrize(
    "words",
    [
        ("verdict", 4, "why"),
        ("verdict", 4, "why", "--uphold", "--revert-to", 1),
        ("verdict", 4, "why", "--uphold", "--fact", BACK),
        ("verdict", 0, "why", "--uphold"),
        ("verdict", 4, "--uphold"),
        ("dispute", 2, "no seat is named"),
        ("dispute", "two", "why", "--as", "white"),
    ],
)
def test_what_makes_no_sense_is_a_usage_error(
    emeth_online: Emeth, match: str, words: tuple[object, ...]
) -> None:
    assert emeth_online(*words).exit_code == 2


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("verdict", 4, "why", "--uphold", "--as", "white"), "ROLE_NOT_ALLOWED"),
        (("verdict", 5, "why", "--uphold"), "DISPUTE_NOT_OPEN"),
        (("verdict", 4, "why", "--revert-to", 99), "VERSION_OUT_OF_RANGE"),
        (("verdict", 4, "why", "--fact", "{}"), "FIELD_INVALID"),
        (("verdict", 4, "why", "--uphold", "--rule", "no.rule"), "RULE_NOT_FOUND"),
        (("dispute", 2, "again", "--as", "black"), "DISPUTE_ALREADY_OPEN"),
        (("dispute", 2, "who am I", "--as", "spectator"), "ROLE_NOT_ALLOWED"),
    ],
)
def test_a_refusal_of_the_service_is_printed_with_its_reason(
    emeth_online: Emeth, match: str, words: tuple[object, ...], reason: str
) -> None:
    result = emeth_online(*words)
    assert result.exit_code == 3
    assert f"[{reason}]" in result.output


def test_a_match_may_pause_while_a_dispute_is_open(emeth_online: Emeth) -> None:
    emeth_online("new", "agog", "--pause-on-dispute")
    emeth_online("play", "a6-b6")
    emeth_online("dispute", 2, "why", "--as", "black")
    nobody = emeth_online("play", "h3-g3")
    assert nobody.exit_code == 2
    assert "here: white, black); The match is paused" in nobody.output
    paused = emeth_online("play", "h3-g3", "--as", "black")
    assert paused.exit_code == 3
    assert paused.output == "Error: the match waits for the verdict on dispute 3 [MATCH_PAUSED]\n"


def test_a_refusal_is_followed_by_what_is_legal(emeth_online: Emeth, match: str) -> None:
    result = emeth_online("play", "c4-c6")
    assert result.exit_code == 1
    assert result.output.splitlines()[1].startswith("Legal, and nearest to it: c4-c5")
