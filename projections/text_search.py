"""What people type to find something, as a query that SQLite's full-text search understands."""

from unicodedata import normalize


def all_words(text: str) -> str:
    """A query for what has all these words, in any form of the same stem; empty without words.

    Every word is quoted, so that none is taken for an operator.

    >>> all_words('capture OR "nothing')
    '"capture" "OR" "nothing"'
    """
    words = text.replace('"', " ").replace("\0", " ").split()
    return " ".join(f'"{word}"' for word in words)


def folded(text: str) -> str:
    """A text as it is looked for: alike for capitals and small letters, and for the ways in which
    Unicode writes the same.

    >>> folded("Straße"), folded("\N{FULLWIDTH LATIN CAPITAL LETTER A}da")
    ('strasse', 'ada')
    """
    return normalize("NFKC", normalize("NFKC", text).casefold())


def quoted(part: str) -> str:
    """A query for what has this part anywhere, of an index that cuts texts into trigrams."""
    return '"' + part.replace('"', '""') + '"'
