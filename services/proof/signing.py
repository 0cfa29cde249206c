"""Ed25519 keys and signed notes.

A *note* is a text with signatures below it, in the format of C2SP's signed-note, which other tools
can verify. `docs/proofs.md` shows an example.
"""

import base64
import binascii
from hashlib import sha256
from typing import Final, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519_TYPE: Final = b"\1"
"""The algorithm byte of signed-note for Ed25519."""
DASH: Final = "—"
"""The first character of a signature line."""
WEAK_POINTS: Final = frozenset(
    bytes.fromhex(digits)
    for digits in (
        "00" * 32,
        "01" + "00" * 31,
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
)
"""The points of small order, apart from the sign of x. With such a key anybody can forge
signatures, and libraries disagree about signatures that contain such a point."""


class NoteError(ValueError):
    """A text is not a key or note, or its signature is invalid; `str()` says why."""


class VerifierKey:
    """A public key and its name: all that is needed to verify a note."""

    def __init__(self, name: str, public: bytes) -> None:
        self.name = name
        self._public = public
        self._key = Ed25519PublicKey.from_public_bytes(public)
        self.id = key_id(name, ED25519_TYPE + public)

    def __str__(self) -> str:
        """Return the key as one line of text, which `read_key` reads."""
        return f"{self.name}+{self.id.hex()}+{encode(ED25519_TYPE + self._public)}"

    def check(self, text: str, signature: str) -> None:
        """Raise NoteError if this is not the key's signature of the text."""
        raw = decode(signature)
        if raw[:4] != self.id:
            _fail(f"it is signed with another key than {self.name}")
        if _is_weak(raw[4:36]) or not is_signed(self._key, raw[4:], text.encode()):
            _fail(f"the signature of {self.name} does not fit the text")

    def open(self, note: str) -> str:
        """Return the text of a note that this key has signed.

        Raises:
            NoteError: The note is malformed, or this key has not signed it.
        """
        text, separator, signatures = note.rpartition("\n\n")
        if not separator or not signatures.endswith("\n"):
            _fail("it has no text, blank line and signatures")
        signed = False
        for line in signatures.removesuffix("\n").split("\n"):
            words = line.split(" ")
            if len(words) != 3 or words[0] != DASH:
                _fail(f"{line!r} is no line with a signature")
            if words[1] == self.name and decode(words[2])[:4] == self.id:
                self.check(f"{text}\n", words[2])
                signed = True
        if not signed:
            _fail(f"{self.name} has not signed it")
        return f"{text}\n"


class Signer:
    """A private key that signs texts."""

    def __init__(self, secret: bytes, name: str = "") -> None:
        """Create a signer from 32 secret bytes; by default its name derives from the public key."""
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        public = self._key.public_key().public_bytes_raw()
        self.key = VerifierKey(name or f"emeth/{sha256(public).hexdigest()[:8]}", public)

    def sign(self, text: str) -> str:
        """Return the signature of a text in base64: the key's id and the Ed25519 signature."""
        return encode(self.key.id + self._key.sign(text.encode()))

    def note(self, text: str) -> str:
        """Return a text, which ends with a newline, as a signed note."""
        return format_note(text, self.key.name, self.sign(text))


def format_note(text: str, name: str, signature: str) -> str:
    """Return a text and its signature as a note."""
    return f"{text}\n{DASH} {name} {signature}\n"


def is_signed(key: Ed25519PublicKey, signature: bytes, text: bytes) -> bool:
    """Return whether the signature is the key's signature of the text."""
    try:
        key.verify(signature, text)
    except InvalidSignature:
        return False
    return True


def key_id(name: str, raw: bytes) -> bytes:
    """Return the id of a key, which covers its name, its type and the key itself."""
    return sha256(name.encode() + b"\n" + raw).digest()[:4]


def read_key(text: str) -> VerifierKey:
    """Return the public key in a line of text.

    Raises:
        NoteError: The text is not a key.
    """
    name, raw = read_raw_key(text, ED25519_TYPE, "an Ed25519 key")
    return VerifierKey(name, raw)


def read_raw_key(text: str, kind: bytes, words: str) -> tuple[str, bytes]:
    """Return the name and the 32 bytes of a key in a line of text.

    Args:
        text: The line.
        kind: The algorithm byte that the key must have.
        words: Description of that kind of key, for errors.

    Raises:
        NoteError: The text is not a key of that kind.
    """
    parts = text.split("+", 2)
    if len(parts) != 3:
        _fail("it is not a key: a key is a name, an id and the key itself, with + between them")
    name, identity, encoded = parts
    raw = decode(encoded)
    if not name or not name.isprintable() or any(sign.isspace() for sign in name):
        _fail("the name of a key has no spaces, and nothing that cannot be printed")
    if len(raw) != 33 or raw[:1] != kind:
        _fail(f"it is not {words}")
    if _is_weak(raw[1:]):
        _fail("it is a key with which anybody can sign")
    if (right := key_id(name, raw).hex()) != identity:
        _fail(f"the id of the key {name} is {right}, not {identity[:40]}")
    return name, raw[1:]


def _is_weak(point: bytes) -> bool:
    return bytes([*point[:-1], *(each & 0x7F for each in point[-1:])]) in WEAK_POINTS


def encode(raw: bytes) -> str:
    """Return bytes in base64."""
    return base64.b64encode(raw).decode()


def decode(text: str) -> bytes:
    """Return the bytes of a canonical base64 text.

    Raises:
        NoteError: The text is not canonical base64.
    """
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        _fail(f"{text[:100]!r} is not base64")
    if encode(raw) != text:
        _fail(f"{text[:100]!r} is not canonical base64")
    return raw


def _fail(why: str) -> NoReturn:
    raise NoteError(why)
