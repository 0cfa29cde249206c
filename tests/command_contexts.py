"""Stamps for tests: every command needs one, and most tests do not care about its salt."""

from datetime import datetime
from typing import Final

from domain.log.origin import UNKNOWN_ORIGIN, CommandContext, Origin

SALT: Final = bytes(range(32))
"""Of all stamps in tests, unless they name another."""


def context_at(
    at: datetime, request: str = "", source: Origin = UNKNOWN_ORIGIN, salt: bytes = SALT
) -> CommandContext:
    """Return the stamp of a request at a time."""
    return CommandContext(at, request, salt, source)
