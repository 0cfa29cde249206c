"""What a parser is to the tests that fuzz it."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Parser(NamedTuple):
    """What reads some bytes, what is right for it, and what it may raise."""

    read: Callable[[bytes], Any]
    samples: tuple[bytes, ...]
    raises: tuple[type[Exception], ...] = ()
