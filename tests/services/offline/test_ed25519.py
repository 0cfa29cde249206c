"""The Ed25519 of a page signs and believes what the library of the service does: nothing else."""

from random import Random

import pytest

from services.offline import ed25519 as page
from services.proof import ed25519 as service

ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the curve's base point."""


def test_both_make_the_same_keys_and_signatures() -> None:
    random = Random(1)
    for length in (0, 1, 32, 1000):
        secret, text = random.randbytes(32), random.randbytes(length)
        here, there = service.SecretKey(secret), page.SecretKey(secret)
        assert there.public == here.public
        assert there.sign(text) == here.sign(text)
        assert page.PublicKey(here.public).holds(here.sign(text), text)


def test_both_refuse_what_was_changed() -> None:
    random = Random(2)
    secret = service.SecretKey(random.randbytes(32))
    text = b"emeth receipt\n"
    signature = secret.sign(text)
    for _ in range(40):
        raw = bytearray(secret.public + signature + text)
        raw[random.randrange(len(raw))] ^= 1 << random.randrange(8)
        key, signed, said = bytes(raw[:32]), bytes(raw[32:96]), bytes(raw[96:])
        assert not service.PublicKey(key).holds(signed, said)
        assert not page.PublicKey(key).holds(signed, said)


def test_both_refuse_another_spelling_of_a_signature() -> None:
    secret = service.SecretKey(bytes(range(32)))
    signature = secret.sign(b"text")
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    other = signature[:32] + scalar.to_bytes(32, "little")
    for kind in (service, page):
        assert not kind.PublicKey(secret.public).holds(other, b"text")


@pytest.mark.parametrize("length", [0, 63, 65])
def test_both_refuse_a_signature_of_another_length(length: int) -> None:
    public = service.SecretKey(bytes(32)).public
    for kind in (service, page):
        assert not kind.PublicKey(public).holds(bytes(length), b"text")
