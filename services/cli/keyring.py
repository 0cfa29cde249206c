"""The tokens that the command line remembers, so that nobody has to type them.

They lie in one file, `tokens.json` in the folder of EMETH_CONFIG or in the user's usual place for
configuration, readable by nobody else. Several commands may change it at once.
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
"""Characters of a match id that may stand for all of it."""


class KeyringEntry(Struct, frozen=True, omit_defaults=True):
    """What is remembered of one match."""

    game: str
    invitations: dict[str, str]
    """Tokens from the match's creation, by role. A seat's is good while nobody holds the seat."""
    held: dict[str, str] = {}
    """Tokens of the seats that were claimed from here."""
    codes: dict[str, str] = {}
    """What lets players take seats, or the referee's role, by role."""
    version: int = 0
    """The newest version that was recorded from here: what is read must be at least as new."""

    @property
    def tokens(self) -> dict[str, str]:
        """All tokens by role; a claimed seat has a new one."""
        return self.invitations | self.held

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats that can be acted for: those claimed from here, else all that are invited."""
        return tuple(self.held or (role for role in self.invitations if role not in OTHER_ROLES))

    @property
    def viewer(self) -> str:
        """As whom to look, unless told: the one seat claimed from here, else a spectator."""
        if len(self.held) == 1 or not self.invitations:
            return next(iter(self.held))
        return SPECTATOR if SPECTATOR in self.invitations else next(iter(self.tokens))

    @property
    def shown(self) -> str:
        """What shows the match: a token, or a code; empty for none."""
        known = [*self.held.values(), *self.invitations.values(), *self.codes.values()]
        return next(iter(known), "")


OTHER_ROLES: Final = (REFEREE, CREATOR, SPECTATOR)

Keyring = dict[str, KeyringEntry]
"""By match id, the one used last at the end."""


def folder() -> Path:
    """Where the file is."""
    chosen = os.environ.get("EMETH_CONFIG")
    return Path(chosen) if chosen else Path(click.get_app_dir("emeth"))


def load() -> Keyring:
    """All that is remembered."""
    return read_file("tokens.json", Keyring)


def read_file(name: str, kind: type[K]) -> K:
    """What a file of the folder holds; nothing if there is none. A usage error if it cannot be
    read, or is damaged."""
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
    """The tokens of a new match: those of the seats first, in order of play."""
    seats = [seat.name for seat in match.seats]
    others = [role for role in tokens if role not in (*seats, *OTHER_ROLES)]
    return {role: tokens[role] for role in (*seats, *others, *OTHER_ROLES) if role in tokens}


def find(name: str | None) -> tuple[str, KeyringEntry]:
    """The match of this id, or of an id that begins so; without a name the one used last."""
    rings = load()
    if name is None:
        if not rings:
            raise click.UsageError("no match is remembered yet: `emeth new GAME` starts one")
        return next(reversed(rings.items()))
    if name in rings:
        return name, rings[name]
    found = [match for match in rings if match.startswith(name.lower())]
    if len(name) < MIN_PREFIX_LENGTH or len(found) != 1:
        many = "more than one match begins" if len(found) > 1 else "no remembered match begins"
        raise click.UsageError(f"{many} with {name!r}; `emeth list --mine` shows them")
    return found[0], rings[found[0]]


def has_match(match: str) -> bool:
    """Is anything remembered of the match of this id?"""
    return match in load()


def remember(match: str, ring: KeyringEntry) -> None:
    """Keep this of a new match."""
    with _update() as rings:
        rings[match] = ring


def remember_seat(
    match: str, game: str, seat: str, *, invitation: str, token: str, version: int
) -> None:
    """A seat was claimed from here by its invitation, which is good again if it is left, or by a
    code, for which there is no invitation; it has this token from now on."""
    with _update() as rings:
        ring = rings.pop(match, KeyringEntry(game, {}))
        invitations = ring.invitations | ({seat: invitation} if invitation else {})
        held, codes = ring.held | {seat: token}, _without_key(ring.codes, seat)
        rings[match] = replace(
            ring, invitations=invitations, held=held, codes=codes, version=version
        )


def remember_referee(match: str, game: str, token: str, version: int) -> None:
    """The referee's role was taken from here."""
    with _update() as rings:
        ring = rings.pop(match, KeyringEntry(game, {}))
        invitations = ring.invitations | {REFEREE: token}
        codes = _without_key(ring.codes, REFEREE)
        rings[match] = replace(ring, invitations=invitations, codes=codes, version=version)


def remember_code(match: str, role: str, code: str, version: int = 0) -> None:
    """A code was given out for a role."""
    with _update() as rings:
        if match in rings:
            ring = rings.pop(match)
            codes, seen = ring.codes | {role: code}, max(ring.version, version)
            rings[match] = replace(ring, codes=codes, version=seen)


def _without_key(named: Mapping[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in named.items() if key != name}


def forget_seat(match: str, seat: str, version: int) -> None:
    """A seat claimed from here was given back: only its invitation or code is good now."""
    with _update() as rings:
        if match in rings:
            ring = rings.pop(match)
            rings[match] = replace(ring, held=_without_key(ring.held, seat), version=version)


def set_last_used(match: str, version: int = 0) -> None:
    """This is the match used last, and it is at least at this version."""
    with _update() as rings:
        if match in rings:
            ring = rings.pop(match)
            rings[match] = replace(ring, version=max(ring.version, version))


@contextmanager
def _update() -> Iterator[Keyring]:
    """The rings to change; written back whole, by one command at a time."""
    with lock_folder():
        rings = load()
        yield rings
        content = msgspec.json.format(msgspec.json.encode(rings))
        write_atomically(folder() / "tokens.json", content + b"\n", OWNER_ONLY)


@contextmanager
def lock_folder() -> Iterator[None]:
    """While nobody else changes a file of the folder; a usage error if it cannot be written."""
    place = folder()
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(place / "tokens.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise click.UsageError(f"cannot write to {place}: {error.strerror}") from None
