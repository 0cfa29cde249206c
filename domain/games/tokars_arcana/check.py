"""Check: who could kill the enemy general with the next order (Optional Rule: "Check")."""

from collections.abc import Iterator
from functools import cache
from itertools import chain

from msgspec import Struct

from domain.games.tokars_arcana.board import plane
from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.dark_priest import may_explode
from domain.games.tokars_arcana.killing import may_strike, reach
from domain.games.tokars_arcana.movement import ends, ends_on, free_ends
from domain.games.tokars_arcana.orders import strikes_after_moving
from domain.games.tokars_arcana.state import (
    OTHER,
    DrawPending,
    Model,
    Ordering,
    Seat,
    Square,
    State,
    Unit,
    general_square,
)
from domain.games.tokars_arcana.undead import gassed


class Threat(Struct, frozen=True):
    """A model that could kill a general with one order."""

    square: Square
    explodes: tuple[Square, ...] = ()
    """For a Dark Priest, the models beside the general that he could explode."""


def announced(state: State) -> list[Threat]:
    """What is to be called out: the threats to the seat on turn, if option `check` is on."""
    seat = state.turn
    if (
        seat is None
        or not state.options.check
        or not isinstance(state.phase, Ordering | DrawPending)
    ):
        return []
    return threats(state, seat)


def threats(state: State, seat: Seat) -> list[Threat]:
    """The enemies that could kill this seat's general with one order, were it their turn now, in
    the order of their squares.

    Paralysed and marked models threaten nothing, and firebrew kills nobody at once.
    """
    general, enemy = general_square(state.board, seat), OTHER[seat]
    if general is None:
        return []
    paralysed = gassed(state, enemy)
    found = []
    for start in plane(state.options.rows).squares:
        model = state.board.get(start)
        if model is None or model.seat != enemy or model.moved or start in paralysed:
            continue
        if model.unit == "X":
            explodes = tuple(_explodable(state, start, enemy, general))
            if explodes or start in plane(state.options.rows).around[general]:
                found.append(Threat(start, explodes))
        elif general in _in_range(state.options.rows, enemy, model.unit)[start] and _threatens(
            state, start, model, general
        ):
            found.append(Threat(start))
    return found


@cache
def _in_range(rows: int, seat: Seat, unit: Unit) -> dict[Square, frozenset[Square]]:
    """The squares that one order of this unit could hit from each, if nobody stood in its way: it
    threatens none beyond them, and most models are nowhere near a general."""
    reached = reach(rows, seat, unit)
    found = {}
    for start in plane(rows).squares:
        stands = (start, *ends_on({}, rows, start, seat, unit))
        found[start] = frozenset(chain(stands, *(reached[square] for square in stands)))
    return found


def _threatens(state: State, start: Square, model: Model, general: Square) -> bool:
    card = CARDS[model.unit]
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


def _explodable(state: State, priest: Square, enemy: Seat, general: Square) -> Iterator[Square]:
    """The models beside this general that the enemy's Dark Priest could explode."""
    for square in plane(state.options.rows).around[general]:
        if may_explode(state, priest, square, enemy):
            yield square
