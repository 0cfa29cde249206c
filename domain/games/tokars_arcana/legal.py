"""Who may act, what they may do, and how the game ended."""

from collections.abc import Iterator
from itertools import chain
from typing import assert_never

from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    Answer,
    DrawAccept,
    DrawDecline,
    DrawOffer,
    First,
    Pass,
    Ready,
    Resign,
    Skip,
)
from domain.games.tokars_arcana.battle_mage import placements
from domain.games.tokars_arcana.graveyard import angel_revivals
from domain.games.tokars_arcana.orders import has_order, orders
from domain.games.tokars_arcana.state import (
    OTHER,
    SEATS,
    Angels,
    Briefing,
    DrawPending,
    Ordering,
    Over,
    Placing,
    Raising,
    Seat,
    State,
    Toss,
)
from domain.games.tokars_arcana.undead import raises
from domain.kernel.game import Prompt, Result


def turn(state: State) -> tuple[Prompt, ...]:
    """Who is asked, and for what; nobody once the game is over."""
    match state.phase:
        case Briefing(waiting):
            return tuple(Prompt(seat, "ready") for seat in waiting)
        case Toss():
            return (Prompt("south", "toss", is_chance=True),)
        case Over():
            return ()
        case Ordering():
            return (Prompt(_on_turn(state), "order"),)
        case DrawPending():
            return (Prompt(OTHER[_on_turn(state)], "draw"),)
        case Placing():
            return (Prompt(_on_turn(state), "place"),)
        case Angels(seats):
            return (Prompt(seats[0], "revive"),)
        case Raising():
            return (Prompt(_on_turn(state), "raise"),)
        case unreachable:
            assert_never(unreachable)


def _on_turn(state: State) -> Seat:
    assert state.turn is not None, "only before the first turn nobody is on turn"
    return state.turn


def result(state: State) -> Result | None:
    """How the game ended, or None."""
    if not isinstance(state.phase, Over):
        return None
    winner, reason = state.phase.winner, state.phase.reason
    if winner is None:
        return Result((), reason, f"draw:{reason}")
    return Result((winner,), reason, f"{winner}:{reason}")


def legal(state: State, seat: str) -> Iterator[Action]:
    """All that this seat may do; until the end, that it may resign."""
    asked = [
        _asked(state, own) for prompt in turn(state) for own in SEATS if own == seat == prompt.seat
    ]
    over = isinstance(state.phase, Over)
    resigning = [Resign(own) for own in SEATS if own == seat and not over]
    return chain(*asked, resigning)


def _asked(state: State, seat: Seat) -> Iterator[Action]:
    """What this seat may do, being asked."""
    if isinstance(state.phase, Ordering):
        return chain(orders(state, seat), _beside_orders(state, seat))
    return _answers(state, seat)


def _beside_orders(state: State, seat: Seat) -> Iterator[Action]:
    if may_pass(state, seat):
        yield Pass()
    if may_offer_draw(state):
        yield DrawOffer()


def _answers(state: State, seat: Seat) -> Iterator[Answer]:
    match state.phase:
        case Briefing():
            yield Ready(seat)
        case Toss():
            yield from (First(first) for first in SEATS)
        case DrawPending():
            yield from (DrawAccept(), DrawDecline())
        case Placing():
            yield from placements(state)
        case Angels():
            yield from angel_revivals(state)
            yield AngelDecline()
        case Raising(offer):
            yield from raises(state, offer, seat)
            yield Skip()
        case Ordering() | Over():
            pass
        case unreachable:
            assert_never(unreachable)


def may_pass(state: State, seat: Seat) -> bool:
    """May this seat, asked for an order, pass?"""
    return state.options.passing == "always" or not has_order(state, seat)


def may_offer_draw(state: State) -> bool:
    """May the seat that is asked for an order offer a draw?"""
    declined = isinstance(state.phase, Ordering) and state.phase.declined
    return state.options.draw_offers and not declined
