"""The figures of rulings and refusals as people say them."""

from functools import lru_cache
from typing import Final

from domain.games.agog.english import ENGLISH
from domain.games.agog.state import SEATS, State
from domain.kernel.figures import Value, format_figures
from domain.kernel.rulings import Figures

_SUPPLIES: Final = tuple((f"{seat}_supply_before", f"{seat}_supply_after") for seat in SEATS)


def figures_in_words(before: State, figures: Figures, after: State) -> tuple[str, ...]:
    """Seats by name, and supplies only where they change."""
    del before, after
    return _told(tuple(figures.items()))


# Six of seven that random games tell were told before; each answer has three.
@lru_cache(maxsize=4096)
def _told(figures: tuple[tuple[str, Value], ...]) -> tuple[str, ...]:
    told = dict(figures)
    for was, now in _SUPPLIES:
        if was in told and told[was] == told.get(now):
            del told[was], told[now]
    if "sanctum" in told and "square" in told:
        told["promoted"] = told.pop("square")
    return format_figures(ENGLISH, told, _in_words)


def _in_words(name: str, value: Value) -> Value:
    if name == "left_off":
        return ENGLISH.join_and(str(value).split())
    return ENGLISH.format(str(value)) if value in SEATS else value
