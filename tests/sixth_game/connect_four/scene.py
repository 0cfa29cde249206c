"""How it is shown."""

from domain.games.connect_four.actions import Drop
from domain.games.connect_four.facts import DiscDropped
from domain.games.connect_four.legal import result
from domain.games.connect_four.state import SEATS, State, mover
from domain.kernel.game import Parts
from domain.kernel.scene import Piece, Scene, Space


def look(state: State, viewer: str) -> Scene:
    """The board, which everybody may see."""
    del viewer
    width = range(len(state.stacks))
    return Scene(
        caption=_caption(state),
        spaces=tuple(Space(_space(x, y), x, y) for y in range(state.rows) for x in width),
        pieces=tuple(
            Piece(f"disc-{_space(x, y)}", "disc", disc.upper(), _space(x, y), _owner(disc))
            for x, stack in enumerate(state.stacks)
            for y, disc in enumerate(stack)
        ),
    )


def parts(state: State, action: Drop) -> Parts:
    """The space where the disc comes to lie."""
    at = action.column - 1
    who = mover(state).capitalize()
    sentence = f"{who} drops a disc into column {action.column}"
    return Parts("drop", sentence, spaces=(_space(at, len(state.stacks[at])),))


def tell(fact: DiscDropped) -> str:
    """The fact as a sentence."""
    return f"{fact.seat.capitalize()} dropped a disc into column {fact.column}."


def _caption(state: State) -> str:
    ended = result(state)
    if ended is None:
        return f"{mover(state).capitalize()} to drop a disc"
    return f"{ended.winners[0].capitalize()} has won" if ended.winners else "Drawn"


def _space(x: int, y: int) -> str:
    return f"{'abcdefghi'[x]}{y + 1}"


def _owner(disc: str) -> str:
    return SEATS["ry".index(disc)]
