"""OpenTelemetry traces, if enabled: from the call to the commit to the watcher.

Each call has a span, with a child span for each commit that it waited for. Each event shown to a
watcher has a span that links to the commit. Attributes are names of calls, transports and reasons,
and match IDs: never tokens or hidden information. If tracing is disabled, OpenTelemetry is not
loaded, and a span costs one comparison.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final
from uuid import UUID

from domain.log.sealed_events import SealedEvent

MAX_COMMITS: Final = 10_000
"""Maximum number of commits that are remembered for links."""
_NOTHING: Final = nullcontext()


class _Tracing:
    """The OpenTelemetry objects in use while tracing is enabled."""

    def __init__(self, provider: Any) -> None:
        from opentelemetry import context, trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self.provider = provider
        self.tracer = provider.get_tracer("emeth")
        self.trace, self.context = trace, context
        self.propagator = TraceContextTextMapPropagator()
        self.commits: OrderedDict[tuple[UUID, int], Any] = OrderedDict()


_tracing: _Tracing | None = None


class TracesUnavailable(Exception):  # noqa: N818  named after the state, like the store's errors
    """The packages that tracing needs are not installed."""


def start_tracing(to: str) -> Callable[[], None]:
    """Start tracing and return the function that stops it.

    Args:
        to: `console` for standard error, or `otlp` for a collector, which OpenTelemetry's own
            variables
            name.

    Raises:
        TracesUnavailable: The packages are not installed.
    """
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        provider = TracerProvider(resource=Resource.create({"service.name": "emeth"}))
        provider.add_span_processor(BatchSpanProcessor(_exporter(to)))
    except ImportError as error:
        raise TracesUnavailable(
            f"tracing needs packages that are not installed ({error.name}): install emeth[traces]"
        ) from None
    return trace_with(provider)


def trace_with(provider: Any) -> Callable[[], None]:
    """Start tracing with a given provider and return the function that stops it."""
    global _tracing
    _tracing = _Tracing(provider)
    return stop_tracing


def stop_tracing() -> None:
    """Stop tracing, after pending spans are exported."""
    global _tracing
    if _tracing is not None:
        _tracing.provider.shutdown()
        _tracing = None


def start_span(rpc: str, parent: str = "") -> Callable[[str], None]:
    """Start the span of a call in this task and return the function that ends it.

    That function takes the reason of the call's error, or an empty string. `parent` is the received
    `traceparent` header.
    """
    if (tracing := _tracing) is None:
        return _end_nothing
    above = tracing.propagator.extract({"traceparent": parent}) if parent else None
    span = tracing.tracer.start_span(rpc, context=above, kind=tracing.trace.SpanKind.SERVER)
    # Never detached: each call has its own task, or precedes the next call in it.
    tracing.context.attach(tracing.trace.set_span_in_context(span, above))

    def end(reason: str) -> None:
        if reason:
            span.set_attribute("emeth.reason", reason)
            span.set_status(tracing.trace.StatusCode.ERROR)
        span.end()

    return end


def commit_span(events: Sequence[SealedEvent[Any]]) -> AbstractContextManager[Any]:
    """Return a context that records a span while events are written."""
    return _NOTHING if _tracing is None else _commit(_tracing, events)


@contextmanager
def _commit(tracing: _Tracing, events: Sequence[SealedEvent[Any]]) -> Iterator[None]:
    with tracing.tracer.start_as_current_span("commit") as span:
        span.set_attribute("emeth.events", len(events))
        yield
    for each in events:
        tracing.commits[each.originator_id, each.event.version] = span.get_span_context()
        if len(tracing.commits) > MAX_COMMITS:
            tracing.commits.popitem(last=False)


def record_event_shown(match: UUID, version: int) -> None:
    """Record that an event was shown to a watcher."""
    if (tracing := _tracing) is None:
        return
    recorded = tracing.commits.get((match, version))
    links = [tracing.trace.Link(recorded)] if recorded is not None else []
    span = tracing.tracer.start_span("shown", links=links)
    span.set_attributes({"emeth.match": str(match), "emeth.version": version})
    span.end()


def _exporter(to: str) -> Any:
    if to == "console":
        import sys

        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr, formatter=lambda span: span.to_json(None) + "\n")
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    return OTLPSpanExporter()


def _end_nothing(reason: str) -> None:
    """Do nothing: the call is not traced."""
