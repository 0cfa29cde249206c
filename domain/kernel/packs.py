"""Content packs: cards and boards as data, for games that keep theirs so."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from domain.kernel.armies import Entry


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

    endings: tuple[str, ...]
    """How the names of a pack's files end, as `.cards.toml`, in the order in which they are given
    to `check` and `add`. The rest of the name is the same for all of them."""
    check: Callable[[Sequence[bytes]], PackInfo | tuple[str, ...]]
    """The pack in these files, or all that is wrong with them: a line for each fault."""
    add: Callable[[Sequence[bytes]], PackInfo | tuple[str, ...]]
    """The same, and from now on matches may use the pack. Adding one again changes nothing."""
    recall: Callable[[Sequence[bytes]], PackInfo | tuple[str, ...]]
    """Add a pack that was added before, for the matches that began with it: what a stricter check
    of today finds wrong does not take it from them."""
    known: Callable[[], tuple[PackInfo, ...]]
    """Those that matches may use, the game's own first."""
    entries: Callable[[str], tuple[Entry, ...]]
    """What is in the pack of a digest that is known."""
