"""Who vouched for the matches that were taken in from files.

A match that was taken in, and has not moved on since, is exported as the very file that it came
from, with the signature of the service that it came from. These lines are no part of the log: where
one is missing, this service signs the export itself.
"""

import os
from pathlib import Path

import msgspec

from domain.match import AnyMatch
from services.exports import Trailer
from services.notes import Receipt


class Vouchers:
    """The last lines of files that matches were taken in from, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, match: AnyMatch, trailer: Trailer) -> None:
        """Remember who vouched for this match. Raises OSError if it cannot be written."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        path = self._path(match)
        draft = path.with_suffix(".new")
        with draft.open("wb") as file:
            file.write(trailer.line)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)

    def find(self, match: AnyMatch) -> Trailer | None:
        """Who vouched for this match as it stands now; None if nobody else did."""
        try:
            trailer = msgspec.json.decode(self._path(match).read_bytes(), type=Trailer)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None
        receipt = Receipt(match.id, match.version, match.digest)
        return trailer if trailer.receipt.startswith(f"{receipt.text}\n") else None

    def _path(self, match: AnyMatch) -> Path:
        return self._folder / f"{match.id}.json"
