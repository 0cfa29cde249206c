"""The keyring: tokens that the command line remembers.

They are in the file `tokens.json`, in the folder EMETH_CONFIG or the user's configuration folder,
readable only by the user. A lock lets several commands change it at once.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import REFEREE, SPECTATOR
from domain.match import CREATOR
from services.runtime.files import OWNER_ONLY, write_atomically
from services.wire.emeth.v1.matches_pb2 import Match

K = TypeVar("K")

MIN_PREFIX_LENGTH: Final = 4
"""The least number of characters that may abbreviate a match ID."""


class KeyringEntry(Struct, frozen=True, omit_defaults=True):
    """The tokens and codes of one match."""

    game: str
    invitations: dict[str, str]
    """Tokens from the match's creation, by role. A seat's is valid while nobody holds the seat."""
    held: dict[str, str] = {}
    """Tokens of the seats that were claimed with this keyring."""
    codes: dict[str, str] = {}
    """Invite codes by role."""
    version: int = 0
    """The newest version that a command recorded: later reads must be at least as new."""

    @property
    def tokens(self) -> dict[str, str]:
        """Return all tokens by role; a claimed seat has its new token."""
        return self.invitations | self.held

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats to act for: the claimed ones, else all with invitation tokens."""
        return tuple(self.held or (role for role in self.invitations if role not in OTHER_ROLES))

    @property
    def viewer(self) -> str:
        """Return the default role for viewing: the only claimed seat, else a spectator."""
        if len(self.held) == 1 or not self.invitations:
            return next(iter(self.held))
        return SPECTATOR if SPECTATOR in self.invitations else next(iter(self.tokens))

    @property
    def shown(self) -> str:
        """Return a token or code that may view the match; empty for none."""
        known = [*self.held.values(), *self.invitations.values(), *self.codes.values()]
        return next(iter(known), "")


OTHER_ROLES: Final = (REFEREE, CREATOR, SPECTATOR)

Keyring = dict[str, KeyringEntry]
"""Entries by match ID, the last used at the end."""


def folder() -> Path:
    """Return the folder of the keyring."""
    chosen = os.environ.get("EMETH_CONFIG")
    return Path(chosen) if chosen else Path(click.get_app_dir("emeth"))


def load() -> Keyring:
    """Return all entries of the keyring."""
    return read_file("tokens.json", Keyring)


def read_file(name: str, kind: type[K]) -> K:
    """Return the content of a JSON file in the folder, or an empty value if there is no file.

    Raises:
        UsageError: The file cannot be read, or is damaged.
    """
    path = folder() / name
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return kind()
    except OSError as error:
        raise click.UsageError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise click.UsageError(f"{path} is damaged ({error}): repair it, or move it away") from None


def tokens_in_order(match: Match, tokens: Mapping[str, str]) -> dict[str, str]:
    """Return the tokens of a new match with those of the seats first, in order of play."""
    seats = [seat.name for seat in match.seats]
    others = [role for role in tokens if role not in (*seats, *OTHER_ROLES)]
    return {role: tokens[role] for role in (*seats, *others, *OTHER_ROLES) if role in tokens}


def find(name: str | None) -> tuple[str, KeyringEntry]:
    """Return a match by its ID or the beginning of its ID; without a name, the last used.

    Raises:
        UsageError: No remembered match has this ID, or several have.
    """
    rings = load()
    if name is None:
        if not rings:
            raise click.UsageError(
                "no match is remembered yet: start one with `emeth new GAME`, or name one with"
                " --match"
            )
        return next(reversed(rings.items()))
    if name in rings:
        return name, rings[name]
    found = [match for match in rings if match.startswith(name.lower())]
    if len(name) < MIN_PREFIX_LENGTH or len(found) != 1:
        many = "several remembered matches have" if len(found) > 1 else "no remembered match has"
        raise click.UsageError(
            f"{many} an ID that begins with {name!r} (at least {MIN_PREFIX_LENGTH} characters);"
            " `emeth list --mine` lists the remembered matches"
        )
    return found[0], rings[found[0]]


def has_match(match: str) -> bool:
    """Return whether the keyring has an entry for this match ID."""
    return match in load()


def remember(match: str, ring: KeyringEntry) -> None:
    """Store the entry of a new match."""
    with _update() as rings:
        rings[match] = ring


def remember_seat(
    match: str, game: str, seat: str, *, invitation: str, token: str, version: int
) -> None:
    """Store the token of a claimed seat.

    Args:
        match: ID of the match.
        game: Slug of its game.
        seat: The claimed seat.
        invitation: Token that invited to the seat, valid again after leaving; empty for a code.
        token: The new token of the seat.
        version: Version of the match after the claim.
    """
    with _update() as rings:
        ring = rings.pop(match, KeyringEntry(game, {}))
        invitations = ring.invitations | ({seat: invitation} if invitation else {})
        held, codes = ring.held | {seat: token}, _without_key(ring.codes, seat)
        rings[match] = replace(
            ring, invitations=invitations, held=held, codes=codes, version=version
        )


def remember_referee(match: str, game: str, token: str, version: int) -> None:
    """Store the token of a claimed referee's role."""
    with _update() as rings:
        ring = rings.pop(match, KeyringEntry(game, {}))
        invitations = ring.invitations | {REFEREE: token}
        codes = _without_key(ring.codes, REFEREE)
        rings[match] = replace(ring, invitations=invitations, codes=codes, version=version)


def remember_code(match: str, role: str, code: str, version: int = 0) -> None:
    """Store an invite code for a role."""
    with _update() as rings:
        if match in rings:
            ring = rings.pop(match)
            codes, seen = ring.codes | {role: code}, max(ring.version, version)
            rings[match] = replace(ring, codes=codes, version=seen)


def _without_key(named: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in named.items() if key != name}


def forget_seat(match: str, seat: str, version: int) -> None:
    """Delete the token of a seat that was left."""
    with _update() as rings:
        if match in rings:
            ring = rings.pop(match)
            rings[match] = replace(ring, held=_without_key(ring.held, seat), version=version)


def set_last_used(match: str, version: int = 0) -> None:
    """Mark a match as the last used, and raise its known version."""
    with _update() as rings:
        if match in rings:
            ring = rings.pop(match)
            rings[match] = replace(ring, version=max(ring.version, version))


@contextmanager
def _update() -> Iterator[Keyring]:
    """Yield the keyring to change under a lock, and write it back."""
    with lock_folder():
        rings = load()
        yield rings
        content = msgspec.json.format(msgspec.json.encode(rings))
        write_atomically(folder() / "tokens.json", content + b"\n", OWNER_ONLY)


@contextmanager
def lock_folder() -> Iterator[None]:
    """Hold the lock of the folder.

    Raises:
        UsageError: The folder is not writable.
    """
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(place / "tokens.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise click.UsageError(f"cannot write to {place}: {error.strerror}") from None
