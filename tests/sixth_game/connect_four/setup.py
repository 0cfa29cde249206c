"""How a match begins."""

from domain.games.connect_four.state import SEATS, Options, State


def seats(options: Options) -> tuple[str, ...]:
    """Red and yellow, whatever the board."""
    del options
    return SEATS


def start(options: Options) -> State:
    """An empty board."""
    return State(("",) * options.columns, options.rows)
