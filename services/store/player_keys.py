"""The keys that encrypt player profiles, one for each player.

The keys are stored in their own table, encrypted under the log's key. A damaged key is therefore
not readable. The owner of a key is stored in clear, and may be damaged. If a key is missing, all
keys without an existing owner are tried: one that decrypts the profile was stored under another
name.
"""

import secrets
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from services.store.cipher_keys import CipherKeys, key_id
from services.store.row_checksums import RowDamaged
from services.store.side_store import Tables, rows_of

log = structlog.get_logger(__name__)
FILE: Final = "player-keys.sqlite"
INDEX: Final = "index"
"""Value in place of a player ID, for the key of the digests by which rows are found."""
KEY_BYTES: Final = 32
ORPHAN_CACHE_SECONDS: Final = 60.0
"""How long orphaned keys stay in memory: many profiles may have destroyed keys."""


class PlayerKeys:
    """The table of players' encryption keys. Raises RowDamaged for a damaged key."""

    def __init__(self, side_store: Tables, cipher: CipherKeys) -> None:
        self._side_store = side_store
        self._cipher = cipher
        self._orphans: Sequence[bytes] = ()
        self._orphans_read_at = float("-inf")

    def of(self, player: str) -> bytes | None:
        """Return a player's key; None if there is none."""
        if not self._cipher:
            return None
        ask = "SELECT wrapped FROM player_keys WHERE player = ?"
        rows = self._side_store.ask("player_keys", ask, player)
        return self._unwrap(player, rows[0][0]) if rows else None

    def get_or_create(self, player: str) -> bytes:
        """Return a player's key, which is created if there is none."""
        if (known := self.of(player)) is not None:
            return known
        # Another service may be quicker: then its key counts.
        self._side_store.ask(
            "player_keys",
            "INSERT INTO player_keys VALUES (?, ?) ON CONFLICT (player) DO NOTHING",
            player,
            b64encode(self._cipher.encrypt(secrets.token_bytes(KEY_BYTES))).decode(),
        )
        key = self.of(player)
        assert key is not None, "it was just made"
        return key

    def forget(self, player: str) -> None:
        """Destroy a player's key."""
        self._side_store.ask("player_keys", "DELETE FROM player_keys WHERE player = ?", player)

    def find_orphan(self, fits: Callable[[bytes], object]) -> bytes | None:
        """Return an orphaned key that passes a test; None if there is none."""
        if not self._cipher:
            return None
        if time.monotonic() > self._orphans_read_at + ORPHAN_CACHE_SECONDS:
            self._read_orphans()
        return next((key for key in self._orphans if fits(key)), None)

    def reencrypted(self) -> list[tuple[str, str]]:
        """Return the keys that an older cipher key encrypts, re-encrypted."""
        found = []
        for player, wrapped in rows_of(self._side_store, "player_keys"):
            try:
                key = self._unwrap(player, wrapped)
                if not self._cipher.is_current(b64decode(wrapped)):
                    found.append((player, b64encode(self._cipher.encrypt(key)).decode()))
            except RowDamaged as damage:  # it stays as it is; continue with the others
                log.error("person_damaged", player=damage.player, why=str(damage))
        return found

    def _read_orphans(self) -> None:
        owners = {
            player for (player,) in self._side_store.ask("people", "SELECT player FROM people")
        }
        found = []
        for player, wrapped in rows_of(self._side_store, "player_keys"):
            if player != INDEX and player not in owners:
                try:
                    found.append(self._unwrap(player, wrapped))
                except RowDamaged:
                    continue
        self._orphans, self._orphans_read_at = found, time.monotonic()

    def _unwrap(self, player: str, wrapped: str) -> bytes:
        try:
            stored = b64decode(wrapped, validate=True)
            # Keys are never stored in clear: data without the mark is damaged.
            key = self._cipher.decrypt(stored) if key_id(stored) else b""
        except ValueError as error:
            raise RowDamaged(player, FILE) from error
        if len(key) != KEY_BYTES:
            raise RowDamaged(player, FILE)
        return key
