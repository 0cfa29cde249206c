"""Anybody can be a witness of a service, and anybody can check its word."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import Result

from services.proof.cosignatures import read_cosigner
from services.proof.signed_notes import read_checkpoint
from services.proof.signing import Signer
from tests.hostile_peers import connected, ended
from tests.services.cli.conftest import ROOT, RunningService

Emeth = Callable[..., Result]
SECRET = sha256(b"a key for tests").digest()
SIGNER = Signer(SECRET, "example.org/emeth")
NAME = "example.org/witness"


class RunningWitness:
    """`emeth witness serve` for the log of `SIGNER`."""

    def __init__(self, folder: Path, *flags: str) -> None:
        flags = ("--name", NAME, "--log", str(SIGNER.key), "--listen", "127.0.0.1:0", *flags)
        self._process = subprocess.Popen(
            (sys.executable, "-m", "services.cli", "witness", "serve", *flags, "--data", folder),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.key = self._process.stdout.readline().strip()
        self.url = self._process.stdout.readline().strip()

    def stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate(timeout=30)


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[RunningWitness]:
    running = RunningWitness(tmp_path / "witness")
    yield running
    running.stop()


@pytest.fixture
def service(tmp_path: Path, witness: RunningWitness) -> Iterator[RunningService]:
    settings = {
        "--signing-key": SECRET.hex(),
        "--key-name": "example.org/emeth",
        "--witnesses": f"{witness.key} {witness.url}",
        "--http": "no",
    }
    flags = [word for pair in settings.items() for word in pair]
    running = RunningService(tmp_path / "service", *flags)
    running.start()
    yield running
    running.stop()


def cosigned(emeth: Emeth, service: RunningService, key: str, least: int) -> str:
    """The checkpoint of at least so many events, once the witness has cosigned it."""
    until = time.monotonic() + 30
    while True:
        shown = emeth("checkpoint", "--witness", key, "--address", service.address)
        if shown.exit_code == 0:
            note = shown.stdout
            if read_checkpoint(SIGNER.key.open(note)).size >= least:
                return note
        assert time.monotonic() < until, shown.output
        time.sleep(0.1)


def test_a_witness_cosigns_what_a_service_records(
    emeth: Emeth, service: RunningService, witness: RunningWitness
) -> None:
    for least in (1, 2):
        assert emeth("new", "agog", "--address", service.address).exit_code == 0
        note = cosigned(emeth, service, witness.key, least)
        assert read_cosigner(witness.key).find(note) is not None
    other = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
    asked = ("checkpoint", "--address", service.address, "--witness", witness.key)
    refused = emeth(*asked, "--witness", other)
    assert (refused.exit_code, "1 of these witnesses" in refused.output) == (1, True)
    assert emeth(*asked, "--witness", other, "--quorum", "1").exit_code == 0


def test_a_witness_has_the_same_key_again(emeth: Emeth, tmp_path: Path) -> None:
    asked = ("witness", "key", "--name", NAME, "--data", tmp_path / "w")
    first = emeth(*asked).output
    assert first == emeth(*asked).output
    assert str(read_cosigner(first.strip())) == first.strip()
    assert emeth("witness", "key", "--name", "two words", "--data", tmp_path / "w").exit_code == 2


def test_wrong_arguments_are_reported(emeth: Emeth, tmp_path: Path) -> None:
    asked = ("witness", "serve", "--name", NAME, "--data", tmp_path / "w")
    assert "--log: it is not a key" in emeth(*asked, "--log", "nonsense").output
    wrong = emeth(*asked, "--log", str(SIGNER.key), "--listen", "nowhere")
    assert "--listen 'nowhere' is not an address and port" in wrong.output
    assert "--quorum 1 is more" in emeth("checkpoint", "--quorum", "1").output


def test_a_service_does_not_start_with_a_wrong_witness(emeth: Emeth, tmp_path: Path) -> None:
    asked = ("serve", "--data", tmp_path / "d", "--listen", "127.0.0.1:0", "--http", "no")
    done = emeth(*asked, "--witnesses", f"{SIGNER.key} http://127.0.0.1:1")
    assert done.exit_code == 3
    assert "EMETH_WITNESSES: it is not a witness's Ed25519 key" in done.output


HOSTS = [
    (("localhost",), 200),
    (("127.0.0.1:20090",), 200),
    (("witness.example.org",), 200),
    (("evil.example",), 421),
    (("localhost.evil.example",), 421),
    ((), 400),
    (("localhost", "evil.example"), 400),
    (("a b",), 400),
]
"""The `Host` headers of a request, and the status of the answer."""


def test_a_witness_answers_for_its_own_hosts_only(tmp_path: Path) -> None:
    witness = RunningWitness(tmp_path, "--host", "witness.example.org")
    address = witness.url.removeprefix("http://")
    for hosts, status in HOSTS:
        lines = ("GET / HTTP/1.1", *(f"host: {each}" for each in hosts), "connection: close")
        with connected(address) as line:
            line.sendall("\r\n".join((*lines, "", "")).encode())
            answer = ended(line)
        assert answer.split(b" ", 2)[1] == b"%d" % status, hosts
        assert (b"--host" in answer) is (status == 421)
    witness.stop()
