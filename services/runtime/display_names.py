"""Display names: removal of invisible characters, and detection of confusable names.

A name can be mistaken for another in two ways. It may contain characters that show nothing, such as
a zero-width space, or that reorder others, such as a bidirectional control: `visible_name` removes
these. Or it may contain other characters that look the same, such as a Greek Alpha for an A:
`are_confusable` compares names by Unicode's table of confusable characters (UTS #39).
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
"""Categories of characters that no name may have: controls, surrogates, private use characters and
line separators."""


def visible_name(text: str) -> str:
    r"""Return a name as it is stored: visible characters, one blank between words.

    >>> visible_name(" Ada\u200b\u3000 Lovelace\u202e ")
    'Ada Lovelace'
    """
    if text.isascii() and "  " not in text:
        return text.strip(" ")
    return _BLANK.sub(" ", visible_text(text)).strip()


def is_text(text: str) -> bool:
    """Return whether a text has no control, private use or surrogate characters."""
    return (text.isascii() and text.isprintable()) or not any(category(c) in _NO_TEXT for c in text)


def skeletons(name: str) -> frozenset[str]:
    r"""Return the skeletons of a name (UTS #39): names that share one are confusable.

    A name has several skeletons, as it is and in lower case. I looks like l, but i does not; Greek
    Η looks like H, but η like n.

    >>> skeletons("Ada") & skeletons("\N{GREEK CAPITAL LETTER ALPHA}da") & skeletons("ADA")
    frozenset({'ada'})
    >>> skeletons("Alice") & skeletons("AIice")
    frozenset({'alice'})
    """
    plain = normalize("NFKC", visible_name(name))
    return frozenset({fold_case(plain), _skeleton(plain), _skeleton(fold_case(plain))})


def are_confusable(one: str, other: str) -> bool:
    r"""Return whether two names are the same or can be mistaken for each other.

    >>> are_confusable("Ada", "ada\u200d"), are_confusable("Ada", "Ida")
    (True, False)
    """
    return one == other or not skeletons(one).isdisjoint(skeletons(other))


async def load_confusables() -> None:
    """Load Unicode's table of confusable characters in a thread, unless it is loaded."""
    if not _shapes.cache_info().currsize:
        await asyncio.to_thread(_shapes)


def _skeleton(text: str) -> str:
    """Return a text with each character replaced by the representative of its lookalikes."""
    return fold_case(normalize("NFD", text).translate(_shapes()))


@lru_cache(maxsize=1)
def _shapes() -> dict[int, str]:
    """Return the representative of each confusable character, for `str.translate`.

    The package lists the lookalikes of each character. One character represents each class of them:
    an ASCII character if there is one. A character that looks like several, as m looks like rn, is
    replaced by these.
    """
    # Imported late: the table is large, and is needed only when a new name appears.
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
