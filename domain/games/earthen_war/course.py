"""What follows from an action of Earthen-War, while it is worked out."""

from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.state import State
from domain.kernel import course

Course = course.Course[State, Fact]
