"""A stylus without hardware, and what is said of gateways and styluses by hand."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from domain.stylus.tap_rules import RULES
from services.cli.commands.stylus import codes
from services.wire.emeth.devices.v1.connections_pb2 import DevicePrompt
from tests.services.cli.conftest import RunningService

Emeth = Callable[..., Result]


@pytest.fixture
def at_table(emeth_online: Emeth, shared_service: object, monkeypatch: pytest.MonkeyPatch) -> Emeth:
    """A keyring with a new match, and the admin key of the service."""
    data: Path = shared_service.data  # type: ignore[attr-defined]  # the fixture of conftest.py
    monkeypatch.setenv("EMETH_DATA", str(data))
    assert emeth_online("new", "agog").exit_code == 0
    return emeth_online


def test_a_move_is_typed_tap_by_tap(at_table: Emeth) -> None:
    shown = at_table("stylus", typed="a6\nb6\n\nquit\n")
    assert shown.exit_code == 0
    assert "Confirm takes: a6-b6" in shown.output
    assert "2 white ab6" in shown.output
    assert "a6-b6" in at_table("history", "--json").output


def test_where_only_this_machine_can_call_no_admin_key_is_needed(
    at_table: Emeth, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("EMETH_DATA", str(tmp_path / "nothing"))
    shown = at_table("stylus", typed="a6\nb6\n\nquit\n")
    assert (shown.exit_code, "2 white ab6" in shown.output) == (0, True), shown.output
    assert at_table("gateway", "register", "Corner").exit_code == 0


def test_the_stylus_of_one_seat_does_not_act_for_the_other(at_table: Emeth) -> None:
    shown = at_table("stylus", "--as", "black", typed="space a6\n\n\nquit\n")
    assert "Waiting for white" in shown.output
    assert shown.output.count("refused:") == 1


def test_help_and_views_are_at_hand(at_table: Emeth) -> None:
    shown = at_table("stylus", typed="?\nmap\npage\narmy\nr1\nconfirm\n7\nnonsense\nquit\n")
    assert shown.exit_code == 0
    assert "Each line is a tap" in shown.output
    assert "White to move" in shown.output
    assert "the table's tap map has no code 'nonsense'" in shown.output


def test_a_move_is_undone_with_the_match_card(at_table: Emeth) -> None:
    shown = at_table("stylus", typed="a6\nb6\n\nundo\n\nagree\n\nquit\n")
    assert shown.exit_code == 0, shown.output
    assert "Confirm takes: match undo  white takes back all moves after version 1" in shown.output
    assert "white asks to go on from version 1: black may agree or refuse" in shown.output
    assert "The match goes on from version 1" in shown.output


def test_a_draw_is_offered_and_the_offer_is_shown_to_be_answered(emeth_online: Emeth) -> None:
    assert emeth_online("new", "earthen-war").exit_code == 0
    shown = emeth_online("stylus", typed="draw\n\nagree\n\nquit\n")
    assert shown.exit_code == 0, shown.output
    assert "offers a draw" in shown.output
    assert "may agree or refuse" in shown.output
    assert "a draw" in shown.output.splitlines()[-1] or "agrees to a draw" in shown.output


def test_the_rules_of_the_stylus_are_listed(at_table: Emeth) -> None:
    shown = at_table("gateway", "rules").output
    for rule in RULES.values():
        assert f"{rule.id} " in shown
    assert [each["id"] for each in json.loads(at_table("gateway", "rules", "--json").output)] == [
        *RULES
    ]


def test_a_gateway_is_registered_once_for_each_call(at_table: Emeth) -> None:
    made = json.loads(at_table("gateway", "register", "Corner", "--json").output)
    second = json.loads(
        at_table("gateway", "register", "Other side", "--table", made["table_id"], "--json").output
    )
    assert second["table_id"] == made["table_id"]
    assert second["gateway_id"] != made["gateway_id"]
    assert at_table("gateway", "register", "Third").output.startswith("table ")


def test_what_a_device_sends_never_commands_the_terminal(
    at_table: Emeth, shared_service: RunningService
) -> None:
    evil = "\x1b[2J\x9b1mgone\u202e"
    key = ("--token", f"@{shared_service.data}/admin.key")
    tapped = at_table("stylus", typed=f"{evil}\na6\nb6\n\nquit\n").output
    devices = json.loads(at_table("call", "ListDevices", *key).output)
    table = json.dumps({"table_id": devices["tables"][0]["table_id"]})
    listed = at_table("call", "ListTaps", table, *key).output
    for output in (tapped.replace(f"tap> {evil}", ""), listed):
        assert "gone" in output
        assert not {"\x1b", "\x9b", "\u202e"} & set(output)
    assert json.loads(listed)["taps"][0]["code"] == evil
    explained = at_table("explain", "2").output
    assert "space a6  (VIRTUAL-" in explained
    assert "button confirm" in explained


def test_an_exported_match_shows_its_taps_to_verifiers(at_table: Emeth, tmp_path: Path) -> None:
    at_table("stylus", typed="a6\nb6\n\nquit\n")
    file = tmp_path / "match.emeth"
    assert at_table("export", file).exit_code == 0
    verified = at_table("verify", file)
    assert verified.exit_code == 0
    assert "\n3 taps, in the log of " in verified.output
    assert json.loads(at_table("verify", file, "--json").output)["taps"] == 3


def test_a_typed_name_is_a_thing_that_may_be_tapped_next() -> None:
    prompt = DevicePrompt(next_targets=["piece a6", "space a6", "card athanor"])
    assert codes("a6", prompt) == ["space a6"]
    assert codes("athanor", prompt) == ["card athanor"]
    assert codes("07", prompt) == ["cc digit 0", "cc digit 7"]
    assert codes("", prompt) == ["button confirm"]
    assert codes("base s1", prompt) == ["base s1"]


def test_in_a_terminal_it_shows_what_others_do_and_ends_on_ctrl_c(at_table: Emeth) -> None:
    ours, theirs = pty.openpty()
    start = "from services.cli.main import main; main(['stylus', '--as', 'black'])"
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    player = subprocess.Popen(
        [sys.executable, "-c", start], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    try:
        begun = read_until(ours, "tap> ")
        assert "White to move" in begun
        assert at_table("play", "a6-b6").exit_code == 0
        assert "Black to move" in read_until(ours, "tap> "), "without a line being typed"
        os.write(ours, b"h3\n")
        picked = read_until(ours, "tap> ")
        assert "picked: space h3" in picked, "by the prompt of now"
        # The board is drawn with what may be tapped next marked.
        assert (begun.count("]"), picked.count("]")) == (0, 2), picked
        player.send_signal(signal.SIGINT)
        assert "Abort" not in read_until(ours, "")
        assert player.wait(60) == 0
    finally:
        player.kill()
        player.wait()
        os.close(ours)


def read_until(terminal: int, end: str) -> str:
    """What is written to a terminal until this, or until it is closed."""
    output = ""
    while not (end and output.endswith(end)):
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, output
        try:
            read = os.read(terminal, 4096)
        except OSError:  # the program has ended
            return output
        if not read:
            return output
        output += read.decode()
    return output


def test_a_stylus_is_paired_and_seated_by_hand(at_table: Emeth) -> None:
    match = json.loads(at_table("new", "agog", "--json").output)
    made = json.loads(at_table("gateway", "register", "Corner", "--json").output)
    stylus, key = f"PEN-{made['table_id'][:8]}", ("--key", made["gateway_key"])
    assert at_table("gateway", "seat", stylus, *key).exit_code == 1
    assert at_table("gateway", "pair", stylus, *key).output == "paired\n"
    assert at_table("gateway", "pair", stylus, *key, "--pin", "1234").exit_code == 1
    assert at_table("gateway", "seat", stylus, *key).output == "acts for black, white\n"
    seated = at_table("gateway", "seat", stylus, *key, "--as", "white", "--json")
    assert json.loads(seated.output)["seats"] == ["white"]
    grant = json.dumps({"match_id": match["match"]["match_id"]})
    granted = at_table("call", "CreateTapGrant", grant, "--token", match["tokens"]["black"])
    code = json.loads(granted.output)["code"]
    granted = at_table("gateway", "seat", stylus, *key, "--code", code)
    assert granted.output == "acts for black\n"
