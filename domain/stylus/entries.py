"""The entries among which taps choose: actions and groups with the things that they point at.

The same actions recur in most positions of most matches, so entries are cached and shared.
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
"""The kinds of targets that picks may have here; other kinds belong to other games or the match."""
OTHER_ACTIONS: Final = "group aside"
"""The pick of the group of administrative actions, such as resigning. The group has to be opened
first, so that such an action takes two runes."""
CACHE_SIZE: Final = 1 << 14
"""Maximum number of cached entries, about 1 KB each."""

Key = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The ids that an action points at: pieces, spaces and cards, each in order."""
EMPTY_KEY: Final[Key] = ((), (), ())


class Entry(Struct, frozen=True):
    """An action or a group with the things that it points at."""

    key: Key
    things: tuple[str, ...]
    """Targets of the taps that select the action, for example `space a6`."""
    option: Option
    choices: tuple[str, ...] = ()
    """The choices of `Parts`; the next two fields are those of `Parts` and `Game`."""
    requires_explicit_choice: bool = False
    is_administrative: bool = False


OTHER_ACTIONS_ENTRY: Final = Entry(
    EMPTY_KEY,
    (),
    Option("aside", pick=OTHER_ACTIONS, sentence="Resign, or another action that is not a move"),
    is_administrative=True,
)


def entry_of(game: AnyGame, parts: Parts, action: Any) -> Entry:
    """Return the entry of a legal action with these parts; their sentence may be empty."""
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
    """Return the key of these parts, and its things as taps name them.

    Repetitions that follow each other count once, since a second tap on a thing deselects it.
    """
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
    """Yield the things of a key, as taps name them.

    >>> list(things_of((("p1",), ("a1", "a2"), ())))
    ['piece p1', 'space a1', 'space a2']
    """
    for kind, ids in zip(KINDS, key, strict=True):
        for each in ids:
            yield intern(f"{kind} {each}")  # the same few in hundreds of actions


def key_of_picks(picked: Iterable[str]) -> Key:
    """Return picks as a key: the things of each kind, in the order of the taps."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for pick in picked:
        kind, _, name = pick.partition(" ")
        if kind in found:
            found[kind].append(name)
    pieces, spaces, cards = (tuple(found[kind]) for kind in KINDS)
    return pieces, spaces, cards


def contains_key(key: Key, other: Key) -> bool:
    """Return whether a key contains all things of another one, in the same order.

    >>> contains_key((("p",), ("a1", "b2", "c3"), ()), (("p",), ("a1", "c3"), ()))
    True
    """
    return key == other or all(map(_is_subsequence, other, key))


def _is_subsequence(wanted: tuple[str, ...], there: tuple[str, ...]) -> bool:
    if len(wanted) == 1:  # most often
        return wanted[0] in there
    rest = iter(there)
    return all(each in rest for each in wanted)


def indistinguishable_entries(left: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the entries with the fewest things, if no further tap can distinguish them.

    That is so if all other entries point at the same things and perhaps at more; else the result is
    empty.
    """
    size = min([len(entry.things) for entry in left])
    least = tuple([entry for entry in left if len(entry.things) == size])
    key = least[0].key
    if not size or all(contains_key(entry.key, key) for entry in left):
        return least
    return ()


def next_things(left: Iterable[Entry], picked: Iterable[str]) -> tuple[str, ...]:
    """Return the things that may be tapped next: those of the entries left that are not picked."""
    found = dict.fromkeys(chain.from_iterable([entry.things for entry in left]))
    for thing in picked:
        found.pop(thing, None)
    return tuple(found)


def options_by_digits(runes: Sequence[Entry]) -> dict[str, Option]:
    """Return the options by digits: the dice of each entry, or else its number in the list."""
    places = [str(number) for number in range(1, len(runes) + 1)]
    keys = _dice_digits(runes) if count_dice(runes) else places
    return {typed: entry.option for typed, entry in zip(keys, runes, strict=True)}


def count_dice(runes: Sequence[Entry]) -> int:
    """Return the number of dice that the entries enter.

    The result is 0 unless every entry is a result of dice and no two are the same.
    """
    if not runes or not all(map(_is_dice, runes)) or len({*_dice_digits(runes)}) < len(runes):
        return 0
    return max(len(entry.choices) for entry in runes)


def _dice_digits(runes: Sequence[Entry]) -> list[str]:
    return ["".join(entry.choices) for entry in runes]


def _is_dice(entry: Entry) -> bool:
    choices = entry.choices
    return bool(choices) and all(choice.isascii() and choice.isdigit() for choice in choices)
