"""Taking back, playing again and making matches of others, from the command line."""

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from services.cli.commands.replay import Player
from services.wire.emeth.v1.match_views_pb2 import MatchEvent

Emeth = Callable[..., Result]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def played(emeth_online: Emeth) -> Emeth:
    """A match of A.G.O.G. with two actions."""
    assert emeth_online("new", "agog").exit_code == 0
    for action in ("a6-b6", "h3-g3"):
        assert emeth_online("play", action).exit_code == 0
    return emeth_online


def test_an_undo_is_requested_by_the_last_actor_and_granted_by_the_other(played: Emeth) -> None:
    asked = played("undo").output
    assert "Black asks White to go on from version 2" in asked
    assert "white may grant it: `emeth answer yes`" in asked
    granted = played("answer", "yes").output
    assert "The match goes on from version 2" in granted
    assert "b 0 0 - *" in granted
    redone = played("redo", "--as", "referee").output
    assert "w 0 0 - *" in redone


def test_a_redo_is_requested_by_the_seat_that_undid(played: Emeth) -> None:
    played("undo")  # black asks: what is left was white's
    played("answer", "yes")
    asked = played("redo").output
    assert "Black asks White to take up version" in asked, asked
    played("answer", "no")
    played("undo", "1", "--as", "referee")
    redone = played("redo").output
    assert "white asked" not in redone
    assert "black asked" not in redone


def test_an_undo_may_be_refused(played: Emeth) -> None:
    played("undo", "2", "--as", "black")
    assert "White refuses to go back" in played("answer", "no").output
    assert "NO_PROPOSAL" in played("answer", "yes", "--as", "white").output


def test_a_version_and_a_turn_exclude_each_other(played: Emeth) -> None:
    assert played("undo", "2", "--turn").exit_code == 2


def test_an_undo_request_reports_the_rolls_since_its_target(emeth_online: Emeth) -> None:
    emeth_online("new", "earthen-war", "--chance", "rolled", "--undo", "free")
    match = json.loads(emeth_online("list", "--mine", "--json").output)[0]
    assert (match["chance"], match["undo_policy"]) == ("CHANCE_ROLLED", "UNDO_POLICY_FREE")
    assert match["commitment"]
    joined = emeth_online("join", "white", "--name", "Ann", "--entropy", "seven of spades")
    assert joined.exit_code == 0
    history = emeth_online("history", "--json").output
    assert "seven of spades" in history
    asked = emeth_online("undo", "1", "--as", "white").output
    assert re.search(r"chance was told in 2", asked), asked


def test_a_draw_is_offered_and_answered(emeth_online: Emeth) -> None:
    emeth_online("new", "earthen-war", "--chance", "rolled")
    assert "White offers a draw" in emeth_online("draw", "--as", "white").output
    assert "nobody won (agreement)" in emeth_online("answer", "yes").output


def test_branches_are_listed_with_what_is_otherwise_there(played: Emeth) -> None:
    played("undo", "2", "--as", "referee")
    shown = played("branches").output
    assert "4  the mainline" in shown
    assert "3  parts after 2" in shown
    assert "g3: Black's golem, not nothing" in shown


def test_a_fork_is_remembered_and_linked_to_its_origin(emeth_online: Emeth) -> None:
    played = emeth_online
    played("new", "agog", "--public")
    for action in ("a6-b6", "h3-g3"):
        played("play", action)
    origin = json.loads(played("list", "--mine", "--json").output)[0]["match_id"]
    assert "Black to move" in played("fork", "--at", "2", "--title", "What if").output
    assert played("play", "g4-f4").exit_code == 0
    listed = json.loads(played("list", "--mine", "--json").output)[0]
    assert listed["title"] == "What if"
    assert listed["fork_origin"] == {"match_id": origin, "version": 2}


def test_a_transcript_is_imported_again(played: Emeth, tmp_path: Path) -> None:
    text = played("export", "--format", "transcript").output
    assert "\n1. white ab6\n{White's golem moves from a6 to b6.}\n2. black hg3\n" in text
    (tmp_path / "match.txt").write_text(text)
    assert "White to move" in played("import", tmp_path / "match.txt").output
    assert (
        played("export", "--format", "transcript").output.split("\n\n")[1:]
        == text.split("\n\n")[1:]
    )
    (tmp_path / "match.txt").write_text(text.replace("hg3", "hg9"))
    refused = played("import", tmp_path / "match.txt")
    assert refused.exit_code == 3
    assert "line 18" in refused.output or "TRANSCRIPT_INVALID" in refused.output


def test_a_match_is_shown_as_it_was_at_a_time(played: Emeth) -> None:
    assert "version 3" in played("show", "--at-time", "2999-01-01T00:00").output
    assert "VERSION_OUT_OF_RANGE" in played("show", "--at-time", "2000-01-01").output
    assert played("show", "--at-time", "yesterday").exit_code == 2
    assert played("show", "--at-time", "2999-01-01", "--at", "1").exit_code == 2


def test_a_replay_in_a_pipe_is_plain(played: Emeth) -> None:
    played("undo", "2", "--as", "referee")
    shown = played("replay").output
    assert "3 black hg3" in shown
    assert "\x1b" not in shown
    line = [json.loads(each) for each in played("replay", "--line", "--json").output.splitlines()]
    assert [each["event"]["version"] for each in line] == [1, 2]


def test_a_replay_in_a_terminal_obeys_its_keys(played: Emeth) -> None:
    here, there = pty.openpty()
    process = subprocess.Popen(
        (sys.executable, "-m", "services.cli", "replay", "--every", "600"),
        cwd=ROOT,
        stdin=there,
        stdout=there,
        stderr=there,
        env=os.environ | {"TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"},
    )
    os.close(there)
    expect(here, "1 of 3  playing")
    for key, wanted in (
        (b"n", "2 of 3  paused"),
        (b"\x1b[C", "3 of 3  paused"),
        (b"b", "2 of 3  paused"),
        (b"+", "2 times as fast"),
        (b"0", "1 of 3"),
        (b" ", "1 of 3  playing"),
    ):
        os.write(here, key)
        expect(here, wanted)
    os.write(here, b"q")
    assert process.wait(20) == 0
    os.close(here)


def expect(terminal: int, wanted: str) -> None:
    """Read what is on the screen until this is."""
    seen = ""
    until = time.monotonic() + 20
    while wanted not in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen):
        assert time.monotonic() < until, seen[-500:]
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")


# --- the player, without a terminal ---------------------------------------------------------------


def player(events: int, every: float | None = None) -> Player:
    found = [MatchEvent() for _ in range(events)]
    for number, watched in enumerate(found, 1):
        watched.event.version = number
    return Player(found, every)


def test_the_next_event_is_due_at_the_pace_that_is_asked_or_in_a_second() -> None:
    assert player(2, every=3).pause() == 3
    assert player(2).pause() == 1


def test_faster_and_slower_double_and_halve_the_pace() -> None:
    shown = player(2, every=4)
    shown.press("+")
    assert shown.pause() == 2
    for _ in range(2):
        shown.press("-")
    assert shown.pause() == 8


def test_stepping_pauses_and_stays_within_the_match() -> None:
    shown = player(3)
    shown.press("b")
    assert (shown.place, shown.playing, shown.pause()) == (0, False, None)
    for _ in range(5):
        shown.press("n")
    assert shown.place == 2
    shown.press("0")
    assert shown.place == 0
    shown.press("x")
    shown.press(" ")
    assert shown.playing
    shown.press(None)
    assert shown.place == 1
    shown.press("q")
    assert shown.left
