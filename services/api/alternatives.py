"""What a seat may do instead of what a rule forbade."""

from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from domain.match import AnyMatch

LOOKED_AT: Final = 300
"""Legal actions that are compared with what was tried, at most: a refusal is to be quick."""
NAMED: Final = 3
LIKENESS: Final = 0.5
"""How much of two lines must be the same, of 1: less is no nearness but chance."""
LONGEST: Final = 100
"""Characters of what was tried that are compared."""


def nearest(match: AnyMatch, seat: str, tried: str) -> list[Any]:
    """Legal actions whose notation is nearest to a line that was refused, the nearest first.

    None once the match is over. Giving up is never among them: nobody means that by mistake.
    """
    game = match.rules
    if match.result is not None:
        return []
    listed = islice(game.legal(match.position, seat), LOOKED_AT)
    written = {game.write_action(each): each for each in listed if not game.aside(each)}
    found = get_close_matches(tried[:LONGEST], written, NAMED, LIKENESS)
    return [written[notation] for notation in found]
