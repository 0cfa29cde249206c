"""The board, as everybody sees it."""

from domain.games.connect_four.legal import result
from domain.games.connect_four.state import SEATS, State, mover, space
from domain.kernel.scene import Piece, Scene, Space


def look(state: State, viewer: str) -> Scene:
    """The board, which everybody may see."""
    del viewer
    width = range(len(state.stacks))
    return Scene(
        caption=_caption(state),
        spaces=tuple(Space(space(x, y), x, y) for y in range(state.rows) for x in width),
        pieces=tuple(
            Piece(f"disc-{space(x, y)}", "disc", disc.upper(), space(x, y), SEATS["ry".index(disc)])
            for x, stack in enumerate(state.stacks)
            for y, disc in enumerate(stack)
        ),
    )


def _caption(state: State) -> str:
    ended = result(state)
    if ended is None:
        return f"{mover(state).capitalize()} to drop a disc"
    return f"{ended.winners[0].capitalize()} has won" if ended.winners else "Drawn"
