"""The resolution of an action: its facts and rulings, collected while the rules are applied."""

from collections.abc import Callable
from typing import Final, Generic

from domain.kernel.game import F, S
from domain.kernel.rulings import Accepted, Ruling


class Resolution(Generic[S, F]):
    """Collects facts and rulings in order; `state` is always the state after the facts so far.

    This is the only mutable object in a game's rules. It lives while one action is resolved.
    """

    def __init__(self, state: S, evolve: Callable[[S, F], S]) -> None:
        self.state = state
        self.facts: Final[list[F]] = []
        self.rulings: Final[list[Ruling]] = []
        self._evolve: Final = evolve

    def record(self, fact: F, /, *rules: str, **figures: int | str) -> None:
        """Add a fact and apply it to the state; cite these rules for it, if any are given."""
        if rules:
            self.rulings.append(Ruling(rules, figures, len(self.facts)))
        self.facts.append(fact)
        self.state = self._evolve(self.state, fact)

    def explain(self, /, *rules: str, **figures: int | str) -> None:
        """Cite rules for the latest fact, or for the action as a whole if there is none yet."""
        self.rulings.append(Ruling(rules, figures, len(self.facts) - 1 if self.facts else None))

    def explain_next(self, /, *rules: str, **figures: int | str) -> None:
        """Cite rules for the fact that is recorded next."""
        self.rulings.append(Ruling(rules, figures, len(self.facts)))

    def note(self, /, *rules: str, **figures: int | str) -> None:
        """Cite rules for the action as a whole."""
        self.rulings.append(Ruling(rules, figures))

    def accepted(self) -> Accepted[F]:
        """Return the outcome of the action: accepted, with its facts and rulings."""
        return Accepted(tuple(self.facts), tuple(self.rulings))
