"""The tokens of armies' owners that the command line remembers, one for each service."""

from typing import Final

import click
import msgspec

from services.cli.keyring import folder
from services.files import OWNER_ONLY, put

_FILE: Final = "owners.json"


def load(address: str) -> str:
    """The owner's token for the service at this address; empty if none is remembered."""
    return _all().get(address, "")


def remember(address: str, token: str) -> None:
    """Keep the token that a first saved army gave out."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        content = msgspec.json.encode(_all() | {address: token})
        put(place / _FILE, content + b"\n", OWNER_ONLY)
    except OSError as error:
        raise click.UsageError(f"cannot write to {place}: {error.strerror}") from None


def _all() -> dict[str, str]:
    path = folder() / _FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise click.UsageError(f"{path} is damaged ({error}): repair it, or move it away") from None
