"""What people type to find something, as a query that SQLite's full-text search understands."""

import re
from typing import Final
from unicodedata import normalize

from msgspec import Struct

HIGHLIGHT_START: Final = "\x02"
HIGHLIGHT_END: Final = "\x03"
"""Around words that were found: no text of a match has control characters."""
MAX_SNIPPET_WORDS: Final = 24
"""Of a snippet, at most."""
ELLIPSIS: Final = " … "
"""Where a snippet leaves something out."""


class SnippetPart(Struct, frozen=True):
    """A piece of a text in which something was found."""

    text: str
    found: bool
    """It is one of the words that were looked for."""


def all_words_query(text: str) -> str:
    """A query for what has all these words, in any form of the same stem; empty without words.

    Every word is quoted, so that none is taken for an operator.

    >>> all_words_query('capture OR "nothing')
    '"capture" "OR" "nothing"'
    """
    words = text.replace('"', " ").replace("\0", " ").split()
    return " ".join(f'"{word}"' for word in words)


def fold_case(text: str) -> str:
    """A text as it is looked for: alike for capitals and small letters, and for the ways in which
    Unicode writes the same.

    >>> fold_case("Straße"), fold_case("\N{FULLWIDTH LATIN CAPITAL LETTER A}da")
    ('strasse', 'ada')
    """
    return normalize("NFKC", normalize("NFKC", text).casefold())


def substring_query(part: str) -> str:
    """A query for what has this part anywhere, of an index that cuts texts into trigrams."""
    return '"' + part.replace('"', '""') + '"'


def parse_snippet(marked: str) -> tuple[SnippetPart, ...]:
    """The parts of a text in which SQLite has put marks around what it found.

    >>> [(part.text, part.found) for part in parse_snippet("a \x02golem\x03 moves\\nto b6")]
    [('a ', False), ('golem', True), (' moves to b6', False)]
    """
    pieces = re.split(
        f"({HIGHLIGHT_START}[^{HIGHLIGHT_END}]*{HIGHLIGHT_END})", marked.replace("\n", " ")
    )
    parts = (
        SnippetPart(each.strip(HIGHLIGHT_START + HIGHLIGHT_END), each.startswith(HIGHLIGHT_START))
        for each in pieces
    )
    return tuple(part for part in parts if part.text)
