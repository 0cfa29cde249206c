"""What follows from an action, while it is being worked out: facts, and the rulings on them."""

from domain.games.res_arcana.evolve import evolve
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.state import State
from domain.kernel.game import Accepted, Ruling


class Course:
    """Collects facts in order. `state` is always the state after them, made by `evolve`."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: list[Fact] = []
        self.rulings: list[Ruling] = []

    def happen(self, fact: Fact, *rules: str, **figures: int | str) -> None:
        """Let a fact become true, by these rules."""
        self.state = evolve(self.state, fact)
        self.facts.append(fact)
        if rules:
            self.because(*rules, **figures)

    def because(self, *rules: str, **figures: int | str) -> None:
        """Cite rules for the last fact; for the action as a whole if there is none yet."""
        self.rulings.append(Ruling(rules, figures, len(self.facts) - 1 if self.facts else None))

    def accepted(self) -> Accepted[Fact]:
        """The answer that the action stands."""
        return Accepted(tuple(self.facts), tuple(self.rulings))
