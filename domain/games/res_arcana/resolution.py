"""What follows from an action of Res Arcana, while it is worked out."""

from domain.games.res_arcana.evolve import evolve
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.state import State
from domain.kernel import resolution


class Resolution(resolution.Resolution[State, Fact]):
    """A course whose facts are those of Res Arcana."""

    def __init__(self, state: State) -> None:
        super().__init__(state, evolve)
