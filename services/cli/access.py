"""Which match a command is about, and as whom: flags first, then what the keyring remembers."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from uuid import UUID

import click
from msgspec import Struct

from domain.kernel.game import REFEREE
from domain.kernel.rulings import Refused
from domain.match import LINK
from domain.registry import GAMES
from services.cli import keyring
from services.cli.keyring import KeyringEntry
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import Match


class MatchAccess(Struct, frozen=True):
    """A match, and the tokens to it."""

    match: str
    ring: KeyringEntry
    role: str | None = None
    """The role that was asked for."""
    token: str | None = None
    """The token to use, where one was given."""

    def viewing(self) -> str:
        """The token to look with; empty if none is known, which is enough for a public match."""
        if self.token is None and self.role is None and not self.ring.tokens:
            return ""
        return self.token or self.token_of(self.role or self.ring.viewer)

    async def present(self, client: Client, at_least_version: int | None = None) -> Match:
        """The match as it stands, at least at this version; or at what was seen of it last."""
        version = self.ring.version if at_least_version is None else at_least_version
        return await client.match(self.match, version, token=self.viewing())

    async def acting(self, client: Client, seat: str = "") -> str:
        """The token to act with: the chosen seat's, else that of the seat that is asked; the
        referee's to stand in for another `seat`."""
        if seat and self.role is None:
            return self.token_of(REFEREE)
        if self.token is not None or self.role is not None:
            return self.viewing()
        seats, going_on = self.ring.seats, ""
        if len(seats) > 1:
            shown = self.token_of(seats[0])
            match = await client.match(self.match, self.ring.version, token=shown)
            going_on = f"; {match.caption}" if not match.prompts else ""
            asked = {prompt.seat for prompt in match.prompts}
            seats = tuple(seat for seat in seats if seat in asked) or seats
        if len(seats) != 1:
            known = ", ".join(seats) or "none"
            raise click.UsageError(f"say with --as which seat acts: {known}{going_on}")
        return self.token_of(seats[0])

    def token_of(self, role: str) -> str:
        """The token for a role; the one that was given goes for any."""
        if self.token is not None:
            return self.token
        if role in self.ring.tokens:
            return self.ring.tokens[role]
        known = ", ".join(self.ring.tokens) or "no role"
        raise click.UsageError(f"no token is remembered for {role}, only for {known}: give --token")

    def invitation_to(self, role: str) -> str:
        """What lets its bearer take a role: a code, else the token for it."""
        if self.token is None:
            for name in (role, LINK):
                if name in self.ring.codes:
                    return self.ring.codes[name]
            if not self.ring.tokens:
                return ""  # which is enough where anybody is admitted
        return self.token_of(role)

    def is_score_notation(self, text: str) -> bool:
        """Is this text no machine notation, in a game that has another for people?"""
        game = GAMES.get(self.ring.game)
        if game is None or game.score is None:
            return False
        return isinstance(game.read_action(text), Refused)


def with_access(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command about one match: adds the flags that say which and as whom, passes `access`."""

    @wraps(command)
    def now(*args: Any, access: Callable[[], MatchAccess], **rest: Any) -> Any:
        return command(*args, access=access(), **rest)

    return with_optional_access(now)


def with_optional_access(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that may do without a match: `access` is called if one is needed."""

    @wraps(command)
    def accessing(
        *args: Any, match: str | None, role: str | None, token: str | None, **rest: Any
    ) -> Any:
        return command(*args, access=partial(_find, match, role, token), **rest)

    for flag in (
        click.option(
            "--token",
            envvar="EMETH_TOKEN",
            show_envvar=True,
            metavar="TOKEN",
            help="The token to use, if not a remembered one.",
        ),
        click.option(
            "--as",
            "role",
            metavar="ROLE",
            help="The role to act or look as: a seat, `referee` or `spectator`.",
        ),
        click.option(
            "--match",
            "-m",
            metavar="ID",
            help="The match's id or the beginning of it.  [default: the match used last]",
        ),
    ):
        accessing = flag(accessing)
    return accessing


def _find(match: str | None, role: str | None, token: str | None) -> MatchAccess:
    if (
        match is not None
        and _is_match_id(match)
        and (token is not None or not keyring.has_match(match))
    ):
        return MatchAccess(match, KeyringEntry("", {}), role, token)
    found, ring = keyring.find(match)
    keyring.set_last_used(found)
    return MatchAccess(found, ring, role, token)


def _is_match_id(match: str) -> bool:
    try:
        return str(UUID(match)) == match
    except ValueError:
        return False
