"""Rows of player profiles: in clear, or encrypted under the player's key.

Each player's key is in its own table (`player_keys.py`), encrypted under the log's key. Erasing a
player deletes the key, which makes every copy of the row unreadable. In an encrypted row, the
columns by which rows are found (the frontend's own id and the name) are keyed digests.
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
"""The first character of encrypted columns."""
PAGE_SIZE: Final = 500
"""Number of rows that one statement rewrites."""


class PlayerProfile(Struct, frozen=True):
    """A player's profile, not encrypted."""

    player: UUID
    frontend: UUID
    external: str
    """The frontend's own id for the player."""
    name: str


class EncryptedProfile(Struct, frozen=True, array_like=True):
    """The encrypted fields of a profile."""

    external: str
    name: str
    folded_name: str


class ProfileRows:
    """The codec for rows of `people`: player, frontend, external, name, folded name."""

    def __init__(self, side_store: SideStore, cipher: CipherKeys) -> None:
        self._side_store = side_store
        self._cipher = cipher
        self._keys = PlayerKeys(side_store, cipher)
        self._index = self._index_key() if cipher else None

    @property
    def can_be_encrypted(self) -> bool:
        """Return whether rows may be encrypted."""
        return self._index is not None

    def encode(self, profile: PlayerProfile, folded_name: str) -> tuple[str, ...]:
        """Return the row of a profile."""
        row = self._row(profile, folded_name)
        return add_checksum(row) if self._side_store.sums else row

    def _row(self, profile: PlayerProfile, folded_name: str) -> tuple[str, ...]:
        head = str(profile.player), str(profile.frontend)
        if not self._cipher.encrypts:
            return (*head, profile.external, profile.name, folded_name)
        key = self._keys.get_or_create(head[0])
        body = msgspec.json.encode(EncryptedProfile(profile.external, profile.name, folded_name))
        sealed = MARK + b64encode(aes(key).encrypt(body)).decode()
        assert self._index is not None, "rows are encrypted under keys"
        external = _sign(self._index, head[1], profile.external)
        return (*head, external, sealed, _sign(self._index, head[1], folded_name))

    def read(self, row: Row) -> tuple[PlayerProfile, str] | None:
        """Return the profile and the folded name in a row; None if the key was destroyed.

        Raises RowDamaged, or another ValueError for a damaged key.
        """
        player, frontend, external, name, folded_name = verify_checksum(row)
        if not name.startswith(MARK):
            return PlayerProfile(UUID(player), UUID(frontend), external, name), folded_name
        if (found := decrypt_row(self._keys, player, name)) is None:
            return None
        return PlayerProfile(
            UUID(player), UUID(frontend), found.external, found.name
        ), found.folded_name

    def index_forms(self, frontend: UUID, text: str) -> tuple[str, str]:
        """Return the two forms in which a column may contain an indexed text."""
        return text, _sign(self._index, str(frontend), text) if self._index else text

    def forget(self, player: UUID) -> None:
        """Destroy a player's key."""
        if self._cipher:
            self._keys.forget(str(player))
            self._side_store.scrub("player_keys")

    def bring_up_to_date(self) -> int:
        """Rewrite keys under the current cipher key and rows in the current form.

        Returns the number of rewritten rows. An interrupted run is continued at the next start.
        """
        if not (self._cipher or self._side_store.sums):
            return 0
        keys = self._keys.reencrypted() if self._cipher.encrypts else []
        self._put("player_keys", keys, "wrapped = excluded.wrapped")
        others = [self.encode(*found) for found in self._in_another_form()]
        self._put(
            "people",
            others,
            "external = excluded.external, name = excluded.name,"
            " folded_name = excluded.folded_name",
        )
        if others:
            self._side_store.scrub("people")
        return len(others)

    def _in_another_form(self) -> Iterator[tuple[PlayerProfile, str]]:
        """Yield the profiles whose rows have an outdated form, except damaged ones."""
        for row in rows_of(self._side_store, "people"):
            try:
                encrypted = verify_checksum(row)[3].startswith(MARK)
                if (
                    has_checksum(row) is self._side_store.sums
                    and encrypted is self._cipher.encrypts
                ):
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
            self._side_store.ask(table, text, *(each for row in page for each in row))

    def _index_key(self) -> bytes | None:
        """Return the key of the digests. Raises RowDamaged if it existed and is lost."""
        if (key := self._keys.of(INDEX)) is not None:
            return key
        for row in rows_of(self._side_store, "people"):
            with suppress(RowDamaged):
                if (signed := self._index_key_test(row)) is not None:
                    break
        else:
            return self._keys.get_or_create(INDEX) if self._cipher.encrypts else None
        damage = RowDamaged(INDEX, FILE)
        if (key := self._keys.find_orphan(signed)) is None:
            raise damage
        log.error("person_damaged", player=INDEX, why=str(damage))
        return key

    def _index_key_test(self, row: Row) -> Callable[[bytes], bool] | None:
        """Return a test whether a key made a row's digests; None if the row does not tell."""
        player, frontend, external, name, _ = verify_checksum(row)
        if not name.startswith(MARK) or (found := decrypt_row(self._keys, player, name)) is None:
            return None
        return lambda key: _sign(key, frontend, found.external) == external


def damaged_players(rows: Iterable[Row], keys: PlayerKeys) -> list[str]:
    """Return the players whose rows or keys are damaged."""
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
    """Return the decrypted fields of a row; None if the key was destroyed.

    Raises RowDamaged if the key still exists under another name.
    """
    key = keys.of(player)
    found = _decrypt(key, sealed) if key is not None else None
    if found is None and keys.find_orphan(lambda key: _decrypt(key, sealed)) is not None:
        raise RowDamaged(player, FILE)
    return found


def _decrypt(key: bytes, sealed: str) -> EncryptedProfile | None:
    try:
        body = aes(key).decrypt(b64decode(sealed[len(MARK) :]))
        return msgspec.json.decode(body, type=EncryptedProfile)
    except (ValueError, msgspec.MsgspecError):
        return None


def _sign(index: bytes, frontend: str, text: str) -> str:
    signed = hmac(index, f"{frontend} {text}".encode(), sha256)
    return MARK + b64encode(signed).decode()
