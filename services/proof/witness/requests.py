"""The messages between logs and witnesses, as specified by C2SP's tlog-witness."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from services.proof.signing import NoteError, decode, encode

ADD_CHECKPOINT_PATH: Final = "add-checkpoint"
"""The path below the URL of a witness."""
SIZE_MEDIA_TYPE: Final = "text/x.tlog.size"
"""Media type of a response that contains the size which the witness knows."""
MAX_HASHES: Final = 63
MAX_REQUEST_BYTES: Final = 65_536
_OLD: Final = re.compile(r"old (0|[1-9][0-9]{0,18})")


class AddCheckpointRequest(Struct, frozen=True):
    """A request to a witness to cosign a checkpoint."""

    old: int
    """Size of the checkpoint that the witness cosigned last."""
    proof: tuple[bytes, ...]
    """Consistency proof from that size to the new checkpoint."""
    note: str
    """The new checkpoint, a signed note."""

    @property
    def text(self) -> str:
        """Return the request in its wire format."""
        return f"old {self.old}\n{_lines(self.proof)}\n{self.note}"


def read_request(raw: bytes) -> AddCheckpointRequest:
    """Return the request in these bytes.

    Raises:
        NoteError: The bytes are not a request.
    """
    try:
        head, separator, note = raw.decode().partition("\n\n")
    except UnicodeDecodeError:
        raise NoteError("it is no text") from None
    first, *lines = head.split("\n")
    old = _OLD.fullmatch(first)
    if not separator or old is None:
        raise NoteError(
            "it begins with `old` and a size, and a blank line comes before the checkpoint"
        )
    return AddCheckpointRequest(int(old[1]), _hashes(lines), note)


def _hashes(lines: Sequence[str]) -> tuple[bytes, ...]:
    found = tuple(map(decode, lines))
    if len(found) > MAX_HASHES or any(len(each) != 32 for each in found):
        raise NoteError(f"a proof has at most {MAX_HASHES} hashes of 32 bytes")
    return found


def _lines(proof: Sequence[bytes]) -> str:
    return "".join(f"{encode(each)}\n" for each in proof)
