"""The file of a match: writing it, and checking it without any service. `docs/export.md` is its
description for others.

Nothing in the file is free: each byte is either covered by a digest or a signature, or follows from
what is. So a file with any byte changed fails, and the first finding says where.
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
"""Of a file without taps. Raise it, and the next, when older programs could no longer check the
files written now."""
FORMAT_WITH_TAPS: Final = 2
"""Of a file with taps."""
UNREADABLE: Final = (msgspec.MsgspecError, ValueError, RecursionError)
"""What decoding JSON raises that is not what it should be, down to its characters and depth."""
CHUNK_BYTES: Final = 65_536
"""Bytes of a file that are sent at once, about."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: what the file is."""

    format: int
    game: str
    match: UUID
    type: str


class Trailer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The last line: who vouches for the match."""

    key: str
    """The public key, as `signing.read_key` reads it."""
    position: str
    """What the events fold to."""
    receipt: str
    """A note signed with that key: match, version and digest of the last event."""
    taps: str = ""
    """A note signed with that key: match, and digest of the lines with taps; empty if there are
    none."""

    @property
    def line(self) -> bytes:
        """As it stands in the file."""
        return canonical_bytes(self) + b"\n"


class FileVerification(Struct, frozen=True):
    """What checking a file came to."""

    report: AuditReport
    events: tuple[SealedEvent[Event], ...]
    match: AnyMatch | None
    """As it stands after the last event; None if nothing could be read."""
    trailer: Trailer | None
    """None if the file has none that can be read."""
    taps: EvidenceVerifier
    """The taps that its actions name."""
    evidence: tuple[bytes, ...] = ()
    """The lines that have them."""


def header(game: str, match: UUID, *, tapped: bool = False) -> bytes:
    """The first line of a match's file."""
    form = FORMAT_WITH_TAPS if tapped else FORMAT
    return canonical_bytes(Header(form, game, match, TYPE)) + b"\n"


def attest(match: AnyMatch, signer: Signer, evidence: Sequence[bytes] = ()) -> Trailer:
    """The last line for a match as it stands and the lines with its taps, signed."""
    receipt = Receipt(match.id, match.version, match.digest)
    position = match.rules.write_position(match.position)
    taps = signer.note(taps_statement(match.id, evidence).text) if evidence else ""
    return Trailer(str(signer.key), position, signer.note(receipt.text), taps)


def taps_statement(match: UUID, evidence: Sequence[bytes]) -> TapsStatement:
    """What is signed for lines with taps."""
    return TapsStatement(match, digest(b"".join(evidence)))


def file_chunks(
    match: AnyMatch,
    events: Iterable[SealedEvent[Any]],
    trailer: Trailer,
    evidence: Sequence[bytes] = (),
) -> Iterator[bytes]:
    """The file of a match, in pieces."""
    piece = bytearray(header(match.game, match.id, tapped=bool(evidence)))
    for line in chained((envelope(sealed) + b"\n" for sealed in events), evidence):
        piece += line
        if len(piece) >= CHUNK_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece + trailer.line)


def verify_file(lines: Iterable[bytes], key: VerifierKey | None = None) -> FileVerification:
    """Check a file, given line by line with the line breaks. With a `key`, no other may vouch."""
    checking = FileVerifier(lines, key)
    for _ in checking.steps():
        pass
    return checking.verified


