"""What is loaded before `emeth` does its work: starting is nearly all loading."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OURS = ("domain", "projections", "services")
NEVER = {"__main__", "_distutils_hack", "__editable___emeth_finder", "__mp_main__"}
"""Modules that the environment loads automatically."""
RUN = """
import sys
from services.cli.main import main
try:
    main({arguments!r})
finally:
    print(*sys.modules, file=open({told!r}, "w"))
"""
HELP = {"click", "services", "services.cli", "services.cli.main"}
SERVICE = {
    "_cffi_backend",
    "_openssl",
    "click",
    "cryptography",
    "eventsourcing",
    "google",
    "greenlet",  # by structlog, where it is installed
    "grpc",
    "grpc_health",
    "grpc_reflection",
    "grpc_status",
    "grpc_tools",  # by grpc itself, where it is installed
    "msgspec",
    "structlog",
    "typing_extensions",
    "uvloop",
    "protobuf",
    "protobuf_ext",
    "protovalidate",
}
COMMAND_LINE = {
    "services.cli",
    "services.cli.commands",
    "services.cli.commands.serve",
    "services.cli.main",
    "services.cli.options",
    "services.cli.process",
    "services.cli.start_hints",
}


def start(module_list: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Run `emeth` so that it writes the loaded modules to a file at its end."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("EMETH_", "COV"))}
    code = RUN.format(arguments=[*arguments], told=str(module_list))
    command = (sys.executable, "-c", code)
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def loaded(module_list: Path) -> set[str]:
    """Our own modules, and the packages of others that are not the standard library."""
    names = set(module_list.read_text().split())
    ours = {name for name in names if name.partition(".")[0] in OURS}
    packages = {name.partition(".")[0] for name in names - ours}
    packages = {name for name in packages if "cython_" not in name}  # what compiled modules share
    return (ours | packages) - NEVER - sys.stdlib_module_names


@pytest.mark.parametrize("arguments", [("--help",), ()])
def test_the_list_of_commands_loads_no_command(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    module_list = tmp_path / "told"
    start(module_list, *arguments).wait()
    assert loaded(module_list) == HELP
    assert "importlib.metadata" not in module_list.read_text().split()


def test_a_service_loads_nothing_that_it_does_not_serve_with(tmp_path: Path) -> None:
    module_list, data = tmp_path / "told", tmp_path / "data"
    for again in (False, True):
        ready = tmp_path / f"ready-{again}"
        flags = ("--data", str(data), "--listen", "127.0.0.1:0", "--ready-file", str(ready))
        # What serves the HTTP port is loaded when the service listens already.
        service = start(module_list, "serve", "--http", "no", *flags)
        until = time.monotonic() + 60
        while not ready.exists() and service.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        service.send_signal(signal.SIGTERM)
        assert service.wait() == 0
    modules = loaded(module_list)
    assert {name for name in modules if "." not in name} - {*OURS} <= SERVICE
    assert {name for name in modules if name.startswith("services.cli")} == COMMAND_LINE
    assert not {name for name in modules if name.startswith("services.client")}
