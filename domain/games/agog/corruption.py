"""Corrupting a jumped unit in place of capturing it (The Journeyman)."""

from collections.abc import Iterator, Sequence

from domain.games.agog.board import SQUARES
from domain.games.agog.state import (
    CORRUPTED,
    JOURNEYMAN,
    OTHER,
    Seat,
    State,
    name_of,
    supply_of,
)
from domain.kernel.rulings import Refused

Jumped = Sequence[tuple[str, bool]]
"""The units jumped earlier in the sequence, and which of them were corrupted."""


def freed(seat: Seat, jumped: Jumped) -> int:
    """This player's golems that the sequence has freed from under captured corrupted hulks."""
    return sum(unit == CORRUPTED[OTHER[seat]] and not corrupt for unit, corrupt in jumped)


def spendable(state: State, seat: Seat, jumped: Jumped) -> int:
    """The golems that can corrupt the next unit of a sequence (AGOG-R18, AGOG-R19)."""
    spent = sum(corrupt for _, corrupt in jumped)
    fresh = freed(seat, jumped) if state.fresh_supply else 0
    return supply_of(state, seat) - spent + fresh


def may_corrupt(state: State, seat: Seat, jumper: str, victim: str, jumped: Jumped) -> bool:
    """May this unit corrupt that one, which it can jump?"""
    enemy = OTHER[seat]
    return (
        jumper == JOURNEYMAN[seat]
        and victim not in (JOURNEYMAN[enemy], CORRUPTED[enemy])
        and spendable(state, seat, jumped) > 0
    )


def signings(
    state: State, seat: Seat, jumper: str, units: Sequence[str], signs: tuple[bool, ...] = ()
) -> Iterator[tuple[bool, ...]]:
    """Every choice between capturing (False) and corrupting (True) the units of a sequence."""
    done = len(signs)
    if done == len(units):
        yield signs
        return
    yield from signings(state, seat, jumper, units, (*signs, False))
    jumped = list(zip(units, signs, strict=False))
    if may_corrupt(state, seat, jumper, units[done], jumped):
        yield from signings(state, seat, jumper, units, (*signs, True))


def refuse_corruption(
    state: State, seat: Seat, jumper: str, place: int, jumped: Jumped
) -> Refused | None:
    """Why the unit jumped at this place cannot be corrupted, or None."""
    victim, square = state.board[place], SQUARES[place]
    if jumper != JOURNEYMAN[seat]:
        return Refused(
            "agog.corrupt.journeyman",
            f"a {name_of(jumper)} cannot corrupt the unit on {square}: only a journeyman corrupts,"
            " others capture with x",
        )
    if victim == JOURNEYMAN[OTHER[seat]]:
        return Refused(
            "agog.corrupt.not_journeyman",
            f"the journeyman on {square} cannot be corrupted: capture it with x, and win",
        )
    if victim == CORRUPTED[OTHER[seat]]:
        return Refused(
            "agog.corrupt.not_corrupted",
            f"the corrupted hulk on {square} cannot be corrupted again: capture it with x",
        )
    left = spendable(state, seat, jumped)
    if left <= 0:
        return Refused(
            "agog.corrupt.supply",
            f"{seat.title()} has no golem removed from play that is left to put on {square}:"
            " capture with x",
            {
                "supply": supply_of(state, seat),
                "spent": sum(corrupt for _, corrupt in jumped),
                "freed": freed(seat, jumped),
            },
        )
    return None
