"""What can be chosen, with what it points at, and which of it agrees with what was picked.

What an action points at is the same in most positions of most matches, so entries are made once and
shared by all of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby
from operator import eq
from sys import intern
from typing import Any, Final

from msgspec import Struct

from domain.kernel.game import AnyGame
from domain.kernel.parts import Parts
from domain.stylus.targets import Option

KINDS: Final = ("piece", "space", "card")
GROUP: Final = "group "
TARGET_KINDS: Final = (*KINDS, "group")
"""What picks begin with: other targets belong to other games, or to the match itself."""
OTHER_ACTIONS: Final = "group aside"
"""What is no move and points at nothing, as giving up: opened first, so that it takes two runes."""
CACHE_SIZE: Final = 1 << 14
"""Entries that are kept to be used again, about 1 KB each."""

Key = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""What an action points at: pieces, spaces and cards, each in order."""
EMPTY_KEY: Final[Key] = ((), (), ())


class Entry(Struct, frozen=True):
    """An action or a group with what it points at."""

    key: Key
    things: tuple[str, ...]
    """The key as taps name it."""
    option: Option
    choices: tuple[str, ...] = ()
    """As in `Parts`, as are the next."""
    requires_explicit_choice: bool = False
    is_administrative: bool = False


OTHER_ACTIONS_ENTRY: Final = Entry(
    EMPTY_KEY,
    (),
    Option("aside", pick=OTHER_ACTIONS, sentence="Give up, or what else is no move"),
    is_administrative=True,
)


def entry_of(game: AnyGame, parts: Parts, action: Any) -> Entry:
    """A legal action, taken apart into these parts; they may lack their sentence."""
    pointed = (parts.pieces, parts.spaces, parts.cards)
    return _cached_entry(game, action, pointed, parts.choices, parts.requires_explicit_choice)


@lru_cache(maxsize=CACHE_SIZE)
def _cached_entry(
    game: AnyGame, action: Any, pointed: Key, choices: tuple[str, ...], deliberate: bool
) -> Entry:
    key, things = _key(pointed)
    option = Option(game.write_action(action), action)
    return Entry(key, things, option, choices, deliberate, game.is_administrative(action))


def key_of(parts: Parts) -> tuple[Key, tuple[str, ...]]:
    """What is pointed at, with repetitions that follow each other told once (a second tap on the
    same thing would take it back); and the same as taps name it."""
    return _key((parts.pieces, parts.spaces, parts.cards))


@lru_cache(maxsize=CACHE_SIZE)
def _key(pointed: Key) -> tuple[Key, tuple[str, ...]]:
    pieces, spaces, cards = pointed
    key = _without_repeats(pieces), _without_repeats(spaces), _without_repeats(cards)
    return key, tuple(things_of(key))


def _without_repeats(ids: tuple[str, ...]) -> tuple[str, ...]:
    repeated = any(map(eq, ids, ids[1:]))
    return tuple(each for each, _ in groupby(ids)) if repeated else ids


def things_of(key: Key) -> Iterator[str]:
    """The things of a key, as taps name them.

    >>> list(things_of((("p1",), ("a1", "a2"), ())))
    ['piece p1', 'space a1', 'space a2']
    """
    for kind, ids in zip(KINDS, key, strict=True):
        for each in ids:
            yield intern(f"{kind} {each}")  # the same few in hundreds of actions


def key_of_picks(picked: Iterable[str]) -> Key:
    """Picks as a key: each kind of thing in the order in which it was tapped."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for pick in picked:
        kind, _, name = pick.partition(" ")
        if kind in found:
            found[kind].append(name)
    pieces, spaces, cards = (tuple(found[kind]) for kind in KINDS)
    return pieces, spaces, cards


def contains_key(key: Key, other: Key) -> bool:
    """Does this key have all of the other, in the same order?

    >>> holds((("p",), ("a1", "b2", "c3"), ()), (("p",), ("a1", "c3"), ()))
    True
    """
    return key == other or all(map(_is_subsequence, other, key))


def _is_subsequence(wanted: tuple[str, ...], there: tuple[str, ...]) -> bool:
    if len(wanted) == 1:  # most often
        return wanted[0] in there
    rest = iter(there)
    return all(each in rest for each in wanted)


def indistinguishable_entries(left: Sequence[Entry]) -> tuple[Entry, ...]:
    """The actions that no further tap could tell from the others: all others point at what they
    point at, and perhaps at more."""
    size = min([len(entry.things) for entry in left])
    least = tuple([entry for entry in left if len(entry.things) == size])
    key = least[0].key
    if not size or all(contains_key(entry.key, key) for entry in left):
        return least
    return ()


def next_things(left: Iterable[Entry], picked: Iterable[str]) -> tuple[str, ...]:
    """The things that may be tapped next: those that some of what is left points at and some does
    not, or that are still to be tapped."""
    found = dict.fromkeys(chain.from_iterable([entry.things for entry in left]))
    for thing in picked:
        found.pop(thing, None)
    return tuple(found)


def options_by_digits(runes: Sequence[Entry]) -> dict[str, Option]:
    """By what digits each entry is chosen: what the dice show, or else its place in the list."""
    places = [str(number) for number in range(1, len(runes) + 1)]
    keys = _dice_digits(runes) if count_dice(runes) else places
    return {typed: entry.option for typed, entry in zip(keys, runes, strict=True)}


def count_dice(runes: Sequence[Entry]) -> int:
    """Return of how many dice each of them tells what is shown, if all do and no two the same; else
    0."""
    if not runes or not all(map(_is_dice, runes)) or len({*_dice_digits(runes)}) < len(runes):
        return 0
    return max(len(entry.choices) for entry in runes)


def _dice_digits(runes: Sequence[Entry]) -> list[str]:
    return ["".join(entry.choices) for entry in runes]


def _is_dice(entry: Entry) -> bool:
    choices = entry.choices
    return bool(choices) and all(choice.isascii() and choice.isdigit() for choice in choices)
