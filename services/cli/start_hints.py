"""Commands that a service suggests when it has started."""

import shutil
import sys
from pathlib import Path
from typing import Final

from services.runtime.settings import Settings, bot_processes, is_local

WILDCARD_HOSTS: Final = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104  # nothing is bound
"""The local address of a service that listens on all addresses."""
STOP_HINT: Final = "Ctrl+C stops the service; nothing is lost."


FRONTEND_JSON: Final = '{"frontend":{"name":"NAME","rights":["FRONTEND_RIGHT_CREATE"]}}'
"""The request for a frontend that may create matches."""


def hints(settings: Settings, address: str) -> str:
    """Return the commands to try next, as lines, for a service with these settings and address.

    The service accepts every suggested command: its role, access policy and bots are considered.
    """
    host, _, port = address.rpartition(":")
    near = f"{WILDCARD_HOSTS.get(host, host)}:{port}"
    flags = "" if near == Settings().listen else f" --address {near}"
    flags += " --tls-ca CERTIFICATE" if settings.tls_certificate else ""
    flags += " --tls-certificate OWN --tls-key KEY" if settings.tls_client_ca else ""
    is_open = settings.open == "yes" if settings.open else is_local(settings)
    key = "" if is_open else " --frontend-key KEY"
    data = f" --data {settings.data}" if settings.data != Settings().data else ""
    admin = "KEY" if settings.admin_key else f"@{settings.data}/admin.key"
    tries = [
        (f"doctor{data}", "check the disk, the log and the read models"),
        ("--help", "list all commands"),
    ]
    if settings.role != "play":
        if not is_open:
            create = f"call CreateFrontend '{FRONTEND_JSON}' --token {admin}{flags}"
            tries.insert(0, (create, "create a frontend key that may start matches"))
        if settings.role == "all" and bot_processes(settings):
            tries.insert(0, (f"play --against club{flags}{key}", "play it against a bot"))
        tries.insert(0, (f"new agog{flags}{key}", "start a match of A.G.O.G."))
    widest = max(len(command) for command, _ in tries)
    emeth = _program()
    lines = [f"  {emeth} {command:{widest}}  {what}" for command, what in tries]
    return "\n".join(
        (*_replica_hints(settings), "Try next, in another terminal:", *lines, STOP_HINT)
    )


def _replica_hints(settings: Settings) -> tuple[str, ...]:
    """Return a sentence about the role of a service that shares its log with others."""
    if settings.role == "play":
        return ("It takes actions and taps. Matches are started and shown by services that read.",)
    if settings.role == "read":
        return ("It starts and shows matches. Actions are taken by services that play.",)
    return ()


def _program() -> str:
    """Return the shortest command that runs `emeth` in the current folder."""
    program = Path(sys.executable).with_name("emeth")
    if program.is_relative_to(Path.cwd()):
        return str(program.relative_to(Path.cwd()))
    return "emeth" if shutil.which("emeth") == str(program) else str(program)
