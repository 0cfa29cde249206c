"""The match file: how it is written, and how it is verified without any service.

`docs/export.md` specifies the format. Every byte of a file is covered by a digest or a signature,
or follows from bytes that are. Changing any byte therefore fails verification, and the first
finding says where.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain as chained
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.any_game import read_stored_position
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import GENESIS, canonical_bytes, chain_digest, digest
from domain.log.sealed_events import SealedEvent
from domain.match import AnyMatch, Audit, AuditReport, Check, Event, Finding, MatchCreated
from domain.storage.mapper import envelope, read_envelope
from domain.storage.upcasts import upcast
from services.proof.signed_notes import Receipt, TapsStatement, read_receipt
from services.proof.signing import NoteError, Signer, VerifierKey, read_key
from services.proof.tap_evidence import EvidenceVerifier, is_evidence

TYPE: Final = "emeth.match"
FORMAT: Final = 1
"""Format of a file without taps. Raise both formats when older programs could no longer verify the
files written now."""
FORMAT_WITH_TAPS: Final = 2
"""Format of a file with taps."""
UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""Errors raised for bytes that are not the expected JSON."""
CHUNK_BYTES: Final = 65_536
"""Approximate size of the chunks in which a file is sent."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a match file: its type and match."""

    format: int
    game: str
    match: UUID
    type: str


