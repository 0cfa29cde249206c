"""Encryption at rest: the cipher keys, and the format of encrypted data.

Encrypted data begins with a mark and the id of its key, in clear. A log can therefore start to be
encrypted, or change its key, at any event. Data without the mark is not encrypted. The digests of
events cover the plaintext, so encryption does not change them.
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
"""The first bytes of encrypted data, with which no plaintext begins."""
ID_BYTES: Final = 8
HEADER_BYTES: Final = len(MARK) + ID_BYTES
CLEAR: Final = "clear"
"""Value in place of the first key: new data is stored unencrypted."""
VARIABLE: Final = "CIPHER_KEYS"
"""The variable of the keys in the library's environments; `SETTING` is the service's."""
SETTING: Final = "EMETH_CIPHER_KEYS"
MAX_KEYS: Final = 100
"""Maximum number of keys."""


class KeyMissing(ValueError):  # noqa: N818  not damage, so not named an error
    """Data is encrypted under a key that is not configured."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"it is encrypted under the key {key}, which {SETTING} does not have")


class CipherKeys(Cipher):
    """A cipher for the `eventsourcing` library with key rotation. Thread-safe.

    It encrypts with the first key and decrypts with any. Without keys it changes nothing.

    >>> key = sha256(b"an example").hexdigest()
    >>> cipher, plain = CipherKeys({VARIABLE: key}), CipherKeys({VARIABLE: f"{CLEAR} {key}"})
    >>> stored = cipher.encrypt(b"taken")
    >>> cipher.decrypt(stored), plain.decrypt(stored), plain.encrypt(b"taken")
    (b'taken', b'taken', b'taken')
    >>> key_id(stored) == cipher.current == CipherKeys({}).missing([b"clear", stored])
    True
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Read the keys from an environment.

        `CIPHER_KEYS` contains the keys, or `CIPHER_KEYS_FILE` names a file of them: 64 hexadecimal
        digits each, separated by whitespace.

        Raises:
            BadKeyError: A key is invalid or guessable.
        """
        text = environment.get(VARIABLE) or _content(environment.get(f"{VARIABLE}_FILE") or "")
        words = text.split()
        self._ciphers: dict[bytes, AESCipher] = {}
        self._first = b""
        if len(words) > MAX_KEYS:
            raise BadKeyError(f"{SETTING} has {len(words)} keys, more than the {MAX_KEYS} allowed")
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
        """Return whether there is any key."""
        return bool(self._ciphers)

    @property
    def encrypts(self) -> bool:
        """Return whether new data is encrypted."""
        return bool(self._first)

    @property
    def current(self) -> str:
        """Return the id of the key for new data; empty if it is not encrypted."""
        return self._first.hex()

    def encrypt(self, plaintext: bytes) -> bytes:
        """Return plaintext in its stored form."""
        if not self._first:
            return plaintext
        return MARK + self._first + self._ciphers[self._first].encrypt(plaintext)

    def decrypt(self, ciphertext: bytes) -> bytes:
        """Return the plaintext of stored data.

        Raises:
            KeyMissing: The key is not configured.
            ValueError: The data was changed.
        """
        if not ciphertext.startswith(MARK):
            return ciphertext
        cipher = self._ciphers.get(name := ciphertext[len(MARK) : HEADER_BYTES])
        if cipher is None:
            raise KeyMissing(name.hex())
        return cipher.decrypt(ciphertext[HEADER_BYTES:])

    def is_current(self, stored: bytes) -> bool:
        """Return whether data is stored in the form that new data would have."""
        return key_id(stored) == self.current

    def restored(self, stored: bytes) -> bytes:
        """Return stored data re-encrypted under the current key. Raises as `decrypt`."""
        return stored if self.is_current(stored) else self.encrypt(self.decrypt(stored))

    def missing(self, stored: Iterable[bytes]) -> str:
        """Return the id of a key that some data needs and that is missing; else empty."""
        for each in stored:
            if (name := key_id(each)) and bytes.fromhex(name) not in self._ciphers:
                return name
        return ""


def key_id(stored: bytes) -> str:
    """Return the id of the key of stored data; empty if it is not encrypted."""
    return stored[len(MARK) : HEADER_BYTES].hex() if stored.startswith(MARK) else ""


def aes(key: bytes) -> AESCipher:
    """Return the library's cipher for a key: AES-GCM with a new nonce for each message."""
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
