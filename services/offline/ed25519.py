"""Ed25519 in Python alone, by `ecdsa`: what stands in for `services.proof.ed25519` in a page.

The browser's own Ed25519 answers later, and where keys and notes are checked nobody waits. It also
is not in every browser. Nor is this one hurried: a file has a few signatures.
"""

from ecdsa import Ed25519, SigningKey, VerifyingKey
from ecdsa.errors import MalformedPointError
from ecdsa.keys import BadSignatureError


class PublicKey:
    """A key that checks signatures."""

    def __init__(self, raw: bytes) -> None:
        """`raw` has 32 bytes."""
        self._raw = raw

    def holds(self, signature: bytes, text: bytes) -> bool:
        """Is this the key's signature of the text?"""
        # Only here, since a key that is no point of the curve is no key of anything, but is read.
        try:
            key = VerifyingKey.from_string(self._raw, curve=Ed25519)
            return bool(key.verify(signature, text))
        except (BadSignatureError, MalformedPointError):
            return False


class SecretKey:
    """A key that signs."""

    def __init__(self, raw: bytes) -> None:
        """`raw` has 32 bytes."""
        self._key = SigningKey.from_string(raw, curve=Ed25519)
        self.public: bytes = self._key.verifying_key.to_string()

    def sign(self, text: bytes) -> bytes:
        """The signature of a text, of 64 bytes."""
        signature: bytes = self._key.sign(text)
        return signature
