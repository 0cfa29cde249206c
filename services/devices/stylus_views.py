"""Positions as styluses meet them, kept so that each is worked out once and not at every tap."""

from collections import OrderedDict
from typing import Final

from domain.match import AnyMatch
from domain.stylus.tap_machine import Moment
from domain.table import Stylus, moment_of

MOST: Final = 512
"""Kept at most: each may hold thousands of legal actions."""

Key = tuple[int, tuple[str, ...], bool, str, tuple[str, ...]]


class Moments:
    """The latest moment of each match, for each set of seats that looks at it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, tuple[int, dict[str, str], Moment]] = OrderedDict()

    def meet(self, stylus: Stylus, match: AnyMatch) -> Moment:
        """The match as this stylus meets it now."""
        held, granted = tuple(stylus.seats), tuple(stylus.grants)
        # The number of the match, since a UUID is hashed anew each time, and slowly.
        key = (match.id.int, held, stylus.shared, stylus.hand.seat, granted)
        kept = self._kept.get(key)
        if kept is not None and kept[0] == match.version and kept[1] == stylus.seats:
            self._kept.move_to_end(key)
            return kept[2]
        moment = moment_of(stylus, match)
        self._kept[key] = (match.version, stylus.seats, moment)
        self._kept.move_to_end(key)
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return moment
