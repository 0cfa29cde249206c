"""Full-text search: queries for SQLite's FTS5, case folding and snippets."""

import re
from typing import Final
from unicodedata import normalize

from msgspec import Struct

HIGHLIGHT_START: Final = "\x02"
HIGHLIGHT_END: Final = "\x03"
"""Marks around the words that were found. No text of a match has control characters."""
MAX_SNIPPET_WORDS: Final = 24
"""Maximum number of words in a snippet."""
ELLIPSIS: Final = " … "
"""Replaces what a snippet leaves out."""


class SnippetPart(Struct, frozen=True):
    """A part of a snippet."""

    text: str
    found: bool
    """Whether the part is a word of the query."""


def all_words_query(text: str) -> str:
    """Return a query for texts with all these words, in any form with the same stem.

    Each word is quoted, so that FTS5 reads none as an operator. Without words the query is empty.

    >>> all_words_query('capture OR "nothing')
    '"capture" "OR" "nothing"'
    """
    words = text.replace('"', " ").replace("\0", " ").split()
    return " ".join(f'"{word}"' for word in words)


def fold_case(text: str) -> str:
    """Return a text for comparison, without differences of case and of Unicode form.

    >>> fold_case("Straße"), fold_case("\N{FULLWIDTH LATIN CAPITAL LETTER A}da")
    ('strasse', 'ada')
    """
    return normalize("NFKC", normalize("NFKC", text).casefold())


def substring_query(part: str) -> str:
    """Return a query for texts that contain this substring, for a trigram index."""
    return '"' + part.replace('"', '""') + '"'


def parse_snippet(marked: str) -> tuple[SnippetPart, ...]:
    r"""Return the parts of a snippet that SQLite marked.

    >>> [(part.text, part.found) for part in parse_snippet("a \x02golem\x03 moves\nto b6")]
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
