"""What is going on in a match: the game's own caption, unless the match waits for its players, is
paused, or ended without its game."""

from domain.match import AnyMatch
from projections.views.english import ENGLISH


def caption(match: AnyMatch, viewer: str) -> str:
    """The caption of a match as it stands. One that waits for players says for which; one that the
    players ended in a way for which its game has no action asks nobody for anything any more."""
    game, result = match.rules, match.result
    if match.cancelled:
        return ENGLISH.format("caption.cancelled")
    if match.waiting:
        return _waiting(match)
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


def _waiting(match: AnyMatch) -> str:
    seats = [seat.title() for seat in match.seats if seat not in match.holders]
    return ENGLISH.format("caption.waiting", seats=ENGLISH.join_and(seats))


def _paused(match: AnyMatch) -> str:
    """A paused match goes on when no dispute is open any more."""
    disputes = [
        ENGLISH.format("caption.dispute", number=each.number, seat=each.seat.title(), on=each.on)
        for each in match.details.disputes
    ]
    return ENGLISH.format("caption.paused", n=len(disputes), disputes=ENGLISH.join_and(disputes))
