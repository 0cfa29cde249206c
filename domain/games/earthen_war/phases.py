"""Is it the moment for this action: whose turn, which phase, which question is open?"""

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
from domain.games.earthen_war.state import (
    CELL_NAMES,
    OTHER,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Phase,
    Placing,
    Rolling,
    Step,
    Turn,
    acting,
)
from domain.kernel.rulings import Refused

Question = Initiative | Rolling | Placing | Locating | Offering
"""A question that must be answered before anything else."""

_ANSWERS: Final[dict[type[Question], tuple[type[Action], ...]]] = {
    Initiative: (EnterDice,),
    Rolling: (EnterDice,),
    Placing: (Place,),
    Locating: (EnterDice,),
    Offering: (PlaceShell, DeclineShell),
}
_ALL_ANSWERS: Final = (EnterDice, Place, PlaceShell, DeclineShell)
_STEPS: Final[dict[Step, tuple[type[Action], ...]]] = {
    "improve": (Add, Upgrade, Downgrade, Skip),
    "swap": (Swap, Skip),
    "use": (Use, EndTurn),
}
_CHOICES: Final[dict[Step, str]] = {
    "improve": "add white or black, up or down a die, or skip",
    "swap": "swap two adjacent squares, or skip",
    "use": "use a die, or end the turn",
}


def refuse_moment(phase: Phase, seat: str, action: Action) -> Refused | None:
    """The first rule by which this action is out of place now, or None."""
    if isinstance(phase, Outcome):
        won = "it is drawn" if phase.winner is None else f"{phase.winner.title()} has won"
        return Refused("ew.end.over", f"the game is over, {won}: nothing more can be done")
    if seat != acting(phase):
        return _refuse_seat(phase, seat)
    if isinstance(phase, Turn):
        return _refuse_step(phase.step, action)
    if isinstance(action, _ANSWERS[type(phase)]):
        return None
    return Refused("ew.prompt.other", f"something else comes first: {question(phase)}")


def _refuse_seat(phase: Turn | Question, seat: str) -> Refused:
    own = acting(phase)
    assert own is not None
    then = f": {OTHER[own].title()} acts after it" if seat == OTHER[own] else ""
    return Refused("ew.turn.order", f"{own.title()} is to act now, not {seat.title()}{then}")


def _refuse_step(step: Step, action: Action) -> Refused | None:
    if isinstance(action, _STEPS[step]):
        return None
    if isinstance(action, _ALL_ANSWERS):
        return Refused("ew.prompt.none", f"nothing was asked that this answers: {_CHOICES[step]}")
    return Refused(
        "ew.turn.phases",
        f"a turn is improve, swap, use, in this order, and this is the phase {step}:"
        f" {_CHOICES[step]}",
        {"phase": step},
    )


def question(phase: Turn | Question) -> str:
    """What is asked, as an instruction to the seat that is to act."""
    match phase:
        case Turn(_, step):
            return _CHOICES[step]
        case Initiative():
            return "roll two dice for the initiative, and enter them as dice 1 3"
        case Rolling(_, colour):
            return f"roll the new {colour} die, and enter it as dice 2"
        case Placing(_, colour, dots):
            return f"place the new {colour} {dots} on an empty square of the grid, as place SQUARE"
        case Locating(_, cell):
            return (
                f"the hit on {CELL_NAMES[cell]} met a damaged square: roll a white die and a black"
                " die to locate the damage, and enter them in this order as dice 1 3"
            )
        case Offering(_, square):
            return f"shell places a shell on {square}, no-shell places none"
        case unreachable:
            assert_never(unreachable)
