"""Content packs: cards and boards as data files.

Options and states hold a `Pack` and are stored with its digest. Readers of stored options pass the
`Library` in which the digest is looked up; there is no global library.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from domain.kernel.armies import CatalogEntry
from domain.log.digests import ContentAddressable


class Pack(ContentAddressable):
    """The content of one pack: the base class of each game's pack class."""


class PackInfo(Struct, frozen=True):
    """A summary of one pack."""

    digest: str
    """The hash of the pack's files, by which match options refer to the pack."""
    id: str
    version: str
    counts: dict[str, int]
    """The number of entries of each kind."""


class PackType(Struct, frozen=True, kw_only=True):
    """A game's functions for reading content packs, and its built-in packs."""

    kind: type[Pack]
    built_in: tuple[Pack, ...]
    """The packs that come with the game."""
    file_suffixes: tuple[str, ...]
    """The suffixes of a pack's files, such as `.cards.toml`, in the order that `read` expects.

    The names of one pack's files differ in the suffix only.
    """
    read: Callable[[Sequence[bytes], bool], Pack | tuple[str, ...]]
    """Returns the pack in these files, or one line for each fault in them. The second argument is
    true for files that passed an earlier check: faults that only later, stricter checks find are
    ignored, because matches use such packs already."""
    info: Callable[[Any], PackInfo]
    """Returns the summary of a pack."""
    entries: Callable[[Any], tuple[CatalogEntry, ...]]
    """Returns the content entries of a pack."""


class Library(Struct, frozen=True, eq=False):
    """An immutable collection of the packs that matches may use besides the built-in ones."""

    custom_packs: Mapping[str, Pack] = {}
    """Custom packs by their digest."""

    def with_packs(self, packs: Iterable[Pack]) -> "Library":
        """Return a library that also has these packs. A pack already present is kept."""
        return Library({**{each.digest: each for each in packs}, **self.custom_packs})

    def packs_of(self, game: PackType) -> tuple[Pack, ...]:
        """Return the packs of a game, the built-in ones first."""
        own = {each.digest for each in game.built_in}
        more = (each for each in self.custom_packs.values() if isinstance(each, game.kind))
        return (*game.built_in, *(each for each in more if each.digest not in own))

    def decode_hook(self, game: PackType | None) -> Callable[[type[Any], Any], Any]:
        """Return the msgspec `dec_hook` that replaces a pack's digest by the pack."""

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
"""The library without custom packs: every game has its built-in packs only."""


def library_of(value: Struct) -> Library:
    """Return a library of the packs in these options, enough to decode data of the same match."""
    held = (getattr(value, name) for name in value.__struct_fields__)
    return BUILT_IN_PACKS.with_packs(each for each in held if isinstance(each, Pack))
