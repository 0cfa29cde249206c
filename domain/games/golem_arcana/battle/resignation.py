"""Giving up in a battle that goes on: what becomes of a seat that is out, and of its work."""

from domain.games.golem_arcana.battle.pending_items import settle
from domain.games.golem_arcana.battle.victory import check_end, end_with_the_last
from domain.games.golem_arcana.facts import Fact, SeatResigned
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import State, seat_named
from domain.kernel.rulings import Accepted


def forfeit(state: State, seat: str) -> Accepted[Fact]:
    """What follows when a seat gives up: it is out, its Turn ends, and its Golems stay.

    The others play on; the side that is left alone has won.
    """
    course = Resolution(state)
    course.record(SeatResigned(seat_named(seat)), "ga.resign.out", seat=seat)
    if not end_with_the_last(course) and not check_end(course):
        settle(course)
    return course.accepted()
