"""What a seat may do instead of what a rule forbade."""

from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from domain.match import AnyMatch

MAX_COMPARED_ACTIONS: Final = 300
"""Legal actions that are compared with what was tried, at most: a refusal is to be quick."""
MAX_SIMILAR_ACTIONS: Final = 3
MIN_SIMILARITY: Final = 0.5
"""How much of two lines must be the same, of 1: less is no nearness but chance."""
MAX_COMPARED_LENGTH: Final = 100
"""Characters of what was tried that are compared."""


def similar_legal_actions(match: AnyMatch, seat: str, tried: str) -> list[Any]:
    """Legal actions whose notation is nearest to a line that was refused, the nearest first.

    None once the match is over. Giving up is never among them: nobody means that by mistake.
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
