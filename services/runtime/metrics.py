"""What the service counts of itself, for metrics: how often, how much, how long."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

LATENCY_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Bounds for how long something took."""
STREAM_DURATION_BUCKETS: Final = (1.0, 10.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0)
"""Bounds for how long streams lasted: a watched match takes an evening."""
SIZE_BUCKETS: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
"""Bounds for how many there were."""


class Histogram:
    """How often a value was at most each of some bounds, and the sum of all values.

    >>> spread = Spread(SIZES)
    >>> spread.add(3), spread.add(4), spread.add(1000)
    (None, None, None)
    >>> [*spread.counts()][-3:], spread.sum
    ([(256.0, 2), (512.0, 2), (inf, 3)], 1007.0)
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self.sum = 0.0
        self._bounds = bounds
        self._within = [0] * (len(bounds) + 1)

    def add(self, value: float) -> None:
        """Count a value."""
        self.sum += value
        self._within[bisect_left(self._bounds, value)] += 1

    def counts(self) -> Iterator[tuple[float, int]]:
        """How many values were at most each bound, the last of which is infinite."""
        total = 0
        for bound, count in zip((*self._bounds, float("inf")), self._within, strict=True):
            total += count
            yield bound, total


class CallMetrics(Struct, frozen=True):
    """What is counted since the service started."""

    calls: Counter[tuple[str, str, str]]
    """Calls that ended, by rpc, door and reason; `OK` is the reason of those that were answered."""
    took: dict[str, Histogram]
    """How long calls took in seconds, by rpc: those with one answer."""
    streams: dict[str, Histogram]
    """How long streams lasted in seconds, by rpc."""
    open_streams: Counter[str]
    """Streams that are open now, by rpc."""


def empty_call_metrics() -> CallMetrics:
    """Where nothing was counted yet."""
    return CallMetrics(Counter(), {}, {}, Counter())


class DeviceMetrics(Struct, frozen=True):
    """What gateways were heard to say since the service started, and how they were answered."""

    messages: Counter[tuple[str, str]]
    """By kind, as `tap` or `battery`, and by what came of them, as `acted`."""
    batteries: Histogram
    """Percent, whenever a stylus told."""


PERCENT_BUCKETS: Final = (5.0, 10.0, 20.0, 30.0, 50.0, 75.0, 100.0)
"""Bounds for how full a battery is."""


def empty_device_metrics() -> DeviceMetrics:
    """Where nothing was heard yet."""
    return DeviceMetrics(Counter(), Histogram(PERCENT_BUCKETS))


class WriterStats(Struct, frozen=True):
    """What a writer has done since it began."""

    batches: int
    jobs: int
    """Jobs taken from the queue, written or not."""
    largest_batch: int
    waiting: int
    """Jobs in the queue now."""
    last_commit_seconds: float
    seconds: Histogram
    """How long commits took."""
    sizes: Histogram
    """How many jobs were in them."""
    events: Counter[str]
    """Events written, by topic."""
    failures: Counter[str]
    """Commits that failed since the database or disk was at fault, by its code for what happened;
    `unknown` where it has none."""
    running_seconds: float
    """How long the commit that is being written has taken so far; 0 if there is none."""
    fault: str
    """Why the last commit failed; empty if it did not."""


class Availability(Struct, frozen=True):
    """What the service can do at a moment."""

    writes: bool
    """Whether events can be recorded."""
    reads: bool | None
    """Whether the read models are complete; None where none are kept."""
    ready: bool
    """Whether the service can do what its role is for: record events where it plays, answer from
    the read models where it reads."""
    waiting_seconds: float
    """How long the commit or probe under way has waited for the database or disk; 0 if none is."""


class MetricSources(Struct, frozen=True):
    """Where the metrics come from."""

    figures: Callable[[], Mapping[str, int]]
    """The figures of the service by name."""
    metrics: CallMetrics
    devices: DeviceMetrics
    writer: Callable[[], WriterStats]
    availability: Callable[[], Availability]
    pool: Callable[[], Mapping[str, int]]
    """Counts of the pool of database connections, as psycopg_pool names them; none for a file."""
    folders: Mapping[str, Path]
    """The folders whose disks may fill, by what they hold; some may not exist."""
