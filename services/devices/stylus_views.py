"""A cache of match positions as styluses see them, each computed once."""

from collections import OrderedDict
from typing import Final

from domain.match import AnyMatch
from domain.stylus.tap_machine import StylusView
from domain.table import Stylus, stylus_view_of

MAX_VIEWS: Final = 512
"""Maximum number of cached views. Each may hold thousands of legal actions."""

ViewKey = tuple[int, tuple[str, ...], bool, str, tuple[str, ...]]


class StylusViewCache:
    """The latest view of each match, for each set of seats that sees it."""

    def __init__(self) -> None:
        self._views: OrderedDict[ViewKey, tuple[int, dict[str, str], StylusView]] = OrderedDict()

    def get(self, stylus: Stylus, match: AnyMatch) -> StylusView:
        """Return the current view of a match for this stylus."""
        held, granted = tuple(stylus.seats), tuple(stylus.grants)
        # The number of the match, since a UUID is hashed anew each time, and slowly.
        key = (match.id.int, held, stylus.shared, stylus.hand.seat, granted)
        kept = self._views.get(key)
        if kept is not None and kept[0] == match.version and kept[1] == stylus.seats:
            self._views.move_to_end(key)
            return kept[2]
        moment = stylus_view_of(stylus, match)
        self._views[key] = (match.version, stylus.seats, moment)
        self._views.move_to_end(key)
        if len(self._views) > MAX_VIEWS:
            self._views.popitem(last=False)
        return moment
