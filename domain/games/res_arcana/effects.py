"""What powers and claims do: the interpreter of the effects in the card vocabulary.

An effect happens at once, or becomes a step of the queue that asks somebody or waits for a
shuffle. A pack has effects of the second sort last, so that they keep their order.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple, assert_never

from domain.games.res_arcana.bundles import NOTHING, Bundle, number_of, of_type
from domain.games.res_arcana.facts import (
    ComponentStraightened,
    EssencesGained,
    EssencesPut,
    StepsQueued,
)
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Checking,
    Drawing,
    Gaining,
    GainingSame,
    Looking,
    Losing,
    Placing,
    Putting,
    Seat,
    Waiting,
    area_of,
    component,
    rivals,
)
from domain.games.res_arcana.vocabulary import (
    AddPoints,
    CheckNow,
    DrawCards,
    Effect,
    GainFixed,
    GainMix,
    GainValue,
    GainX,
    IgnoreLoss,
    InflictLoss,
    LookAt,
    Mirror,
    PlaceArtifact,
    PutFixed,
    PutMix,
    PutPaid,
    RivalsGain,
    SameX,
    Straighten,
)

NOBODY: Final = "-"
"""The target that is none."""


class Used(NamedTuple):
    """What is being used, and how it was paid for."""

    seat: Seat
    card: str
    power: int = 0
    """Its number, from 1; 0 where there is none."""
    payment: Bundle = NOTHING
    alike: int = 0
    """X, the identical essences in the payment."""
    value: int = 0
    """The value of the card that was destroyed or discarded as cost."""
    targets: tuple[str, ...] = ()
    """What the effects were told, in order."""


def wants_target(effect: Effect) -> bool:
    """Must the action say what this effect is for?"""
    match effect:
        case Mirror() | LookAt():
            return True
        case Straighten(straighten=sort):
            return sort != "self"
        case PutPaid(put_paid=where):
            return where == "any"
        case _:
            return False


def take_effect(course: Resolution, used: Used, effects: tuple[Effect, ...]) -> None:
    """Let effects happen, in order; those that ask or wait come before what waited already."""
    targets = iter(used.targets)
    steps: list[Waiting] = []
    for effect in effects:
        target = next(targets) if wants_target(effect) else ""
        if not _at_once(course, used, effect, target):
            steps += _steps(course, used, effect, target)
    if steps:
        course.record(StepsQueued(tuple(steps)), "ra.use.effect", component=used.card)


def _at_once(course: Resolution, used: Used, effect: Effect, target: str) -> bool:
    """Let an effect happen that needs nobody. False if it is of the other sort."""
    match effect:
        case GainFixed(gain=essences):
            _gain(course, used.seat, essences, component=used.card)
        case GainX(gain_x=letter):
            _gain(course, used.seat, of_type(letter, used.alike), x=used.alike)
        case RivalsGain(rivals=essences):
            for rival in rivals(course.state, used.seat):
                course.record(EssencesGained(rival.seat, essences), "ra.rivals", seat=rival.seat)
        case Mirror(mirror=letter, as_=gained):
            rival = next(each for each in course.state.areas if each.seat == target)
            n = number_of(rival.pool, letter)
            _gain(course, used.seat, of_type(gained, n), rival=target, pool=rival.pool)
        case PutFixed(put=essences):
            _put(course, used.seat, used.card, essences)
        case PutPaid(put_paid=where):
            _put(course, used.seat, target if where == "any" else used.card, used.payment)
        case Straighten(straighten=sort):
            _straighten(course, used.seat, used.card if sort == "self" else target)
        case IgnoreLoss() | AddPoints():
            pass  # what a reaction does to what it reacts to is done there
        case _:
            return False
    return True


def _gain(course: Resolution, seat: Seat, essences: Bundle, **figures: int | str) -> None:
    if essences == NOTHING:
        course.explain("ra.use.effect", **figures, gained=NOTHING)
    else:
        gained = EssencesGained(seat, essences)
        course.record(gained, "ra.use.effect", **figures, gained=essences)


def _put(course: Resolution, seat: Seat, card: str, essences: Bundle) -> None:
    # A component that was destroyed as cost can hold nothing.
    if essences != NOTHING and component(area_of(course.state, seat), card) is not None:
        course.record(EssencesPut(seat, card, essences), "ra.put", component=card, put=essences)


def _straighten(course: Resolution, seat: Seat, card: str) -> None:
    own = component(area_of(course.state, seat), card)
    if own is not None and own.turned:
        course.record(ComponentStraightened(seat, card), "ra.use.target", component=card)
    else:
        course.explain("ra.use.effect", straightened="nothing")


def _steps(course: Resolution, used: Used, effect: Effect, target: str) -> Iterator[Waiting]:
    """The steps by which an effect happens that asks somebody or waits."""
    match effect:
        case GainMix(any=n, of=of):
            yield Gaining(used.seat, n, of)
        case GainValue(value=more, of=of):
            yield from _by_value(course, used, used.value + more, of)
        case SameX(of=of):
            if used.alike:
                yield GainingSame(used.seat, used.alike, of)
        case PutMix(put_any=n, of=of):
            if component(area_of(course.state, used.seat), used.card) is not None:
                yield Putting(used.seat, used.card, n, of)
        case DrawCards(draw=n, drop=drop):
            yield Drawing(used.seat, n, "drop" if drop else "keep")
        case LookAt(look=n):
            yield Looking(used.seat, "deck" if target == "deck" else "monuments", n)
        case PlaceArtifact():
            yield Placing(used.seat, used.card, used.power)
        case InflictLoss(loss=n):
            # Who has passed is looked at now, once for all.
            for rival in rivals(course.state, used.seat):
                if not rival.out:
                    yield Losing(rival.seat, n, used.card, used.power)
        case CheckNow():
            yield Checking("now", 0, (0,) * len(course.state.areas))
        case (
            GainFixed()
            | GainX()
            | RivalsGain()
            | Mirror()
            | PutFixed()
            | PutPaid()
            | Straighten()
            | IgnoreLoss()
            | AddPoints()
        ):
            return  # happened at once
        case _:
            assert_never(effect)


def _by_value(course: Resolution, used: Used, n: int, of: str) -> Iterator[Waiting]:
    if n == 0:
        course.explain("ra.use.effect", value=0, gained=NOTHING)
    elif len(of) == 1:
        _gain(course, used.seat, of_type(of, n), value=used.value)
    else:
        yield Gaining(used.seat, n, of)