class FileVerifier:
    """One file being checked, step by step."""

    def __init__(
        self,
        lines: Iterable[bytes],
        key: VerifierKey | None = None,
        library: Library = BUILT_IN_PACKS,
    ) -> None:
        """As in `verify`; the match may name packs of the library. The lines are read when the
        first step is taken."""
        self._source = lines
        self._lines: list[bytes] = []
        self._evidence: tuple[bytes, ...] = ()
        self._taps = EvidenceVerifier()
        self._key = key
        self._audit = Audit(upcast, library=library)
        self._findings: list[Finding] = []
        self._events: list[SealedEvent[Event]] = []
        self._judged = 0
        self._trailer: Trailer | None = None
        self._unread = ""
        """Why the event after those that were read cannot be; empty if all can."""

    def steps(self) -> Iterator[int]:
        """Check, and yield now and then how many events are done."""
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
        self._ends(last)

    def _find(self, version: int, check: Check, sentence: str) -> None:
        self._findings.append(Finding(version, check, sentence))

    @property
    def total(self) -> int:
        """How many events the file has, about."""
        return max(0, len(self._lines) - 2 - len(self._evidence))

    @property
    def verified(self) -> FileVerification:
        """What it came to, when all steps are taken."""
        match = self._audit.match
        report = AuditReport(
            match.id if match else None,
            self._judged,
            match.digest if match else "",
            tuple(self._findings),
            self._audit.unproven,
        )
        events = tuple(self._events)
        return FileVerification(report, events, match, self._trailer, self._taps, self._evidence)

    # --- lines -----------------------------------------------------------------------------------

    def _header(self, line: bytes) -> bool:
        """Is this the header of a file that can be read here?"""
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
        """Read the event in this line; False if none can be."""
        try:
            sealed = read_envelope(line)
        # What brings old shapes up to date may fail in any way over JSON that never was an event.
        except Exception as error:
            # The events before it are judged first, since what is wrong there comes first.
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
                found = [replace(found[0], sentence=self._culprit(place, found[0])), *found[1:]]
            self._findings += found
            if self._audit.stopped:
                break
            self._judged += 1
            yield self._judged
        if not self._audit.stopped:
            if self._unread:
                self._findings += self._audit.unreadable(self._unread)
            self._findings += self._audit.end()

    def _judge_taps(self, first: int) -> Iterator[int]:
        """Look at the lines with taps, of which the first has this number."""
        for number, line in enumerate(self._evidence, first):
            self._taps.read(number, line)
            yield self._judged
        if not self._audit.stopped:
            self._taps.judge(self._events)
        self._findings += self._taps.findings

    def _culprit(self, place: int, finding: Finding) -> str:
        """Which of the two was changed, the event or its digest? The next one's digest tells."""
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
        except ValueError:  # one of the digests has other signs than digits
            return finding.sentence
        return f"{finding.sentence}; {changed}"

    def _ends(self, line: bytes) -> None:
        """Look at the last line: is it as it should be, and does it vouch for this match?"""
        try:
            found = msgspec.json.decode(line, type=Trailer)
        except UNREADABLE as error:
            why = f"the last line does not say who vouches for the match: {error}"
            self._find(self._judged, "signature", why)
            return
        if found.line != line:
            self._find(self._judged, "signature", "the last line is not written as it should be")
            return
        self._trailer = found
        self._vouched(found)

    def _vouched(self, trailer: Trailer) -> None:
        match, version = self._audit.match, self._judged
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
            return  # what is there to compare with was found to be wrong already
        if receipt != Receipt(match.id, match.version, match.digest):
            named = f"event {receipt.version} of match {receipt.match} with digest {receipt.digest}"
            self._find(version, "signature", f"the receipt is for {named}")
        if not _stands_at(match, trailer.position):
            self._find(version, "position", "the events do not fold to the position in the file")


def _stands_at(match: AnyMatch, position: str) -> bool:
    """Is this the match's position? Lists were once written in another order than today."""
    rules = match.rules
    try:
        if position == rules.write_position(match.position):
            return True
        return bool(read_stored_position(rules, position, match.options) == match.position)
    except Exception:  # forged facts can fold to what no game can be at
        return False


MIN_LINES: Final = 3
"""Of a file: the header, one event, and who vouches."""
RECEIPT_LINES: Final = 6
"""Of a receipt with one signature: none may be added, since nobody would check it."""
TAPS_LINES: Final = 5
"""Of the word for taps with one signature."""
