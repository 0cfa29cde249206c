"""Setting a battle up, to the first state in which somebody is asked for something."""

from domain.games.golem_arcana.battle.deployment import set_up
from domain.games.golem_arcana.battle.pending_items import settle
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import State
from domain.kernel.rulings import Ruling


def start(options: Options) -> State:
    """The first state, in which somebody is asked for something."""
    return _opened(options).state


def opening(options: Options) -> tuple[Ruling, ...]:
    """The rulings behind it."""
    return tuple(Ruling(ruling.rules, ruling.figures) for ruling in _opened(options).rulings)


def _opened(options: Options) -> Resolution:
    course = Resolution(set_up(options))
    settle(course)
    return course
