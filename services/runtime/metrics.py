"""Counters and histograms that the service exports as metrics."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

LATENCY_BUCKETS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Upper bounds of the histogram buckets of durations."""
STREAM_DURATION_BUCKETS: Final = (1.0, 10.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 86_400.0)
"""Upper bounds of the histogram buckets of stream durations: matches are watched for hours."""
SIZE_BUCKETS: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
"""Upper bounds of the histogram buckets of sizes."""


class Histogram:
    """A histogram: cumulative counts for a list of upper bounds, and the sum of all values.

    >>> histogram = Histogram(SIZE_BUCKETS)
    >>> histogram.add(3), histogram.add(4), histogram.add(1000)
    (None, None, None)
    >>> [*histogram.counts()][-3:], histogram.sum
    ([(256.0, 2), (512.0, 2), (inf, 3)], 1007.0)
    """

    def __init__(self, bounds: Sequence[float]) -> None:
        self.sum = 0.0
        self._bounds = bounds
        self._bucket_counts = [0] * (len(bounds) + 1)

    def add(self, value: float) -> None:
        """Count a value in its bucket."""
        self.sum += value
        self._bucket_counts[bisect_left(self._bounds, value)] += 1

    def counts(self) -> Iterator[tuple[float, int]]:
        """Yield each upper bound with the number of values up to it; the last bound is infinite."""
        total = 0
        for bound, count in zip((*self._bounds, float("inf")), self._bucket_counts, strict=True):
            total += count
            yield bound, total


class CallMetrics(Struct, frozen=True):
    """Counts of calls and streams since the service started."""

    calls: Counter[tuple[str, str, str]]
    """Completed calls, by rpc, transport and reason; `OK` is the reason of a successful call."""
    seconds: dict[str, Histogram]
    """Durations of unary calls in seconds, by rpc."""
    streams: dict[str, Histogram]
    """Durations of streams in seconds, by rpc."""
    open_streams: Counter[str]
    """Streams that are open now, by rpc."""


def empty_call_metrics() -> CallMetrics:
    """Return call metrics in which nothing is counted yet."""
    return CallMetrics(Counter(), {}, {}, Counter())


class DeviceMetrics(Struct, frozen=True):
    """Counts of messages from gateways since the service started."""

    messages: Counter[tuple[str, str]]
    """Messages by kind, such as `tap` or `battery`, and by outcome, such as `acted`."""
    batteries: Histogram
    """Battery levels that styluses reported, in percent."""


PERCENT_BUCKETS: Final = (5.0, 10.0, 20.0, 30.0, 50.0, 75.0, 100.0)
"""Upper bounds of the histogram buckets of battery levels."""


def empty_device_metrics() -> DeviceMetrics:
    """Return device metrics in which nothing is counted yet."""
    return DeviceMetrics(Counter(), Histogram(PERCENT_BUCKETS))


class WriterStats(Struct, frozen=True):
    """Counters of a log writer since it started."""

    batches: int
    jobs: int
    """Jobs taken from the queue, whether written or not."""
    largest_batch: int
    waiting: int
    """Jobs in the queue now."""
    last_commit_seconds: float
    seconds: Histogram
    """Durations of commits in seconds."""
    sizes: Histogram
    """Numbers of jobs in commits."""
    events: Counter[str]
    """Number of written events, by topic."""
    failures: Counter[str]
    """Failed commits, by the error code of the database; `unknown` where there is none."""
    running_seconds: float
    """Duration so far of the commit in progress; 0 if there is none."""
    fault: str
    """Reason why the last commit failed; empty if it succeeded."""


class Availability(Struct, frozen=True):
    """What the service can do at a moment."""

    can_write: bool
    """Whether events can be recorded."""
    can_read: bool | None
    """Whether the read models are complete; None if the service keeps none."""
    ready: bool
    """Whether the service can do what its role requires: record events, or answer from the read
    models."""
    waiting_seconds: float
    """How long the commit or probe in progress has waited for the database; 0 if none is."""


class MetricSources(Struct, frozen=True):
    """The sources of the exported metrics."""

    figures: Callable[[], Mapping[str, int]]
    """Gauges of the service, by name."""
    metrics: CallMetrics
    devices: DeviceMetrics
    writer: Callable[[], WriterStats]
    availability: Callable[[], Availability]
    pool: Callable[[], Mapping[str, int]]
    """Statistics of the database connection pool, as psycopg_pool names them; empty for a file."""
    folders: Mapping[str, Path]
    """Folders whose disks may fill, by what they hold; some may not exist."""
