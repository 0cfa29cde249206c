"""How many examples a law is tried on: few at every change, many in the soak."""

from typing import Any

from hypothesis import settings

EXAMPLES_FACTOR = 1
"""How many times as many as in the suite: what `--often` says."""


def example_settings(examples: int, **others: Any) -> settings:
    """So many examples in the suite, and so many times more as the soak wants. The others are
    settings of Hypothesis."""
    return settings(max_examples=examples * EXAMPLES_FACTOR, **others)
