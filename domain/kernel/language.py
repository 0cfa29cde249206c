"""A table of sentence templates: one for each language.

A game has its English templates in `english.py` and formats them by key. Word order, plurals and
the joining of lists are in the templates and this module, not in the games' code.
"""

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Final

Template = tuple[tuple[str, str, str], ...]
"""A parsed template: triples of a text and the name and format of the value that follows it. The
last name may be empty."""


def _parse_template(template: str) -> Template:
    pieces = [(text, name or "", spec or "") for text, name, spec, _ in Formatter().parse(template)]
    for _, name, spec in pieces:
        if (name and not name.isidentifier()) or "{" in spec:
            raise ValueError(
                f"a value needs a plain name, as in {{name}} or {{n:point|points}}: {name}"
            )
    return tuple(pieces)


def _format_value(value: object, spec: str) -> str:
    """Return a value as text.

    Counts: `{n:point|points}` is "1 point" or "3 points", `{n:Mana}` is "3 Mana", and
    `{n:+point|points}` is "+3 points".
    """
    if not spec or not isinstance(value, int):
        return str(value)
    number = f"{value:+d}" if spec.startswith("+") else str(value)
    one, _, more = spec.lstrip("+").partition("|")
    return f"{number} {one if abs(value) == 1 or not more else more}".rstrip()


class Language:
    """A table of templates by key, with named values in braces.

    >>> english = Language({"gain": "{who} gains {n:point|points}", "and": "{most} and {last}"})
    >>> english.format("gain", who="White", n=2)
    'White gains 2 points'
    >>> english.sentence("gain", who="the seat", n=1)
    'The seat gains 1 point.'
    >>> english.join_and(["a", "b", "c"])
    'a, b and c'
    """

    def __init__(self, templates: Mapping[str, str]) -> None:
        self.templates: Final = templates
        # Each template is parsed once, on first use: a list of actions formats thousands.
        self._parsed: Final[dict[str, Template]] = {}

    def format(self, key: str, /, **values: object) -> str:
        """Return the text of a template with these values."""
        apart = self._parsed.get(key)
        if apart is None:
            apart = self._parsed[key] = _parse_template(self.templates[key])
        parts = []
        for text, name, spec in apart:
            parts.append(text)
            if name:
                value = values[name]
                parts.append(value if type(value) is str else _format_value(value, spec))
        return "".join(parts)

    def with_prefix(self, prefix: str) -> Mapping[str, str]:
        """Return the texts of all keys with this prefix, by the rest of the key.

        The templates must have no values.

        >>> Language({"verb.pass": "Pass", "and": "{most} and {last}"}).with_prefix("verb.")
        {'pass': 'Pass'}
        """
        keys = [key for key in self.templates if key.startswith(prefix)]
        return {key.removeprefix(prefix): self.format(key) for key in keys}

    def sentence(self, key: str, /, **values: object) -> str:
        """Return the text of a template as a sentence: with a capital and a full stop."""
        return as_sentence(self.format(key, **values))

    def join_and(self, names: Sequence[str]) -> str:
        """Return names joined by the templates `and` and `comma`; empty for no names."""
        return self._row("and", names)

    def join_or(self, names: Sequence[str]) -> str:
        """Return names joined by the templates `or` and `comma`; empty for no names."""
        return self._row("or", names)

    def abbreviate(self, names: Sequence[str], limit: int) -> list[str]:
        """Return the first names, and by the template `more` how many others there are.

        One name more than `limit` is listed too, since "1 more" would be no shorter.
        """
        if len(names) <= limit + 1:
            return list(names)
        return [*names[:limit], self.format("more", n=len(names) - limit)]

    def _row(self, key: str, names: Sequence[str]) -> str:
        if len(names) < 2:
            return "".join(names)
        *others, last = names
        comma = self.templates.get("comma", ", ")
        return self.format(key, most=comma.join(others), last=last)


def as_sentence(text: str) -> str:
    """Return a text with an initial capital and a final full stop; empty text stays empty."""
    text = capitalized(text)
    return text if not text or text[-1] in ".!?" else f"{text}."


def capitalized(text: str) -> str:
    """Return a text with an initial capital."""
    return text[:1].upper() + text[1:]
