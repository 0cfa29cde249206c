"""A checksum in each row of `people`, so that a bit which flips is never taken for a name.

It stands before the name, over all columns as they are stored. So it goes wherever the row goes,
and rows with and without it may lie in one table. A flipped bit makes neither of the other.
"""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

MARK: Final = "\x02\x02"
"""What a name begins with that has a checksum before it; two, so that one flipped bit leaves one of
them, which no name has."""
_LENGTH: Final = 12
"""Characters of a checksum."""
_END: Final = len(MARK) + _LENGTH
_NAME: Final = 3
"""The column of the name."""


class RowDamaged(ValueError):  # noqa: N818  it says what is so, as the store's errors do
    """A row is not as it was written."""

    def __init__(self, player: str, file: str = "people.sqlite") -> None:
        self.player = player
        self.file = file
        super().__init__(f"the row of player {player} in {file} is damaged")


def has_checksum(row: Sequence[Any]) -> bool:
    """Has a row a checksum?"""
    return str(row[_NAME]).startswith(MARK)


def add_checksum(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row with its checksum.

    >>> unsummed(summed(("ada", "site", "1", "Ada", "ada")))
    ('ada', 'site', '1', 'Ada', 'ada')
    """
    return (*row[:_NAME], MARK + _sum(row) + row[_NAME], *row[_NAME + 1 :])


def verify_checksum(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A row without it. RowDamaged if it does not fit, or is damaged itself."""
    name = row[_NAME]
    if not isinstance(name, str):
        raise RowDamaged(str(row[0]))
    if not name.startswith(MARK):
        if MARK[0] in name:
            raise RowDamaged(str(row[0]))
        return row
    plain = (*row[:_NAME], name[_END:], *row[_NAME + 1 :])
    if name[len(MARK) : _END] != _sum(plain):
        raise RowDamaged(str(row[0]))
    return plain


def _sum(row: Sequence[Any]) -> str:
    return b64encode(sha256(msgspec.json.encode(row)).digest()[:9]).decode()
