"""Check: who could kill the enemy general with the next order (Optional Rule: "Check")."""

from domain.games.tokars_arcana.board import plane
from domain.games.tokars_arcana.cards import CARDS, rank_of
from domain.games.tokars_arcana.killing import may_strike, reach
from domain.games.tokars_arcana.movement import ends, free_ends
from domain.games.tokars_arcana.orders import strikes_after_moving
from domain.games.tokars_arcana.state import (
    OTHER,
    DrawPending,
    Model,
    Ordering,
    Seat,
    Square,
    State,
    general_square,
)
from domain.games.tokars_arcana.undead import gassed


def in_check(state: State) -> Seat | None:
    """The seat on turn, if option `check` is on and its general could be killed next."""
    seat = state.turn
    if (
        seat is None
        or not state.options.check
        or not isinstance(state.phase, Ordering | DrawPending)
    ):
        return None
    return seat if threats(state, seat) else None


def threats(state: State, seat: Seat) -> list[Square]:
    """The enemies that could kill this seat's general with one order, were it their turn now.

    Paralysed and marked models threaten nothing, and firebrew kills nobody at once.
    """
    general, enemy = general_square(state.board, seat), OTHER[seat]
    if general is None:
        return []
    paralysed = gassed(state, enemy)
    return [
        start
        for start, model in state.board.items()
        if model.seat == enemy
        and not model.moved
        and start not in paralysed
        and _threatens(state, start, model, general)
    ]


def _threatens(state: State, start: Square, model: Model, general: Square) -> bool:
    card = CARDS[model.unit]
    if model.unit == "X":
        return _rite_threatens(state, start, model.seat, general)
    if "enter" in card.orders and general in ends(state, start, model):
        return True
    if not card.reach:
        return False
    stands = [start]
    if strikes_after_moving(state, model):
        stands += free_ends(state, start, model)
    victim, reached = state.board[general], reach(state.options.rows, model.seat, model.unit)
    return any(
        general in reached[square] and may_strike(model, square, general, victim)
        for square in stands
    )


def _rite_threatens(state: State, start: Square, enemy: Seat, general: Square) -> bool:
    """Could a Dark Priest slay this general, or explode a model beside it?"""
    board = state.board
    for square in plane(state.options.rows).around[general]:
        model = board.get(square)
        if square == start:
            return True
        if model is not None and model.seat == enemy and rank_of(model.unit) != "soldier":
            return True
    return False
