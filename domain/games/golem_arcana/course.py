"""What follows from an action, as it comes about: the facts, the state after each, the rulings."""

from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.evolve import evolve
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.state import State
from domain.kernel.game import Figures, Ruling


class Course:
    """The only mutable thing in the rules; it lives as long as one action is carried out."""

    def __init__(self, state: State, seats: tuple[Seat, ...] = ()) -> None:
        """`seats` as a `Battle` takes them."""
        self.state = state
        self._seats: Final = seats
        self.facts: list[Fact] = []
        self.rulings: list[Ruling] = []
        self._battle: Battle | None = None

    @property
    def battle(self) -> Battle:
        """The present state, read."""
        if self._battle is None:
            self._battle = Battle(self.state, self._seats)
        return self._battle

    def happen(self, fact: Fact, *rules: str, **figures: int | str) -> None:
        """Something became true, by these rules and figures."""
        if rules:
            self.rulings.append(Ruling(rules, figures, len(self.facts)))
        self.facts.append(fact)
        self.state = evolve(self.state, fact)
        self._battle = None

    def explain(self, figures: Figures, *rules: str) -> None:
        """A ruling on the fact that comes next."""
        self.rulings.append(Ruling(rules, figures, len(self.facts)))

    def note(self, figures: Figures, *rules: str) -> None:
        """A ruling on the action as a whole."""
        self.rulings.append(Ruling(rules, figures))
