"""Reading text that people and programs write: errors that say what was wrong and what is right."""

from typing import Final

LONGEST_QUOTED: Final = 40
"""Characters of a text that an error repeats, at most."""


class NotationError(ValueError):
    """A text that is not what it should be: a position, or an option.

    `str()` of it is a sentence for a person; `at` counts characters from 0, where one is to blame.
    """

    def __init__(self, why: str, at: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.at = at


def shortened(text: str) -> str:
    """A text in quotes, cut where it is too long to repeat.

    >>> shortened("x" * 50)[-7:]
    "xxx...'"
    """
    return repr(text if len(text) <= LONGEST_QUOTED else text[:LONGEST_QUOTED] + "...")
