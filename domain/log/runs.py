"""The run of the service that seeds are derived for."""

from msgspec import Struct


class Run(Struct, frozen=True):
    """One run of the service, from start to stop. Replicas that share a log share the run."""

    number: int
    """The number of the run in its log, counted from 1."""
    entropy: str
    """64 hexadecimal digits, drawn at the start, that enter all seeds drawn during the run."""
    secret: str
    """The digest of the secret that all seeds are derived from. It reveals a change of the
    secret."""
