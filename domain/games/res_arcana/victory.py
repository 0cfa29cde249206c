"""Phase 3: points, reactions to a victory check, and the end."""

from collections.abc import Iterator
from typing import assert_never

from domain.games.res_arcana.actions import React, Skip
from domain.games.res_arcana.bundles import GOLD, counts, number_of
from domain.games.res_arcana.collect import begin_round
from domain.games.res_arcana.facts import CheckMovedOn, GameEnded, PointsAdded, StepDone
from domain.games.res_arcana.reactions import pay_reaction, reaction_to, reactions
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    TO_WIN,
    Area,
    Checking,
    Seat,
    State,
    clockwise_from,
    pack_of,
    playing,
)
from domain.games.res_arcana.vocabulary import AddPoints, Artifact, Card, Place
from domain.kernel.rulings import Figures


def points_of(state: State, area: Area) -> int:
    """A seat's points: the token and everything on its table, turned or not."""
    return token_points(state, area) + sum(worths_of(state, area))


def token_points(state: State, area: Area) -> int:
    """Return a seat's points for the starting player token."""
    return pack_of(state).token_points if state.token and state.first == area.seat else 0


def worths_of(state: State, area: Area) -> list[int]:
    """Return the points of each component on a seat's table."""
    cards = pack_of(state).cards
    return [_worth(cards[own.id], own.on, area, state) for own in area.table]


def _worth(card: Card, on: str, area: Area, state: State) -> int:
    worth = card.points
    if type(card) is Place:
        if card.points_stored is not None:
            worth += number_of(on, card.points_stored)
        for kind, points in card.points_per.items():
            worth += points * sum(_is_of(state, own.id, kind) for own in area.table)
    return worth


def _is_of(state: State, card: str, kind: str) -> bool:
    known = pack_of(state).cards[card]
    return isinstance(known, Artifact) and kind in known.type


def essences_of(area: Area) -> int:
    """What breaks a tie: the essences in the pool, gold counted twice."""
    pool = counts(area.pool)
    return sum(pool) + pool[GOLD]


# --- who is asked --------------------------------------------------------------------------------


def asked(state: State, step: Checking) -> Area:
    """The seat that may react now, clockwise from the holder of the token."""
    assert state.first is not None, "points are counted in a round"
    return clockwise_from(state, state.first)[step.asked]


def answers(state: State, step: Checking) -> Iterator[React | Skip]:
    """Every reaction, or none."""
    yield from reactions(state, step, asked(state, step))
    yield Skip()


def answer(course: Resolution, step: Checking, action: React | Skip) -> None:
    """Let an answer become true."""
    area = asked(course.state, step)
    match action:
        case Skip():
            course.record(CheckMovedOn())
        case React(card):
            react = reaction_to(course.state, step, card)
            assert react is not None, "judged before"
            pay_reaction(course, area.seat, card, react)
            more = sum(effect.points for effect in react.do if isinstance(effect, AddPoints))
            added = PointsAdded(area.seat, more)
            course.record(added, "ra.check.points", component=card, more=more)
        case _:
            assert_never(action)


def go_on(course: Resolution, step: Checking) -> bool:
    """Ask the next seat that can react. False if one is asked; else points have been counted."""
    while step.asked < len(course.state.areas):
        area = asked(course.state, step)
        if not area.gone and any(True for _ in reactions(course.state, step, area)):
            return False
        course.record(CheckMovedOn())
        step = _pending(course.state)
    _count(course, step)
    return True


def _pending(state: State) -> Checking:
    step = state.queue[0]
    assert isinstance(step, Checking), "the check is still going on"
    return step


def _count(course: Resolution, step: Checking) -> None:
    areas = course.state.areas
    points = tuple(points_of(course.state, a) + n for a, n in zip(areas, step.added, strict=True))
    figures: Figures = {a.seat: n for a, n in zip(areas, points, strict=True)}
    if max(_of_playing(areas, points)) < TO_WIN:
        course.record(StepDone(), "ra.check.points", "ra.check.ten", **figures)
        if step.kind == "end":
            begin_round(course)
        return
    essences = tuple(essences_of(area) for area in areas)
    most = max(_of_playing(areas, points))
    course.record(
        GameEnded(winners_of(areas, points, essences), points, essences),
        "ra.check.points",
        **figures,
    )
    course.explain("ra.check.ten", most=most)
    tied: Figures = {
        area.seat: own
        for area, n, own in zip(areas, points, essences, strict=True)
        if n == most and not area.gone
    }
    if len(tied) > 1:
        course.explain("ra.check.tie", **tied)


def _of_playing(areas: tuple[Area, ...], numbers: tuple[int, ...]) -> list[int]:
    return [n for area, n in zip(areas, numbers, strict=True) if not area.gone]


def winners_of(
    areas: tuple[Area, ...], points: tuple[int, ...], essences: tuple[int, ...]
) -> tuple[Seat, ...]:
    """Who has the most points, and of them the most essences, among those still playing."""
    scores = dict(zip(areas, zip(points, essences, strict=True), strict=True))
    best = max(score for area, score in scores.items() if not area.gone)
    return tuple(area.seat for area, score in scores.items() if score == best and not area.gone)


def end_with_the_last(course: Resolution) -> None:
    """End the game for the one seat that has not resigned."""
    state = course.state
    (last,) = playing(state)
    points = tuple(points_of(state, area) for area in state.areas)
    essences = tuple(essences_of(area) for area in state.areas)
    course.record(GameEnded((last.seat,), points, essences), "ra.resign.last", seat=last.seat)
