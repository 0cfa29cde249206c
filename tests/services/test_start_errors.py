"""Every start that fails says why, and what to do, in one line: with `emeth serve` itself."""

import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from services.runtime.keys import load_key_file
from services.store.log import FILE, Log
from tests.services.store.test_crashes import on_a_small_disk

ROOT = Path(__file__).parents[2]
SERVE = (sys.executable, "-m", "services.cli", "serve", "--listen", "127.0.0.1:0")
KEYS = ("secret.key", "signing.key", "admin.key")
AS_ANYBODY = ("unshare", "--user")
"""Even root may then do only what files and folders allow it."""
LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs the command in its arguments, which may write no file of more bytes: not after a fork of the
tests themselves, where threads of gRPC may be at work."""


def serve(
    data: Path,
    *flags: str,
    code: int = 3,
    within: tuple[str, ...] = (),
    **environment: str,
) -> str:
    """What `emeth serve` says when it does not start: one line, and it must be the last."""
    done = subprocess.run(
        [*within, *SERVE, "--data", str(data), *flags],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("EMETH_")} | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = [line for line in done.stderr.splitlines() if not line.startswith("{")]
    assert "Traceback" not in done.stderr
    assert [line.startswith("emeth: ") for line in said] == [True], (done.returncode, done.stderr)
    assert done.returncode == code, done.stderr
    assert "Error: " not in said[0]  # no name of a Python class, but what is so
    return said[0].removeprefix("emeth: ")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


# --- keys ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEYS)
def test_an_empty_key(data: Path, name: str) -> None:
    (data / name).touch()
    assert serve(data) == (
        f"{data / name} is empty: restore it from a backup, or move the file "
        "away, and a new key is created"
    )


def test_an_admin_key_of_four_characters(data: Path) -> None:
    (data / "admin.key").write_text("abcd\n")
    assert "admin.key is not a key: a key is 64 digits" in serve(data)
    said = serve(data, "--admin-key", "abcd", code=2)
    assert said.startswith("settings: EMETH_ADMIN_KEY has 4 characters, and needs 16 or more")


def test_a_key_that_can_be_guessed(data: Path) -> None:
    said = serve(data, "--secret", "ab" * 32)
    assert said.startswith("EMETH_SECRET is a guessable key")
    assert "`openssl rand -hex 32` makes a good one" in said


def test_a_key_that_is_a_folder(data: Path) -> None:
    (data / "signing.key").mkdir()
    assert "signing.key is not a file" in serve(data)


def test_a_key_that_this_user_may_not_read(data: Path) -> None:
    load_key_file(data / "secret.key")
    (data / "secret.key").chmod(0)
    assert "secret.key cannot be read (Permission denied)" in serve(data, within=AS_ANYBODY)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot read {file}: No such file or directory"),
        (b"", "{file} is empty: put a key into it"),
        (b"\xff\xfe", "{file} is not a text file"),
        (b"abcd", "settings: "),
    ],
)
def test_a_file_of_a_setting_without_a_key(
    tmp_path: Path, data: Path, content: bytes | None, why: str
) -> None:
    file = tmp_path / "given"
    if content is not None:
        file.write_bytes(content)
    assert why.format(file=file) in serve(data, code=2, EMETH_SECRET_FILE=str(file))


# --- the disk ------------------------------------------------------------------------------------


@pytest.mark.parametrize("room", [0, 40, 20_000, 60_000])
def test_no_room_for_files_of_more_than_some_bytes(data: Path, room: int) -> None:
    limit = (sys.executable, "-c", LIMITED.format(room=room))
    # Else what Python compiles would be cut short, and kept so for all programs after this one.
    said = serve(data, within=limit, PYTHONDONTWRITEBYTECODE="1")
    assert str(data) in said
    assert "make room" in said or "the disk failed to write" in said
    for path in data.glob("*.key"):
        load_key_file(path)  # it is whole


@pytest.mark.parametrize("size", ["4k", "64k", "128k"])
def test_a_disk_that_is_full_at_the_first_start(data: Path, size: str) -> None:
    small_disk = tuple(word.replace("size=1m", f"size={size}") for word in on_a_small_disk(data))
    if not small_disk:  # the limit above stands for it where nothing may be mounted
        return
    assert "make room" in serve(data, within=small_disk)


def test_a_folder_that_is_read_only(data: Path) -> None:
    data.chmod(0o555)
    said = serve(data, within=AS_ANYBODY)
    assert "log.sqlite.lock: Permission denied" in said


def test_a_log_that_is_read_only(data: Path) -> None:
    Log(data, print).close()
    (data / FILE).chmod(0o444)
    assert "let this user write to it" in serve(data, within=AS_ANYBODY)


def test_a_folder_that_is_a_file(data: Path) -> None:
    data.rmdir()
    data.touch()
    said = serve(data)
    assert said.startswith(f"cannot make the folder {data}: ")
    assert said.endswith("move away what is there in its place")


@pytest.mark.parametrize(
    ("there", "why"),
    [
        ("log.sqlite", "cannot be opened: let this user read"),
        ("log.sqlite.lock", "Is a directory"),
        ("secret.key.new", "Is a directory; move away what is there"),
        ("reads/reads-000001.sqlite", "Is a directory; move away what is there"),
    ],
)
def test_a_folder_where_a_file_belongs(data: Path, there: str, why: str) -> None:
    (data / there).mkdir(parents=True)
    assert why in serve(data)


def test_a_file_where_a_folder_belongs(data: Path) -> None:
    (data / "reads").touch()
    assert "File exists; move away what is there" in serve(data)


# --- the log -------------------------------------------------------------------------------------


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")


def newer(path: Path) -> None:
    Log(path.parent, print).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 99")


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 64)


def cut(path: Path) -> None:
    Log(path.parent, print).close()
    os.truncate(path, 5000)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (foreign, "is the database of another program"),
        (newer, "it was written by a newer version"),
        (noise, "the file is not a database"),
        (cut, "the file is damaged: put a backup in its place"),
    ],
)
def test_a_log_that_is_none_of_ours(data: Path, make: Callable[[Path], None], why: str) -> None:
    make(data / FILE)
    before = (data / FILE).read_bytes()
    assert why in serve(data)
    assert (data / FILE).read_bytes() == before


def test_a_log_that_another_process_holds(data: Path) -> None:
    held = Log(data, print)
    assert f"process {os.getpid()} holds" in serve(data)
    held.close()
    assert [*data.glob("*.key")] == []  # the one that holds it makes them


# --- the rest ------------------------------------------------------------------------------------


@contextmanager
def a_port_in_use() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield f"127.0.0.1:{taken.getsockname()[1]}"


def test_a_port_in_use(data: Path) -> None:
    with a_port_in_use() as address:
        assert "another program uses the port" in serve(data, "--listen", address)


@pytest.mark.parametrize("listen", ["nonsense", "127.0.0.1:99999"])
def test_an_address_that_is_none(data: Path, listen: str) -> None:
    assert "it is not an address and port" in serve(data, "--listen", listen)


def test_a_certificate_and_a_key_that_are_swapped(tmp_path: Path, data: Path) -> None:
    for name, heading in (("key", b"EC PRIVATE KEY"), ("pem", b"CERTIFICATE")):
        (tmp_path / name).write_bytes(b"-----BEGIN %b-----\n" % heading)
    swapped = ("--tls-certificate", str(tmp_path / "key"), "--tls-key", str(tmp_path / "pem"))
    assert f"{tmp_path / 'key'} is a private key and" in serve(data, *swapped)


def test_certificates_that_are_none(tmp_path: Path, data: Path) -> None:
    (tmp_path / "pem").write_text("-----BEGIN CERTIFICATE-----\nAAAA\n")
    tls = ("--tls-certificate", str(tmp_path / "pem"), "--tls-key")
    assert "no certificates, or not with their key" in serve(data, *tls, str(tmp_path / "pem"))
    assert "cannot read nowhere" in serve(data, *tls, "nowhere")


def test_content_packs_that_are_none(tmp_path: Path, data: Path) -> None:
    assert "content packs: nowhere is not a folder" in serve(data, "--packs", "nowhere")
    (tmp_path / "mine.content.toml").write_bytes(b"\xff")
    assert serve(data, "--packs", str(tmp_path)).startswith("content packs: ")


def test_a_file_to_be_written_when_ready_that_cannot_be(data: Path) -> None:
    said: Any = serve(data, "--ready-file", "nowhere/address")
    assert said.startswith("cannot write the ready file nowhere/address: No such file or directory")
