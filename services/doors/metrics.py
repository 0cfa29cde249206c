"""What the service tells of itself to Prometheus. docs/operations.md explains each name."""

from collections.abc import Iterator, Mapping
from hmac import compare_digest
from ipaddress import ip_address
from math import isinf
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from services.tallies import DeviceTallies, Sources, Spread, WriterStats

CLOSED: Final = (
    "Metrics are for this machine, without a proxy, and for the bearer of the admin key.\n"
)
_PROXIED: Final = ("forwarded", "via", "x-real-ip", "x-envoy-external-address")
"""Headers that a proxy adds, beside all that begin with `x-forwarded-`."""
CONTENT: Final = "text/plain; version=0.0.4; charset=utf-8"


def may_read(host: str, headers: Mapping[str, str], admin_key: str) -> bool:
    """Return whether a caller may read the metrics.

    A caller may if it shows the admin key as bearer token, or calls from this machine itself.
    `host` is the address that connected. A proxy on this machine speaks for others: it is known by
    the headers that it adds.
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
    except ValueError:  # of no network, as a socket file's
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def page(sources: Sources) -> bytes:
    """All of it, as Prometheus reads it."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(sources))
    return generate_latest(registry)


class _Collector:
    """Collects it when it is asked for."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def collect(self) -> Iterator[Metric]:
        yield from self._gauges()
        tallies = self._sources.tallies
        calls = CounterMetricFamily(
            "emeth_calls", "Calls that ended.", labels=("rpc", "door", "reason")
        )
        for labels, count in sorted(tallies.calls.items()):
            calls.add_metric(labels, count)
        yield calls
        took = HistogramMetricFamily("emeth_call_seconds", "How long calls took.", labels=("rpc",))
        for rpc, spread in sorted(tallies.took.items()):
            took.add_metric((rpc,), _buckets(spread), spread.sum)
        yield took
        yield from self._devices(self._sources.devices)
        yield from self._writing(self._sources.writer())

    def _devices(self, devices: DeviceTallies) -> Iterator[Metric]:
        messages = CounterMetricFamily(
            "emeth_device_messages", "Messages of gateways.", labels=("kind", "outcome")
        )
        for labels, count in sorted(devices.messages.items()):
            messages.add_metric(labels, count)
        yield messages
        about = "How full batteries were that were told of."
        yield _histogram("emeth_device_battery_percent", about, devices.batteries)

    def _writing(self, stats: WriterStats) -> Iterator[Metric]:
        events = CounterMetricFamily("emeth_events", "Events recorded.", labels=("topic",))
        for topic, count in sorted(stats.events.copy().items()):
            events.add_metric((topic,), count)
        yield events
        yield _histogram("emeth_commit_seconds", "How long commits to disk took.", stats.seconds)
        yield _histogram("emeth_commit_decisions", "Decisions in a commit.", stats.sizes)

    def _gauges(self) -> Iterator[GaugeMetricFamily]:
        """A gauge for each figure, as `emeth_matches_live`."""
        for name, value in self._sources.figures().items():
            words = name.replace(".", " ").replace("_", " ")
            yield GaugeMetricFamily(f"emeth_{name.replace('.', '_')}", f"{words}.", value=value)


def _histogram(name: str, about: str, spread: Spread) -> HistogramMetricFamily:
    found = HistogramMetricFamily(name, about)
    found.add_metric((), _buckets(spread), spread.sum)
    return found


def _buckets(spread: Spread) -> list[tuple[str, float]]:
    return [("+Inf" if isinf(bound) else str(bound), count) for bound, count in spread.counts()]
