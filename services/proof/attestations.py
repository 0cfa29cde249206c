"""Who vouched for the matches that were taken in from files, and the taps that were in these.

A match that was taken in, and has not moved on since, is exported as the very file that it came
from, with the signature of the service that it came from. The taps that its actions name stay with
it, as that service proved them. These lines are no part of the log: where they are missing, this
service signs the export itself, and says that the taps are lost.
"""

from collections.abc import Sequence

import msgspec

from domain.match import AnyMatch
from services.proof.match_file import Trailer, taps_statement
from services.proof.signed_notes import Receipt
from services.proof.tap_evidence import UNREADABLE, taps_in
from services.store.side_store import SideStore


class Attestations:
    """The last lines of files that matches were taken in from, and those with taps. Every call
    blocks on the store."""

    def __init__(self, beside: SideStore) -> None:
        self._beside = beside

    def keep(self, match: AnyMatch, trailer: Trailer, evidence: Sequence[bytes]) -> None:
        """Remember who vouched for this match, and its taps. Raises OSError or LogUnavailable if
        it cannot be written."""
        if evidence:
            self._beside.put("vouchers", f"{match.id}.taps", b"".join(evidence))
        self._beside.put("vouchers", f"{match.id}.json", trailer.line)

    def find(self, match: AnyMatch) -> Trailer | None:
        """Who vouched for this match as it stands now; None if nobody else did."""
        try:
            found = self._beside.get("vouchers", f"{match.id}.json")
            if found is None:
                return None
            trailer = msgspec.json.decode(found, type=Trailer)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None
        receipt = Receipt(match.id, match.version, match.digest)
        word = taps_statement(match.id, self.evidence(match)).text if trailer.taps else ""
        fits = trailer.receipt.startswith(f"{receipt.text}\n") and trailer.taps.startswith(word)
        return trailer if fits else None

    def evidence(self, match: AnyMatch) -> list[bytes]:
        """The lines with taps of the file that the match came from; none if there were none, or
        they cannot be read any more."""
        try:
            found = self._beside.get("vouchers", f"{match.id}.taps")
            lines = (found or b"").splitlines(keepends=True)
            taps_in(lines)
        except (OSError, *UNREADABLE):
            return []
        return lines
