"""How the game looks. All is open in A.G.O.G., so every viewer sees the same."""

from typing import Final

from domain.games.agog.board import AT, FILES, SANCTUM
from domain.games.agog.captures import longest_hunts
from domain.games.agog.sentences import ENDS, whose
from domain.games.agog.state import (
    FREE,
    GOLEMS,
    OWNER,
    SEATS,
    STACKS,
    Outcome,
    State,
    name_of,
    supply_of,
)
from domain.kernel.scene import Piece, Scene, Space, Track


def look(state: State, viewer: str) -> Scene:
    """The board and both supplies, the same for everybody."""
    return Scene(
        caption(state, viewer),
        _SPACES,
        tuple(_piece(square, state.board[AT[square]]) for square in AT if _unit_on(state, square)),
        tracks=tuple(
            Track(
                f"supply-{seat}",
                f"{seat.title()}'s golems out of play",
                supply_of(state, seat),
                seat,
                GOLEMS,
            )
            for seat in SEATS
        ),
        attributes=_attributes(state),
    )


def _space(square: str) -> Space:
    x, y = FILES.index(square[0]), int(square[1]) - 1
    for seat in SEATS:
        if SANCTUM[seat] == AT[square]:
            return Space(square, x, y, "sanctum", square, {"owner": seat})
    return Space(square, x, y, "light" if (x + y) % 2 else "dark", square)


_SPACES: Final = tuple(_space(square) for square in sorted(AT, key=lambda s: (s[1], s[0])))


def _unit_on(state: State, square: str) -> bool:
    return state.board[AT[square]] != FREE


def piece_id(square: str) -> str:
    """The id of the piece on this square, as long as the scene does not change."""
    return f"unit-{square}"


def _piece(square: str, unit: str) -> Piece:
    white, black = STACKS[unit]
    stack = {"white_golems": str(white), "black_golems": str(black)}
    owner = OWNER[unit]
    return Piece(piece_id(square), name_of(unit), unit, square, owner, whose(unit), stack)


def caption(state: State, viewer: str) -> str:
    """What is going on, in a sentence, the same for everybody."""
    del viewer
    if isinstance(state.turn, Outcome):
        return f"{state.turn.winner.title()} has won {ENDS[state.turn.reason]}"
    return f"{state.turn.title()} to move"


def _attributes(state: State) -> dict[str, str]:
    """`compulsory_jumps` where captures are open: how many units must be jumped."""
    attributes = {"fresh_supply": "true"} if state.fresh_supply else {}
    if not isinstance(state.turn, Outcome):
        most, _ = longest_hunts(state.board, state.turn)
        if most:
            attributes["compulsory_jumps"] = str(most)
    return attributes
