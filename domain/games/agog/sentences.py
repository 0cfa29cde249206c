"""Facts as sentences."""

from typing import Final, assert_never

from domain.games.agog.facts import (
    Fact,
    GameEnded,
    TurnPassed,
    UnitCaptured,
    UnitCorrupted,
    UnitMoved,
    UnitPromoted,
    UnitTakenOut,
)
from domain.games.agog.state import OTHER, OWNER, SEATS, Reason, name_of

ENDS: Final[dict[Reason, str]] = {
    "capture": "by capture",
    "sanctum": "by sanctum",
    "immobile": "by immobilization",
    "resign": "by resignation",
}
"""How a game ended, by its reason."""


def whose(unit: str) -> str:
    """A unit with its owner, as `White's golem`."""
    return f"{OWNER[unit].title()}'s {name_of(unit)}"


def tell(fact: Fact) -> str:
    """A fact as a sentence."""
    match fact:
        case UnitMoved(unit, start, end):
            return f"{whose(unit)} went from {start} to {end}."
        case UnitCaptured(unit, square, white, black):
            return f"{whose(unit)} on {square} was captured{_supplied(white, black)}."
        case UnitCorrupted(unit, square, white, black):
            was = f"The unit on {square} was corrupted and is {whose(unit)} now"
            return f"{was}{_supplied(white, black)}."
        case UnitPromoted(unit, sanctum, square, white, black):
            golem = f"{OWNER[unit].title()}'s golem on {square} became a hulk"
            return f"{golem} with the unit from {sanctum}{_supplied(white, black)}."
        case UnitTakenOut(unit, sanctum, white, black):
            return f"{whose(unit)} on {sanctum} went out of play{_supplied(white, black)}."
        case TurnPassed(seat):
            return f"It was {seat.title()}'s turn."
        case GameEnded(winner, reason):
            return f"{winner.title()} won {ENDS[reason]}: {OTHER[winner].title()} lost."
        case unreachable:
            assert_never(unreachable)


def _supplied(white: int, black: int) -> str:
    """How supplies changed, as ` (White's supply +1)`."""
    changes = [
        f"{seat.title()}'s supply {change:+d}"
        for seat, change in zip(SEATS, (white, black), strict=True)
        if change
    ]
    return f" ({', '.join(changes)})" if changes else ""
