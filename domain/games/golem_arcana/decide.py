"""Judging an action: it is refused by the first rule against it, or accepted with its facts."""

from collections.abc import Iterator
from typing import Final

from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.pending_items import asked, settle
from domain.games.golem_arcana.battle.prompts import ANSWERS, answer, other_prompt, refuse_answer
from domain.games.golem_arcana.battle.turns import Deed, judge
from domain.games.golem_arcana.content.cards import SEATS, Seat
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.resolution import Resolution
from domain.games.golem_arcana.state import State
from domain.kernel.rulings import Accepted, Refused


def decide(state: State, seat: str, action: Action) -> Accepted[Fact] | Refused:
    """What follows when this seat takes this action, or why it may not."""
    return _decided(state, seat, action)


BY_NAME: Final = (
    "an earlier release, after a restart, took the seats in the order of their names instead of "
    "Turn order"
)


def legacy_decisions(
    state: State, seat: str, action: Action
) -> Iterator[tuple[str, Accepted[Fact] | Refused]]:
    """What earlier releases made of an action by a known mistake, and the mistake."""
    yield BY_NAME, _decided(state, seat, action, tuple(sorted(Battle(state).seats)))


def _decided(
    state: State, seat: str, action: Action, seats: tuple[Seat, ...] = ()
) -> Accepted[Fact] | Refused:
    deed = _judge(Battle(state, seats), seat, action)
    if isinstance(deed, Refused):
        return deed
    return _carry_out(Resolution(state, seats), deed).accepted()


def consequences(state: State, action: Action) -> tuple[Fact, ...]:
    """The facts of an action that is known to be allowed to the seat that is asked."""
    seat = acting(state)
    deed = _judge(Battle(state), seat or "", action)
    assert not isinstance(deed, Refused), deed
    return tuple(_carry_out(Resolution(state), deed).facts)


def over(state: State) -> Refused | None:
    """The refusal of everything once the battle is over."""
    if state.outcome is None:
        return None
    return Refused("ga.over", "the battle is over: nothing more can be done")


def acting(state: State) -> str | None:
    """The seat, or the referee, that is to act; None once the battle is over."""
    return asked(state.todo[0]) if state.todo else state.turn


def _not_now(whose: str, seat: str) -> str:
    # A seat of another battle has no name here: it goes by what was written.
    now, other = (ENGLISH.templates.get(f"seat.{each}", each) for each in (whose, seat))
    return f"it is {now} who may act now, not {other}"


def _judge(battle: Battle, seat: str, action: Action) -> Deed | Refused:
    state = battle.state
    if (refusal := over(state)) is not None:
        return refusal
    whose = acting(state)
    if seat != whose:
        return Refused("ga.turn.not-yours", _not_now(whose or "", seat))
    if not state.todo:
        return judge(battle, next(each for each in SEATS if each == seat), action)
    item = state.todo[0]
    if not isinstance(action, ANSWERS[type(item)]):
        return other_prompt(item)
    refusal = refuse_answer(battle, item, action)
    return refusal or (lambda course: answer(course, item, action))


def _carry_out(course: Resolution, deed: Deed) -> Resolution:
    deed(course)
    settle(course)
    return course
