"""Token buckets: how often something may be done, and how long to wait otherwise.

A bucket holds a number of tokens, refills steadily, and each use takes some. It is stored as one
number, the time at which it is full again, so that full buckets need not be stored
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
"""Maximum number of stored buckets; beyond it the least recently used is dropped."""
TimeSource = Callable[[], float]


class RateLimit(Struct, frozen=True):
    """The rate and the capacity of a token bucket."""

    per_second: float
    """Tokens added per second; 0 for no limit."""
    burst: float
    """Capacity: what an idle caller may use at once."""


class TokenBuckets(Generic[K]):
    """Token buckets by key.

    >>> now = 100.0
    >>> calls = TokenBuckets[str](clock=lambda: now)
    >>> rate = RateLimit(per_second=2, burst=3)
    >>> [calls.take("ada", rate) for _ in range(4)], calls.take("bob", rate)
    ([0.0, 0.0, 0.0, 0.5], 0.0)
    >>> now = 100.5
    >>> calls.take("ada", rate), calls.take("ada", rate)
    (0.0, 0.5)
    """

    def __init__(
        self, *, max_buckets: int = MAX_BUCKETS, clock: TimeSource = time.monotonic
    ) -> None:
        self._clock = clock
        self._max_buckets = max_buckets
        self._full_at: OrderedDict[K, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: K, rate: RateLimit, cost: float = 1.0, longest: float = 0.0) -> float:
        """Take tokens from a bucket and return the seconds to wait first; 0 if there are enough.

        Tokens that are waited for are taken already, so later callers wait longer. If the wait
        exceeds `longest` seconds, nothing is taken.
        """
        if not rate.per_second:
            return 0.0
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + cost / rate.per_second
        wait = full_at - now - rate.burst / rate.per_second
        if wait <= longest:
            self._full_at[key] = full_at
            self._full_at.move_to_end(key)
            if len(self._full_at) > self._max_buckets:
                self._full_at.popitem(last=False)
        return max(0.0, wait)

    def charge(self, key: K, rate: RateLimit, cost: float) -> None:
        """Take the cost of work that is done already, even if that overdraws the bucket."""
        self.take(key, rate, cost, longest=math.inf)

    def give_back(self, key: K, rate: RateLimit, cost: float = 1.0) -> None:
        """Return tokens that were taken for work that was not done."""
        if rate.per_second and key in self._full_at:
            self._full_at[key] -= cost / rate.per_second
