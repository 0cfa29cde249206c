"""The figures of rulings and refusals as people say them."""

from domain.games.agog.english import ENGLISH
from domain.games.agog.state import SEATS, State
from domain.kernel.figures import Value, figures_by
from domain.kernel.game import Figures


def figures_in_words(before: State, figures: Figures, after: State) -> tuple[str, ...]:
    """Seats by name, and supplies only where they change."""
    del before, after
    told = dict(figures)
    for seat in SEATS:
        if told.get(f"{seat}_supply_before", -1) == told.get(f"{seat}_supply_after"):
            del told[f"{seat}_supply_before"], told[f"{seat}_supply_after"]
    if "sanctum" in told and "square" in told:
        told["promoted"] = told.pop("square")
    return figures_by(ENGLISH, told, _in_words)


def _in_words(name: str, value: Value) -> Value:
    if name == "left_off":
        return ENGLISH.listed(str(value).split())
    return ENGLISH.say(str(value)) if value in SEATS else value
