"""What follows from an action, while it is worked out: facts, and the rulings on them."""

from collections.abc import Callable
from typing import Final, Generic

from domain.kernel.game import F, S
from domain.kernel.rulings import Accepted, Ruling


class Resolution(Generic[S, F]):
    """Gathers facts in order; `state` is always the state after them.

    The only mutable thing in a game's rules: it lives as long as one action is carried out, and
    what it gives in the end is immutable.
    """

    def __init__(self, state: S, evolve: Callable[[S, F], S]) -> None:
        self.state = state
        self.facts: Final[list[F]] = []
        self.rulings: Final[list[Ruling]] = []
        self._evolve: Final = evolve

    def record(self, fact: F, /, *rules: str, **figures: int | str) -> None:
        """Let a fact become true, by these rules, if any need to be cited."""
        if rules:
            self.rulings.append(Ruling(rules, figures, len(self.facts)))
        self.facts.append(fact)
        self.state = self._evolve(self.state, fact)

    def explain(self, /, *rules: str, **figures: int | str) -> None:
        """Cite rules for the latest fact; for the action as a whole if there is none yet."""
        self.rulings.append(Ruling(rules, figures, len(self.facts) - 1 if self.facts else None))

    def explain_next(self, /, *rules: str, **figures: int | str) -> None:
        """Cite rules for the fact that is about to happen."""
        self.rulings.append(Ruling(rules, figures, len(self.facts)))

    def note(self, /, *rules: str, **figures: int | str) -> None:
        """Cite rules for the action as a whole."""
        self.rulings.append(Ruling(rules, figures))

    def accepted(self) -> Accepted[F]:
        """The answer that the action stands."""
        return Accepted(tuple(self.facts), tuple(self.rulings))
