"""Traces by OpenTelemetry, where they are asked for: from the call to the commit to the watcher.

A span for each call, one in it for each commit that it waited for, and one for each event that a
watcher is shown, with a link to the commit that recorded it. Attributes are names of calls, doors
and reasons, and ids of matches: never a token, nor anything that is hidden. Where no traces are
asked for nothing of OpenTelemetry is loaded, and a span costs a comparison.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final
from uuid import UUID

from domain.log.sealed_events import SealedEvent

MAX_COMMITS: Final = 10_000
"""Commits that are remembered for watchers."""
_NOTHING: Final = nullcontext()


class _Tracing:
    """What traces are made with, while they are."""

    def __init__(self, provider: Any) -> None:
        from opentelemetry import context, trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self.provider = provider
        self.tracer = provider.get_tracer("emeth")
        self.trace, self.context = trace, context
        self.propagator = TraceContextTextMapPropagator()
        self.commits: OrderedDict[tuple[UUID, int], Any] = OrderedDict()


_tracing: _Tracing | None = None


class TracesUnavailable(Exception):  # noqa: N818  it says what is so
    """The packages that traces need are not installed."""


def start_tracing(to: str) -> Callable[[], None]:
    """Begin to trace, to standard error (`console`) or to a collector (`otlp`), which variables of
    OpenTelemetry name. What ends it. TracesUnavailable without its packages."""
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        provider = TracerProvider(resource=Resource.create({"service.name": "emeth"}))
        provider.add_span_processor(BatchSpanProcessor(_exporter(to)))
    except ImportError as error:
        raise TracesUnavailable(
            f"traces need packages that are not here ({error.name}): install emeth[traces]"
        ) from None
    return trace_with(provider)


def trace_with(provider: Any) -> Callable[[], None]:
    """Trace by a provider of one's own; what ends it."""
    global _tracing
    _tracing = _Tracing(provider)
    return stop_tracing


def stop_tracing() -> None:
    """Send what is still to be sent, and trace no more."""
    global _tracing
    if _tracing is not None:
        _tracing.provider.shutdown()
        _tracing = None


def start_span(rpc: str, parent: str = "") -> Callable[[str], None]:
    """A call begins in this task; `parent` is what came as `traceparent`. What ends its span, with
    the reason of its error, empty without one."""
    if (tracing := _tracing) is None:
        return _end_nothing
    above = tracing.propagator.extract({"traceparent": parent}) if parent else None
    span = tracing.tracer.start_span(rpc, context=above, kind=tracing.trace.SpanKind.SERVER)
    # Never detached: each call has a task of its own, or comes before the next one in it.
    tracing.context.attach(tracing.trace.set_span_in_context(span, above))

    def end(reason: str) -> None:
        if reason:
            span.set_attribute("emeth.reason", reason)
            span.set_status(tracing.trace.StatusCode.ERROR)
        span.end()

    return end


def commit_span(events: Sequence[SealedEvent[Any]]) -> AbstractContextManager[Any]:
    """While events are being written."""
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
    """A watcher is shown an event."""
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
    """Of a call that is not traced."""
