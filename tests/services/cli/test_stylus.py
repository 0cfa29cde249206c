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
import segno
from click.testing import Result

from domain.stylus.rules import RULES
from services.cli.commands.stylus import codes
from services.wire.emeth.devices.v1.connections_pb2 import DevicePrompt

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
    taken = at_table("gateway", "devices")
    assert (taken.exit_code, "admin.key" in taken.output) == (2, True), taken.output


def test_the_stylus_of_one_seat_does_not_act_for_the_other(at_table: Emeth) -> None:
    shown = at_table("stylus", "--as", "black", typed="space a6\n\n\nquit\n")
    assert "It is for white to act now" in shown.output
    assert shown.output.count("refused:") == 1


def test_help_and_views_are_at_hand(at_table: Emeth) -> None:
    shown = at_table("stylus", typed="?\nmap\npage\narmy\nr1\nconfirm\n7\nnonsense\nquit\n")
    assert shown.exit_code == 0
    assert "Each line is a tap" in shown.output
    assert "White to move" in shown.output
    assert "'nonsense' is on no map" in shown.output


def test_a_move_is_taken_back_with_the_match_card(at_table: Emeth) -> None:
    shown = at_table("stylus", typed="a6\nb6\n\nundo\n\nagree\n\nquit\n")
    assert shown.exit_code == 0, shown.output
    assert "Confirm takes: match undo  white takes back what came after version 1" in shown.output
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
    beside = json.loads(
        at_table("gateway", "register", "Other side", "--table", made["table_id"], "--json").output
    )
    assert beside["table_id"] == made["table_id"]
    assert beside["gateway_id"] != made["gateway_id"]
    assert at_table("gateway", "register", "Third").output.startswith("table ")


def test_devices_and_taps_are_listed(at_table: Emeth) -> None:
    at_table("stylus", typed="a6\nb6\n\nc4\nquit\n")
    listed = json.loads(at_table("gateway", "devices", "--json").output)[0]
    table, match = listed["table_id"], listed["match_id"]
    assert [each["name"] for each in listed["gateways"]] == ["A virtual gateway"]
    shown = at_table("gateway", "devices", "--table", table).output.splitlines()
    assert shown[0].split()[:3] == ["TABLE", "DEVICE", "NAME"]
    assert [line.split()[0] for line in shown[1:]] == [
        table,
        listed["gateways"][0]["gateway_id"],
        "stylus",
    ]
    assert "white, black" in shown[3]
    taps = at_table("gateway", "taps", table)
    assert taps.exit_code == 0
    rows = taps.output.splitlines()
    assert rows[0].split()[0] == "VERSION"
    assert [("space a6" in rows[1]), ("acted: event 2" in rows[3])] == [True, True]
    explained = at_table("explain", "2").output
    assert "space a6  (VIRTUAL-" in explained
    assert "button confirm" in explained
    json_taps = json.loads(at_table("gateway", "taps", table, "--match", match, "--json").output)
    assert [each["target"] for each in json_taps][:3] == ["space a6", "space b6", "button confirm"]
    wrong = at_table("gateway", "taps", table, "--key", "nonsense")
    assert wrong.exit_code == 3
    assert "GATEWAY_KEY_INVALID" in wrong.output


def test_what_a_device_sends_never_commands_the_terminal(at_table: Emeth) -> None:
    evil = "\x1b[2J\x9b1mgone\u202e"
    tapped = at_table("stylus", typed=f"{evil}\na6\nquit\n").output
    table = json.loads(at_table("gateway", "devices", "--json").output)[0]["table_id"]
    listed = at_table("gateway", "taps", table).output
    as_json = at_table("gateway", "taps", table, "--json").output
    for output in (tapped.replace(f"tap> {evil}", ""), listed, as_json):
        assert "gone" in output
        assert not {"\x1b", "\x9b", "\u202e"} & set(output)
    assert json.loads(as_json)[0]["code"] == evil


def test_the_owner_of_a_table_changes_keys_and_closes_it(at_table: Emeth) -> None:
    made = dict(line.split() for line in at_table("gateway", "register", "x").output.splitlines())
    own = ("--key", made["owner"])
    changed = at_table("gateway", "rotate-key", made["gateway"], *own)
    assert changed.output.split()[1] not in ("", made["key"])
    devices = ("gateway", "devices", "--key")
    assert at_table(*devices, made["key"]).exit_code == 3
    assert at_table(*devices, changed.output.split()[1]).exit_code == 0
    released = at_table("gateway", "release", made["table"], "AA:01", *own)
    assert (released.exit_code, "stylus.unpaired" in released.output) == (1, True)
    assert at_table("gateway", "revoke", made["gateway"], *own).output == "revoked\n"
    assert at_table("gateway", "close", made["table"], *own).output == "closed\n"
    assert at_table("gateway", "close", made["table"], *own).exit_code == 3
    assert "TABLE_CLOSED" in at_table("gateway", "close", made["table"]).output


def test_an_exported_match_shows_its_taps_to_whoever_verifies_it(
    at_table: Emeth, tmp_path: Path
) -> None:
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


