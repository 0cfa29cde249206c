"""The figures of rulings and refusals as people say them."""

from typing import Final

from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.names import enumerated, on, seat_name, the_dead
from domain.games.tokars_arcana.state import SEATS, State
from domain.kernel.figures import Value, format_figures
from domain.kernel.rulings import Figures

_SAME: Final = {"to": "square", "exploded": "square", "limit": "quiet_limit"}
"""Figures that tell nothing when another has told the same."""


def figures_in_words(before: State, figures: Figures, after: State) -> tuple[str, ...]:
    """Models and seats by name, who lies in a graveyard, how far ahead or back."""
    del before
    told = {
        name: value
        for name, value in figures.items()
        if name not in _SAME or figures.get(_SAME[name]) != value
    }
    if "columns" in told and "rows" in told:
        told["columns_wide"] = told.pop("columns")
    ahead = told.get("rows_ahead", 0)
    if isinstance(ahead, int) and ahead < 0:
        told["rows_back"] = -ahead
        del told["rows_ahead"]
    return format_figures(ENGLISH, told, lambda name, value: _in_words(after, name, value))


def _in_words(state: State, name: str, value: Value) -> Value:
    if isinstance(value, int):
        return abs(value) if name == "columns" else value
    if value in SEATS:
        return seat_name(value)
    if name == "graveyard" and value.isupper():
        return the_dead(value)
    if name == "order":
        return value.replace("-", " ")
    squares = value.split()
    if name == "by" and squares and all(each in state.board for each in squares):
        return enumerated([on(state, each) for each in squares])
    if name == "to_say_ready":
        return ENGLISH.join_and([ENGLISH.format(seat) for seat in squares])
    return ENGLISH.join_and(squares) if name == "from" else value
