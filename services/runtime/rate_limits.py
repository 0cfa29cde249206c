"""Token buckets: how often something may be done, and how long to wait where that was too often.

A bucket holds so many, fills steadily, and each deed takes some. It is kept as one number, the
moment when it is full again, so that a full bucket need not be kept at all
([why](../docs/decisions/0058-limits-are-buckets-of-our-own.md)).
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

from msgspec import Struct

K = TypeVar("K", bound=Hashable)

MAX_BUCKETS: Final = 100_000
"""Buckets that are kept; of more, the one that was used least lately is forgotten."""
TimeSource = Callable[[], float]


class RateLimit(Struct, frozen=True):
    """How much may be done."""

    per_second: float
    """For long; 0 for any number."""
    burst: float
    """At once, by who has done nothing for a while."""


class TokenBuckets(Generic[K]):
    """A bucket for each key.

    >>> now = 100.0
    >>> calls = Buckets[str](clock=lambda: now)
    >>> rate = Rate(per_second=2, burst=3)
    >>> [calls.take("ada", rate) for _ in range(4)], calls.take("bob", rate)
    ([0.0, 0.0, 0.0, 0.5], 0.0)
    >>> now = 100.5
    >>> calls.take("ada", rate), calls.take("ada", rate)
    (0.0, 0.5)
    """

    def __init__(self, *, most: int = MAX_BUCKETS, clock: TimeSource = time.monotonic) -> None:
        self._clock = clock
        self._most = most
        self._full_at: OrderedDict[K, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: K, rate: RateLimit, cost: float = 1.0, longest: float = 0.0) -> float:
        """Take `cost` out of a bucket; the seconds to wait first, 0 if there is enough.

        What is waited for is taken already, so that who comes later waits longer. Where the wait
        is more than `longest`, nothing is taken.
        """
        if not rate.per_second:
            return 0.0
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + cost / rate.per_second
        wait = full_at - now - rate.burst / rate.per_second
        if wait <= longest:
            self._full_at[key] = full_at
            self._full_at.move_to_end(key)
            if len(self._full_at) > self._most:
                self._full_at.popitem(last=False)
        return max(0.0, wait)

    def charge(self, key: K, rate: RateLimit, cost: float) -> None:
        """Take out what was done already, be there enough or not: who comes next waits for it."""
        self.take(key, rate, cost, longest=math.inf)

    def give_back(self, key: K, rate: RateLimit, cost: float = 1.0) -> None:
        """Put back what was taken for nothing."""
        if rate.per_second and key in self._full_at:
            self._full_at[key] -= cost / rate.per_second
