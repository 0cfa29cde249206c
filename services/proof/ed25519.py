"""Ed25519, by `cryptography`.

In a page that has the whole service in it there is no such library: `services.offline.ed25519` has
the same names, and stands in for this module there.
"""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey


class PublicKey:
    """A key that checks signatures."""

    def __init__(self, raw: bytes) -> None:
        """`raw` has 32 bytes."""
        self._key = Ed25519PublicKey.from_public_bytes(raw)

    def holds(self, signature: bytes, text: bytes) -> bool:
        """Is this the key's signature of the text?"""
        try:
            self._key.verify(signature, text)
        except InvalidSignature:
            return False
        return True


class SecretKey:
    """A key that signs."""

    def __init__(self, raw: bytes) -> None:
        """`raw` has 32 bytes."""
        self._key = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = self._key.public_key().public_bytes_raw()

    def sign(self, text: bytes) -> bytes:
        """The signature of a text, of 64 bytes."""
        return self._key.sign(text)
