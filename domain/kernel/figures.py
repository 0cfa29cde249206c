"""Formatting of the figures in rulings and refusals by a language's templates."""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from domain.kernel.language import Language
from domain.kernel.rulings import Figures, figures_by_name

Value = int | str


def format_figures(
    language: Language, figures: Figures, in_words: Callable[[str, Value], Value]
) -> tuple[str, ...]:
    """Return the text of each figure, in the order of the language's table.

    The template of a figure is the first that exists of `figure.NAME.VALUE`, `figure.NAME.n` (for
    numbers) and `figure.NAME`, with the value in words as `{n}`. An empty template omits the
    figure. A figure without a template, which only old logs have, is written as name and value.

    Args:
        language: The table of templates.
        figures: The figures of one ruling or refusal.
        in_words: Returns the text of a value, given the figure's name and the value.

    >>> english = Language({"figure.way.none": "", "figure.jumps": "{n:jump|jumps} made"})
    >>> format_figures(english, {"way": "none", "jumps": 2, "to": "a1"}, lambda _, value: value)
    ('2 jumps made', 'to a1')
    """
    known, others = [], {}
    for name, value in figures.items():
        if (place := _template_position(language, name, value)) is None:
            others[name] = in_words(name, value)
        else:
            known.append((place, name, value))
    known.sort()  # by the places alone: no two names have the same
    said = [language.format(key, n=in_words(name, value)) for (_, key), name, value in known]
    return (*filter(None, said), *figures_by_name(others))


@cache
def _template_order(language: Language) -> dict[str, int]:
    found = (key for key in language.templates if key.startswith("figure."))
    return {key: number for number, key in enumerate(found)}


@lru_cache(maxsize=4096, typed=True)
def _template_position(language: Language, name: str, value: Value) -> tuple[int, str] | None:
    """Return the index of a figure's template in the table and its key; None without a template."""
    order = _template_order(language)
    return next(((order[key], key) for key in _keys(name, value) if key in order), None)


def _keys(name: str, value: Value) -> Iterator[str]:
    yield f"figure.{name}.{value}"
    if isinstance(value, int):
        yield f"figure.{name}.n"
    yield f"figure.{name}"
