"""The public keys that the command line knows, each by its service: as ssh knows hosts.

They lie in `known_keys`, beside the tokens. A line is a service and one of its keys, with a blank
between them; a service is the name of a key, or the address at which `emeth checkpoint` was shown
it. With `#secret` behind the name it is the digest of what the draws of its matches come from. What
is said of a service for the first time is believed, and told to be new.
"""

from pathlib import Path
from typing import Literal

import click
from msgspec import Struct

from services.cli import keyring
from services.cli.keyring import lock_folder
from services.proof.signing import VerifierKey
from services.runtime.files import OWNER_ONLY, write_atomically

State = Literal["new", "known", "changed"]


class KnownKey(Struct, frozen=True):
    """What is known of a key, now that it was met."""

    service: str
    key: str
    state: State
    """`changed`: other keys of this service are known, and this is none of them."""
    others: tuple[str, ...] = ()
    """The other known keys of this service."""
    elsewhere: tuple[str, ...] = ()
    """Other services, by their addresses, that are known to have this key."""
    forgotten: str = ""
    """Why a new key could not be remembered; empty if it was."""

    @property
    def words(self) -> str:
        """This in a line, or as a warning."""
        if self.state == "changed":
            was = "".join(f"\n  known:  {other}" for other in self.others)
            return (
                f"WARNING: THE KEY OF {self.service} HAS CHANGED{was}\n  signed: {self.key}\n"
                "Somebody may be vouching in its name. Ask who runs the service: if the key is"
                f" theirs, say so with --key, or take the old line out of {path()}"
            )
        of = f"of {' and '.join(self.elsewhere)}, " if self.elsewhere else ""
        if self.state == "known":
            return f"the key is {of}known"
        if self.forgotten:
            return f"the key is {of}new here, and is not remembered: {self.forgotten}"
        return f"the key is {of}new here: it is remembered as that of {self.service}"


def path() -> Path:
    """Where the file is."""
    return keyring.folder() / "known_keys"


def check_key(service: str, key: VerifierKey, *, trusted: bool = False) -> KnownKey:
    """See what is known of a service's key, and remember a new one. A `trusted` key takes the place
    of those that were known. A key that has changed is not remembered."""
    return _check(service, str(key), trusted=trusted)


def check_secret(service: str, secret: str, *, trusted: bool = False) -> KnownKey:
    """The same for the digest of the secret that draws come from, by the name of who signs them."""
    return _check(f"{service}#secret", secret, trusted=trusted)


def _check(service: str, text: str, *, trusted: bool) -> KnownKey:
    try:
        with lock_folder():
            known = _load()
            met = _compare(service, text, known)
            if met.state == "changed" and trusted:
                known = [each for each in known if each[0] != service]
                met = KnownKey(service, text, "new", elsewhere=met.elsewhere)
            if met.state == "new":
                lines = [*known, (service, text)]
                content = "".join(f"{' '.join(line)}\n" for line in lines)
                write_atomically(path(), content.encode(), OWNER_ONLY)
            return met
    except click.UsageError as error:
        found = _compare(service, text, [])
        return KnownKey(service, text, found.state, forgotten=error.message)


def _compare(service: str, key: str, known: list[tuple[str, str]]) -> KnownKey:
    own = tuple(each for name, each in known if name == service)
    elsewhere = tuple(name for name, each in known if each == key and name != service)
    named = tuple(name for name in elsewhere if name != key.partition("+")[0])
    state: State = "known" if key in own else "changed" if own else "new"
    return KnownKey(service, key, state, own if state == "changed" else (), named)


def _load() -> list[tuple[str, str]]:
    """The lines of the file; those that say something else are left out."""
    try:
        lines = path().read_text().splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeError) as error:
        raise click.UsageError(f"cannot read {path()}: {error}") from None
    words = [line.split(" ") for line in lines]
    return [(each[0], each[1]) for each in words if len(each) == 2]
