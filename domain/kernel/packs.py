"""Content packs: cards and boards as data, for games that keep theirs so.

Options and states hold the pack that they are played with, and are written with its digest. Whoever
reads them brings the `Library` in which the digest is looked up; there is none for the process.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel.armies import Entry
from domain.log.digests import Digested


class Pack(Digested):
    """The content of one pack. Each game that has packs has a class of them."""


class PackInfo(Struct, frozen=True):
    """A pack in short."""

    digest: str
    """Its name in the options of a match: a hash of its files."""
    id: str
    version: str
    counts: dict[str, int]
    """How many entries it has of each kind."""


class Packs(Struct, frozen=True, kw_only=True):
    """The part of a game that is about its content."""

    kind: type[Pack]
    own: tuple[Pack, ...]
    """Those that come with the game."""
    endings: tuple[str, ...]
    """How the names of a pack's files end, as `.cards.toml`, in the order in which they are given
    to `read`. The rest of the name is the same for all of them."""
    read: Callable[[Sequence[bytes], bool], Pack | tuple[str, ...]]
    """The pack in these files, or all that is wrong with them: a line for each fault. Of files that
    were checked before, as the second argument says, what a stricter check of today finds wrong
    does not count: matches began with them."""
    info: Callable[[Any], PackInfo]
    """A pack of this kind in short."""
    entries: Callable[[Any], tuple[Entry, ...]]
    """What is in it."""


class Library(Struct, frozen=True, eq=False):
    """The packs that matches may use beside the games' own. It never changes."""

    added: Mapping[str, Pack] = {}
    """By digest."""

    def having(self, packs: Iterable[Pack]) -> "Library":
        """A library with these too. Where it has one already, that stays."""
        return Library({**{each.digest: each for each in packs}, **self.added})

    def of(self, game: Packs) -> tuple[Pack, ...]:
        """The packs of a game, its own first."""
        own = {each.digest for each in game.own}
        more = (each for each in self.added.values() if isinstance(each, game.kind))
        return (*game.own, *(each for each in more if each.digest not in own))

    def finder(self, game: Packs | None) -> Callable[[type[Any], Any], Any]:
        """Finds the packs that options and states of a game name: the `dec_hook` to read them."""

        def find(kind: type[Any], digest: Any) -> Any:
            for pack in game.own if game else ():
                if pack.digest == digest:
                    return pack
            found = self.added.get(digest) if isinstance(digest, str) else None
            if not isinstance(found, kind):
                raise ValueError(f"there is no content pack {str(digest)[:64]} here")
            return found

        return find


OWN: Final = Library()
"""The library of who has added nothing: games have their own packs only."""


def packs_in(value: Struct) -> Library:
    """The library of the packs that options hold: enough to read again what goes with them."""
    held = (getattr(value, name) for name in value.__struct_fields__)
    return OWN.having(each for each in held if isinstance(each, Pack))
