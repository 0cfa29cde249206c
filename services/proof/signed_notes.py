"""The texts that the service signs: receipts, checkpoints and proofs.

Checkpoints and proofs follow C2SP's tlog-checkpoint and tlog-proof. `docs/proofs.md` shows an
example of each.
"""

import re
from collections.abc import Sequence
from typing import Final, NoReturn
from uuid import UUID

from msgspec import Struct

from services.proof.signing import NoteError, decode, encode

RECEIPT_HEADER: Final = "emeth receipt"
"""The first line of a receipt. No checkpoint begins with it, since log names have no spaces."""
PROOF_HEADER: Final = "c2sp.org/tlog-proof@v1"
_SIZE: Final = re.compile("0|[1-9][0-9]{0,18}")


def read_size(text: str) -> int:
    """Return a decimal number of events, which is canonical and below 2^63.

    Raises:
        NoteError: The text is not such a number.
    """
    if _SIZE.fullmatch(text) is None or (size := int(text)) >= 1 << 63:
        _fail(f"{text[:40]!r} is not a number of events")
    return size


class Receipt(Struct, frozen=True):
    """The service's statement that event `version` of a match has this digest.

    Each digest covers the one before it, so a receipt covers all events up to this version.
    """

    match: UUID
    version: int
    digest: str

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        return receipt_text(str(self.match), self.version, self.digest)


def receipt_text(match: str, version: int, digest: str) -> str:
    """Return the text that is signed for a receipt."""
    return f"{RECEIPT_HEADER}\n{match}\n{version}\n{digest}\n"


def read_receipt(text: str) -> Receipt:
    """Return the receipt in the text of a note.

    Raises:
        NoteError: The text is not a receipt.
    """
    lines = text.split("\n")
    if len(lines) != 5 or lines[0] != RECEIPT_HEADER:
        _fail("the note is not a receipt")
    try:
        receipt = Receipt(UUID(lines[1]), int(lines[2]), lines[3])
    except ValueError:
        _fail("the note is not a receipt")
    if receipt.text != text:
        _fail("the receipt is not written as receipts are")
    return receipt


TAPS_HEADER: Final = "emeth taps"
"""The first line of the statement for a file's taps."""


class TapsStatement(Struct, frozen=True):
    """The service's statement for the tap lines in the file of a match."""

    match: UUID
    digest: str
    """SHA-256 of the tap lines."""

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        return f"{TAPS_HEADER}\n{self.match}\n{self.digest}\n"


class Checkpoint(Struct, frozen=True):
    """The state of a log: its number of events, and the root of their Merkle tree."""

    origin: str
    """Name of the log, which is the name of its key."""
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()
    """Lines that other implementations of logs may add. They are signed, but not interpreted
    here."""

    @property
    def text(self) -> str:
        """Return the text that is signed."""
        lines = (self.origin, str(self.size), encode(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)


def read_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint in the text of a note.

    Raises:
        NoteError: The text is not a checkpoint.
    """
    lines = text.split("\n")[:-1]
    if len(lines) < 3 or not all(lines):
        _fail("the note is not a checkpoint")
    checkpoint = Checkpoint(lines[0], read_size(lines[1]), decode(lines[2]), tuple(lines[3:]))
    if checkpoint.text != text or len(checkpoint.root) != 32:
        _fail("the checkpoint is not written as checkpoints are")
    return checkpoint


class Inclusion(Struct, frozen=True):
    """A proof that an event is included in the log of a checkpoint."""

    index: int
    """Place of the event in the log, from 0."""
    path: tuple[bytes, ...]
    checkpoint: str
    """The checkpoint, a signed note."""

    @property
    def text(self) -> str:
        """Return the proof as the content of a `.tlog-proof` file."""
        path = "".join(f"{encode(step)}\n" for step in self.path)
        return f"{PROOF_HEADER}\nindex {self.index}\n{path}\n{self.checkpoint}"


def read_inclusion(text: str) -> Inclusion:
    """Return the inclusion proof in the content of a file.

    Raises:
        NoteError: The text is not an inclusion proof.
    """
    head, separator, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if not separator or first != PROOF_HEADER:
        _fail(f"it is not a proof: a proof begins with {PROOF_HEADER}")
    if lines and lines[0].startswith("extra "):
        lines = lines[1:]
    word, _, index = lines[0].partition(" ") if lines else ("", "", "")
    if word != "index":
        _fail("the proof does not say the index of the event")
    return Inclusion(read_size(index), tuple(decode(line) for line in lines[1:]), checkpoint)


def hashes_of(path: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the hashes of a proof from the API.

    Raises:
        NoteError: A hash does not have 32 bytes.
    """
    if any(len(step) != 32 for step in path):
        _fail("a hash of the proof has not 32 bytes")
    return tuple(path)


def _fail(why: str) -> NoReturn:
    raise NoteError(why)
