"""The command line as people use it, and a real service in a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from services.cli.main import main
from services.runtime.limits import Limits

ROOT = Path(__file__).parents[3]
Emeth = Callable[..., Result]
WITH_LIMITS = """
import sys
from pathlib import Path
import msgspec
from services.runtime.limits import Limits
from services.cli.process import run
from services.runtime.settings import load_settings

_, limits, *flags = sys.argv
given = {name[2:].replace("-", "_"): value for name, value in zip(flags[::2], flags[1::2])}
ready = Path(given.pop("ready_file"))
sys.exit(run(load_settings(**given), ready, msgspec.json.decode(limits, type=Limits)))
"""
"""`emeth serve` with limits that no setting has."""
PATIENCE_SECONDS = 60.0
"""For a start or a stop: a loaded machine takes its time."""


class RunningService:
    """`emeth serve` on a folder, which may be stopped and started again on the same port."""

    def __init__(self, folder: Path, *flags: str, limits: Limits | None = None) -> None:
        folder.mkdir(exist_ok=True)
        self._limits = limits
        self.data = folder / "data"
        self._flags = flags
        self._ready = folder / "address"
        self.address = "127.0.0.1:0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._ready.unlink(missing_ok=True)
        flags = ("--data", self.data, "--listen", self.address, "--ready-file", self._ready)
        flags += self._flags
        environment = {k: v for k, v in os.environ.items() if not k.startswith("EMETH_")}
        serve: tuple[str, ...] = ("-m", "services.cli", "serve")
        if self._limits is not None:
            serve = ("-c", WITH_LIMITS, msgspec.json.encode(self._limits).decode())
        self._process = subprocess.Popen(
            (sys.executable, *serve, *map(str, flags)),
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + PATIENCE_SECONDS
        while not (self._ready.exists() and self._ready.read_text()):
            assert self._process.poll() is None, "the service ended at once"
            assert time.monotonic() < until, "the service did not start in time"
            time.sleep(0.02)
        self.address = self._ready.read_text()

    def most_memory(self) -> float:
        """The most memory that the process ever had, in MiB."""
        assert self._process is not None
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def send(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def stop(self, number: int = signal.SIGTERM) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return self._process.wait(PATIENCE_SECONDS)


@pytest.fixture(scope="session")
def shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    """One service for all tests that do not stop it."""
    running = RunningService(tmp_path_factory.mktemp("service"))
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def own_service(tmp_path: Path) -> Iterator[RunningService]:
    """A service to stop and start."""
    running = RunningService(tmp_path)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def emeth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Emeth:
    """Runs a command line without a service, with a keyring of the test's own."""
    monkeypatch.setenv("EMETH_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("EMETH_ADDRESS", "127.0.0.1:1")
    monkeypatch.delenv("EMETH_TOKEN", raising=False)

    def run(*words: object, typed: str = "") -> Result:
        return CliRunner().invoke(main, list(map(str, words)), input=typed, catch_exceptions=False)

    return run


@pytest.fixture
def emeth_online(
    emeth: Emeth, shared_service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> Emeth:
    """The same, with the shared service to talk to."""
    monkeypatch.setenv("EMETH_ADDRESS", shared_service.address)
    return emeth
