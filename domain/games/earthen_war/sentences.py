"""Facts as sentences."""

from typing import assert_never

from domain.games.earthen_war.facts import (
    DiceRefreshed,
    DiceSwapped,
    DieExtinguished,
    DiePlaced,
    DieReturned,
    DieRolled,
    DieTaken,
    DieTurned,
    Fact,
    GameEnded,
    GolemMoved,
    GridDamaged,
    InitiativeRolled,
    InitiativeTied,
    LocationAwaited,
    PhaseBegan,
    ShellExploded,
    ShellOffered,
    ShellPlaced,
    ShellsCountedDown,
    TurnBegan,
)
from domain.games.earthen_war.state import CELL_NAMES, OTHER, Step

_DOING: dict[Step, str] = {
    "improve": "improve the grid",
    "swap": "swap squares of the grid",
    "use": "use dice",
}


def tell(fact: Fact) -> str:
    """A fact as a sentence."""
    match fact:
        case InitiativeRolled(seat, total):
            return f"{seat.title()} rolled {total} for the initiative."
        case InitiativeTied():
            return "That was a tie: both roll again."
        case TurnBegan(seat):
            return f"{seat.title()}'s turn began."
        case PhaseBegan(seat, step):
            return f"{seat.title()} went on to {_DOING[step]}."
        case LocationAwaited(seat, cell):
            victim = OTHER[seat].title()
            return f"{victim}'s {CELL_NAMES[cell]} was damaged already: two dice tell another."
        case GolemMoved(seat, start, end):
            return f"{seat.title()}'s golem went from {start} to {end}."
        case GridDamaged(seat, cell):
            return f"{seat.title()} was damaged on {CELL_NAMES[cell]}."
        case GameEnded(winner):
            if winner is None:
                return "Both golems were destroyed: the game was drawn."
            return f"{OTHER[winner].title()}'s golem was destroyed: {winner.title()} won."
        case ShellOffered() | ShellPlaced() | ShellsCountedDown() | ShellExploded():
            return _tell_shell(fact)
        case _:
            return _tell_die(fact)


def _tell_shell(fact: ShellOffered | ShellPlaced | ShellsCountedDown | ShellExploded) -> str:
    match fact:
        case ShellOffered(seat, square):
            return f"{square} was empty: {seat.title()} could place a shell there."
        case ShellPlaced(square, turns):
            return f"A shell was placed on {square}, to explode in {turns} turns."
        case ShellsCountedDown():
            return "Every shell had one turn less."
        case ShellExploded(square):
            return f"The shell on {square} exploded."
        case unreachable:
            assert_never(unreachable)


DieFact = (
    DiceRefreshed
    | DieTaken
    | DieRolled
    | DiePlaced
    | DieTurned
    | DieReturned
    | DiceSwapped
    | DieExtinguished
)


def _tell_die(fact: DieFact) -> str:
    who = fact.seat.title()
    match fact:
        case DiceRefreshed():
            return f"All dice of {who} were available again."
        case DieTaken(_, colour):
            return f"{who} took a new {colour} die."
        case DieRolled(_, colour, dots):
            return f"The new {colour} die showed {dots}."
        case DiePlaced(_, cell, colour, dots):
            return f"{who} placed the {colour} {dots} on {CELL_NAMES[cell]}."
        case DieTurned(_, cell, dots):
            return f"{who}'s die on {CELL_NAMES[cell]} was turned to {dots}."
        case DieReturned(_, cell):
            return f"{who}'s die on {CELL_NAMES[cell]} went to the supply."
        case DiceSwapped(_, first, second):
            return f"{who} swapped {CELL_NAMES[first]} with {CELL_NAMES[second]}."
        case DieExtinguished(_, cell, dots):
            return f"{who}'s die on {CELL_NAMES[cell]} was used, and shows {dots} on its sun."
        case unreachable:
            assert_never(unreachable)
