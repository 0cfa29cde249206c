"""The tokens of armies' owners that the command line remembers, one for each service."""

from typing import Final

import msgspec

from services.cli.keyring import folder, kept, locked
from services.files import OWNER_ONLY, put

_FILE: Final = "owners.json"


def load(address: str) -> str:
    """The owner's token for the service at this address; empty if none is remembered."""
    return _all().get(address, "")


def remember(address: str, token: str) -> None:
    """Keep the token that a first saved army gave out."""
    with locked():
        content = msgspec.json.encode(_all() | {address: token})
        put(folder() / _FILE, content + b"\n", OWNER_ONLY)


def _all() -> dict[str, str]:
    return kept(_FILE, dict[str, str])
