"""From points that say how well each seat stands to how likely each wins."""

from collections.abc import Mapping
from math import exp


def win_probabilities(standing: Mapping[str, float]) -> dict[str, float]:
    """How likely each seat wins: one point more makes a seat e times as likely to win as before.

    >>> odds({"white": 1.0, "black": 1.0})
    {'white': 0.5, 'black': 0.5}
    """
    most = max(standing.values())
    weights = {seat: exp(points - most) for seat, points in standing.items()}
    whole = sum(weights.values())
    return {seat: weight / whole for seat, weight in weights.items()}
