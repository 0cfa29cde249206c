"""The Mummy's gas, the Skeleton's return and what a Zombie raises."""

from collections.abc import Iterator
from typing import Final

from domain.games.tokars_arcana.actions import RaiseUnit, Return
from domain.games.tokars_arcana.board import far_row, plane, row_of
from domain.games.tokars_arcana.cards import CARDS, CLASSES, class_of, rank_of
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.names import either, one, seat_name
from domain.games.tokars_arcana.state import (
    OTHER,
    Raise,
    Seat,
    Square,
    State,
    Unit,
    general_square,
)
from domain.kernel.rulings import Refused

# --- Mummy ---------------------------------------------------------------------------------------


def gassed(state: State, seat: Seat) -> frozenset[Square]:
    """The squares next to an enemy Mummy: models of this seat on them take no order."""
    enemy, around = OTHER[seat], plane(state.options.rows).around
    return frozenset(
        beside
        for square, model in state.board.items()
        if model.unit == "M" and model.seat == enemy
        for beside in around[square]
    )


def paralysing(state: State, square: Square, seat: Seat) -> Square | None:
    """The enemy Mummy whose gas reaches this square, or None."""
    enemy = OTHER[seat]
    for beside in plane(state.options.rows).around[square]:
        model = state.board.get(beside)
        if model is not None and model.unit == "M" and model.seat == enemy:
            return beside
    return None


# --- Skeleton ------------------------------------------------------------------------------------


def _beside_general(state: State, seat: Seat) -> tuple[Square, ...]:
    general = general_square(state.board, seat)
    return () if general is None else plane(state.options.rows).around[general]


def returns(state: State, start: Square, seat: Seat) -> Iterator[Return]:
    """Every return of a Skeleton on its far row."""
    if row_of(start) == far_row(state.options.rows, seat):
        for to in _beside_general(state, seat):
            if to not in state.board:
                yield Return(start, to)


def refuse_return(state: State, order: Return, seat: Seat) -> Refused | None:
    """Why the Skeleton cannot return there."""
    far = far_row(state.options.rows, seat)
    if row_of(order.start) != far:
        return Refused(
            "ta.skeleton.return.row",
            f"the Skeleton on {order.start} has not crossed the board: it returns from row {far}",
            {"row": row_of(order.start), "far_row": far},
        )
    if order.to in state.board or order.to not in _beside_general(state, seat):
        return Refused(
            "ta.skeleton.return.square",
            f"a Skeleton reappears on a free square adjacent to its general on"
            f" {general_square(state.board, seat)}, which {order.to} is not",
        )
    return None


# --- Zombie --------------------------------------------------------------------------------------


def can_raise(state: State, offer: Raise, seat: Seat) -> bool:
    """Is there a unit to raise for that rank, and a free square beside the zombie?"""
    return bool(raisable(state, offer, seat)) and any(_places(state, offer))


def raisable(state: State, offer: Raise, seat: Seat) -> list[Unit]:
    """The units of this seat's graveyard that may be raised."""
    grave = state.graves[seat]
    return [unit for unit in CARDS if unit in grave and _fits(state, unit, offer)]


def _fits(state: State, unit: Unit, offer: Raise) -> bool:
    """May this unit be raised for a victim of that rank (TA-R23)?"""
    if state.options.raise_rank == "class":
        return class_of(unit) == CLASSES.get(offer.rank)
    return rank_of(unit) == offer.rank


def rank_words(state: State, offer: Raise) -> str:
    """Of what rank the raised unit is, in words."""
    either = state.options.raise_rank == "class" and CLASSES.get(offer.rank) == CLASSES["sergeant"]
    return ENGLISH.format("rank.either" if either else f"rank.{offer.rank}")


_RAISED: Final = {"exact": "rank", "class": "class"}


def _places(state: State, offer: Raise) -> Iterator[Square]:
    around = plane(state.options.rows).around[offer.square]
    return (square for square in around if square not in state.board)


def raises(state: State, offer: Raise, seat: Seat) -> Iterator[RaiseUnit]:
    """Every unit that may be raised, on every square."""
    for unit in raisable(state, offer, seat):
        for to in _places(state, offer):
            yield RaiseUnit(unit, to)


def refuse_raise(state: State, action: RaiseUnit, offer: Raise, seat: Seat) -> Refused | None:
    """Why this unit cannot be raised there."""
    units = raisable(state, offer, seat)
    if action.unit not in units:
        return Refused(
            "ta.zombie.raise.unit",
            f"a unit of the victim's {_RAISED[state.options.raise_rank]} is raised from"
            f" {seat_name(seat)}'s graveyard, here {either([one(unit) for unit in units])}, not"
            f" {one(action.unit)}",
            {"rank": offer.rank},
        )
    if action.to not in _places(state, offer):
        return Refused(
            "ta.zombie.raise.square",
            f"a raised unit stands on a free square beside the Zombie on {offer.square}, which"
            f" {action.to} is not",
        )
    return None
