"""Content packs: cards and boards as data, for games that keep theirs so.

Options and states hold the pack that they are played with, and are written with its digest. Whoever
reads them brings the `Library` in which the digest is looked up; there is none for the process.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel.armies import CatalogEntry
from domain.log.digests import ContentAddressable


class Pack(ContentAddressable):
    """The content of one pack. Each game that has packs has a class of them."""


class PackInfo(Struct, frozen=True):
    """A pack in short."""

    digest: str
    """Its name in the options of a match: a hash of its files."""
    id: str
    version: str
    counts: dict[str, int]
    """How many entries it has of each kind."""


class PackType(Struct, frozen=True, kw_only=True):
    """The part of a game that is about its content."""

    kind: type[Pack]
    built_in: tuple[Pack, ...]
    """Those that come with the game."""
    file_suffixes: tuple[str, ...]
    """How the names of a pack's files end, as `.cards.toml`, in the order in which they are given
    to `read`. The rest of the name is the same for all of them."""
    read: Callable[[Sequence[bytes], bool], Pack | tuple[str, ...]]
    """The pack in these files, or all that is wrong with them: a line for each fault. Of files that
    were checked before, as the second argument says, what a stricter check of today finds wrong
    does not count: matches began with them."""
    info: Callable[[Any], PackInfo]
    """A pack of this kind in short."""
    entries: Callable[[Any], tuple[CatalogEntry, ...]]
    """What is in it."""


class Library(Struct, frozen=True, eq=False):
    """The packs that matches may use beside the games' own. It never changes."""

    custom_packs: Mapping[str, Pack] = {}
    """By digest."""

    def with_packs(self, packs: Iterable[Pack]) -> "Library":
        """A library with these too. Where it has one already, that stays."""
        return Library({**{each.digest: each for each in packs}, **self.custom_packs})

    def packs_of(self, game: PackType) -> tuple[Pack, ...]:
        """The packs of a game, its own first."""
        own = {each.digest for each in game.built_in}
        more = (each for each in self.custom_packs.values() if isinstance(each, game.kind))
        return (*game.built_in, *(each for each in more if each.digest not in own))

    def decode_hook(self, game: PackType | None) -> Callable[[type[Any], Any], Any]:
        """Finds the packs that options and states of a game name: the `dec_hook` to read them."""

        def find(kind: type[Any], digest: Any) -> Any:
            for pack in game.built_in if game else ():
                if pack.digest == digest:
                    return pack
            found = self.custom_packs.get(digest) if isinstance(digest, str) else None
            if not isinstance(found, kind):
                raise ValueError(f"there is no content pack {str(digest)[:64]} here")
            return found

        return find


BUILT_IN_PACKS: Final = Library()
"""The library of who has added nothing: games have their own packs only."""


def library_of(value: Struct) -> Library:
    """The library of the packs that options hold: enough to read again what goes with them."""
    held = (getattr(value, name) for name in value.__struct_fields__)
    return BUILT_IN_PACKS.with_packs(each for each in held if isinstance(each, Pack))
