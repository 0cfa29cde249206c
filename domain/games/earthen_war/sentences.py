"""Actions taken apart, and facts as sentences."""

from typing import assert_never

from domain.games.earthen_war.actions import (
    Action,
    Add,
    DeclineShell,
    Downgrade,
    EndTurn,
    EnterDice,
    Place,
    PlaceShell,
    Skip,
    Swap,
    Upgrade,
    Use,
)
from domain.games.earthen_war.attacking import target
from domain.games.earthen_war.battlefield import compass
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
from domain.games.earthen_war.scene import NEW_DIE, cell_id, die_id, golem_id
from domain.games.earthen_war.state import (
    CELL_NAMES,
    OTHER,
    Cell,
    Offering,
    Seat,
    State,
    Step,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.kernel.game import Parts

_DOING: dict[Step, str] = {
    "improve": "improve the grid",
    "swap": "swap squares of the grid",
    "use": "use dice",
}


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    seat = acting(state.phase)
    assert seat is not None, "the game is over"
    who, phase = seat.title(), state.phase
    match action:
        case EnterDice(dice):
            shown = tuple(map(str, dice))
            return Parts("dice", f"{who} rolls {' and '.join(shown)}", choices=shown)
        case Add(colour):
            return Parts("add", f"{who} takes a new {colour} die", choices=(colour,))
        case Place(cell):
            sentence = f"{who} places the new die on {CELL_NAMES[cell]}"
            return Parts("place", sentence, (NEW_DIE,), (cell_id(seat, cell),))
        case Upgrade() | Downgrade() | Swap():
            return _rearranging(state, seat, action)
        case Skip():
            missed = "improves" if phase == Turn(seat, "improve") else "swaps"
            return Parts("skip", f"{who} {missed} nothing")
        case Use(cell):
            return _using(state, seat, cell)
        case PlaceShell() | DeclineShell():
            assert isinstance(phase, Offering)
            placing = isinstance(action, PlaceShell)
            return Parts(
                "shell" if placing else "no-shell",
                f"{who} places {'a' if placing else 'no'} shell on {phase.square}",
                spaces=(phase.square,),
            )
        case EndTurn():
            return Parts("end", f"{who} ends the turn")
        case unreachable:
            assert_never(unreachable)


def _rearranging(state: State, seat: Seat, action: Upgrade | Downgrade | Swap) -> Parts:
    cells: tuple[Cell, ...]
    match action:
        case Upgrade(cell):
            verb, cells, doing = "up", (cell,), f"upgrades {_named(state, seat, cell)}"
        case Downgrade(cell):
            verb, cells, doing = "down", (cell,), f"downgrades {_named(state, seat, cell)}"
        case Swap(first, second):
            verb, cells = "swap", (first, second)
            doing = f"swaps {CELL_NAMES[first]} with {CELL_NAMES[second]}"
        case unreachable:
            assert_never(unreachable)
    grid = golem_of(state, seat).grid
    return Parts(
        verb,
        f"{seat.title()} {doing}",
        tuple(die_id(seat, cell) for cell in cells if die_on(grid, cell) is not None),
        tuple(cell_id(seat, cell) for cell in cells),
    )


def _named(state: State, seat: Seat, cell: Cell) -> str:
    """A die as "the white 2 on front"."""
    die = die_on(golem_of(state, seat).grid, cell)
    assert die is not None, f"no die on {cell}"
    return f"the {die.colour} {die.dots} on {CELL_NAMES[cell]}"


def _using(state: State, seat: Seat, cell: Cell) -> Parts:
    die = die_on(golem_of(state, seat).grid, cell)
    assert die is not None, f"no die on {cell}"
    square = target(state, seat, cell, die.dots)
    enemy = golem_of(state, OTHER[seat]).square
    doing = "moves to" if die.colour == "white" else "attacks"
    what = square or "a place off the battlefield"
    if square == enemy:
        what = f"{OTHER[seat].title()}'s golem on {square}"
    return Parts(
        "use",
        f"{seat.title()}'s golem {doing} {what}, {die.dots} to the {compass(seat, cell)}, by"
        f" {_named(state, seat, cell)}",
        (
            golem_id(seat),
            die_id(seat, cell),
            *((golem_id(OTHER[seat]),) if square == enemy else ()),
        ),
        (cell_id(seat, cell), *((square,) if square else ())),
    )


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
