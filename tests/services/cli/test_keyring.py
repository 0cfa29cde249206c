"""The file of remembered tokens."""

import stat
from multiprocessing import get_context
from pathlib import Path

import click
import pytest

from services.cli import keyring
from services.cli.keyring import KeyringEntry

TOKENS = {"white": "w", "black": "b", "referee": "r", "spectator": "s"}
NEW = "new"
ONE, TWO = "11111111-aaaa", "11112222-bbbb"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "somewhere" / "emeth"
    monkeypatch.setenv("EMETH_CONFIG", str(folder))
    return folder


def test_nobody_else_can_read_the_tokens(place: Path) -> None:
    keyring.remember(ONE, KeyringEntry("agog", TOKENS))
    assert stat.S_IMODE((place / "tokens.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_the_match_used_last_is_meant_without_a_name() -> None:
    keyring.remember(ONE, KeyringEntry("agog", TOKENS))
    keyring.remember(TWO, KeyringEntry("agog", TOKENS))
    assert keyring.find(None)[0] == TWO
    keyring.set_last_used(ONE, version=7)
    assert keyring.find(None) == (ONE, KeyringEntry("agog", TOKENS, version=7))


def test_the_start_of_an_id_is_enough_if_it_is_one_matchs_only() -> None:
    keyring.remember(ONE, KeyringEntry("agog", TOKENS))
    keyring.remember(TWO, KeyringEntry("agog", TOKENS))
    assert keyring.find("11111")[0] == ONE
    with pytest.raises(
        click.UsageError, match="several remembered matches have an ID that begins with '1111'"
    ):
        keyring.find("1111")
    with pytest.raises(
        click.UsageError, match="no remembered match has an ID that begins with '9999'"
    ):
        keyring.find("9999")


def test_a_claimed_seat_has_its_new_token_until_it_is_left() -> None:
    keyring.remember(ONE, KeyringEntry("agog", TOKENS))
    keyring.remember_seat(ONE, "agog", "white", invitation="w", token=NEW, version=2)
    ring = keyring.load()[ONE]
    assert ring.tokens["white"] == NEW
    assert ring.seats == ("white",)
    assert ring.viewer == "white"
    keyring.forget_seat(ONE, "white", version=3)
    ring = keyring.load()[ONE]
    assert ring == KeyringEntry("agog", TOKENS, version=3)
    assert ring.viewer == "spectator"


def _remember(name: str) -> None:
    keyring.remember(name, KeyringEntry("agog", TOKENS))


def test_commands_that_write_at_once_lose_nothing() -> None:
    names = [f"{n:08}" for n in range(12)]
    context = get_context("spawn")
    processes = [context.Process(target=_remember, args=(name,)) for name in names[:4]]
    for process in processes:
        process.start()
    for name in names[4:]:
        _remember(name)
    for process in processes:
        process.join(20)
    assert {*keyring.load()} == {*names}


def test_a_damaged_file_is_reported_and_not_changed(place: Path) -> None:
    place.mkdir(parents=True)
    (place / "tokens.json").write_text("{")
    with pytest.raises(click.UsageError, match="is damaged"):
        keyring.remember(ONE, KeyringEntry("agog", TOKENS))
    assert (place / "tokens.json").read_text() == "{"
