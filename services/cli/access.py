"""The match that a command acts on, and its token: from flags first, then from the keyring."""

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
    """A match ID with the tokens that are known for the match."""

    match: str
    ring: KeyringEntry
    role: str | None = None
    """The role that `--as` names, or None."""
    token: str | None = None
    """The token that `--token` gives, or None."""

    def viewing(self) -> str:
        """Return the token to view the match with; empty if none is known (public matches)."""
        if self.token is None and self.role is None and not self.ring.tokens:
            return ""
        return self.token or self.token_of(self.role or self.ring.viewer)

    async def present(self, client: Client, at_least_version: int | None = None) -> Match:
        """Return the current match, at least at this version or at the version last seen here."""
        version = self.ring.version if at_least_version is None else at_least_version
        return await client.match(self.match, version, token=self.viewing())

    async def acting(self, client: Client, seat: str = "") -> str:
        """Return the token to act with.

        It is the token of the chosen role, or else of the one remembered seat that has a prompt.
        With `seat`, it is the referee's, who acts as a substitute for that seat.

        Raises:
            UsageError: Several seats could act, or none.
        """
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
            raise click.UsageError(
                f"cannot tell which seat acts: choose one with --as (remembered here: {known})"
                f"{going_on}"
            )
        return self.token_of(seats[0])

    def token_of(self, role: str) -> str:
        """Return the token for a role: `--token` if it was given, else the remembered one."""
        if self.token is not None:
            return self.token
        if role in self.ring.tokens:
            return self.ring.tokens[role]
        known = ", ".join(self.ring.tokens) or "no role"
        raise click.UsageError(
            f"no token is remembered here for {role}, only for {known}: give one with --token"
        )

    def invitation_to(self, role: str) -> str:
        """Return the invite code or token that claims a role; empty if the keyring has neither."""
        if self.token is None:
            for name in (role, LINK):
                if name in self.ring.codes:
                    return self.ring.codes[name]
            if not self.ring.tokens:
                return ""  # enough for a match with the join policy ANYONE
        return self.token_of(role)

    def is_score_notation(self, text: str) -> bool:
        """Return whether a text is score notation: the game has one, and machine notation fails."""
        game = GAMES.get(self.ring.game)
        if game is None or game.score is None:
            return False
        return isinstance(game.read_action(text), Refused)


def with_access(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--match`, `--as` and `--token` to a command, and pass it the match as `access`."""

    @wraps(command)
    def now(*args: Any, access: Callable[[], MatchAccess], **rest: Any) -> Any:
        return command(*args, access=access(), **rest)

    return with_optional_access(now)


def with_optional_access(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `with_access`, and pass `access` as a function that finds the match."""

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
            help="Use this token in place of a remembered one.",
        ),
        click.option(
            "--as",
            "role",
            metavar="ROLE",
            help="Act or view as this role: a seat, `referee` or `spectator`.",
        ),
        click.option(
            "--match",
            "-m",
            metavar="ID",
            help="ID of the match, or its first 4 characters or more.  [default: the match used"
            " last]",
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
