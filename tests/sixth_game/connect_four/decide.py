"""What follows from an action, or why it is refused."""

from domain.games.connect_four.actions import Drop
from domain.games.connect_four.evolve import evolve
from domain.games.connect_four.facts import DiscDropped
from domain.games.connect_four.legal import result
from domain.games.connect_four.state import State, mover
from domain.kernel.rulings import Accepted, Refused, Ruling


def decide(state: State, seat: str, action: Drop) -> Accepted[DiscDropped] | Refused:
    """The disc that falls, and the rule by which the game then ends, if it does."""
    if result(state):
        return Refused("c4.over", "the game is over")
    if seat != mover(state):
        return Refused("c4.turn", f"it is {mover(state)}'s turn")
    if not 1 <= action.column <= len(state.stacks):
        return Refused("c4.drop.column", f"the board has columns 1 to {len(state.stacks)}")
    row = len(state.stacks[action.column - 1]) + 1
    if row > state.rows:
        return Refused("c4.drop.full", f"column {action.column} is full")
    fact = DiscDropped(mover(state), action.column)
    lowest = Ruling(("c4.drop.lowest",), {"column": action.column, "row": row}, 0)
    ending = {"line": "c4.win.line", "full": "c4.win.full"}
    ended = result(evolve(state, fact))
    rulings = (lowest, Ruling((ending[ended.reason],))) if ended else (lowest,)
    return Accepted((fact,), rulings)
