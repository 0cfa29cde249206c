"""Win probabilities from evaluation scores."""

from collections.abc import Mapping
from math import exp


def win_probabilities(scores: Mapping[str, float]) -> dict[str, float]:
    """Return the softmax of the seats' scores: one point more makes a win e times as likely.

    >>> win_probabilities({"white": 1.0, "black": 1.0})
    {'white': 0.5, 'black': 0.5}
    """
    highest = max(scores.values())
    weights = {seat: exp(score - highest) for seat, score in scores.items()}
    total = sum(weights.values())
    return {seat: weight / total for seat, weight in weights.items()}
