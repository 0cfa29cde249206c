"""The figures of rulings and refusals by the templates of a language."""

from collections.abc import Callable, Iterator
from functools import cache

from domain.kernel.game import Figures, figures_as_named
from domain.kernel.language import Language

Value = int | str


def figures_by(
    language: Language, figures: Figures, in_words: Callable[[str, Value], Value]
) -> tuple[str, ...]:
    """Each figure as its template says it, in the order of the language's table.

    The template of a figure is `figure.NAME.VALUE` if there is one, or for a number `figure.NAME.n`
    if there is one, else `figure.NAME`, with the value in words as `{n}`. An empty template tells
    nothing. A figure without a template, which only old logs may have, is told after its name.

    >>> english = Language({"figure.way.none": "", "figure.jumps": "{n:jump|jumps} made"})
    >>> figures_by(english, {"way": "none", "jumps": 2, "to": "a1"}, lambda _, value: value)
    ('2 jumps made', 'to a1')
    """
    order = _order(language)
    keys = {name: key for name in figures if (key := _key(order, name, figures[name]))}
    said = [
        language.say(keys[name], n=in_words(name, figures[name]))
        for name in sorted(keys, key=lambda name: order[keys[name]])
    ]
    others = {name: in_words(name, n) for name, n in figures.items() if name not in keys}
    return (*filter(None, said), *figures_as_named(others))


@cache
def _order(language: Language) -> dict[str, int]:
    found = (key for key in language.templates if key.startswith("figure."))
    return {key: number for number, key in enumerate(found)}


def _key(known: dict[str, int], name: str, value: Value) -> str | None:
    return next((key for key in _keys(name, value) if key in known), None)


def _keys(name: str, value: Value) -> Iterator[str]:
    yield f"figure.{name}.{value}"
    if isinstance(value, int):
        yield f"figure.{name}.n"
    yield f"figure.{name}"
