"""Player profiles: the names of frontends' players, and the frontends' ids for them.

This table has all personal data. It is outside the log, so that profiles can be erased while digest
chains stay valid. It is no read model: it is the only copy, written durably, and part of every
backup. If the log is encrypted, each row is too, under the player's key (`profile_rows.py`).
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, Final
from uuid import UUID

import structlog

from projections.projector.schema import FORMER_PLAYER
from services.store.cipher_keys import NO_KEYS, CipherKeys
from services.store.confusables import ConfusableNames
from services.store.errors import LogUnavailable, ProfilesUnavailable
from services.store.profile_rows import PlayerProfile, ProfileRows
from services.store.row_checksums import RowDamaged
from services.store.side_store import SideStore, UniqueViolation

log = structlog.get_logger(__name__)
MAX_NAMES: Final = 16_384
"""Maximum number of names in memory."""
UNREADABLE_NAME: Final = "A player with a damaged name"
"""The display name of a player whose row is damaged."""


__all__ = ["NameTaken", "PlayerProfile", "PlayerProfiles"]

COLUMNS: Final = "player, frontend, external, name, folded_name"


class NameTaken(Exception):  # noqa: N818  an answer, not a fault
    """Another player of the frontend has that name, or was added at the same moment."""


class PlayerProfiles:
    """The table of player profiles. Thread-safe; each query may block."""

    def __init__(self, side_store: SideStore, cipher: CipherKeys = NO_KEYS) -> None:
        """Open the table. Raises ProfilesUnavailable if it is unreadable."""
        self._side_store = side_store
        self._folded: dict[UUID, str] = {}
        """If rows are encrypted: all folded names, once a search needed them."""
        self._unread: set[UUID] | None = None
        """Players whose folded name must be read again; None for all."""
        self._search_lock = Lock()
        self._lock = Lock()
        self._names: OrderedDict[UUID, str] = OrderedDict()
        self.edition = 0
        """Increases whenever a name changes. Data that contains names of an earlier edition is
        stale."""
        self._ask("SELECT player FROM people LIMIT 1")
        with _translating_errors():
            self._rows = ProfileRows(side_store, cipher)
            self._rows.bring_up_to_date()
        self._confusables = ConfusableNames(self._profiles_where)
        side_store.add_listener(
            "people", lambda player: self._invalidate(UUID(player) if player else None)
        )

    def name(self, player: UUID) -> str:
        """Return a player's display name; `UNREADABLE_NAME` if the row is damaged.

        Raises ProfilesUnavailable if the table is unreadable.
        """
        if (known := self._names.get(player)) is not None:
            return known
        edition = self.edition
        try:
            profile = self.profile(player)
            found = profile.name if profile else FORMER_PLAYER
        except ProfilesUnavailable as error:
            if not isinstance(error.__cause__, ValueError):
                raise
            # The player's matches are still shown; the log names the row to restore.
            log.error("person_damaged", player=str(player), why=str(error.__cause__))
            found = UNREADABLE_NAME
        with self._lock:
            if edition == self.edition:  # otherwise it may have changed since it was read
                self._names[player] = found
                if len(self._names) > MAX_NAMES:
                    self._names.popitem(last=False)
        return found

    def profile(self, player: UUID) -> PlayerProfile | None:
        """Return a player's profile; None if the player is unknown or was erased."""
        return self._find_one("player = ?", str(player))

    def find_external(self, frontend: UUID, external: str) -> PlayerProfile | None:
        """Return the profile with a frontend's own id for a player; None if there is none."""
        forms = self._rows.index_forms(frontend, external)
        return self._find_one("frontend = ? AND external IN (?, ?)", str(frontend), *forms)

    def find_by_name(self, part: str) -> list[str]:
        """Return the ids of players whose folded name contains a text."""
        if self._rows.can_be_encrypted:
            return [str(player) for player, name in self._all_folded().items() if part in name]
        rows = self._ask(
            "SELECT player FROM people WHERE replace(folded_name, ?, '') <> folded_name", part
        )
        return [player for (player,) in rows]

    def count(self, frontend: UUID) -> int:
        """Return the number of a frontend's players."""
        ((found,),) = self._ask("SELECT count(*) FROM people WHERE frontend = ?", frontend)
        return int(found)

    def put(self, profile: PlayerProfile, folded_name: str) -> None:
        """Store a new profile, or a new name.

        Raises:
            NameTaken: Another player of the frontend has the name, or a confusable one.
        """
        if self._confusables.is_taken(profile):
            raise NameTaken(profile.name)
        with _translating_errors():
            row = self._rows.encode(profile, folded_name)
        try:
            self._ask(
                "INSERT INTO people VALUES (?, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET"
                " external = excluded.external, name = excluded.name,"
                " folded_name = excluded.folded_name",
                *row,
            )
        except UniqueViolation:
            raise NameTaken(profile.name) from None
        self._invalidate(profile.player)

    def erase(self, player: UUID) -> None:
        """Erase a player's profile permanently."""
        with _translating_errors():
            self._rows.forget(player)  # first: without the key the row is unreadable
        self._ask("DELETE FROM people WHERE player = ?", player)
        self._invalidate(player)
        with _translating_errors():
            self._side_store.scrub("people")

    def _all_folded(self) -> dict[UUID, str]:
        with self._search_lock:
            return self._search()

    def _search(self) -> dict[UUID, str]:
        with self._lock:
            unread, self._unread = self._unread, set()
        known = dict[UUID, str]() if unread is None else self._folded
        rows = (
            self._ask(f"SELECT {COLUMNS} FROM people")  # noqa: S608
            if unread is None
            else [row for player in unread for row in self._row(player)]
        )
        known = {player: name for player, name in known.items() if player not in (unread or ())}
        for row in rows:
            try:
                with _translating_errors():
                    found = self._rows.read(row)
            except ProfilesUnavailable as error:
                if not isinstance(error.__cause__, ValueError):
                    raise
                continue  # a damaged row has no searchable name
            if found is not None:
                known[found[0].player] = found[1]
        self._folded = known
        return known

    def _invalidate(self, player: UUID | None) -> None:
        """Invalidate what depends on a player's name; None for all players."""
        self._confusables.invalidate(player)
        with self._lock:
            self.edition += 1
            if player is None:
                self._names.clear()
                self._unread = None
            else:
                self._names.pop(player, None)
                if self._unread is not None:
                    self._unread.add(player)

    def _profiles_where(self, column: str, value: UUID) -> Iterator[PlayerProfile]:
        """Yield the profiles in which a column has a value, except damaged ones."""
        text = f"SELECT {COLUMNS} FROM people WHERE {column} = ?"  # noqa: S608  a word of ours
        for row in self._ask(text, value):
            with suppress(ValueError):
                if (found := self._rows.read(row)) is not None:
                    yield found[0]

    def _row(self, player: UUID) -> Sequence[tuple[Any, ...]]:
        return self._ask(f"SELECT {COLUMNS} FROM people WHERE player = ?", player)  # noqa: S608

    def _find_one(self, condition: str, *values: str) -> PlayerProfile | None:
        # The conditions are literals of this class; input is passed as values.
        rows = self._ask(f"SELECT {COLUMNS} FROM people WHERE {condition}", *values)  # noqa: S608
        with _translating_errors():
            found = self._rows.read(rows[0]) if rows else None
        return found[0] if found else None

    def _ask(self, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        with _translating_errors():
            return self._side_store.ask("people", text, *map(str, values))


@contextmanager
def _translating_errors() -> Iterator[None]:
    """Raise ProfilesUnavailable in place of the store's errors."""
    try:
        yield
    except (sqlite3.Error, OSError, LogUnavailable) as error:
        raise ProfilesUnavailable(str(error)) from error
    except RowDamaged as error:
        raise ProfilesUnavailable(f"{error}: put back {error.file} of a backup") from error
    except ValueError as error:
        raise ProfilesUnavailable("a row is damaged: put back people.sqlite of a backup") from error
