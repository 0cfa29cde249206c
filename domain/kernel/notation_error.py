"""The error for texts that cannot be read as a position, an option or a vector."""

from typing import Final

MAX_QUOTED_CHARACTERS: Final = 40
"""The most characters of a text that an error message repeats."""


class NotationError(ValueError):
    """A text is not valid notation: a position, an option or a vector.

    Attributes:
        why: The reason, as a sentence for people.
        at: The index of the wrong character, from 0; None if no single character is wrong.
    """

    def __init__(self, why: str, at: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


def short_quote(text: str) -> str:
    """Return a text in quotes, truncated to `MAX_QUOTED_CHARACTERS`.

    >>> short_quote("x" * 50)[-7:]
    "xxx...'"
    """
    return repr(
        text if len(text) <= MAX_QUOTED_CHARACTERS else text[:MAX_QUOTED_CHARACTERS] + "..."
    )
