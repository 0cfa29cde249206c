"""Keyset pagination: pages of rows that are sorted by their position in the log."""

from typing import NamedTuple


class Keyset(NamedTuple):
    """The condition and the order of an SQL statement that selects one page."""

    condition: str
    order: str


def keyset(column: str, place: int, *, descending: bool) -> Keyset:
    """Return the condition and the order for the page after a position.

    >>> keyset("number", 7, descending=True)
    Keyset(condition='number < 7', order='number DESC')
    >>> keyset("number", 0, descending=True)
    Keyset(condition='number > 0', order='number DESC')

    Args:
        column: The column with a row's position. Positions are positive.
        place: The position of the last row of the previous page; 0 for the first page.
        descending: Whether the greatest position comes first.
    """
    sign = "<" if descending and place else ">"
    return Keyset(f"{column} {sign} {place:d}", f"{column} DESC" if descending else column)
