"""Rows of frontends and their players, with the usage of frontends and no personal data."""

import sqlite3
from typing import Any, Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import Notification
from msgspec import Struct

from domain import frontend, player
from domain.frontend import Frontend
from domain.log.digests import GENESIS, check_link
from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch
from domain.player import Player
from domain.storage.topics import FRONTEND, PLAYER, kind_of
from projections.projector.schema import insert

_UPSERT_ACCOUNTS: Final = (
    "INSERT INTO accounts VALUES ",
    10,
    " ON CONFLICT (number) DO UPDATE SET version = excluded.version, issuer = excluded.issuer,"
    " frontend = excluded.frontend, state = excluded.state",
)
_EVOLVE: Final[dict[str, Any]] = {FRONTEND: frontend.evolve, PLAYER: player.evolve}
DECODERS: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    FRONTEND: msgspec.json.Decoder(Frontend),
    PLAYER: msgspec.json.Decoder(Player),
}
"""The decoder of the column `state`, for each kind of account."""


class _AccountRow(Struct, frozen=True):
    number: int
    kind: str
    account: Frontend | Player


class _Usage(Struct):
    """What a batch adds to the usage of a frontend."""

    matches: int = 0
    open_matches: int = 0
    bytes: int = 0


class AccountRows:
    """Folds the events of accounts, and writes the rows of a batch. Not thread-safe."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._changed: dict[UUID, _AccountRow] = {}
        self._usage: dict[UUID, _Usage] = {}

    def fold(self, sealed: SealedEvent[Any], notification: Notification) -> None:
        """Fold an event.

        Raises:
            ValueError: The event is not the next one of its account.
        """
        event, kind = sealed.event, kind_of(notification)
        identity: UUID = event.aggregate
        before = self._changed.get(identity) or self._load(identity)
        due = (before.account.version if before else 0) + 1
        place = (notification.originator_id, notification.originator_version)
        if place != (identity, due) or event.version != due:
            raise ValueError(
                f"it is version {event.version} of {identity}, but version {due} is due"
            )
        check_link(before.account.digest if before else GENESIS, sealed.digest, sealed.body)
        after = _EVOLVE[kind](before.account if before else None, sealed)
        number = before.number if before else notification.id
        self._changed[identity] = _AccountRow(number, kind, after)

    def count_event(self, before: AnyMatch | None, match: AnyMatch, size: int) -> None:
        """Add an event of `size` bytes to the usage of the frontend that created its match."""
        if (owner := match.terms.frontend) is None:
            return
        use = self._usage.setdefault(owner, _Usage())
        use.bytes += size
        use.matches += before is None
        use.open_matches += _is_open(match) - (before is not None and _is_open(before))

    def add_bytes(self, owner: UUID, size: int) -> None:
        """Add the bytes of conditional moves or of a tap to the usage of a frontend."""
        self._usage.setdefault(owner, _Usage()).bytes += size

    def frontends_of(self, players: set[UUID]) -> dict[UUID, UUID]:
        """Return the frontend of each player that the read models know."""
        found = {name: self._changed.get(name) or self._load(name) for name in players}
        return {
            name: listed.account.frontend
            for name, listed in found.items()
            if listed is not None and isinstance(listed.account, Player)
        }

    def versions(self) -> dict[UUID, int]:
        """Return the versions of the accounts in the batch."""
        return {identity: listed.account.version for identity, listed in self._changed.items()}

    def write(self) -> None:
        """Write the rows of the batch."""
        insert(self._connection, _UPSERT_ACCOUNTS, [_row(each) for each in self._changed.values()])
        for identity, use in self._usage.items():
            self._connection.execute(
                "UPDATE accounts SET matches = matches + ?, open_matches = open_matches + ?,"
                " bytes = bytes + ? WHERE identity = ?",
                (use.matches, use.open_matches, use.bytes, str(identity)),
            )

    def reset(self) -> None:
        """Drop the batch, after a commit or a rollback."""
        self._changed, self._usage = {}, {}

    def _load(self, identity: UUID) -> _AccountRow | None:
        row = self._connection.execute(
            "SELECT number, kind, state FROM accounts WHERE identity = ?", (str(identity),)
        ).fetchone()
        if row is None:
            return None
        number, kind, state = row
        return _AccountRow(number, kind, DECODERS[kind].decode(state))


def _is_open(match: AnyMatch) -> bool:
    return match.result is None and not match.cancelled


def _row(listed: _AccountRow) -> tuple[Any, ...]:
    account = listed.account
    issuer = frontend = None
    if account.deleted is None:
        if isinstance(account, Player):
            frontend = str(account.frontend)
        elif account.terms.issuer is not None:
            issuer = account.terms.issuer.name
    state = msgspec.json.encode(account).decode()
    return (
        listed.number, str(account.id), listed.kind, account.version, issuer, frontend, 0, 0, 0,
        state,
    )  # fmt: skip
