"""Detection of confusable player names within a frontend, so that nobody can impersonate.

The names of a frontend are read when one of its players is first checked, and again when they
change. They are indexed by their skeletons. The index is current, except for a moment after another
service on the same log has written a name.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Final
from uuid import UUID

from services.runtime.display_names import skeletons
from services.store.profile_rows import PlayerProfile

ReadProfiles = Callable[[str, UUID], Iterable[PlayerProfile]]
"""Reads the profiles in which a column, `player` or `frontend`, has a value."""
MAX_FRONTENDS: Final = 64
"""Maximum number of frontends whose names are cached."""


class ConfusableNames:
    """An index of player names by their skeletons. Thread-safe; `is_taken` may block."""

    def __init__(self, read: ReadProfiles) -> None:
        self._read = read
        self._lock = Lock()
        self._frontends: dict[UUID, defaultdict[str, set[UUID]]] = {}
        self._skeletons: dict[UUID, tuple[UUID, frozenset[str]]] = {}
        self._changed_players: set[UUID] = set()
        self._all_changed = False

    def invalidate(self, player: UUID | None) -> None:
        """Record that the name of a player was changed or erased; None for any player."""
        if player is None:
            self._all_changed = True
        else:
            self._changed_players.add(player)

    def is_taken(self, profile: PlayerProfile) -> bool:
        """Return whether another player of the same frontend has a confusable name."""
        with self._lock:
            self._bring_up_to_date(profile.frontend)
            known = self._frontends[profile.frontend]
            shown = (known.get(look, set()) for look in skeletons(profile.name))
            return any(players - {profile.player} for players in shown)

    def _bring_up_to_date(self, frontend: UUID) -> None:
        if self._all_changed or (
            frontend not in self._frontends and len(self._frontends) >= MAX_FRONTENDS
        ):
            self._all_changed = False
            self._frontends.clear()
            self._skeletons.clear()
        changed, self._changed_players = self._changed_players, set()
        for player in changed:
            self._forget(player)
            for profile in self._read("player", player):
                self._add(profile)
        if frontend not in self._frontends:
            self._frontends[frontend] = defaultdict(set)
            for profile in self._read("frontend", frontend):
                self._add(profile)

    def _add(self, profile: PlayerProfile) -> None:
        if (known := self._frontends.get(profile.frontend)) is None:
            return
        self._forget(profile.player)
        shown = skeletons(profile.name)
        self._skeletons[profile.player] = profile.frontend, shown
        for look in shown:
            known[look].add(profile.player)

    def _forget(self, player: UUID) -> None:
        frontend, shown = self._skeletons.pop(player, (player, frozenset[str]()))
        for look in shown:
            self._frontends[frontend][look].discard(player)
            if not self._frontends[frontend][look]:
                del self._frontends[frontend][look]