class Trailer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The last line of a match file: the signatures over the match."""

    key: str
    """The public key, in the form that `signing.read_key` reads."""
    position: str
    """The position after the last event."""
    receipt: str
    """A note signed with that key: match, version and digest of the last event."""
    taps: str = ""
    """A note signed with that key: match, and digest of the tap lines; empty if there are none."""

    @property
    def line(self) -> bytes:
        """Return the trailer as a line of the file."""
        return canonical_bytes(self) + b"\n"


class FileVerification(Struct, frozen=True):
    """The result of verifying a match file."""

    report: AuditReport
    events: tuple[SealedEvent[Event], ...]
    match: AnyMatch | None
    """The match after the last event; None if no event was readable."""
    trailer: Trailer | None
    """The last line; None if it is not readable."""
    taps: EvidenceVerifier
    """The verified taps that the actions name."""
    evidence: tuple[bytes, ...] = ()
    """The tap lines of the file."""


def header(game: str, match: UUID, *, tapped: bool = False) -> bytes:
    """Return the first line of a match file."""
    form = FORMAT_WITH_TAPS if tapped else FORMAT
    return canonical_bytes(Header(form, game, match, TYPE)) + b"\n"


def attest(match: AnyMatch, signer: Signer, evidence: Sequence[bytes] = ()) -> Trailer:
    """Return the last line of a match file: signatures over the match and its tap lines."""
    receipt = Receipt(match.id, match.version, match.digest)
    position = match.rules.write_position(match.position)
    taps = signer.note(taps_statement(match.id, evidence).text) if evidence else ""
    return Trailer(str(signer.key), position, signer.note(receipt.text), taps)


def taps_statement(match: UUID, evidence: Sequence[bytes]) -> TapsStatement:
    """Return the statement that is signed for tap lines."""
    return TapsStatement(match, digest(b"".join(evidence)))


def file_chunks(
    match: AnyMatch,
    events: Iterable[SealedEvent[Any]],
    trailer: Trailer,
    evidence: Sequence[bytes] = (),
) -> Iterator[bytes]:
    """Yield a match file in chunks."""
    piece = bytearray(header(match.game, match.id, tapped=bool(evidence)))
    for line in chained((envelope(sealed) + b"\n" for sealed in events), evidence):
        piece += line
        if len(piece) >= CHUNK_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece + trailer.line)


def verify_file(lines: Iterable[bytes], key: VerifierKey | None = None) -> FileVerification:
    """Verify a file, given as lines with line breaks.

    With a `key`, only that key may have signed it.
    """
    checking = FileVerifier(lines, key)
    for _ in checking.steps():
        pass
    return checking.verified


class FileVerifier:
    """The verification of one match file, step by step."""

    def __init__(
        self,
        lines: Iterable[bytes],
        key: VerifierKey | None = None,
        library: Library = BUILT_IN_PACKS,
    ) -> None:
        """Prepare to verify a file, whose lines are read when the first step is taken.

        Args:
            lines: The lines of the file, with line breaks.
            key: The only key that may have signed the file; None for any.
            library: The content packs that the match may use.
        """
        self._source = lines
        self._lines: list[bytes] = []
        self._evidence: tuple[bytes, ...] = ()
        self._taps = EvidenceVerifier()
        self._key = key
        self._audit = Audit(upcast, library=library)
        self._findings: list[Finding] = []
        self._events: list[SealedEvent[Event]] = []
        self._judged_count = 0
        self._trailer: Trailer | None = None
        self._unread = ""
        """Why the event after the readable ones is unreadable; empty if all are readable."""

    def steps(self) -> Iterator[int]:
        """Verify the file, and yield the number of verified events from time to time."""
        self._lines = [*self._source]
        if len(self._lines) < MIN_LINES:
            why = f"the file has {len(self._lines)} lines: a match has at least {MIN_LINES}"
            self._find(0, "chain", why)
            return
        first, *middle, last = self._lines
        if not self._header(first):
            return
        events = next((n for n, line in enumerate(middle) if is_evidence(line)), len(middle))
        self._evidence = tuple(middle[events:])
        for number, line in enumerate(middle[:events], 2):
            if not self._event(number, line):
                break
            yield 0
        yield from self._judge()
        yield from self._judge_taps(events + 2)
        created = self._events[0].event if self._events else None
        if isinstance(created, MatchCreated) and first != header(
            created.game, created.match, tapped=bool(self._evidence)
        ):
            self._find(0, "chain", "line 1 is not the header that belongs to this match")
        self._read_trailer(last)

    def _find(self, version: int, check: Check, sentence: str) -> None:
        self._findings.append(Finding(version, check, sentence))

    @property
    def total(self) -> int:
        """Return the approximate number of events in the file."""
        return max(0, len(self._lines) - 2 - len(self._evidence))

    @property
    def verified(self) -> FileVerification:
        """Return the result, once all steps are taken."""
        match = self._audit.match
        report = AuditReport(
            match.id if match else None,
            self._judged_count,
            match.digest if match else "",
            tuple(self._findings),
            self._audit.unproven,
        )
        events = tuple(self._events)
        return FileVerification(report, events, match, self._trailer, self._taps, self._evidence)

    # --- lines -----------------------------------------------------------------------------------

    def _header(self, line: bytes) -> bool:
        """Return whether a line is a header that this version can read."""
        try:
            found = msgspec.json.decode(line, type=Header)
        except UNREADABLE as error:
            self._find(0, "chain", f"line 1 is not the header of an exported match: {error}")
            return False
        if found.type != TYPE or found.format not in (FORMAT, FORMAT_WITH_TAPS):
            kind = f"{found.type!r} in format {found.format}"
            why = f"{TYPE!r} in format {FORMAT} or {FORMAT_WITH_TAPS}"
            self._find(0, "chain", f"line 1: the file is {kind}, not {why}")
            return False
        return True

    def _event(self, number: int, line: bytes) -> bool:
        """Read the event in a line and return whether that succeeded."""
        try:
            sealed = read_envelope(line)
        # Upcasts may fail in any way on JSON that never was an event.
        except Exception as error:
            # The events before it are verified first, so that earlier findings come first.
            self._unread = f"line {number}: {error}"
            return False
        if envelope(sealed) + b"\n" != line:
            self._unread = f"line {number} is not written as events are"
            return False
        self._events.append(sealed)
        return True

    # --- judging ---------------------------------------------------------------------------------

    def _judge(self) -> Iterator[int]:
        for place, sealed in enumerate(self._events):
            found = self._audit.take(sealed)
            if found and found[0].check == "chain":
                found = [
                    replace(found[0], sentence=self._explain_finding(place, found[0])),
                    *found[1:],
                ]
            self._findings += found
            if self._audit.stopped:
                break
            self._judged_count += 1
            yield self._judged_count
        if not self._audit.stopped:
            if self._unread:
                self._findings += self._audit.unreadable(self._unread)
            self._findings += self._audit.end()

    def _judge_taps(self, first: int) -> Iterator[int]:
        """Verify the tap lines, the first of which has this line number."""
        for number, line in enumerate(self._evidence, first):
            self._taps.read(number, line)
            yield self._judged_count
        if not self._audit.stopped:
            self._taps.judge(self._events)
        self._findings += self._taps.findings

    def _explain_finding(self, place: int, finding: Finding) -> str:
        """Return the finding's sentence, extended by what was changed: the event or its digest.

        The digest of the next event shows which.
        """
        if place + 1 >= len(self._events):
            return finding.sentence
        sealed, later = self._events[place], self._events[place + 1]
        before = self._events[place - 1].digest if place else GENESIS
        try:
            if chain_digest(sealed.digest, later.body) == later.digest:
                changed = "the event was changed, or the one before it: the next follows its digest"
            elif chain_digest(chain_digest(before, sealed.body), later.body) == later.digest:
                changed = "its digest was changed: the next event follows the one computed"
            else:
                return finding.sentence
        except ValueError:  # one of the digests is not hexadecimal
            return finding.sentence
        return f"{finding.sentence}; {changed}"

    def _read_trailer(self, line: bytes) -> None:
        """Verify the last line of the file."""
        try:
            found = msgspec.json.decode(line, type=Trailer)
        except UNREADABLE as error:
            why = f"the last line does not say who vouches for the match: {error}"
            self._find(self._judged_count, "signature", why)
            return
        if found.line != line:
            self._find(
                self._judged_count, "signature", "the last line is not written as it should be"
            )
            return
        self._trailer = found
        self._check_attestation(found)

    def _check_attestation(self, trailer: Trailer) -> None:
        match, version = self._audit.match, self._judged_count
        try:
            key = read_key(trailer.key)
            if self._key is not None and str(key) != str(self._key):
                self._find(version, "signature", f"{key.name} vouches for it, not {self._key.name}")
            if trailer.receipt.count("\n") != RECEIPT_LINES:
                raise NoteError("it has another number of lines than a receipt")
            receipt = read_receipt(key.open(trailer.receipt))
            if bool(trailer.taps) != bool(self._evidence):
                raise NoteError("it does not go with the taps in the file")
            word = key.open(trailer.taps) if trailer.taps else ""
        except NoteError as error:
            self._find(version, "signature", f"the receipt in the last line: {error}")
            return
        if word and (
            trailer.taps.count("\n") != TAPS_LINES
            or word != taps_statement(receipt.match, self._evidence).text
        ):
            self._find(version, "signature", "the last line does not vouch for these taps")
        if match is None or self._audit.stopped:
            return  # the events are invalid, so there is nothing to compare with
        if receipt != Receipt(match.id, match.version, match.digest):
            named = f"event {receipt.version} of match {receipt.match} with digest {receipt.digest}"
            self._find(version, "signature", f"the receipt is for {named}")
        if not _stands_at(match, trailer.position):
            self._find(version, "position", "the events do not fold to the position in the file")


def _stands_at(match: AnyMatch, position: str) -> bool:
    """Return whether a stored position is the match's position, in current or older notation."""
    rules = match.rules
    try:
        if position == rules.write_position(match.position):
            return True
        return bool(read_stored_position(rules, position, match.options) == match.position)
    except Exception:  # forged facts can fold to an impossible position
        return False


MIN_LINES: Final = 3
"""Minimum number of lines of a file: header, one event, trailer."""
RECEIPT_LINES: Final = 6
"""Lines of a receipt with one signature. More would be unverified, so none may be added."""
TAPS_LINES: Final = 5
"""Lines of a taps statement with one signature."""
