"""Logs: `structlog` events with stable names, JSON unless a person watches.

Never a token, and nothing that any player may not see.
"""

import logging
import sys
from contextvars import ContextVar
from typing import Final, NamedTuple

import structlog


class CallContext(NamedTuple):
    """What all that a call logs says of it."""

    call: str
    """Its name."""
    rpc: str
    door: str


CURRENT_CALL: Final[ContextVar[CallContext | None]] = ContextVar("call", default=None)
"""The call of this task: one variable, which costs a call a third of structlog's one for each."""


def add_call(
    logger: structlog.types.WrappedLogger, method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    """Says of which call an event is; what the event itself says comes first."""
    del logger, method
    if (named := CURRENT_CALL.get()) is not None:
        for key, value in named._asdict().items():
            event.setdefault(key, value)
    return event


def configure(level: str) -> None:
    """Log to standard error from this level on."""
    terminal = sys.stderr.isatty()
    renderer = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if terminal
        else structlog.processors.JSONRenderer(sort_keys=True)
    )
    # Traces never show local variables: a token or a hand of cards may be among them.
    transformer = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
    trace = [] if terminal else [structlog.processors.ExceptionRenderer(transformer)]
    structlog.configure(
        processors=[
            add_call,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *trace,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
