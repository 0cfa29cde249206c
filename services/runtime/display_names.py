"""Names that people choose: without what cannot be seen, and compared by how they look.

A name passes for another in two ways. It may have characters that show nothing, such as a
zero-width space, or that change the order of others, such as a bidirectional control:
`visible_name` takes these out. Or it may have other characters that look the same, such as a Greek
Alpha for an A: `look_alike` compares names by Unicode's table of confusable characters (UTS #39).
"""

import asyncio
import re
from collections import defaultdict
from functools import lru_cache
from typing import Final
from unicodedata import category, normalize

from projections.queries.full_text import fold_case
from projections.views.visible_text import visible_text

_BLANK: Final = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]+")
"""Blanks of any width, and the Braille pattern without dots."""
_NO_TEXT: Final = ("Cc", "Cs", "Co", "Zl", "Zp")
"""Categories of characters that no text has: controls, halves of pairs, private characters and
separators of lines."""


def visible_name(text: str) -> str:
    """Return a name as it is kept: only what can be seen, with one blank between words.

    >>> visible_name(" Ada\\u200b\\u3000 Lovelace\\u202e ")
    'Ada Lovelace'
    """
    if text.isascii() and "  " not in text:
        return text.strip(" ")
    return _BLANK.sub(" ", visible_text(text)).strip()


def is_text(text: str) -> bool:
    """Return whether a text has characters of texts alone: no controls, no private ones."""
    return (text.isascii() and text.isprintable()) or not any(category(c) in _NO_TEXT for c in text)


def skeletons(name: str) -> frozenset[str]:
    """Return the skeletons of a name (UTS #39): two names that have one in common look alike.

    A name has several: as it is, and with small letters for capitals, since I looks like l, but i
    does not, and Greek Η like H, but η like n.

    >>> skeletons("Ada") & skeletons("\\N{GREEK CAPITAL LETTER ALPHA}da") & skeletons("ADA")
    frozenset({'ada'})
    >>> skeletons("Alice") & skeletons("AIice")
    frozenset({'alice'})
    """
    plain = normalize("NFKC", visible_name(name))
    return frozenset({fold_case(plain), _skeleton(plain), _skeleton(fold_case(plain))})


def are_confusable(one: str, other: str) -> bool:
    """Return whether one name may be taken for another, or they are the same.

    >>> look_alike("Ada", "ada\\u200d"), look_alike("Ada", "Ida")
    (True, False)
    """
    return one == other or not skeletons(one).isdisjoint(skeletons(other))


async def load_confusables() -> None:
    """Load Unicode's table of confusable characters, unless it is loaded: that takes a moment, for
    which the event loop does not wait."""
    if not _shapes.cache_info().currsize:
        await asyncio.to_thread(_shapes)


def _skeleton(text: str) -> str:
    """Return a text with each character replaced by what stands for all that look like it."""
    return fold_case(normalize("NFD", text).translate(_shapes()))


@lru_cache(maxsize=1)
def _shapes() -> dict[int, str]:
    """Return what stands for each confusable character, by Unicode's table, for `str.translate`.

    The package lists for each character those that look like it. Of each class of these one stands
    for all: an ASCII character if there is one. What looks like several characters, as m does like
    rn, is replaced by these.
    """
    # Only here: the table is large, and a service that meets no new name does without it.
    from confusable_homoglyphs.confusables import confusables_data

    parents: dict[str, str] = {}

    def root(character: str) -> str:
        while (parent := parents.setdefault(character, character)) != character:
            parents[character] = parents[parent]
            character = parent
        return character

    several: dict[str, str] = {}
    for character, listed in confusables_data.items():
        for each in listed:
            like = visible_text(each["c"])
            if len(character) == 1 and len(like) == 1:
                parents[root(character)] = root(like)
            elif len(character) == 1 and like:
                several.setdefault(character, like)
    classes: dict[str, list[str]] = defaultdict(list)
    for character in list(parents):
        classes[root(character)].append(character)
    shapes: dict[str, str] = {}
    for members in classes.values():
        chosen = min(members, key=lambda c: (not c.isascii(), not c.isalpha(), c.isupper(), c))
        shapes |= dict.fromkeys(members, chosen)
    for character, like in several.items():
        if shapes.get(character, character) == character or not character.isascii():
            shapes[character] = "".join(shapes.get(c, c) for c in like)
    return str.maketrans(shapes)
