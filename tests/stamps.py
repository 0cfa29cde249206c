"""Stamps for tests: every command needs one, and most tests do not care about its salt."""

from datetime import datetime
from typing import Final

from domain.log.origin import NOWHERE, Source, Stamp

SALT: Final = bytes(range(32))
"""Of all stamps in tests, unless they name another."""


def stamp_at(
    at: datetime, request: str = "", source: Source = NOWHERE, salt: bytes = SALT
) -> Stamp:
    """Return the stamp of a request at a time."""
    return Stamp(at, request, salt, source)
