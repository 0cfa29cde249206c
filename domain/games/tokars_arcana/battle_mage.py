"""The Battle Mage: vanquishing, promotion and recall."""

from collections.abc import Iterator
from typing import Final

from domain.games.tokars_arcana.actions import (
    MoveAndVanquish,
    Place,
    Promote,
    Recall,
    Vanquish,
)
from domain.games.tokars_arcana.board import far_row, plane, row_of
from domain.games.tokars_arcana.cards import CARDS, rank_of
from domain.games.tokars_arcana.movement import free_ends
from domain.games.tokars_arcana.names import either, one, seat_name
from domain.games.tokars_arcana.state import Grave, Model, Rank, Seat, Square, State, Unit
from domain.kernel.rulings import Refused

VANQUISHED: Final[frozenset[Rank]] = frozenset({"soldier", "sergeant", "lieutenant"})
PROMOTED: Final[frozenset[Rank]] = frozenset({"sergeant", "lieutenant"})
"""What a soldier may be promoted to."""


# --- vanquishing ---------------------------------------------------------------------------------


def vanquished(state: State, stands: Square, seat: Seat) -> tuple[Square, ...]:
    """The squares of all whom a mage of this seat would lift from here, in board order."""
    board = state.board
    return tuple(
        square
        for square in plane(state.options.rows).around[stands]
        if (model := board.get(square)) is not None
        and model.seat != seat
        and CARDS[model.unit].rank in VANQUISHED
    )


def vanquishings(state: State, start: Square, model: Model) -> Iterator[Vanquish | MoveAndVanquish]:
    """Every order to vanquish, with and without a move."""
    if refuse_vanquishing(state, start, model.seat) is None:
        yield Vanquish(start)
    for end in free_ends(state, start, model):
        if refuse_vanquishing(state, end, model.seat) is None:
            yield MoveAndVanquish(start, end)


def refuse_vanquishing(state: State, stands: Square, seat: Seat) -> Refused | None:
    """Why a mage of this seat cannot vanquish from here."""
    if state.options.gestures == "allowed" or vanquished(state, stands, seat):
        return None
    return Refused(
        "ta.battlemage.vanquish.nobody",
        f"no enemy soldier, sergeant or lieutenant is adjacent to {stands}: there is nobody to"
        " vanquish",
    )


def placements(state: State) -> Iterator[Place]:
    """Every square where the first model in the air may be set down."""
    return (Place(to) for to in plane(state.options.rows).squares if to not in state.board)


def refuse_placement(state: State, to: Square) -> Refused | None:
    """Why the first model in the air cannot be set down here."""
    if to not in state.board:
        return None
    return Refused(
        "ta.battlemage.vanquish.square",
        f"{to} is occupied: a vanquished model is placed on any free square",
    )


# --- promotion and recall ------------------------------------------------------------------------


def promotable(grave: Grave) -> list[Unit]:
    """The units of a graveyard that a soldier may become."""
    return [unit for unit in CARDS if unit in grave and rank_of(unit) in PROMOTED]


def on_far_row(state: State, seat: Seat) -> Iterator[Square]:
    """Where this seat's soldiers stand on its far row."""
    far = far_row(state.options.rows, seat)
    for column in "abcdefgh":
        model = state.board.get(f"{column}{far}")
        if model is not None and model.seat == seat and rank_of(model.unit) == "soldier":
            yield f"{column}{far}"


def promotions(state: State, start: Square, model: Model) -> Iterator[Promote | Recall]:
    """Every promotion; where there is nothing to promote to, every recall."""
    units = promotable(state.graves[model.seat])
    for soldier in on_far_row(state, model.seat):
        for unit in units:
            yield Promote(start, soldier, unit)
        if not units:
            for to in plane(state.options.rows).around[start]:
                if to not in state.board:
                    yield Recall(start, soldier, to)


def refuse_promotion(state: State, order: Promote | Recall, seat: Seat) -> Refused | None:
    """Why this soldier cannot be promoted so, or recalled there."""
    soldier, grave = order.soldier, state.graves[seat]
    model = state.board.get(soldier)
    if model is None or model.seat != seat or rank_of(model.unit) != "soldier":
        return Refused(
            "ta.battlemage.promote.soldier",
            f"no soldier of {seat_name(seat)}'s stands on {soldier}: a Battle Mage promotes or"
            " recalls soldiers of his side",
        )
    far = far_row(state.options.rows, seat)
    if row_of(soldier) != far:
        return Refused(
            "ta.battlemage.promote.row",
            f"the soldier on {soldier} has not come to the end of the battlefield, row {far}",
            {"row": row_of(soldier), "far_row": far},
        )
    units = promotable(grave)
    match order:
        case Promote(unit=unit):
            return None if unit in units else _refuse_unit(unit, units)
        case Recall():
            return _refuse_recall(state, order, units)


def _refuse_unit(unit: Unit, units: list[Unit]) -> Refused:
    lying = either([one(each) for each in units]) if units else ""
    right = f"to {lying}" if units else "there is none, so only a recall is possible"
    return Refused(
        "ta.battlemage.promote.unit",
        f"a soldier is promoted to a sergeant or lieutenant of the graveyard, not to {one(unit)}:"
        f" {right}",
        {"available": lying or "none"},
    )


def _refuse_recall(state: State, order: Recall, units: list[Unit]) -> Refused | None:
    if units:
        lying = either([one(each) for each in units])
        return Refused(
            "ta.battlemage.recall.available",
            f"the soldier can be promoted to {lying} of the graveyard: it is recalled only for want"
            " of one",
            {"available": lying},
        )
    if order.to in state.board or order.to not in plane(state.options.rows).around[order.start]:
        return Refused(
            "ta.battlemage.recall.square",
            f"the soldier comes back to a free square adjacent to the mage on {order.start}, which"
            f" {order.to} is not",
        )
    return None
