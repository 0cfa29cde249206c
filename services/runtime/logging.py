"""Structured logging: `structlog` events with stable names, as JSON unless a terminal is attached.

Logs never contain tokens, or anything that a player may not see.
"""

import logging
import sys
from contextvars import ContextVar
from typing import Final, NamedTuple

import structlog


class CallContext(NamedTuple):
    """The fields that are added to every log event of a call."""

    call: str
    """ID of the call."""
    rpc: str
    transport: str


CURRENT_CALL: Final[ContextVar[CallContext | None]] = ContextVar("call", default=None)
"""The call that this task handles. One variable costs a third of structlog's one for each field."""


def add_call(
    logger: structlog.types.WrappedLogger, method: str, event: structlog.types.EventDict
) -> structlog.types.EventDict:
    """Add the fields of the current call to a log event, unless it has them."""
    del logger, method
    if (named := CURRENT_CALL.get()) is not None:
        for key, value in named._asdict().items():
            event.setdefault(key, value)
    return event


def configure(level: str) -> None:
    """Log to standard error, from this level on."""
    terminal = sys.stderr.isatty()
    renderer = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if terminal
        else structlog.processors.JSONRenderer(sort_keys=True)
    )
    # Tracebacks omit local variables, which may include a token or a hand of cards.
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