def test_codes_for_gateways_and_styluses_are_made_listed_and_withdrawn(at_table: Emeth) -> None:
    code = json.loads(at_table("gateway", "invite", "--json").output)["code"]
    made = at_table("gateway", "register", "Corner", "--code", code)
    assert made.exit_code == 0, made.output
    again = at_table("gateway", "register", "Corner", "--code", code)
    assert (again.exit_code, "the code was used" in again.output) == (3, True), again.output
    granted = at_table("gateway", "grant", "--as", "white")
    assert granted.output.startswith("code ")
    assert at_table("gateway", "grants", "--as", "white").exit_code == 0
    assert at_table("gateway", "withdraw", "--as", "white").output == "0 withdrawn\n"


def test_codes_are_drawn_to_be_scanned(at_table: Emeth, tmp_path: Path) -> None:
    file = tmp_path / "invitation.svg"
    invited = at_table("gateway", "invite", "--qr", "--svg", file).output.splitlines()
    code = invited[0].split()[1]
    assert invited[2:] == drawn(f"emeth:gateway?code={code}")
    assert file.read_text().rstrip().endswith("</svg>")
    granted = at_table("gateway", "grant", "--as", "white", "--qr").output.splitlines()
    assert granted[3:] == drawn(f"emeth:taps?code={granted[0].split()[1]}")


def drawn(uri: str) -> list[str]:
    """A QR code, two rows of modules on a line, dark ones blank."""
    rows = [*segno.make(uri, micro=False).matrix_iter(border=4)]
    rows += [[1] * len(rows[0])] * (len(rows) % 2)  # nothing is lit below the last one
    signs = {(0, 0): "\u2588", (0, 1): "\u2580", (1, 0): "\u2584", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return ["".join(signs[pair] for pair in zip(*two, strict=True)) for two in pairs]


def test_a_device_is_certified_told_and_watched(at_table: Emeth, tmp_path: Path) -> None:
    made = json.loads(at_table("gateway", "register", "Corner", "--json").output)
    gateway = made["gateway_id"]
    away = at_table("gateway", "tell", gateway, "--light", "yellow")
    assert "is not connected" in away.output
    assert at_table("gateway", "tell", gateway).exit_code == 2
    assert at_table("gateway", "tell", gateway, "--buzz", 80, "--reset").exit_code == 2
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("nonsense")
    refused = at_table("gateway", "certificate", gateway, wrong)
    assert "it is not one certificate in PEM" in refused.output
    assert at_table("gateway", "certificate", gateway).output == "withdrawn\n"


def test_in_a_terminal_it_shows_what_others_do_and_ends_on_ctrl_c(at_table: Emeth) -> None:
    ours, theirs = pty.openpty()
    start = "from services.cli.main import main; main(['stylus', '--as', 'black'])"
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    player = subprocess.Popen(
        [sys.executable, "-c", start], stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    )
    os.close(theirs)
    try:
        begun = told_until(ours, "tap> ")
        assert "White to move" in begun
        assert at_table("play", "a6-b6").exit_code == 0
        assert "Black to move" in told_until(ours, "tap> "), "without a line being typed"
        os.write(ours, b"h3\n")
        picked = told_until(ours, "tap> ")
        assert "picked: space h3" in picked, "by the prompt of now"
        # The board is drawn with what may be tapped next marked.
        assert (begun.count("]"), picked.count("]")) == (0, 2), picked
        player.send_signal(signal.SIGINT)
        assert "Abort" not in told_until(ours, "")
        assert player.wait(60) == 0
    finally:
        player.kill()
        player.wait()
        os.close(ours)


def told_until(terminal: int, end: str) -> str:
    """What is written to a terminal until this, or until it is closed."""
    told = ""
    while not (end and told.endswith(end)):
        ready, _, _ = select.select([terminal], [], [], 60)
        assert ready, told
        try:
            read = os.read(terminal, 4096)
        except OSError:  # the program has ended
            return told
        if not read:
            return told
        told += read.decode()
    return told


def test_a_stylus_is_paired_and_seated_by_hand(at_table: Emeth) -> None:
    made = json.loads(at_table("gateway", "register", "Corner", "--json").output)
    stylus, key = f"PEN-{made['table_id'][:8]}", ("--key", made["gateway_key"])
    assert at_table("gateway", "seat", stylus, *key).exit_code == 1
    assert at_table("gateway", "pair", stylus, *key).output == "paired\n"
    assert at_table("gateway", "pair", stylus, *key, "--pin", "1234").exit_code == 1
    assert at_table("gateway", "seat", stylus, *key).output == "acts for black, white\n"
    seated = at_table("gateway", "seat", stylus, *key, "--as", "white", "--json")
    assert json.loads(seated.output)["seats"] == ["white"]
    code = at_table("gateway", "grant", "--as", "black").output.split()[1]
    granted = at_table("gateway", "seat", stylus, *key, "--code", code)
    assert granted.output == "acts for black\n"
