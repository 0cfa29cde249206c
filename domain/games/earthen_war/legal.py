"""Who may act, what they may do, and how the game ended."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final, assert_never

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
from domain.games.earthen_war.improve_dice import refuse_add
from domain.games.earthen_war.position import write_result
from domain.games.earthen_war.state import (
    COLOURS,
    EDGE,
    TOP,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Phase,
    Placing,
    Rolling,
    Seat,
    State,
    Step,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.games.earthen_war.swapping import PAIRS, can_swap
from domain.games.earthen_war.use_dice import refuse_use
from domain.kernel.game import Prompt, Result

_FACES: Final = range(1, TOP + 1)
_ONE_DIE: Final = tuple(EnterDice((dots,)) for dots in _FACES)
_TWO_DICE: Final = tuple(EnterDice(dice) for dice in product(_FACES, repeat=2))


def turn(state: State) -> tuple[Prompt, ...]:
    """Who is asked, and for what: one seat, nobody once the game is over.

    Every entry of dice is a question of chance, and all its answers are equally likely.
    """
    seat = acting(state.phase)
    if seat is None:
        return ()
    chance = isinstance(state.phase, Initiative | Rolling | Locating)
    return (Prompt(seat, _wanted(state.phase), chance),)


def _wanted(phase: Phase) -> str:
    match phase:
        case Initiative():
            return "initiative"
        case Turn(_, step):
            return step
        case Rolling():
            return "roll"
        case Placing():
            return "place"
        case Locating():
            return "location"
        case Offering():
            return "shell"
        case Outcome():
            return ""
        case unreachable:
            assert_never(unreachable)


def result(state: State) -> Result | None:
    """How the game ended, or None."""
    if not isinstance(state.phase, Outcome):
        return None
    winner, score = state.phase.winner, write_result(state.phase)
    if winner is None:
        return Result((), "both-destroyed", score)
    return Result((winner,), "destroyed", score)


def legal(state: State, seat: str) -> Iterator[Action]:
    """Everything that this seat may do; nothing if another is to act."""
    phase = state.phase
    if seat != acting(phase):
        return
    match phase:
        case Outcome():
            return
        case Initiative() | Locating():
            yield from _TWO_DICE
        case Rolling():
            yield from _ONE_DIE
        case Turn(own, step):
            yield from _CHOICES[step](state, own)
        case Placing(own):
            grid = golem_of(state, own).grid
            yield from (Place(cell) for cell in EDGE if die_on(grid, cell) is None)
        case Offering():
            yield PlaceShell()
            yield DeclineShell()
        case unreachable:
            assert_never(unreachable)


def _improvements(state: State, seat: Seat) -> Iterator[Action]:
    yield from (Add(colour) for colour in COLOURS if refuse_add(state, seat, colour) is None)
    grid = golem_of(state, seat).grid
    for cell in EDGE:
        die = die_on(grid, cell)
        if die is not None:
            if die.dots < TOP:
                yield Upgrade(cell)
            yield Downgrade(cell)
    yield Skip()


def _swaps(state: State, seat: Seat) -> Iterator[Action]:
    grid = golem_of(state, seat).grid
    yield from (Swap(*pair) for pair in PAIRS if can_swap(grid, pair))
    yield Skip()


def _uses(state: State, seat: Seat) -> Iterator[Action]:
    yield from (Use(cell) for cell in EDGE if refuse_use(state, seat, cell) is None)
    yield EndTurn()


_CHOICES: Final[dict[Step, Callable[[State, Seat], Iterator[Action]]]] = {
    "improve": _improvements,
    "swap": _swaps,
    "use": _uses,
}
