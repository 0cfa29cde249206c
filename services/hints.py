"""What a service that has just started tells people to try next."""

from typing import Final

from services.settings import Settings

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104  # nothing is bound
"""Where a service that listens on all addresses is found on its own machine."""


def hints(address: str, *, tls: bool = False) -> str:
    """What to try next with a service that listens there."""
    host, _, port = address.rpartition(":")
    near = f"{EVERYWHERE.get(host, host)}:{port}"
    flags = "" if near == Settings().listen else f" --address {near}"
    flags += " --tls-ca CERTIFICATE" if tls else ""
    tries = (
        (f"new agog{flags}", "start a match of A.G.O.G."),
        (f"play --against club{flags}", "play it against a bot"),
        ("--help", "everything else"),
    )
    widest = max(len(command) for command, _ in tries)
    return "\n".join(
        (
            "Try next, in another terminal:",
            *(f"  .venv/bin/emeth {command:{widest}}  {what}" for command, what in tries),
            "Ctrl+C stops the service; nothing is lost.",
        )
    )
