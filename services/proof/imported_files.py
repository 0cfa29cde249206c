"""Who vouched for the matches that were taken in from files, and the taps that were in these.

A match that was taken in, and has not moved on since, is exported as the very file that it came
from, with the signature of the service that it came from. The taps that its actions name stay with
it, as that service proved them. These lines are no part of the log: where they are missing, this
service signs the export itself, and says that the taps are lost.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from domain.match import AnyMatch
from services.files import put
from services.proof.match_file import Trailer, word_for
from services.proof.signed_notes import Receipt
from services.proof.tap_evidence import UNREADABLE, taps_in


class ImportedFiles:
    """The last lines of files that matches were taken in from, and those with taps, in a folder of
    their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, match: AnyMatch, trailer: Trailer, evidence: Sequence[bytes]) -> None:
        """Remember who vouched for this match, and its taps. Raises OSError if it cannot be
        written."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if evidence:
            put(self._taps(match), b"".join(evidence))
        put(self._path(match), trailer.line)

    def find(self, match: AnyMatch) -> Trailer | None:
        """Who vouched for this match as it stands now; None if nobody else did."""
        try:
            trailer = msgspec.json.decode(self._path(match).read_bytes(), type=Trailer)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None
        receipt = Receipt(match.id, match.version, match.digest)
        word = word_for(match.id, self.evidence(match)).text if trailer.taps else ""
        fits = trailer.receipt.startswith(f"{receipt.text}\n") and trailer.taps.startswith(word)
        return trailer if fits else None

    def evidence(self, match: AnyMatch) -> list[bytes]:
        """The lines with taps of the file that the match came from; none if there were none, or
        they cannot be read any more."""
        try:
            lines = self._taps(match).read_bytes().splitlines(keepends=True)
            taps_in(lines)
        except (OSError, *UNREADABLE):
            return []
        return lines

    def _path(self, match: AnyMatch) -> Path:
        return self._folder / f"{match.id}.json"

    def _taps(self, match: AnyMatch) -> Path:
        return self._folder / f"{match.id}.taps"
