"""Pages of rows that are ordered by their place in the log, which is what a page begins after."""

from typing import NamedTuple


class Keyset(NamedTuple):
    """The part of a statement that selects the rows after a place, and their order."""

    condition: str
    order: str


def keyset(column: str, place: int, *, descending: bool) -> Keyset:
    """Return what selects the rows after a place, in one order or the other.

    >>> keyset("number", 7, descending=True)
    Keyset(condition='number < 7', order='number DESC')
    >>> keyset("number", 0, descending=True)
    Keyset(condition='number > 0', order='number DESC')

    Args:
        column: The column that has a row's place. Places are positive.
        place: The place of the last row of the page before; 0 for the first page.
        descending: Whether the greatest place comes first.
    """
    sign = "<" if descending and place else ">"
    return Keyset(f"{column} {sign} {place:d}", f"{column} DESC" if descending else column)
