"""Cosignatures: a witness's statement that a checkpoint is consistent with all earlier ones.

The format is the Ed25519 one of C2SP's tlog-cosignature, `cosignature/v1`: a signature line below a
checkpoint, with the time at which it was made.
"""

from typing import Final, NoReturn

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from services.proof.signing import (
    DASH,
    NoteError,
    decode,
    encode,
    is_signed,
    key_id,
    read_raw_key,
)

COSIGNATURE_TYPE: Final = b"\4"
"""The algorithm byte of signed-note for Ed25519 cosignatures."""
MAX_TIMESTAMP: Final = (1 << 63) - 1
"""The latest time that a cosignature may state, in seconds since 1970."""
_LENGTH: Final = 4 + 8 + 64
"""Length of a signature in bytes: key id, time, Ed25519 signature."""


class Cosignature(Struct, frozen=True):
    """A verified cosignature of a checkpoint."""

    name: str
    at: int
    """Time of the cosignature, in seconds since 1970."""


class CosignerKey:
    """The public key of a witness, and its name."""

    def __init__(self, name: str, public: bytes) -> None:
        self.name = name
        self._public = public
        self._key = Ed25519PublicKey.from_public_bytes(public)
        self.id = key_id(name, COSIGNATURE_TYPE + public)

    def __str__(self) -> str:
        """Return the key as one line of text, which `read_cosigner` reads."""
        return f"{self.name}+{self.id.hex()}+{encode(COSIGNATURE_TYPE + self._public)}"

    def find(self, note: str) -> tuple[str, Cosignature] | None:
        """Return the signature line of this witness in a note, and what it states.

        Returns:
            The line and the cosignature, or None if the note has none of this witness.

        Raises:
            NoteError: The cosignature is invalid, or the text is not a note.
        """
        text, separator, signatures = note.rpartition("\n\n")
        if not separator:
            _fail("it has no text, blank line and signatures")
        for line in signatures.splitlines():
            words = line.split(" ")
            if len(words) == 3 and words[:2] == [DASH, self.name]:
                raw = decode(words[2])
                if raw[:4] == self.id and len(raw) == _LENGTH:
                    return f"{line}\n", self._check(f"{text}\n", raw)
        return None

    def _check(self, text: str, raw: bytes) -> Cosignature:
        at = int.from_bytes(raw[4:12])
        if at > MAX_TIMESTAMP or not is_signed(self._key, raw[12:], _message(text, at)):
            _fail(f"the cosignature of {self.name} does not fit the checkpoint")
        return Cosignature(self.name, at)


class Cosigner:
    """The private key of a witness."""

    def __init__(self, secret: bytes, name: str) -> None:
        """Create a cosigner from 32 secret bytes."""
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = CosignerKey(name, self._key.public_key().public_bytes_raw())

    def cosign(self, text: str, at: int) -> str:
        """Return the signature line for a checkpoint, whose text ends with a newline."""
        signature = self._key.sign(_message(text, at))
        return f"{DASH} {self.key.name} {encode(self.key.id + at.to_bytes(8) + signature)}\n"


def read_cosigner(text: str) -> CosignerKey:
    """Return the witness key in a line of text.

    Raises:
        NoteError: The text is not a witness key.
    """
    name, raw = read_raw_key(text, COSIGNATURE_TYPE, "a witness's Ed25519 key, of type 4")
    return CosignerKey(name, raw)


def _message(text: str, at: int) -> bytes:
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _fail(why: str) -> NoReturn:
    raise NoteError(why)
