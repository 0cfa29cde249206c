"""Suggestions of legal actions that are similar to a refused one."""

from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from domain.match import AnyMatch

MAX_COMPARED_ACTIONS: Final = 300
"""Maximum number of legal actions to compare, so that a refusal is fast."""
MAX_SIMILAR_ACTIONS: Final = 3
MIN_SIMILARITY: Final = 0.5
"""Minimum similarity of two notations, from 0 to 1."""
MAX_COMPARED_LENGTH: Final = 100
"""Number of characters of the refused notation to compare."""


def similar_legal_actions(match: AnyMatch, seat: str, tried: str) -> list[Any]:
    """Return legal actions with a notation similar to a refused one, the most similar first.

    The list is empty once the match is over. It never has resignations.
    """
    game = match.rules
    if match.result is not None:
        return []
    listed = islice(game.legal(match.position, seat), MAX_COMPARED_ACTIONS)
    written = {game.write_action(each): each for each in listed if not game.is_administrative(each)}
    found = get_close_matches(
        tried[:MAX_COMPARED_LENGTH], written, MAX_SIMILAR_ACTIONS, MIN_SIMILARITY
    )
    return [written[notation] for notation in found]
