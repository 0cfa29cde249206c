"""The metrics of the service for Prometheus. docs/operations.md explains each name.

Names follow Prometheus's rules: counters end in `_total`, and units are seconds, bytes and ratios.
"""

import platform
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hmac import compare_digest
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from math import isinf
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)

from services.runtime.metrics import DeviceMetrics, Histogram, MetricSources, WriterStats

ACCESS_DENIED: Final = (
    "Metrics are for this machine, without a proxy, and for the bearer of the admin key.\n"
)
_PROXIED: Final = ("forwarded", "via", "x-real-ip", "x-envoy-external-address")
"""Headers that a proxy adds, besides those that begin with `x-forwarded-`."""
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


def can_read(host: str, headers: Mapping[str, str], admin_key: str) -> bool:
    """Return whether a caller may read the metrics.

    A caller may if it sends the admin key as bearer token, or calls from this machine without a
    proxy. A proxy is recognized by the headers that it adds.

    Args:
        host: Address that connected.
        headers: Headers of the request, with names in lower case.
        admin_key: The admin key.
    """
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if token:
        shown, due = token.strip().encode(), admin_key.encode()
        return scheme.lower() == "bearer" and compare_digest(shown, due)
    proxied = any(name in _PROXIED or name.startswith("x-forwarded-") for name in headers)
    return not proxied and _is_loopback(host)


def _is_loopback(host: str) -> bool:
    try:
        address = ip_address(host)
    except ValueError:  # the address of a Unix socket
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


GAUGES: Final = {
    "log.waiting": ("emeth_log_waiting", "Decisions that wait for the writer."),
    "log.largest_batch": ("emeth_commit_decisions_max", "Most decisions in one commit."),
    "matches.live": ("emeth_matches_live", "Matches in memory."),
    "clocks.running": ("emeth_clocks_running", "Matches in which a clock runs."),
    "tables.live": ("emeth_tables_live", "Tables in memory."),
    "gateways": ("emeth_gateways", "Gateways that are connected."),
    "sessions": ("emeth_sessions", "Sessions that are open."),
    "reads.position": ("emeth_reads_position", "Events that the read models have."),
    "reads.behind": ("emeth_reads_behind", "Events that the read models do not have yet."),
    "reads.troubles": ("emeth_reads_troubles", "Matches with an event that cannot be read."),
    "watchers": ("emeth_watchers", "Calls that wait for a match to move on."),
    "bots.seats": ("emeth_bots_seats", "Seats that bots hold."),
}
"""Gauges, with names and descriptions, by the name of the service's figure. Other figures are in
the histograms of commits."""

POOL_STATES: Final = {"idle": "pool_available", "waiting": "requests_waiting"}
"""Gauges of idle database connections and waiting requests, by state, with psycopg_pool's names."""
POOL_COUNTERS: Final = {
    "emeth_database_connections": ("connections_num", "Connections that were attempted."),
    "emeth_database_connection_errors": ("connections_errors", "Attempts to connect that failed."),
    "emeth_database_connections_lost": ("connections_lost", "Connections that broke."),
    "emeth_database_pool_requests": ("requests_num", "Connections that were asked for."),
    "emeth_database_pool_errors": ("requests_errors", "Requests that got no connection in time."),
}


