"""Public keys of services that the command line has seen, like known_hosts of ssh.

They are in the file `known_keys` in the folder of the keyring. Each line is a service and one of
its keys, separated by a space. A service is the name of a key, or the address from which `emeth
checkpoint` received it. A name with `#secret` is for the digest of the secret behind draws. A key
seen for the first time is trusted, and reported as new.
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
    """A service's key as compared with the keys seen before, like an entry of known_hosts."""

    service: str
    key: str
    state: State
    """`changed`: other keys of this service are known, and this is none of them."""
    others: tuple[str, ...] = ()
    """The other known keys of a service whose key has changed."""
    elsewhere: tuple[str, ...] = ()
    """Other services that are known to have this key."""
    forgotten: str = ""
    """Why a new key could not be remembered; empty if it was."""

    @property
    def words(self) -> str:
        """Return a sentence about the key; a warning of several lines if it has changed."""
        if self.state == "changed":
            was = "".join(f"\n  known:  {other}" for other in self.others)
            return (
                f"WARNING: THE KEY OF {self.service} HAS CHANGED{was}\n  signed: {self.key}\n"
                "Somebody may be impersonating the service. Ask its operator: if the new key is"
                f" genuine, confirm it with --key, or delete the old line from {path()}"
            )
        of = f"of {' and '.join(self.elsewhere)}, " if self.elsewhere else ""
        if self.state == "known":
            return f"the key is {of}known"
        if self.forgotten:
            return f"the key is {of}new here, and is not remembered: {self.forgotten}"
        return f"the key is {of}new here: it is remembered as that of {self.service}"


def path() -> Path:
    """Return the path of the file."""
    return keyring.folder() / "known_keys"


def check_key(service: str, key: VerifierKey, *, trusted: bool = False) -> KnownKey:
    """Compare a service's key with those seen before, and store a new one.

    A `trusted` key replaces the known ones. A changed key that is not trusted is not stored.
    """
    return _check(service, str(key), trusted=trusted)


def check_secret(service: str, secret: str, *, trusted: bool = False) -> KnownKey:
    """Compare the digest of the secret behind draws with those seen before; see `check_key`."""
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
    """Return service and key of each valid line of the file."""
    try:
        lines = path().read_text().splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeError) as error:
        raise click.UsageError(f"cannot read {path()}: {error}") from None
    words = [line.split(" ") for line in lines]
    return [(each[0], each[1]) for each in words if len(each) == 2]
