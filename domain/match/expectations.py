"""Does what somebody expects of a match still hold?

Where several seats choose at the same time, a seat is not to be told that the match has moved on
because another has chosen. What a seat was shown holds as long as it may do the same.
"""

from itertools import islice
from typing import Any, Final

from domain.match.state import AnyMatch, visible_match

MAX_COMPARED_ACTIONS: Final = 2000
"""Actions of a seat that are compared, at most: with more, the match has moved on."""


def is_expectation_current(before: AnyMatch, now: AnyMatch, seat: str) -> bool:
    """May the seat do the same now as when the match stood as before, on the same line, with the
    same request waiting for an answer?"""
    if before.version == now.version:
        return True
    if before.details.jumps != now.details.jumps or before.proposal != now.proposal:
        return False
    if (before.result, before.status) != (now.result, now.status) or not _asked(now, seat):
        return False
    return _asked(before, seat) == _asked(now, seat) and _may_do_the_same(before, now, seat)


def _asked(match: AnyMatch, seat: str) -> list[Any]:
    return [prompt for prompt in match.prompts if prompt.seat == seat]


def _may_do_the_same(before: AnyMatch, now: AnyMatch, seat: str) -> bool:
    one, other = (
        list(
            islice(
                match.rules.legal(visible_match(match, seat).position, seat),
                MAX_COMPARED_ACTIONS + 1,
            )
        )
        for match in (before, now)
    )
    return len(one) <= MAX_COMPARED_ACTIONS and one == other
