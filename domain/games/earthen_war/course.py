"""The account of one action: what follows from it, fact by fact, and why."""

from typing import Final

from domain.games.earthen_war.evolve import evolve
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.state import Outcome, State
from domain.kernel.game import Accepted, Figures, Ruling


class Account:
    """Facts and rulings as they are worked out, and the state that they have led to so far.

    It lives as long as one call of `decide`; what it gives in the end is immutable.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._facts: Final[list[Fact]] = []
        self._rulings: Final[list[Ruling]] = []

    def add(self, fact: Fact, rules: tuple[str, ...], figures: Figures) -> None:
        """Let this become true, for these reasons."""
        self.state = evolve(self.state, fact)
        self._facts.append(fact)
        self.explain(rules, figures)

    def explain(self, rules: tuple[str, ...], figures: Figures) -> None:
        """Give another reason for the latest fact, or say why it has no consequence."""
        self._rulings.append(Ruling(rules, figures, len(self._facts) - 1))

    @property
    def over(self) -> bool:
        """Has the game ended?"""
        return isinstance(self.state.phase, Outcome)

    def accepted(self) -> Accepted[Fact]:
        """The outcome of the action."""
        return Accepted(tuple(self._facts), tuple(self._rulings))
