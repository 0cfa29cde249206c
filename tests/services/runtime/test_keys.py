"""A key is whole and drawn by chance, or nothing starts with it."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.runtime.files import write_atomically
from services.runtime.keys import KEY_BYTES, BadKeyError, check_admin_key, load_key, load_key_file

ROOT = Path(__file__).parents[3]
GOOD = "9f1d4b7ac3e05826f4b1d07e92a35c68e7014fdb8a6c2935507be1c4d8f36a92"


def test_a_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secret.key"
    made = load_key_file(path)
    assert len(made) == KEY_BYTES
    assert load_key_file(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["secret.key"]


def test_a_key_in_a_setting_is_taken_before_that_of_the_file(tmp_path: Path) -> None:
    assert load_key(GOOD, "EMETH_SECRET", tmp_path / "secret.key") == bytes.fromhex(GOOD)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"ab12\n", "is not a key: a key is 64 digits"),
        (GOOD[:-1].encode(), "is not a key: a key is 64 digits"),
        (GOOD.encode() + b"0", "is not a key: a key is 64 digits"),
        (GOOD.upper().encode() * 2, "is not a key: a key is 64 digits"),
        (b"0" * 64, "is a guessable key"),
        (b"0123456789abcdef" * 4, "is a guessable key"),
        (bytes(range(32)).hex().encode(), "is a guessable key"),
        (b"\xff\xfe" * 32, "is not a key: it contains binary data"),
        (b"-----BEGIN PRIVATE KEY-----\n" * 9, "is not a key: a key is 64 digits"),
    ],
)
def test_a_file_that_holds_no_good_key_is_refused_and_left_as_it_is(
    tmp_path: Path, content: bytes, why: str
) -> None:
    path = tmp_path / "secret.key"
    path.write_bytes(content)
    with pytest.raises(BadKeyError, match=why) as refused:
        load_key_file(path)
    assert str(path) in str(refused.value)
    assert "from a backup, or move the file away" in str(refused.value)
    assert path.read_bytes() == content


def test_a_key_that_is_missing_from_its_setting_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(BadKeyError, match="EMETH_SECRET is not a key"):
        load_key("short", "EMETH_SECRET", tmp_path / "secret.key")


@given(st.text("0123456789abcdef", max_size=63))
def test_no_text_that_is_shorter_is_a_key(text: str) -> None:
    with pytest.raises(BadKeyError):
        load_key(text or "0", "EMETH_SECRET", Path("nowhere"))


@given(st.binary(min_size=1, max_size=8), st.integers(0, 255))
def test_no_pattern_that_repeats_or_climbs_is_a_key(pattern: bytes, climb: int) -> None:
    repeated = (pattern * 32)[:32]
    climbing = bytes((pattern[0] + climb * n) % 256 for n in range(32))
    for raw in (repeated, climbing):
        with pytest.raises(BadKeyError):
            load_key(raw.hex(), "EMETH_SECRET", Path("nowhere"))


def test_a_key_that_was_drawn_is_always_taken() -> None:
    random = Random(25)
    for _ in range(2000):
        raw = random.randbytes(KEY_BYTES)
        assert load_key(raw.hex(), "EMETH_SECRET", Path("nowhere")) == raw


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("abcd", "has 4 characters, and needs 16"),
        ("a" * 40, "too few different characters"),
        ("correct horse battery staple", "a header cannot carry"),
        ("Schlüssel-Schlüssel", "a header cannot carry"),
        ("0123456789abcdef" * 17, "may have 256"),
    ],
)
def test_an_admin_key_that_can_be_guessed_or_not_be_sent_is_refused(word: str, why: str) -> None:
    with pytest.raises(BadKeyError, match=why):
        check_admin_key(word, "EMETH_ADMIN_KEY")
    assert check_admin_key("correct-horse-battery", "EMETH_ADMIN_KEY") == "correct-horse-battery"


MAKE_KEYS = """
import itertools, os, sys
from pathlib import Path
from services.runtime.keys import load_key_file

os.write(1, b"begun")
for number in itertools.count():
    folder = Path(sys.argv[1]) / str(number)
    folder.mkdir()
    load_key_file(folder / "secret.key")
"""


def test_a_process_killed_while_creating_a_key_leaves_a_whole_one_or_none(tmp_path: Path) -> None:
    random, made = Random(25), 0
    for run in range(5):
        folder = tmp_path / str(run)
        folder.mkdir()
        with subprocess.Popen(
            [sys.executable, "-c", MAKE_KEYS, str(folder)], cwd=ROOT, stdout=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            process.stdout.read(5)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(random.random() / 10)
            os.kill(process.pid, signal.SIGKILL)
        for each in folder.iterdir():
            made += (each / "secret.key").exists()
            first = load_key_file(each / "secret.key")
            assert len(first) == KEY_BYTES
            assert load_key_file(each / "secret.key") == first
    assert made > 5


def test_a_file_that_cannot_be_put_leaves_the_old_one_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    write_atomically(path, b"old")
    (tmp_path / "kept.new").mkdir()
    with pytest.raises(OSError, match=r"kept\.new"):
        write_atomically(path, b"new")
    (tmp_path / "kept.new").rmdir()
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["kept"]
