"""Reading text that people and programs write: errors that say what was wrong and what is right."""

from typing import Final

MAX_QUOTED_CHARACTERS: Final = 40
"""Characters of a text that an error repeats, at most."""


class NotationError(ValueError):
    """A text that is not what it should be: a position, or an option.

    `str()` of it is a sentence for a person; `at` counts characters from 0, where one is to blame.
    """

    def __init__(self, why: str, at: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


def short_quote(text: str) -> str:
    """A text in quotes, cut where it is too long to repeat.

    >>> shortened("x" * 50)[-7:]
    "xxx...'"
    """
    return repr(
        text if len(text) <= MAX_QUOTED_CHARACTERS else text[:MAX_QUOTED_CHARACTERS] + "..."
    )
