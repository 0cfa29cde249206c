"""Who the players of frontends are: their names, and what their frontends call them.

All personal data that there is lies in this one table, beside the log and never in it, so that it
can be erased and every chain of digests stays whole. It is no read model: nothing else knows what
is in it, so it is written durably, and belongs in every backup.
"""

import sqlite3
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from projections.following.schema import FORMER
from services.store.beside import Beside, Taken
from services.store.errors import LogUnavailable, PeopleUnavailable

KEPT: Final = 16_384
"""Names in memory."""


class Person(Struct, frozen=True):
    """Who a player is."""

    player: UUID
    frontend: UUID
    external: str
    """What the frontend calls the player."""
    name: str


class NameTaken(Exception):  # noqa: N818  an answer, not a fault
    """Another player of the frontend has that name, or was introduced at the same moment."""


class People:
    """The table. Safe from any thread; each question is one look-up by a key, which may block."""

    def __init__(self, beside: Beside) -> None:
        """PeopleUnavailable if it cannot be read."""
        self._beside = beside
        self._lock = Lock()
        self._names: OrderedDict[UUID, str] = OrderedDict()
        self.edition = 0
        """Grows whenever a name changes: what was written with names before is stale."""
        self._ask("SELECT player FROM people LIMIT 1")
        beside.heed("people", lambda player: self._changed(UUID(player) if player else None))

    def name(self, player: UUID) -> str:
        """What to call a player. PeopleUnavailable if that cannot be read."""
        if (known := self._names.get(player)) is not None:
            return known
        edition = self.edition
        rows = self._ask("SELECT name FROM people WHERE player = ?", player)
        found = str(rows[0][0]) if rows else FORMER
        with self._lock:
            if edition == self.edition:  # else it may have been changed since it was read
                self._names[player] = found
                if len(self._names) > KEPT:
                    self._names.popitem(last=False)
        return found

    def person(self, player: UUID) -> Person | None:
        """Who a player is; None for one who was erased, or is not known here."""
        return self._one("player = ?", player)

    def called(self, frontend: UUID, external: str) -> Person | None:
        """Whom a frontend calls so."""
        return self._one("frontend = ? AND external = ?", frontend, external)

    def named(self, part: str) -> list[str]:
        """The ids of players with this part in their names, folded as `folded` does."""
        rows = self._ask(
            "SELECT player FROM people WHERE replace(folded_name, ?, '') <> folded_name", part
        )
        return [player for (player,) in rows]

    def count(self, frontend: UUID) -> int:
        """How many players of a frontend there are."""
        ((found,),) = self._ask("SELECT count(*) FROM people WHERE frontend = ?", frontend)
        return int(found)

    def put(self, person: Person, folded_name: str) -> None:
        """Keep a new person, or another name of one. NameTaken if that is another's."""
        try:
            self._ask(
                "INSERT INTO people VALUES (?, ?, ?, ?, ?) ON CONFLICT (player) DO UPDATE SET"
                " name = excluded.name, folded_name = excluded.folded_name",
                person.player,
                person.frontend,
                person.external,
                person.name,
                folded_name,
            )
        except Taken:
            raise NameTaken(person.name) from None
        self._changed(person.player)

    def erase(self, player: UUID) -> None:
        """Forget who a player is, for good."""
        self._ask("DELETE FROM people WHERE player = ?", player)
        self._changed(player)
        try:
            self._beside.scrub("people")
        except (sqlite3.Error, OSError, LogUnavailable) as error:
            raise PeopleUnavailable(str(error)) from error

    def _changed(self, player: UUID | None) -> None:
        """A player is called otherwise now; or any may be."""
        with self._lock:
            self.edition += 1
            if player is None:
                self._names.clear()
            else:
                self._names.pop(player, None)

    def _one(self, condition: str, *values: object) -> Person | None:
        # The conditions are those above; what callers gave are values.
        rows = self._ask(
            f"SELECT player, frontend, external, name FROM people WHERE {condition}",  # noqa: S608
            *values,
        )
        return Person(UUID(rows[0][0]), UUID(rows[0][1]), *rows[0][2:]) if rows else None

    def _ask(self, text: str, *values: object) -> Sequence[tuple[Any, ...]]:
        try:
            return self._beside.ask("people", text, *map(str, values))
        except (sqlite3.Error, OSError, LogUnavailable) as error:
            raise PeopleUnavailable(str(error)) from error
