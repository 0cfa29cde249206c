"""Rounds and Turns: who is next, and what begins (THE PLAYER TURN)."""

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.upkeep import conduct_upkeep
from domain.games.golem_arcana.battle.victory import end_rounds
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.facts import (
    ApChanged,
    ManaChanged,
    RoundBegan,
    TurnBegan,
    TurnSkipped,
)
from domain.games.golem_arcana.resolution import Resolution


def pool(battle: Battle) -> int:
    """The Action Points of each Turn (GA-R1)."""
    scenario = battle.scenario
    return scenario.ap or battle.pack.tables.ap_pool[str(scenario.apv)]


def begin(course: Resolution) -> None:
    """Set-up is over: Round 1 begins."""
    course.record(RoundBegan(1), "ga.setup.order", "ga.setup.scenario")
    battle = course.battle
    _begin_turn(course, next(seat for seat in battle.seats if not battle.is_out(seat)))


def end_turn(course: Resolution, seat: Seat) -> None:
    """Turn unspent Action Points into Mana; the next seat's Turn begins."""
    left = course.state.seats[seat].ap
    course.note("ga.turn.end", seat=seat)
    if left:
        course.record(ApChanged(seat, -left))
        course.record(ManaChanged(seat, left), "ga.ap.leftover", unspent=left)
    _pass_on(course, seat)


def _pass_on(course: Resolution, seat: Seat) -> None:
    order = course.battle.seats
    place = order.index(seat)
    fighting = course.battle.fighting()
    while True:
        place += 1
        if place == len(order):
            rounds = course.battle.scenario.rounds
            if rounds and course.state.round >= rounds:
                end_rounds(course)
                return
            course.record(RoundBegan(course.state.round + 1), "ga.turn.order")
            place = 0
        if order[place] in fighting:
            _begin_turn(course, order[place])
            return
        # Passed over, yet what it did to others still runs out (GA-R37).
        course.record(TurnSkipped(order[place]), "ga.turn.skip", "ga.upkeep.status")


def _begin_turn(course: Resolution, seat: Seat) -> None:
    course.record(TurnBegan(seat), "ga.turn.order", round=course.state.round)
    conduct_upkeep(course, seat)
    if course.state.outcome is None:
        gained = pool(course.battle) - course.state.seats[seat].ap
        if gained:
            size = course.battle.scenario.apv
            course.record(ApChanged(seat, gained), "ga.ap.pool", pool=gained, battle=size)
