"""Prompts for essences: a mix, so many of one type, a mix onto a component."""

from collections.abc import Iterator

from domain.games.res_arcana.actions import Gain, Put
from domain.games.res_arcana.bundles import Bundle, counts, mixes, of_type
from domain.games.res_arcana.collect import refuse_mix
from domain.games.res_arcana.facts import EssencesGained, EssencesPut, StepDone
from domain.games.res_arcana.refusals import refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import Gaining, GainingSame, Putting, area_of, component
from domain.kernel.rulings import Refused


def gains(step: Gaining | GainingSame) -> Iterator[Gain]:
    """Every answer."""
    if isinstance(step, GainingSame):
        return (Gain(of_type(letter, step.n)) for letter in step.of)
    return (Gain(mix) for mix in mixes(step.n, step.of))


def puts(step: Putting) -> Iterator[Put]:
    """Every answer."""
    return (Put(mix) for mix in mixes(step.n, step.of))


def refuse_gain(step: Gaining | GainingSame, essences: Bundle) -> Refused | None:
    """Why these cannot be gained."""
    if not isinstance(step, GainingSame):
        return refuse_mix(essences, step.n, step.of)
    several = sum(1 for n in counts(essences) if n) > 1
    if sum(counts(essences)) == step.n and several:
        return refused("ra.gain.same", "same", n=step.n)
    return refuse_mix(essences, step.n, step.of)


def gain(course: Resolution, step: Gaining | GainingSame, action: Gain) -> None:
    """Gain them."""
    rule = "ra.gain.same" if isinstance(step, GainingSame) else "ra.gain.count"
    course.record(StepDone())
    course.record(EssencesGained(step.seat, action.essences), rule, "ra.gain.type", n=step.n)


def put(course: Resolution, step: Putting, action: Put) -> None:
    """Put them onto the component, if it is still there."""
    course.record(StepDone())
    if component(area_of(course.state, step.seat), step.card) is not None:
        put_on = EssencesPut(step.seat, step.card, action.essences)
        course.record(put_on, "ra.put", "ra.gain.count", component=step.card, n=step.n)
