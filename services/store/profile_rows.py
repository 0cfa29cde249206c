"""How a player's row is written: as it is, or encrypted under a key of that player alone.

Each player's key lies in a table of its own (`player_keys.py`), encrypted under the key of the log.
Forgetting a player deletes it, and every copy of the row that somebody may have kept means nothing
from then on. What rows are found by, the frontend's own id and the name, is a keyed digest in an
encrypted row.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from hmac import digest as hmac
from typing import Any, Final
from uuid import UUID

import msgspec
import structlog
from msgspec import Struct

from services.store.cipher_keys import CipherKeys, aes
from services.store.player_keys import FILE, INDEX, PlayerKeys
from services.store.row_checksums import RowDamaged, add_checksum, has_checksum, verify_checksum
from services.store.side_store import SideStore, rows_of

log = structlog.get_logger(__name__)
Row = tuple[Any, ...]
MARK: Final = "\x01"
"""What encrypted columns begin with."""
PAGE_SIZE: Final = 500
"""Rows that are rewritten in one statement."""


class PlayerProfile(Struct, frozen=True):
    """Who a player is."""

    player: UUID
    frontend: UUID
    external: str
    """What the frontend calls the player."""
    name: str


class EncryptedProfile(Struct, frozen=True, array_like=True):
    """What is encrypted of a player."""

    external: str
    name: str
    folded_name: str


class ProfileRows:
    """Writes and reads rows of `people`: player, frontend, external, name, folded name."""

    def __init__(self, beside: SideStore, cipher: CipherKeys) -> None:
        self._beside = beside
        self._cipher = cipher
        self._keys = PlayerKeys(beside, cipher)
        self._index = self._index_key() if cipher else None

    @property
    def mixed(self) -> bool:
        """May rows be encrypted?"""
        return self._index is not None

    def written(self, person: PlayerProfile, folded_name: str) -> tuple[str, ...]:
        """The row of a person."""
        row = self._row(person, folded_name)
        return add_checksum(row) if self._beside.sums else row

    def _row(self, person: PlayerProfile, folded_name: str) -> tuple[str, ...]:
        head = str(person.player), str(person.frontend)
        if not self._cipher.encrypts:
            return (*head, person.external, person.name, folded_name)
        key = self._keys.made(head[0])
        body = msgspec.json.encode(EncryptedProfile(person.external, person.name, folded_name))
        sealed = MARK + b64encode(aes(key).encrypt(body)).decode()
        assert self._index is not None, "rows are encrypted under keys"
        external = _sign(self._index, head[1], person.external)
        return (*head, external, sealed, _sign(self._index, head[1], folded_name))

    def read(self, row: Row) -> tuple[PlayerProfile, str] | None:
        """The person of a row, and the name as it is folded; None if the key is gone. RowDamaged,
        or another ValueError for a key that is damaged."""
        player, frontend, external, name, folded_name = verify_checksum(row)
        if not name.startswith(MARK):
            return PlayerProfile(UUID(player), UUID(frontend), external, name), folded_name
        if (found := decrypt_row(self._keys, player, name)) is None:
            return None
        return PlayerProfile(
            UUID(player), UUID(frontend), found.external, found.name
        ), found.folded_name

    def found_by(self, frontend: UUID, text: str) -> tuple[str, str]:
        """The two forms in which a column may have what a row is found by."""
        return text, _sign(self._index, str(frontend), text) if self._index else text

    def forget(self, player: UUID) -> None:
        """Destroy the key of a player."""
        if self._cipher:
            self._keys.forget(str(player))
            self._beside.scrub("player_keys")

    def bring_up_to_date(self) -> int:
        """Write all keys under the present key of the log, and all rows in the present form; how
        many rows were not. What was begun and broken off is gone on with at the next start."""
        if not (self._cipher or self._beside.sums):
            return 0
        keys = self._keys.stale() if self._cipher.encrypts else []
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

    def _in_another_form(self) -> Iterator[tuple[PlayerProfile, str]]:
        """Who has a row that would be written otherwise now. What is damaged stays as it is."""
        for row in rows_of(self._beside, "people"):
            try:
                encrypted = verify_checksum(row)[3].startswith(MARK)
                if has_checksum(row) is self._beside.sums and encrypted is self._cipher.encrypts:
                    continue
                if (found := self.read(row)) is not None:
                    yield found
            except RowDamaged as damage:
                log.error("person_damaged", player=damage.player)

    def _put(self, table: Any, rows: Sequence[tuple[str, ...]], changes: str) -> None:
        for start in range(0, len(rows), PAGE_SIZE):
            page = rows[start : start + PAGE_SIZE]
            places = ", ".join(f"({', '.join('?' * len(row))})" for row in page)
            text = (
                f"INSERT INTO {table} VALUES {places}"  # noqa: S608  names and signs of ours
                f" ON CONFLICT (player) DO UPDATE SET {changes}"
            )
            self._beside.ask(table, text, *(each for row in page for each in row))

    def _index_key(self) -> bytes | None:
        """The key of the digests. RowDamaged if it was there, and cannot be found."""
        if (key := self._keys.of(INDEX)) is not None:
            return key
        for row in rows_of(self._beside, "people"):
            with suppress(RowDamaged):
                if (signed := self._signed(row)) is not None:
                    break
        else:
            return self._keys.made(INDEX) if self._cipher.encrypts else None
        damage = RowDamaged(INDEX, FILE)
        if (key := self._keys.stray(signed)) is None:
            raise damage
        log.error("person_damaged", player=INDEX, why=str(damage))
        return key

    def _signed(self, row: Row) -> Callable[[bytes], bool] | None:
        """Whether a key is the one by which a row is found; None if the row does not tell."""
        player, frontend, external, name, _ = verify_checksum(row)
        if not name.startswith(MARK) or (found := decrypt_row(self._keys, player, name)) is None:
            return None
        return lambda key: _sign(key, frontend, found.external) == external


def damaged_players(rows: Iterable[Row], keys: PlayerKeys) -> list[str]:
    """The players who have rows, or keys, that are not as they were written."""
    found, sealed = [], False
    for row in rows:
        try:
            player, _, _, name, _ = verify_checksum(row)
            if name.startswith(MARK):
                sealed |= decrypt_row(keys, player, name) is not None
        except RowDamaged as damage:
            found.append(damage.player)
    try:
        if sealed and keys.of(INDEX) is None:
            found.append(INDEX)
    except RowDamaged:
        found.append(INDEX)
    return found


def decrypt_row(keys: PlayerKeys, player: str, sealed: str) -> EncryptedProfile | None:
    """What is in an encrypted row of a player; None if the key was destroyed. RowDamaged if it is
    there still, under another name."""
    key = keys.of(player)
    found = _unsealed(key, sealed) if key is not None else None
    if found is None and keys.stray(lambda key: _unsealed(key, sealed)) is not None:
        raise RowDamaged(player, FILE)
    return found


def _unsealed(key: bytes, sealed: str) -> EncryptedProfile | None:
    try:
        body = aes(key).decrypt(b64decode(sealed[len(MARK) :]))
        return msgspec.json.decode(body, type=EncryptedProfile)
    except (ValueError, msgspec.MsgspecError):
        return None


def _sign(index: bytes, frontend: str, text: str) -> str:
    signed = hmac(index, f"{frontend} {text}".encode(), sha256)
    return MARK + b64encode(signed).decode()
