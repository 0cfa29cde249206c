"""A check whether a client's view of a match is still current.

Where several seats choose at the same time, one seat's choice should not fail because another seat
has chosen. A seat's view stays current as long as its legal actions stay the same.
"""

from itertools import islice
from typing import Any, Final

from domain.match.state import AnyMatch, visible_match

MAX_COMPARED_ACTIONS: Final = 2000
"""The most actions of a seat that are compared. With more, the view is not current."""


def is_expectation_current(before: AnyMatch, now: AnyMatch, seat: str) -> bool:
    """Return whether a seat's view of an earlier version is still current.

    It is if the seat has the same prompts and legal actions, on the same line, with the same
    proposal pending.
    """
    if before.version == now.version:
        return True
    if before.details.jumps != now.details.jumps or before.proposal != now.proposal:
        return False
    if (before.result, before.status) != (now.result, now.status) or not _prompts_of(now, seat):
        return False
    return _prompts_of(before, seat) == _prompts_of(now, seat) and _has_same_actions(
        before, now, seat
    )


def _prompts_of(match: AnyMatch, seat: str) -> list[Any]:
    return [prompt for prompt in match.prompts if prompt.seat == seat]


def _has_same_actions(before: AnyMatch, now: AnyMatch, seat: str) -> bool:
    earlier, present = (
        list(
            islice(
                match.rules.legal(visible_match(match, seat).position, seat),
                MAX_COMPARED_ACTIONS + 1,
            )
        )
        for match in (before, now)
    )
    return len(earlier) <= MAX_COMPARED_ACTIONS and earlier == present
