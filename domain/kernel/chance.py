"""Draws that anyone can check: each follows from a committed seed, by a scheme in `docs/chance.md`.

Nothing here is random. Whoever holds the seed makes the draws; whoever is shown it afterwards
makes them again, and compares.
"""

import hmac
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID

RandomBelow = Callable[[int], int]
"""Draws a whole number from 0 to below a bound of at least 1, each equally likely."""

SCHEME: Final = b"emeth draw 1"
RANGE: Final = 1 << 256


def commitment(seed: bytes) -> str:
    """The digest by which a seed is promised before it is used: SHA-256, hexadecimal."""
    return sha256(seed).hexdigest()


def draws(seed: bytes, match: UUID, number: int, entropy: Sequence[str]) -> RandomBelow:
    """The draws for one entry of chance: the `number`-th of its match, counted from 1.

    `entropy` is what the players added, in the order in which they did.
    """
    message = [SCHEME, str(match).encode(), str(number).encode(), *map(str.encode, entropy)]
    key = hmac.digest(seed, b"".join(b"%d:%b" % (len(part), part) for part in message), sha256)
    block = 0

    def below(bound: int) -> int:
        nonlocal block
        assert 1 <= bound <= RANGE
        while True:
            drawn = hmac.digest(key, block.to_bytes(8, "big"), sha256)
            block += 1
            value = int.from_bytes(drawn, "big")
            # The last, incomplete stretch of the range is left out: it would favour low numbers.
            if value < RANGE - RANGE % bound:
                return value % bound

    return below
