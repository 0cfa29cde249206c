"""The board as planes: some of its places as one number, so that all units are looked at at once.

A plane has a byte for each place, 1 where something is and 0 elsewhere. Shifted, all of it has
moved by a file or a rank; what crosses the edge of the board comes to a bar between two rows, or
off the text: neither a unit nor a free square is there.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, TypeVar

from domain.games.agog.board import SQUARES
from domain.games.agog.state import FREE, OWN, SEATS, Seat

T = TypeVar("T")

FILE: Final = 8
"""Bits from a place to the next file."""
RANK: Final = 72
"""Bits from a place to the next rank down."""


def shifted(plane: int, way: int) -> int:
    """A plane moved by this difference of places."""
    return plane << 8 * way if way > 0 else plane >> -8 * way


def _chosen(marks: str) -> bytes:
    """What `bytes.translate` makes of a board: 1 for these marks, 0 for all others."""
    return bytes(chr(code) in marks for code in range(256))


_FREE: Final = _chosen(FREE)
_OWN: Final[dict[Seat, bytes]] = {seat: _chosen(OWN[seat]) for seat in SEATS}


@lru_cache(maxsize=64)
def planes(board: str) -> tuple[dict[Seat, int], int]:
    """The units of each player, and the free squares."""
    text = board.encode()
    units = {seat: int.from_bytes(text.translate(own), "little") for seat, own in _OWN.items()}
    return units, int.from_bytes(text.translate(_FREE), "little")


def picked(table: Sequence[T], first: int, second: int) -> Iterable[T]:
    """Of a table with two entries for each place, those whose place is in the one and the other
    plane: in the order of the table."""
    marks = bytearray(2 * len(SQUARES))
    marks[::2] = first.to_bytes(len(SQUARES), "little")
    marks[1::2] = second.to_bytes(len(SQUARES), "little")
    return compress(table, marks)
