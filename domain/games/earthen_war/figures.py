"""The figures of rulings and refusals as people say them."""

from typing import Final, cast

from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.state import CELL_NAMES, SEATS, Cell, State
from domain.kernel.figures import Value, format_figures
from domain.kernel.rulings import Figures

_CELLS: Final = {
    "grid_square", "damaged", "first_square", "second", "white_line", "black_line",
}  # fmt: skip
"""Figures that are squares of a control grid, one or several."""
_LISTS: Final = {"dice", "over", *_CELLS}
"""Figures that may be several things, with spaces between."""


def figures_in_words(before: State, figures: Figures, after: State) -> tuple[str, ...]:
    """Squares of the control grid and seats by name."""
    del before, after
    # Of a swap, or of the initiative.
    told = {
        "first_square" if name == "first" and value in CELL_NAMES else name: value
        for name, value in figures.items()
    }
    return format_figures(ENGLISH, told, _in_words)


def _in_words(name: str, value: Value) -> Value:
    if not isinstance(value, str):
        return value
    if name in _LISTS:
        found = value.split()
        return ENGLISH.join_and([_cell(each) if name in _CELLS else each for each in found])
    return ENGLISH.format(value) if value in SEATS and name != "colour" else value


def _cell(cell: str) -> str:
    return CELL_NAMES.get(cast(Cell, cell), cell)
