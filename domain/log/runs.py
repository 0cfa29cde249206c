"""Runs: what the service said of itself when it started, before it drew anything."""

from msgspec import Struct


class Run(Struct, frozen=True):
    """The service from one start to the next. Where several share a log, they share a run."""

    number: int
    """Counted from 1 in each log."""
    entropy: str
    """64 hexadecimal digits, drawn at the start: the seeds of later draws come from them too."""
    secret: str
    """The digest of the secret that all seeds come from: so that another one shows."""
