"""The remembered tokens of armies' owners, one for each service."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import pytest

from services.cli.commands.armies import load_owner, remember_owner


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "somewhere" / "emeth"
    monkeypatch.setenv("EMETH_CONFIG", str(folder))
    return folder


def test_each_service_has_its_own_token() -> None:
    assert load_owner("one:1") == ""
    remember_owner("one:1", "first")
    remember_owner("two:2", "second")
    remember_owner("one:1", "third")
    assert (load_owner("one:1"), load_owner("two:2")) == ("third", "second")


def test_commands_that_write_at_once_lose_nothing() -> None:
    addresses = [f"one:{number}" for number in range(40)]
    with ThreadPoolExecutor(8) as commands:
        list(commands.map(lambda address: remember_owner(address, f"of {address}"), addresses))
    assert [load_owner(address) for address in addresses] == [f"of {each}" for each in addresses]


def test_nobody_else_can_read_them(place: Path) -> None:
    remember_owner("one:1", "first")
    assert stat.S_IMODE((place / "owners.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", [b"", b"[]", b'{"one:1": 7}'])
def test_a_damaged_file_is_named_and_left_as_it_is(place: Path, content: bytes) -> None:
    place.mkdir(parents=True)
    (place / "owners.json").write_bytes(content)
    for use in (load_owner, lambda address: remember_owner(address, "token")):
        with pytest.raises(click.UsageError, match=r"owners\.json is damaged"):
            use("one:1")
    assert (place / "owners.json").read_bytes() == content


def test_a_place_that_cannot_be_written_to_is_named(place: Path) -> None:
    place.parent.mkdir()
    place.write_text("a file, not a folder")
    with pytest.raises(click.UsageError, match=r"cannot (write to|read) "):
        remember_owner("one:1", "token")
