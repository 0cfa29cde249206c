"""How a player's row is written: as it is, or encrypted under a key of that player alone.

Each player's key lies in a table of its own, encrypted under the key of the log. Forgetting a
player deletes it, and every copy of the row that somebody may have kept means nothing from then on.
What rows are found by, the frontend's own id and the name, is a keyed digest in an encrypted row.
"""

import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from hmac import digest as hmac
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct

from services.store.beside import Beside, rows_of
from services.store.cipher_keys import CipherKeys, aes
from services.store.person_sums import RowDamaged, is_summed, summed, unsummed

log = structlog.get_logger(__name__)
Row = tuple[Any, ...]
MARK: Final = "\x01"
"""What encrypted columns begin with."""
INDEX: Final = "index"
"""In place of a player: the key of the digests that rows are found by."""
PAGE: Final = 500
"""Rows that are rewritten in one statement."""


class Person(Struct, frozen=True):
    """Who a player is."""

    player: UUID
    frontend: UUID
    external: str
    """What the frontend calls the player."""
    name: str


class _Written(Struct, frozen=True, array_like=True):
    external: str
    name: str
    folded_name: str


class PersonRows:
    """Writes and reads rows of `people`: player, frontend, external, name, folded name."""

    def __init__(self, beside: Beside, cipher: CipherKeys) -> None:
        self._beside = beside
        self._cipher = cipher
        self._index = self._key(INDEX, make=cipher.encrypts) if cipher else None

    @property
    def mixed(self) -> bool:
        """May rows be encrypted?"""
        return self._index is not None

    def written(self, person: Person, folded_name: str) -> tuple[str, ...]:
        """The row of a person."""
        row = self._row(person, folded_name)
        return summed(row) if self._beside.sums else row

    def _row(self, person: Person, folded_name: str) -> tuple[str, ...]:
        head = str(person.player), str(person.frontend)
        if not self._cipher.encrypts:
            return (*head, person.external, person.name, folded_name)
        key = self._key(head[0], make=True)
        assert key is not None, "it was just made"
        body = msgspec.json.encode(_Written(person.external, person.name, folded_name))
        sealed = MARK + b64encode(aes(key).encrypt(body)).decode()
        external, folded = self._sign(head[1], person.external), self._sign(head[1], folded_name)
        return (*head, external, sealed, folded)

    def read(self, row: Row) -> tuple[Person, str] | None:
        """The person of a row, and the name as it is folded; None if the key is gone. RowDamaged,
        or another ValueError for a key that is damaged."""
        player, frontend, external, name, folded_name = unsummed(row)
        if not name.startswith(MARK):
            return Person(UUID(player), UUID(frontend), external, name), folded_name
        key = self._key(player) if self._cipher else None
        if key is None:
            return None
        try:
            body = aes(key).decrypt(b64decode(name[len(MARK) :]))
            found = msgspec.json.decode(body, type=_Written)
        except (ValueError, msgspec.MsgspecError):
            return None
        return Person(UUID(player), UUID(frontend), found.external, found.name), found.folded_name

    def found_by(self, frontend: UUID, text: str) -> tuple[str, str]:
        """The two forms in which a column may have what a row is found by."""
        return text, self._sign(str(frontend), text) if self._index else text

    def forget(self, player: UUID) -> None:
        """Destroy the key of a player."""
        if self._cipher:
            self._beside.ask("player_keys", "DELETE FROM player_keys WHERE player = ?", str(player))
            self._beside.scrub("player_keys")

    def bring_up_to_date(self) -> int:
        """Write all keys under the present key of the log, and all rows in the present form; how
        many rows were not. What was begun and broken off is gone on with at the next start."""
        if not (self._cipher or self._beside.sums):
            return 0
        keys = [
            (player, b64encode(self._cipher.restored(b64decode(wrapped))).decode())
            for player, wrapped in self._beside.ask("player_keys", "SELECT * FROM player_keys")
            if not self._cipher.is_current(b64decode(wrapped))
        ] if self._cipher.encrypts else []  # fmt: skip
        self._put("player_keys", keys, "wrapped = excluded.wrapped")
        others = [self.written(*found) for found in self._in_another_form()]
        self._put(
            "people",
            others,
            "external = excluded.external, name = excluded.name,"
            " folded_name = excluded.folded_name",
        )
        if others:
            self._beside.scrub("people")
        return len(others)

    def _in_another_form(self) -> Iterator[tuple[Person, str]]:
        """Who has a row that would be written otherwise now. What is damaged stays as it is."""
        for row in rows_of(self._beside, "people"):
            try:
                encrypted = unsummed(row)[3].startswith(MARK)
                if is_summed(row) is self._beside.sums and encrypted is self._cipher.encrypts:
                    continue
                if (found := self.read(row)) is not None:
                    yield found
            except RowDamaged as damage:
                log.error("person_damaged", player=damage.player)

    def _put(self, table: Any, rows: Sequence[tuple[str, ...]], changes: str) -> None:
        for start in range(0, len(rows), PAGE):
            page = rows[start : start + PAGE]
            places = ", ".join(f"({', '.join('?' * len(row))})" for row in page)
            text = (
                f"INSERT INTO {table} VALUES {places}"  # noqa: S608  names and signs of ours
                f" ON CONFLICT (player) DO UPDATE SET {changes}"
            )
            self._beside.ask(table, text, *(each for row in page for each in row))

    def _sign(self, frontend: str, text: str) -> str:
        assert self._index is not None, "rows are encrypted under keys"
        signed = hmac(self._index, f"{frontend} {text}".encode(), sha256)
        return MARK + b64encode(signed).decode()

    def _key(self, player: str, *, make: bool = False) -> bytes | None:
        """A player's key; made if there is none, and it is wanted."""
        ask = "SELECT wrapped FROM player_keys WHERE player = ?"
        if not (rows := self._beside.ask("player_keys", ask, player)):
            if not make:
                return None
            wrapped = b64encode(self._cipher.encrypt(secrets.token_bytes(32))).decode()
            # Another service may be quicker: then its key is the one.
            self._beside.ask(
                "player_keys",
                "INSERT INTO player_keys VALUES (?, ?) ON CONFLICT (player) DO NOTHING",
                player,
                wrapped,
            )
            rows = self._beside.ask("player_keys", ask, player)
        return self._cipher.decrypt(b64decode(rows[0][0]))
