"""The tap lines of a match file: how they are written, and how they are verified.

Each line has a tap in its logged form, with a proof that the log of the recording service includes
it. The last line of the file signs all of them. `docs/export.md` specifies the format.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Raw, Struct

from domain.log.digests import canonical_bytes, chain_digest
from domain.log.merkle import verify_inclusion
from domain.log.sealed_events import SealedEvent
from domain.match import Event, Finding, SeatEvent
from domain.match.readjudication import HEX_DIGEST
from domain.storage.mapper import envelope, read_table_envelope
from domain.table import TapTaken
from domain.table.tap_evidence import tap_evidence_faults, tapped_event
from services.proof.signed_notes import Checkpoint, read_checkpoint
from services.proof.signing import NoteError, Signer, read_key

LINE_PREFIXES: Final = (b'{"checkpoint":', b'{"hashes":', b'{"lost":')
"""The prefixes of tap lines, which no other lines have."""
UNREADABLE: Final = (msgspec.MsgspecError, NoteError, ValueError, RecursionError)
CHECKPOINT_LINES: Final = 5
"""Lines of a checkpoint with one signature."""

TapKey = tuple[UUID, int]
"""A tap, identified by its table and its version there."""


class CheckpointLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The checkpoint of the log that includes the taps on the lines below."""

    checkpoint: str
    """A note signed with that key: the size of the log, and the root of its tree."""
    key: str
    """The public key of the service, in the form that `signing.read_key` reads."""


class TapLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A tap, with its proof of inclusion in the log of the checkpoint."""

    hashes: tuple[str, ...]
    """The proof of inclusion, from the leaf to the root: 64 hexadecimal digits each."""
    index: int
    """Index of the leaf in the tree, from 0."""
    previous: str
    """Digest of the table's preceding event."""
    tap: Raw
    """`{"digest":...,"event":{...}}` in its logged form; the leaf is the digest."""


class LostTaps(Struct, frozen=True, forbid_unknown_fields=True):
    """Taps that the service did not have when it wrote the file."""

    table: UUID
    versions: tuple[int, ...]


class LostLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A line that names lost taps."""

    lost: LostTaps


EvidenceLine = CheckpointLine | TapLine | LostLine
_KINDS: Final[dict[bytes, type[EvidenceLine]]] = dict(
    zip(LINE_PREFIXES, (CheckpointLine, TapLine, LostLine), strict=True)
)


class ProvenTap(Struct, frozen=True):
    """A tap in this service's log, with its proof of inclusion."""

    sealed: SealedEvent[Any]
    previous: str
    index: int
    path: tuple[bytes, ...]


# --- writing -------------------------------------------------------------------------------------


def evidence_lines(
    taps: Iterable[ProvenTap], size: int, root: bytes, signer: Signer
) -> list[bytes]:
    """Return the lines for taps in a log of this size, below a checkpoint of it."""
    checkpoint = signer.note(Checkpoint(signer.key.name, size, root).text)
    lines: list[EvidenceLine] = [CheckpointLine(checkpoint, str(signer.key))]
    for tap in taps:
        hashes = tuple(step.hex() for step in tap.path)
        lines.append(TapLine(hashes, tap.index, tap.previous, Raw(envelope(tap.sealed))))
    return [_encode(line) for line in lines]


def lost_taps_line(table: UUID, versions: Sequence[int]) -> bytes:
    """Return the line that names lost taps."""
    return _encode(LostLine(LostTaps(table, tuple(versions))))


def _encode(line: EvidenceLine) -> bytes:
    return canonical_bytes(line) + b"\n"


# --- reading -------------------------------------------------------------------------------------


def is_evidence(line: bytes) -> bool:
    """Return whether a line of a match file is a tap line."""
    return line.startswith(LINE_PREFIXES)


def taps_in(lines: Iterable[bytes]) -> set[TapKey]:
    """Return the taps that these lines contain or name as lost, without verifying proofs.

    Raises one of UNREADABLE for other lines.
    """
    found: set[TapKey] = set()
    for raw in lines:
        match _read(raw):
            case TapLine(tap=tap):
                event = read_table_envelope(tap).event
                found.add((event.table, event.version))
            case LostLine(lost=LostTaps(table=table, versions=versions)):
                found |= {(table, version) for version in versions}
            case _:
                pass
    return found


