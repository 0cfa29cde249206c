"""Using a die of the grid, whatever its colour (PHASE 4: USE DICE)."""

from domain.games.earthen_war.attacking import attack, refuse_attack
from domain.games.earthen_war.improve_dice import die_to_turn
from domain.games.earthen_war.moving import move, refuse_move
from domain.games.earthen_war.resolution import Resolution
from domain.games.earthen_war.state import CELL_NAMES, Cell, Die, Seat, State
from domain.kernel.rulings import Refused


def refuse_use(state: State, seat: Seat, cell: Cell) -> Refused | None:
    """Why the die on this square cannot be used now, or None."""
    die = die_to_turn(state, seat, cell)
    if isinstance(die, Refused):
        return die
    if die.used:
        return Refused(
            "ew.refresh.once",
            f"the die on {CELL_NAMES[cell]} was used in this turn: it is available again in"
            f" {seat.title()}'s next turn",
            {"grid_square": cell},
        )
    refuse = refuse_move if die.colour == "white" else refuse_attack
    return refuse(state, seat, cell, die.dots)


def use(course: Resolution, seat: Seat, cell: Cell, die: Die) -> None:
    """Move with a white die, attack with a black one."""
    happen = move if die.colour == "white" else attack
    happen(course, seat, cell, die.dots)
