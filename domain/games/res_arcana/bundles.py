"""Bundles of essences: how they are written, added, and which mixes there are.

A bundle is kept as it is written, `2e1c`, so that logs and positions read alike. Arithmetic goes
over counts, five numbers in the order elan, life, calm, death, gold.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from typing import Annotated, Final

from msgspec import Meta

from domain.games.res_arcana.english import ENGLISH

LETTERS: Final = "elcdg"
NAMES: Final = {"e": "elan", "l": "life", "c": "calm", "d": "death", "g": "gold"}
"""By which frontends know the types; people read their words."""
GOLD: Final = LETTERS.index("g")
LIFE: Final = LETTERS.index("l")

_SPELLED: Final = "0|(?=.)" + "".join(f"(?:([1-9][0-9]{{0,8}}){letter})?" for letter in LETTERS)
_BUNDLE: Final = re.compile(_SPELLED)

Bundle = Annotated[str, Meta(pattern=f"^(?:{_SPELLED})$")]
"""Essences in their one spelling: a number and a letter for each type there is; `0` for none."""
Types = Annotated[str, Meta(pattern="^(?=.)e?l?c?d?g?$")]
"""Types of essence to choose from, in the same order."""
Letter = Annotated[str, Meta(pattern="^[elcdg]$")]
Counts = tuple[int, int, int, int, int]

MOST: Final = 999_999_999
"""Essences of one type in a bundle."""
NOTHING: Final = "0"
NONE: Final[Counts] = (0, 0, 0, 0, 0)


def is_bundle(text: str) -> bool:
    """Is this the one spelling of a bundle?

    >>> is_bundle("2e1c"), is_bundle("1c2e"), is_bundle("02e"), is_bundle("0")
    (True, False, False, True)
    """
    return _BUNDLE.fullmatch(text) is not None


@lru_cache(maxsize=65536)
def counts(bundle: Bundle) -> Counts:
    """The five numbers of a bundle.

    >>> counts("2e1g")
    (2, 0, 0, 0, 1)
    """
    found = _BUNDLE.fullmatch(bundle)
    assert found is not None, f"{bundle!r} is no bundle"
    e, life, c, d, g = found.groups()
    return int(e or 0), int(life or 0), int(c or 0), int(d or 0), int(g or 0)


@lru_cache(maxsize=65536)
def spell(numbers: Counts) -> Bundle:
    """The bundle of five numbers, none below 0."""
    return "".join(f"{n}{t}" for n, t in zip(numbers, LETTERS, strict=True) if n) or NOTHING


def of_type(letter: str, n: int) -> Bundle:
    """So many of one type; `0` for none."""
    return f"{n}{letter}" if n else NOTHING


def size(bundle: Bundle) -> int:
    """How many essences it has."""
    return sum(counts(bundle))


def number_of(bundle: Bundle, letter: str) -> int:
    """How many it has of this type."""
    return counts(bundle)[LETTERS.index(letter)]


def total(*bundles: Bundle) -> Bundle:
    """All of them together; of no type more than nine digits can say.

    >>> total("1e1g", "2e", "0")
    '3e1g'
    """
    e, life, c, d, g = reduce(plus, map(counts, bundles), NONE)
    return spell((min(e, MOST), min(life, MOST), min(c, MOST), min(d, MOST), min(g, MOST)))


def without(bundle: Bundle, taken: Bundle) -> Bundle:
    """What is left of a bundle that holds `taken`."""
    return spell(minus(counts(bundle), counts(taken)))


def holds(bundle: Bundle, part: Bundle) -> bool:
    """Is `part` in it?"""
    return part == NOTHING or covers(counts(bundle), counts(part))


def covers(whole: Counts, part: Counts) -> bool:
    """Does `whole` have at least as much of each type as `part`?"""
    e, life, c, d, g = whole
    return e >= part[0] and life >= part[1] and c >= part[2] and d >= part[3] and g >= part[4]


def plus(a: Counts, b: Counts) -> Counts:
    """The sums, type by type."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4]


def minus(a: Counts, b: Counts) -> Counts:
    """The differences, type by type."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4]


def only(bundle: Bundle, types: Types) -> bool:
    """Has it no other types than these?"""
    return all(t in types for n, t in zip(counts(bundle), LETTERS, strict=True) if n)


def limited(numbers: Counts, types: Types) -> Counts:
    """The numbers of these types, 0 for the others."""
    return _five(n if t in types else 0 for n, t in zip(numbers, LETTERS, strict=True))


def mixes(n: int, types: Types) -> Iterator[Bundle]:
    """Every mix of n essences of these types, each once.

    >>> list(mixes(2, "ec"))
    ['2e', '1e1c', '2c']
    """
    return map(spell, choices_from(limited((n, n, n, n, n), types), n))


def choices_from(stock: Counts, n: int) -> Iterator[Counts]:
    """Every choice of n essences out of a stock, each once; none if it holds fewer.

    Each step leaves enough in the types that follow, so that no branch is a dead end.
    """
    later = (sum(stock[1:]), sum(stock[2:]), stock[3] + stock[4], stock[4])
    for e in spans(n, stock[0], later[0]):
        for life in spans(n - e, stock[1], later[1]):
            for c in spans(n - e - life, stock[2], later[2]):
                rest = n - e - life - c
                for d in spans(rest, stock[3], later[3]):
                    yield e, life, c, d, rest - d


def spans(wanted: int, here: int, later: int, least: int = 0) -> range:
    """How many may be taken here, most first: at least so many, and so that the rest can come
    later."""
    return range(min(wanted, here), max(0, wanted - later, least) - 1, -1)


@lru_cache(maxsize=4096)
def by_name(bundle: Bundle) -> Mapping[str, int]:
    """Return the numbers above 0 of a bundle, by the names of the types.

    >>> dict(by_name("2e1g"))
    {'elan': 2, 'gold': 1}
    """
    there = zip(NAMES.values(), counts(bundle), strict=True)
    return {name: n for name, n in there if n}


_WORDS: Final = {letter: ENGLISH.format(f"icon.{name}") for letter, name in NAMES.items()}
ICONS: Final = {letter: f"{{{name}}}" for letter, name in NAMES.items()}
"""The types as a text names their icons."""


@lru_cache(maxsize=4096)
def in_words(bundle: Bundle) -> str:
    """A bundle for people: `2 elan and 1 gold`.

    >>> in_words("2e1g")
    '2 elan and 1 gold'
    """
    return _listed(bundle, _WORDS) or ENGLISH.format("nothing")


@lru_cache(maxsize=4096)
def in_icons(bundle: Bundle) -> str:
    """The same with icons; empty for none.

    >>> in_icons("2e1g")
    '2 {elan} and 1 {gold}'
    """
    return _listed(bundle, ICONS)


def _listed(bundle: Bundle, names: dict[str, str]) -> str:
    there = zip(counts(bundle), LETTERS, strict=True)
    return ENGLISH.join_and([ENGLISH.format("count", n=n, what=names[t]) for n, t in there if n])


def types_in_words(types: Types, names: dict[str, str] = _WORDS) -> str:
    """Types for people: `elan, life or calm`.

    >>> types_in_words("elc")
    'elan, life or calm'
    """
    *others, last = [names[t] for t in types]
    if not others:
        return last
    return ENGLISH.format("or", most=ENGLISH.format("comma").join(others), last=last)


def _five(numbers: Iterable[int]) -> Counts:
    e, life, c, d, g = numbers
    return e, life, c, d, g
