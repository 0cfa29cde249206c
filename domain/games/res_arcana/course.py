"""What follows from an action of Res Arcana, while it is worked out."""

from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.state import State
from domain.kernel import course

Course = course.Course[State, Fact]
