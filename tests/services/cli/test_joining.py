"""Joining a match from the command line: by codes, which die when they are used."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Emeth = Callable[..., Result]


def made(emeth: Emeth, *words: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(emeth("new", *words, "--json").output)
    return found


def test_a_game_of_hidden_hands_waits_for_its_players(emeth_online: Emeth) -> None:
    emeth = emeth_online
    shown = emeth("new", "res-arcana", "--public").output
    assert "The match waits for North and East to be taken" in shown
    assert "CODE" in shown
    assert "referee" not in shown
    assert "waiting" in emeth("list", "--status", "waiting", "--json").output.lower()
    joined = emeth("join", "north", "--name", "Ann", "--entropy", "luck")
    assert joined.exit_code == 0, joined.output
    early = emeth("play", "pass", "--as", "north")
    assert (early.exit_code, "[MATCH_NOT_STARTED]" in early.output) == (3, True)
    assert emeth("join", "east", "--name", "Bob").exit_code == 0
    assert "North" in emeth("show", "--as", "north").output
    left = emeth("leave", "north")
    assert "The code to join: " in left.output
    assert emeth("join", "north", "--name", "Nora").exit_code == 0


def test_it_starts_at_once_if_that_is_said(emeth_online: Emeth) -> None:
    assert not made(emeth_online, "res-arcana", "--begin", "at-once")["invite_codes"]
    output = emeth_online("whoami").output
    assert "see all" in output


def test_a_seat_is_taken_with_the_creation(emeth_online: Emeth) -> None:
    emeth_online("new", "agog", "--begin", "when-full", "--seat", "white", "--name", "Ann")
    line = emeth_online("whoami", "--as", "white").output.splitlines()[1]
    assert line.startswith("white  Ann")
    emeth_online("join", "black", "--name", "Bob")
    assert emeth_online("play", "a6-b6", "--as", "white").exit_code == 0
    for words in (("--seat", "white"), ("--name", "Ann")):
        assert emeth_online("new", "agog", *words).exit_code == 2


def test_the_referee_s_role_is_given_on(
    emeth_online: Emeth, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    match = made(emeth_online, "agog")["match"]["match_id"]  # type: ignore[index]  # of that answer
    code = json.loads(emeth_online("invite-referee", "--json").output)["code"]
    monkeypatch.setenv("EMETH_CONFIG", str(tmp_path / "another"))
    taken = emeth_online("join", "referee", "--name", "Rea", "--match", match, "--token", code)
    assert taken.exit_code == 0, taken.output
    output = emeth_online("whoami", "--as", "referee").output
    assert "resolve dispute" in output
