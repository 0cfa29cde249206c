"""Reading text that people and programs write: errors that say what was wrong and what is right."""


class NotationError(ValueError):
    """A text that is not what it should be: a position, or an option.

    `str()` of it is a sentence for a person; `at` counts characters from 0, where one is to blame.
    """

    def __init__(self, why: str, at: int | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.at = at
