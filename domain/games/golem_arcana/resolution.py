"""What follows from an action of Golem Arcana, while it is worked out."""

from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.evolve import evolve
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.state import State
from domain.kernel import resolution


class Resolution(resolution.Resolution[State, Fact]):
    """A course that also reads each of its states as a `Battle`, once."""

    def __init__(self, state: State, seats: tuple[Seat, ...] = ()) -> None:
        """`seats` as a `Battle` takes them."""
        super().__init__(state, evolve)
        self._seats: Final = seats
        self._battle: Battle | None = None

    @property
    def battle(self) -> Battle:
        """The present state, read."""
        if self._battle is None or self._battle.state is not self.state:
            self._battle = Battle(self.state, self._seats)
        return self._battle
