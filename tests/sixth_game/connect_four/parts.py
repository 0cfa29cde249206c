"""An action taken apart, for taps and for previews."""

from domain.games.connect_four.actions import Drop
from domain.games.connect_four.state import State, mover, space
from domain.kernel.parts import Parts, Pick


def parts(state: State, action: Drop) -> Parts:
    """The space where the disc comes to lie."""
    at = action.column - 1
    who = mover(state).capitalize()
    sentence = f"{who} drops a disc into column {action.column}"
    where = space(at, len(state.stacks[at]))
    return Parts("drop", sentence, spaces=(where,), picks=(Pick(where, "to"),))
