"""Logs: `structlog` events with stable names, JSON unless a person watches.

Never a token, and nothing that any player may not see.
"""

import logging
import sys

import structlog


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
            structlog.contextvars.merge_contextvars,
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