def metrics_page(sources: MetricSources) -> bytes:
    """Return all metrics in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(_Collector(sources))
    return generate_latest(registry)


class _Collector:
    """Collects the service's own metrics for each scrape."""

    def __init__(self, sources: MetricSources) -> None:
        self._sources = sources

    def collect(self) -> Iterator[Metric]:
        build = {"version": _version(), "python": platform.python_version()}
        yield InfoMetricFamily("emeth_build", "Version of the service.", build)
        figures = self._sources.figures()
        for figure, (name, about) in GAUGES.items():
            yield GaugeMetricFamily(name, about, value=figures[figure])
        yield from self._calls()
        yield from self._devices(self._sources.devices)
        yield from self._writing(self._sources.writer())
        yield from self._availability()
        yield from self._pool(self._sources.pool())
        yield from self._disks()

    def _calls(self) -> Iterator[Metric]:
        metrics = self._sources.metrics
        calls = CounterMetricFamily(
            "emeth_calls", "Calls that ended.", labels=("rpc", "transport", "reason")
        )
        for labels, count in sorted(metrics.calls.items()):
            calls.add_metric(labels, count)
        yield calls
        for name, about, spreads in (
            ("emeth_call_duration_seconds", "How long calls took.", metrics.seconds),
            ("emeth_stream_duration_seconds", "How long streams were open.", metrics.streams),
        ):
            took = HistogramMetricFamily(name, about, labels=("rpc",))
            for rpc, spread in sorted(spreads.items()):
                took.add_metric((rpc,), _buckets(spread), spread.sum)
            yield took
        streams = GaugeMetricFamily("emeth_streams", "Streams that are open.", labels=("rpc",))
        for rpc in sorted(metrics.streams.keys() | +metrics.open_streams):
            streams.add_metric((rpc,), metrics.open_streams[rpc])
        yield streams

    def _devices(self, devices: DeviceMetrics) -> Iterator[Metric]:
        messages = CounterMetricFamily(
            "emeth_device_messages", "Messages of gateways.", labels=("kind", "outcome")
        )
        for labels, count in sorted(devices.messages.items()):
            messages.add_metric(labels, count)
        yield messages
        about = "How full batteries were, whenever a stylus reported it."
        yield _histogram("emeth_device_battery_ratio", about, devices.batteries, 100)

    def _writing(self, stats: WriterStats) -> Iterator[Metric]:
        events = CounterMetricFamily("emeth_events", "Events recorded.", labels=("topic",))
        for topic, count in sorted(stats.events.copy().items()):
            events.add_metric((topic,), count)
        yield events
        failures = CounterMetricFamily(
            "emeth_commit_failures", "Commits that failed.", labels=("code",)
        )
        for code, count in sorted(stats.failures.copy().items()):
            failures.add_metric((code,), count)
        yield failures
        about = "How long commits to disk took."
        yield _histogram("emeth_commit_duration_seconds", about, stats.seconds)
        yield _histogram("emeth_commit_decisions", "Decisions in a commit.", stats.sizes)

    def _availability(self) -> Iterator[Metric]:
        now = self._sources.availability()
        about = "Whether the service can do what its role is for."
        yield GaugeMetricFamily("emeth_ready", about, value=now.ready)
        about = "Whether events can be recorded."
        yield GaugeMetricFamily("emeth_log_writable", about, value=now.can_write)
        if now.can_read is not None:
            about = "Whether the read models are complete."
            yield GaugeMetricFamily("emeth_reads_complete", about, value=now.can_read)
        about = "How long the commit or probe under way has waited for the database or disk."
        yield GaugeMetricFamily("emeth_log_wait_seconds", about, value=now.waiting_seconds)

    def _pool(self, pool: Mapping[str, int]) -> Iterator[Metric]:
        if not pool:
            return
        about = "Connections of the pool that are idle or in use, and requests that wait for one."
        states = GaugeMetricFamily("emeth_database_pool", about, labels=("state",))
        for state, name in POOL_STATES.items():
            states.add_metric((state,), pool.get(name, 0))
        states.add_metric(("used",), pool.get("pool_size", 0) - pool.get("pool_available", 0))
        yield states
        for metric, (name, about) in POOL_COUNTERS.items():
            yield CounterMetricFamily(metric, about, value=pool.get(name, 0))

    def _disks(self) -> Iterator[Metric]:
        free = GaugeMetricFamily("emeth_disk_free_bytes", "Free on the disk.", labels=("folder",))
        size = GaugeMetricFamily("emeth_disk_size_bytes", "Size of the disk.", labels=("folder",))
        for name, path in self._sources.folders.items():
            with suppress(OSError):  # the folder is missing or cannot be read
                usage = shutil.disk_usage(path)
                free.add_metric((name,), usage.free)
                size.add_metric((name,), usage.total)
        yield free
        yield size


def _version() -> str:
    """Return the version of the service; `unknown` if it runs from its source."""
    try:
        return version("emeth")
    except PackageNotFoundError:
        return "unknown"


def _histogram(name: str, about: str, spread: Histogram, unit: float = 1) -> HistogramMetricFamily:
    """Return a histogram of values, of which `unit` make one unit of the metric."""
    found = HistogramMetricFamily(name, about)
    found.add_metric((), _buckets(spread, unit), spread.sum / unit)
    return found


def _buckets(spread: Histogram, unit: float = 1) -> list[tuple[str, float]]:
    return [
        ("+Inf" if isinf(bound) else str(bound / unit), count) for bound, count in spread.counts()
    ]
