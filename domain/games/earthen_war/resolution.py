"""What follows from an action of Earthen-War, while it is worked out."""

from domain.games.earthen_war.evolve import evolve
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.state import State
from domain.kernel import resolution


class Resolution(resolution.Resolution[State, Fact]):
    """A course whose facts are those of Earthen-War."""

    def __init__(self, state: State) -> None:
        super().__init__(state, evolve)
