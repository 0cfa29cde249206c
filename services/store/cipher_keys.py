"""Encryption at rest: the keys under which what is stored is encrypted, and how that is marked.

What is encrypted begins with a mark and the id of its key, in clear, so that a log may begin to be
encrypted, or go on under another key, at any event. What has no mark is taken as it lies there. The
digests of events are over what was encrypted, so they say the same of both.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from eventsourcing.cryptography import AESCipher
from eventsourcing.persistence import Cipher

from services.runtime import keys
from services.runtime.keys import BadKeyError

MARK: Final = b"\x00EM1"
"""What nothing begins with that is stored in clear."""
ID_BYTES: Final = 8
HEADER_BYTES: Final = len(MARK) + ID_BYTES
CLEAR: Final = "clear"
"""In place of the first key: what comes is stored in clear."""
VARIABLE: Final = "CIPHER_KEYS"
"""By which the library's environments name the keys; the service's, with `EMETH_` before it."""
SETTING: Final = "EMETH_CIPHER_KEYS"
MAX_KEYS: Final = 100
"""Keys."""


class KeyMissing(ValueError):  # noqa: N818  a word of its own for damage that is none
    """What is stored is encrypted under a key that is not at hand."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"it is encrypted under the key {key}, which {SETTING} does not have")


class CipherKeys(Cipher):
    """A cipher of the library's kind: encrypts under the first key, and reads under each.

    Without any key it leaves all as it is. Safe from any thread.

    >>> key = sha256(b"an example").hexdigest()
    >>> cipher, plain = CipherKeys({VARIABLE: key}), CipherKeys({VARIABLE: f"{CLEAR} {key}"})
    >>> stored = cipher.encrypt(b"taken")
    >>> cipher.decrypt(stored), plain.decrypt(stored), plain.encrypt(b"taken")
    (b'taken', b'taken', b'taken')
    >>> key_id(stored) == cipher.current == CipherKeys({}).missing([b"clear", stored])
    True
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        """The keys that an environment has under `CIPHER_KEYS`, or in the file that it names under
        `CIPHER_KEYS_FILE`: 64 hexadecimal digits each, with blanks or new lines between them.

        BadKeyError for what is none.
        """
        text = environment.get(VARIABLE) or _content(environment.get(f"{VARIABLE}_FILE") or "")
        words = text.split()
        self._ciphers: dict[bytes, AESCipher] = {}
        self._first = b""
        if len(words) > MAX_KEYS:
            raise BadKeyError(f"{SETTING} has {len(words)} keys, and may have {MAX_KEYS}")
        for place, word in enumerate(words):
            if place == 0 and word == CLEAR:
                continue
            try:
                key = keys.parse_key(word)
            except BadKeyError as error:
                raise BadKeyError(
                    f"{SETTING}: key {place + 1} {error}: {keys.GENERATION_HINT}"
                ) from None
            name = _id(key)
            self._ciphers[name] = aes(key)
            if place == 0:
                self._first = name

    def __bool__(self) -> bool:
        """Is there any key?"""
        return bool(self._ciphers)

    @property
    def encrypts(self) -> bool:
        """Is what comes encrypted?"""
        return bool(self._first)

    @property
    def current(self) -> str:
        """The id of the key that is encrypted under; empty for none."""
        return self._first.hex()

    def encrypt(self, plaintext: bytes) -> bytes:
        """These bytes as they are stored."""
        if not self._first:
            return plaintext
        return MARK + self._first + self._ciphers[self._first].encrypt(plaintext)

    def decrypt(self, ciphertext: bytes) -> bytes:
        """What was stored so. KeyMissing, or ValueError for what was changed."""
        if not ciphertext.startswith(MARK):
            return ciphertext
        cipher = self._ciphers.get(name := ciphertext[len(MARK) : HEADER_BYTES])
        if cipher is None:
            raise KeyMissing(name.hex())
        return cipher.decrypt(ciphertext[HEADER_BYTES:])

    def is_current(self, stored: bytes) -> bool:
        """Is it stored as it would be now?"""
        return key_id(stored) == self.current

    def restored(self, stored: bytes) -> bytes:
        """It as it would be stored now. Raises as `decrypt`."""
        return stored if self.is_current(stored) else self.encrypt(self.decrypt(stored))

    def missing(self, stored: Iterable[bytes]) -> str:
        """The id of a key that some of these were encrypted under, and that is not at hand; empty
        for none."""
        for each in stored:
            if (name := key_id(each)) and bytes.fromhex(name) not in self._ciphers:
                return name
        return ""


def key_id(stored: bytes) -> str:
    """The id of the key that this is encrypted under; empty for what is in clear."""
    return stored[len(MARK) : HEADER_BYTES].hex() if stored.startswith(MARK) else ""


def aes(key: bytes) -> AESCipher:
    """The library's cipher with a key: AES in Galois/Counter Mode, each time with another nonce."""
    environment: Any = {AESCipher.CIPHER_KEY: b64encode(key).decode()}
    return AESCipher(environment)


def _id(key: bytes) -> bytes:
    return sha256(b"emeth cipher key " + key).digest()[:ID_BYTES]


def _content(path: str) -> str:
    try:
        return Path(path).read_text() if path else ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadKeyError(f"{SETTING}_FILE: {path} cannot be read: {error}") from None


NO_KEYS: Final = CipherKeys({})
