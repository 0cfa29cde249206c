"""What somebody asked for in a match, and who has still to answer."""

from typing import Literal

from msgspec import Struct

from domain.kernel.rulings import Accepted
from domain.match import AnyMatch, Pending, on_line

Kind = Literal["undo", "redo", "draw"]


class PendingRequest(Struct, frozen=True):
    """A request that waits for answers."""

    kind: Kind
    asked: Pending


def pending_request(match: AnyMatch) -> PendingRequest | None:
    """The request that waits for answers, be it the match's or written in its game's notation."""
    asked = match.pending
    if asked is None:
        return _offered_in_the_game(match)
    if asked.to is None:
        return PendingRequest("draw", asked)
    return PendingRequest("undo" if on_line(match, asked.to) else "redo", asked)


def _offered_in_the_game(match: AnyMatch) -> PendingRequest | None:
    """The draw that is offered by an action of the game: whoever may accept it is asked."""
    game, draws = match.rules, match.rules.draws
    if draws is None or match.result is not None:
        return None
    awaiting = tuple(
        seat
        for seat in match.seats
        if isinstance(game.decide(match.position, seat, draws.answer(seat, True)), Accepted)
    )
    if not awaiting:
        return None
    others = [seat for seat in match.seats if seat not in awaiting]
    return PendingRequest("draw", Pending(others[0] if len(others) == 1 else "", awaiting))
