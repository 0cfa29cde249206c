"""Ending a turn on the enemy sanctum: onto another golem as a hulk, or out of play (The Hulk)."""

from domain.games.agog.board import AT, GOAL, PLACES, SQUARES
from domain.games.agog.state import FREE, GOLEM, JOURNEYMAN, Seat, name_of
from domain.kernel.rulings import Refused


def must_leave(seat: Seat, unit: str, end: int, won: bool) -> bool:
    """Must this unit, whose turn ends here, leave the board's corner at once?

    `won`: the turn captured the enemy journeyman, and all is over (AGOG-R25).
    """
    return end == GOAL[seat] and unit != JOURNEYMAN[seat] and not won


def other_golems(board: str, seat: Seat, start: int) -> tuple[str, ...]:
    """The squares of this player's golems, but for the unit that began its turn on `start`."""
    golem = GOLEM[seat]
    return tuple(SQUARES[p] for p in PLACES if board[p] == golem and p != start)


def leaves(board: str, seat: Seat, start: int, end: int, won: bool) -> tuple[str | None, ...]:
    """The ways to end this turn: None alone where the unit stays."""
    if not must_leave(seat, board[start], end, won):
        return (None,)
    return (*other_golems(board, seat, start), "out")


def refuse_leave(
    board: str, seat: Seat, start: int, end: int, won: bool, leave: str | None
) -> Refused | None:
    """Why the turn cannot end in this way, or None."""
    name = name_of(board[start])
    if not must_leave(seat, board[start], end, won):
        return None if leave is None else _nothing_due(seat, name, end, won, leave)
    golems = other_golems(board, seat, start)
    offer = " or ".join(f"={way}" for way in (*golems[:3], "out"))
    if leave is None:
        return Refused(
            "agog.promote.choice",
            f"the {name} ends its turn on the enemy sanctum {SQUARES[end]} and must leave it: say"
            f" how, as by {offer}",
        )
    if leave == "out":
        return None
    if not golems:
        return Refused(
            "agog.promote.no_golem",
            f"{seat.title()} has no other golem to make a hulk of: the {name} is removed from"
            " play, by =out",
        )
    if leave not in golems:
        there = name_of(board[AT[leave]]) if board[AT[leave]] != FREE else "free square"
        return Refused(
            "agog.promote.target",
            f"{leave} holds no other golem of {seat.title()}'s ({there}): a hulk is made of"
            f" another of the player's golems, as by {offer}",
        )
    return None


def _nothing_due(seat: Seat, name: str, end: int, won: bool, leave: str) -> Refused:
    if won:
        why = "the enemy journeyman is captured and the game is over"
    elif end == GOAL[seat]:
        why = "a journeyman on the enemy sanctum has won and stays"
    else:
        why = f"the {name} ends on {SQUARES[end]}, which is not the enemy sanctum"
    return Refused("agog.promote.only", f"{why}: leave ={leave} out")
