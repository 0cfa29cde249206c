"""The fold: facts are applied, and no rule is asked."""

from msgspec.structs import replace

from domain.games.connect_four.facts import DiscDropped
from domain.games.connect_four.state import State


def evolve(state: State, fact: DiscDropped) -> State:
    """The state with one disc more."""
    at = fact.column - 1
    grown = state.stacks[at] + fact.seat[0]
    return replace(state, stacks=(*state.stacks[:at], grown, *state.stacks[at + 1 :]))
