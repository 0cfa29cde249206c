"""Verifiable draws: each follows from a committed seed, by the scheme in `docs/chance.md`.

Nothing here is random. The service draws with a secret seed; when the seed is revealed, anybody
can repeat the draws and compare.
"""

import hmac
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID

RandomBelow = Callable[[int], int]
"""Returns a uniformly distributed integer from 0 to below a bound of at least 1."""

SCHEME: Final = b"emeth draw 1"
RANGE: Final = 1 << 256


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed, published before the seed is used: its SHA-256, in hex."""
    return sha256(seed).hexdigest()


def draws(seed: bytes, match: UUID, number: int, entropy: Sequence[str]) -> RandomBelow:
    """Return the source of draws for one chance entry.

    Args:
        seed: The match's secret seed.
        match: The match's id.
        number: The number of the chance entry in the match, counted from 1.
        entropy: The texts that players contributed, in the order of their contributions.
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
            # Rejection sampling: the incomplete last interval would favor low numbers.
            if value < RANGE - RANGE % bound:
                return value % bound

    return below
