"""What tokens are good for, public matches, standing in, and pauses, from the command line."""

import json
import time
from pathlib import Path

import pytest

from tests.services.cli.conftest import Emeth


def made(emeth: Emeth, *flags: str, game: str = "agog") -> str:
    made = json.loads(emeth("new", game, *flags, "--json").output)
    return str(made["match"]["match_id"])


def test_whoami_lists_every_remembered_token(emeth_online: Emeth) -> None:
    made(emeth_online, "--stand-in", "referee")
    assert emeth_online("whoami").output.splitlines() == [
        "ROLE       PLAYER  WHAT IT MAY DO",
        "white      open    watch, act, join, undo, resign, create dispute, fork, export",
        "black      open    watch, act, join, undo, resign, create dispute, fork, export",
        "referee            watch, see all, substitute, undo, resolve dispute, fork, export,"
        " invite, update",
        "spectator          watch, export",
    ]
    emeth_online("join", "white", "--name", "Ann")
    own = emeth_online("whoami", "--as", "white").output.splitlines()[1]
    assert own == "white  Ann     watch, act, leave, undo, resign, create dispute, fork, export"
    (role,) = json.loads(emeth_online("whoami", "--as", "white", "--json").output)
    assert (role["role"], role["seats"]) == ("white", ["white"])


def test_a_token_that_was_replaced_is_good_for_nothing(
    emeth_online: Emeth, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    match = made(emeth_online)
    rings = (tmp_path / "config" / "tokens.json").read_text()
    emeth_online("join", "black", "--name", "Bob")
    (tmp_path / "config" / "tokens.json").write_text(rings)
    assert "black              nothing: not valid now" in emeth_online("whoami").output
    refused = emeth_online("whoami", "--as", "black")
    assert (refused.exit_code, "[MATCH_NOT_FOUND]" in refused.output) == (3, True)
    foreign = emeth_online("whoami", "--match", match, "--token", "nonsense")
    assert (foreign.exit_code, "[MATCH_NOT_FOUND]" in foreign.output) == (3, True)


def test_a_public_match_is_looked_at_by_its_id_alone(
    emeth_online: Emeth, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    public, private = made(emeth_online, "--public"), made(emeth_online)
    emeth_online("play", "a6-b6", "--match", public)
    monkeypatch.setenv("EMETH_CONFIG", str(tmp_path / "another"))
    shown = emeth_online("show", "--match", public)
    assert shown.exit_code == 0, shown.output
    assert "Black to move" in shown.output
    assert "a6 to b6" in emeth_online("history", "--match", public).output
    assert "spectator" in emeth_online("whoami", "--match", public).output
    acting = emeth_online("play", "h3-g3", "--match", public)
    assert (acting.exit_code, "which seat acts" in acting.output) == (2, True)
    refused = emeth_online("show", "--match", private)
    assert (refused.exit_code, "[TOKEN_MISSING]" in refused.output) == (3, True)


def test_the_referee_substitutes_for_a_seat(emeth_online: Emeth) -> None:
    made(emeth_online, "--stand-in", "referee")
    sentence = "White's golem moves from a6 to b6. The referee acted for White."
    listed = emeth_online("actions", "--for", "white").output
    assert "a6-b6" in listed
    assert listed == emeth_online("actions", "--as", "white").output
    assert "resign black" in emeth_online("actions", "--for", "black").output
    assert "from a6 to b6" in emeth_online("preview", "a6-b6", "--for", "white").output
    assert sentence in emeth_online("play", "a6-b6", "--for", "white").output
    assert sentence in emeth_online("history").output
    assert "acted for Black" in emeth_online("resign", "--for", "black").output
    assert emeth_online("play", "--for", "white").exit_code == 2
    made(emeth_online)
    refused = emeth_online("play", "a6-b6", "--for", "white")
    assert (refused.exit_code, "[ROLE_NOT_ALLOWED]" in refused.output) == (3, True)


def test_a_paused_match_is_shown_and_listed_as_such(emeth_online: Emeth) -> None:
    match = made(emeth_online, "--public", "--pause-on-dispute")
    emeth_online("play", "a6-b6")
    emeth_online("dispute", "2", "I meant another", "--as", "white")
    shown = emeth_online("show").output
    assert "paused until the referee's verdict on 1 dispute: 3 of White on event 2" in shown
    assert "dispute 3 of white on event 2 waits for a verdict" in shown
    assert match in emeth_online("list", "--status", "paused").output
    assert match not in emeth_online("list", "--status", "active").output
    emeth_online("verdict", "3", "no", "--uphold")
    until = time.monotonic() + 10
    while match not in emeth_online("list", "--status", "active").output:
        assert time.monotonic() < until, "a list does not wait, but it catches up"


def test_an_undo_that_waits_is_shown(emeth_online: Emeth) -> None:
    made(emeth_online)
    emeth_online("play", "a6-b6")
    emeth_online("undo", "--as", "white")
    shown = emeth_online("show").output
    assert "white asks to go on from version 1: black may agree or refuse" in shown


def test_players_are_listed_by_part_of_their_name(emeth_online: Emeth) -> None:
    match = made(emeth_online, "--public")
    emeth_online("join", "white", "--name", "Quirina")
    assert match in emeth_online("list", "--player", "QUIRI").output
    assert match not in emeth_online("list", "--player", "quirinus").output


def test_the_cards_of_a_card_game_are_a_catalog(emeth_online: Emeth) -> None:
    shown = emeth_online("content", "res-arcana", "--kind", "artifact").output.splitlines()
    assert shown[0].split() == ["KIND", "ID", "NAME", "POINTS", "WHAT", "IT", "DOES"]
    assert any("Athanor" in line and "cost" in line for line in shown)


def test_rules_show_the_seats_and_the_start_of_options(emeth: Emeth) -> None:
    shown = emeth("rules", "res-arcana", "--option", "players=4").output
    assert "\nseats north, east, south, west\nstart ra1 " in shown
    rules = json.loads(emeth("rules", "agog", "--option", "handicap=3", "--json").output)
    assert rules["seats"] == ["white", "black"]
    assert rules["start"] != json.loads(emeth("rules", "agog", "--json").output)["start"]
    assert emeth("rules", "agog", "--option", "colour=red").exit_code == 2
