"""What the service signs: receipts for events, checkpoints of the log, and proofs as text.

The forms of checkpoints and proofs are C2SP's tlog-checkpoint and tlog-proof; `docs/proofs.md` has
an example of each.
"""

import re
from collections.abc import Sequence
from typing import Final, NoReturn
from uuid import UUID

from msgspec import Struct

from services.proof.signing import NoteError, decode, encode

RECEIPT_HEADER: Final = "emeth receipt"
"""The first line of a receipt. No checkpoint begins so: the name of a log has no spaces."""
PROOF_HEADER: Final = "c2sp.org/tlog-proof@v1"
_SIZE: Final = re.compile("0|[1-9][0-9]{0,18}")


def read_size(text: str) -> int:
    """Return a decimal number of events: it has one spelling, and is below 2^63.

    Raises:
        NoteError: The text is anything else, such as a number of thousands of digits.
    """
    if _SIZE.fullmatch(text) is None or (size := int(text)) >= 1 << 63:
        _fail(f"{text[:40]!r} is not a number of events")
    return size


class Receipt(Struct, frozen=True):
    """The word of the service that event `version` of a match has this digest.

    As the digest covers the one before it, the receipt stands for all events up to there.
    """

    match: UUID
    version: int
    digest: str

    @property
    def text(self) -> str:
        """What is signed."""
        return receipt_text(str(self.match), self.version, self.digest)


def receipt_text(match: str, version: int, digest: str) -> str:
    """What is signed for a receipt."""
    return f"{RECEIPT_HEADER}\n{match}\n{version}\n{digest}\n"


def read_receipt(text: str) -> Receipt:
    """The receipt in the text of a note. NoteError for any other text."""
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
"""The first line of the word for a file's taps."""


class TapsStatement(Struct, frozen=True):
    """The word of the service for the lines with taps in the file of a match."""

    match: UUID
    digest: str
    """SHA-256 of the lines."""

    @property
    def text(self) -> str:
        """What is signed."""
        return f"{TAPS_HEADER}\n{self.match}\n{self.digest}\n"


class Checkpoint(Struct, frozen=True):
    """The log as it stood: how many events, and the root of their Merkle tree."""

    origin: str
    """The name of the log, which is that of its key."""
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()
    """Lines that a log of other make may add. They are signed too, and say nothing that is read
    here."""

    @property
    def text(self) -> str:
        """What is signed."""
        lines = (self.origin, str(self.size), encode(self.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)


def read_checkpoint(text: str) -> Checkpoint:
    """The checkpoint in the text of a note. NoteError for any other text."""
    lines = text.split("\n")[:-1]
    if len(lines) < 3 or not all(lines):
        _fail("the note is not a checkpoint")
    checkpoint = Checkpoint(lines[0], read_size(lines[1]), decode(lines[2]), tuple(lines[3:]))
    if checkpoint.text != text or len(checkpoint.root) != 32:
        _fail("the checkpoint is not written as checkpoints are")
    return checkpoint


class Inclusion(Struct, frozen=True):
    """The proof that an event is in the log of a checkpoint."""

    index: int
    """The event's place in the log, from 0."""
    path: tuple[bytes, ...]
    checkpoint: str
    """A signed note."""

    @property
    def text(self) -> str:
        """The proof as a file, usually named `.tlog-proof`."""
        path = "".join(f"{encode(step)}\n" for step in self.path)
        return f"{PROOF_HEADER}\nindex {self.index}\n{path}\n{self.checkpoint}"


def read_inclusion(text: str) -> Inclusion:
    """The proof in a file. NoteError for any other text."""
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
    """The hashes of a proof as the API has them; NoteError if one has not 32 bytes."""
    if any(len(step) != 32 for step in path):
        _fail("a hash of the proof has not 32 bytes")
    return tuple(path)


def _fail(why: str) -> NoReturn:
    raise NoteError(why)
