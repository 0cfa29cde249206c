"""What people type to find something, as a query that SQLite's full-text search understands."""


def all_words(text: str) -> str:
    """A query for what has all these words, in any form of the same stem; empty without words.

    Every word is quoted, so that none is taken for an operator.

    >>> all_words('capture OR "nothing')
    '"capture" "OR" "nothing"'
    """
    words = text.replace('"', " ").replace("\0", " ").split()
    return " ".join(f'"{word}"' for word in words)