def _read(raw: bytes) -> EvidenceLine:
    """Return the parsed line. Raises one of UNREADABLE for other bytes."""
    kind = next((kind for begin, kind in _KINDS.items() if raw.startswith(begin)), None)
    if kind is None:
        raise ValueError("it has no tap")
    line = msgspec.json.decode(raw, type=kind)
    if _encode(line) != raw:
        raise ValueError("it is not written as such lines are")
    return line


class EvidenceVerifier:
    """The verification of the taps in one match file."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.keys: dict[str, None] = {}
        """Public keys of the services whose logs include the taps."""
        self.proven_count = 0
        """Number of proven taps."""
        self.lost_count = 0
        """Number of lost taps."""
        self._taps: dict[TapKey, TapTaken] = {}
        self._lost_taps: set[TapKey] = set()
        self._checkpoint: Checkpoint | None = None

    def read(self, number: int, raw: bytes) -> None:
        """Verify the proof in the line of this number."""
        try:
            match _read(raw):
                case CheckpointLine() as line:
                    self._open(line)
                case TapLine() as line:
                    self._prove(line)
                case LostLine(lost=LostTaps(table=table, versions=versions)):
                    self._lost_taps |= {(table, version) for version in versions}
        except UNREADABLE as error:
            self._find(0, f"line {number}: {error}")

    def judge(self, events: Iterable[SealedEvent[Event]]) -> None:
        """Verify that each action has the taps that it names, and that they support it."""
        left = {**self._taps}
        before = datetime.min.replace(tzinfo=UTC)
        for sealed in events:
            if (event := tapped_event(sealed.event)) is not None:
                self._check_event(event, before, left)
            before = sealed.event.at
        self.proven_count = len(self._taps)
        for table, version in left:
            self._find(0, f"no action names tap {version} of table {table}")

    def _check_event(
        self, event: SeatEvent, before: datetime, left: dict[TapKey, TapTaken]
    ) -> None:
        """Verify one action against its taps, and remove these from `left`.

        Args:
            event: The action.
            before: When the event before it was recorded.
            left: The taps that no action has named so far.
        """
        named = event.source.taps
        assert named is not None
        there: list[TapTaken] = []
        for version in named.versions:
            tap = self._taps.get((named.table, version))
            left.pop((named.table, version), None)
            if tap is not None:
                there.append(tap)
            elif (named.table, version) in self._lost_taps:
                self.lost_count += 1
            else:
                why = f"it names tap {version} of table {named.table}, which is not in the file"
                self._find(event.version, why)
        if len(there) == len(named.versions):
            for why in tap_evidence_faults(event, there, before):
                self._find(event.version, why)

    def _open(self, line: CheckpointLine) -> None:
        self._checkpoint = None
        key = read_key(line.key)
        if line.checkpoint.count("\n") != CHECKPOINT_LINES:
            raise NoteError("it has another number of lines than a checkpoint")
        self._checkpoint = read_checkpoint(key.open(line.checkpoint))
        self.keys[line.key] = None

    def _prove(self, line: TapLine) -> None:
        log = self._checkpoint
        if log is None:
            raise ValueError("there is no checkpoint to which the tap belongs")
        sealed = read_table_envelope(line.tap)
        tap = sealed.event
        if not isinstance(tap, TapTaken) or envelope(sealed) != bytes(line.tap):
            raise ValueError("it is not a tap, written as the log keeps one")
        if not all(map(HEX_DIGEST.fullmatch, (sealed.digest, line.previous, *line.hashes))):
            raise ValueError("digests and hashes have 64 hexadecimal digits")
        if chain_digest(line.previous, sealed.body) != sealed.digest:
            raise ValueError(f"the bytes of tap {tap.version} do not give its digest")
        path = [bytes.fromhex(step) for step in line.hashes]
        leaf = bytes.fromhex(sealed.digest)
        if not verify_inclusion(leaf, line.index, log.size, path, log.root):
            raise ValueError(f"tap {tap.version} is not proven to be in the log of the checkpoint")
        if (tap.table, tap.version) in self._taps:
            raise ValueError(f"tap {tap.version} of table {tap.table} is there twice")
        self._taps[tap.table, tap.version] = tap

    def _find(self, version: int, sentence: str) -> None:
        self.findings.append(Finding(version, "taps", sentence))
