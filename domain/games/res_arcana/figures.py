"""The figures of rulings and refusals as people call them: cards by name, essences in words."""

from domain.games.res_arcana.bundles import in_words, is_bundle
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.card_words import cost_text, is_cost, spoken
from domain.games.res_arcana.prompts import who
from domain.games.res_arcana.state import State, pack_of
from domain.kernel.rulings import Figures, figures_by_name

_UNTOLD = "answer"
"""The action that was the only one, in notation: the facts tell what came of it."""


def figures_in_words(before: State, figures: Figures, after: State) -> tuple[str, ...]:
    """The figures with names for ids and words for bundles."""
    del after
    names = names_of(pack_of(before))
    said = {who(name): _in_words(value, names) for name, value in figures.items()}
    said.pop(_UNTOLD, None)
    return figures_by_name(said)


def _in_words(value: int | str, names: CardNames) -> int | str:
    if not isinstance(value, str):
        return value
    if value in names.known:
        return names.the(value)
    if is_bundle(value):
        return in_words(value)
    return spoken(cost_text(value)) if is_cost(value) else who(value)
