"""Checksums in rows of `people`, which reveal flipped bits.

The checksum precedes the name and covers all columns in their stored form. Rows with and without a
checksum may be in one table. A single flipped bit cannot turn one form into the other.
"""

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec

MARK: Final = "\x02\x02"
"""The first characters of a name with a checksum. If a bit of one flips, the other remains, which
no name contains."""
_LENGTH: Final = 12
"""Length of a checksum in characters."""
_END: Final = len(MARK) + _LENGTH
_NAME: Final = 3
"""Index of the name column."""


class RowDamaged(ValueError):  # noqa: N818  named like the store's errors
    """A row is not as it was written."""

    def __init__(self, player: str, file: str = "people.sqlite") -> None:
        self.player = player
        self.file = file
        super().__init__(f"the row of player {player} in {file} is damaged")


def has_checksum(row: Sequence[Any]) -> bool:
    """Return whether a row has a checksum."""
    return str(row[_NAME]).startswith(MARK)


def add_checksum(row: tuple[str, ...]) -> tuple[str, ...]:
    """Return a row with a checksum added.

    >>> verify_checksum(add_checksum(("ada", "site", "1", "Ada", "ada")))
    ('ada', 'site', '1', 'Ada', 'ada')
    """
    return (*row[:_NAME], MARK + _sum(row) + row[_NAME], *row[_NAME + 1 :])


def verify_checksum(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row without its checksum. Raises RowDamaged if the checksum does not match."""
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
