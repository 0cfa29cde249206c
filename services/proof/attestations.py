"""Attestations of imported matches: who signed the file, and the taps that it contained.

A match that was imported, and has not changed since, is exported as the file that it came from,
with the original service's signature and tap proofs. Attestations are not part of the log. If they
are missing, this service signs the export itself and marks the taps as lost.
"""

from collections.abc import Sequence

import msgspec

from domain.match import AnyMatch
from services.proof.match_file import Trailer, taps_statement
from services.proof.signed_notes import Receipt
from services.proof.tap_evidence import UNREADABLE, taps_in
from services.store.side_store import SideStore


class Attestations:
    """The trailers and tap lines of imported match files. Every call blocks on the store."""

    def __init__(self, side_store: SideStore) -> None:
        self._side_store = side_store

    def keep(self, match: AnyMatch, trailer: Trailer, evidence: Sequence[bytes]) -> None:
        """Store the trailer and the tap lines of an imported match.

        Raises:
            OSError: The files cannot be written.
            LogUnavailable: The database cannot be written.
        """
        if evidence:
            self._side_store.put("vouchers", f"{match.id}.taps", b"".join(evidence))
        self._side_store.put("vouchers", f"{match.id}.json", trailer.line)

    def find(self, match: AnyMatch) -> Trailer | None:
        """Return the trailer of an imported match that has not changed since, else None."""
        try:
            found = self._side_store.get("vouchers", f"{match.id}.json")
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
        """Return the tap lines of an imported match; none if they are missing or damaged."""
        try:
            found = self._side_store.get("vouchers", f"{match.id}.taps")
            lines = (found or b"").splitlines(keepends=True)
            taps_in(lines)
        except (OSError, *UNREADABLE):
            return []
        return lines
