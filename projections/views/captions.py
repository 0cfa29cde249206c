"""Captions of matches: those of the game, or of a match that waits, is paused or ended early."""

from domain.match import AnyMatch
from projections.views.english import ENGLISH


def caption(match: AnyMatch, viewer: str) -> str:
    """Return the caption of a match for a viewer.

    A waiting match names its open seats. A match that ended by resignation, time or agreement names
    its outcome.
    """
    game, result = match.rules, match.result
    if match.cancelled:
        return ENGLISH.format("caption.cancelled")
    if match.waiting:
        return _waiting_caption(match)
    if match.pause is not None and result is None:
        return _paused(match)
    if result is None or game.result(match.position) is not None:
        return game.caption(match.position, viewer)
    if not result.winners:
        return ENGLISH.format("caption.draw")
    winners = [seat.title() for seat in result.winners]
    losers = [seat.title() for seat in match.seats if seat not in result.winners]
    key = "caption.won" if len(winners) == 1 else "caption.shared"
    key = f"{key}.time" if result.reason == "time" else key
    return ENGLISH.format(key, winners=ENGLISH.join_and(winners), losers=ENGLISH.join_and(losers))


def _waiting_caption(match: AnyMatch) -> str:
    seats = [seat.title() for seat in match.seats if seat not in match.holders]
    return ENGLISH.format("caption.waiting", seats=ENGLISH.join_and(seats))


def _paused(match: AnyMatch) -> str:
    """Return the caption of a match paused by disputes."""
    disputes = [
        ENGLISH.format("caption.dispute", number=each.number, seat=each.seat.title(), on=each.on)
        for each in match.details.disputes
    ]
    return ENGLISH.format("caption.paused", n=len(disputes), disputes=ENGLISH.join_and(disputes))
