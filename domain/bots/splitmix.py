"""The pseudorandom generator of bots: reproducible from a seed, so that a search can be repeated.

It is fast and not secure. Dice and shuffles of matches come from `domain.kernel.chance`.
"""

from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from typing import Any, Final, TypeVar

T = TypeVar("T")

_WORD: Final = (1 << 64) - 1


class SplitMix64:
    """SplitMix64 (Steele, Lea, Flood 2014): pseudorandom numbers from a seed of any length."""

    def __init__(self, seed: bytes) -> None:
        self._state = int.from_bytes(sha256(seed).digest()[:8], "big")

    def below(self, bound: int) -> int:
        """Return an integer from 0 to below a bound of at least 1."""
        # The bias is bound / 2^64, which is negligible for a search.
        return (self._word() * bound) >> 64

    def share(self) -> float:
        """Return a float from 0 to below 1."""
        return (self._word() >> 11) / (1 << 53)

    def one_of(self, things: Sequence[T]) -> T:
        """Return one element; all are equally likely."""
        return things[self.below(len(things))]

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Shuffle a list in place (Fisher-Yates)."""
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]

    def _word(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        word = self._state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        return word ^ (word >> 31)
