"""Lines of cards that their owner cannot use now, with the reasons."""

from collections.abc import Iterator

from domain.games.res_arcana.actions import React
from domain.games.res_arcana.artifacts import refuse_every_play
from domain.games.res_arcana.card_faces import power_line
from domain.games.res_arcana.card_icons import cost_icons
from domain.games.res_arcana.legal import asked
from domain.games.res_arcana.parts import cost_now
from domain.games.res_arcana.payments import discount_for
from domain.games.res_arcana.powers import refuse_power
from domain.games.res_arcana.reactions import refuse_react
from domain.games.res_arcana.state import (
    Acting,
    Area,
    Checking,
    Component,
    Losing,
    State,
    area_of,
    component,
    pack_of,
)
from domain.kernel.hints import RefusedLine


def refused_lines(state: State, seat: str, actor: str) -> tuple[RefusedLine, ...]:
    """Return why an artifact in the hand cannot be played, or lines of a component not be used."""
    if seat not in asked(state):
        return ()
    area, step = area_of(state, seat), state.queue[0]
    own = component(area, actor)
    match step:
        case Acting() if actor in area.hand:
            return tuple(_play(state, area, actor))
        case Acting() if own is not None:
            return tuple(_powers(state, area, own))
        case Losing() | Checking() if own is not None:
            return tuple(_reaction(state, step, area, own))
        case _:
            return ()


def _play(state: State, area: Area, card: str) -> Iterator[RefusedLine]:
    refusal = refuse_every_play(state, area, card)
    if refusal is not None:
        artifact = pack_of(state).artifacts[card]
        cost = cost_now(artifact, discount_for(state, area, artifact))
        yield RefusedLine("", refusal, "play", cost)


def _powers(state: State, area: Area, own: Component) -> Iterator[RefusedLine]:
    for number, power in enumerate(pack_of(state).cards[own.id].power, 1):
        refusal = refuse_power(state, area, own, number)
        if refusal is not None:
            cost = cost_icons(power.pay, power.pay_of)
            yield RefusedLine(power_line(number), refusal, "use", cost)


def _reaction(
    state: State, step: Losing | Checking, area: Area, own: Component
) -> Iterator[RefusedLine]:
    react = pack_of(state).cards[own.id].react
    refusal = refuse_react(state, step, area, React(own.id)) if react else None
    if react and refusal is not None:
        yield RefusedLine("reaction", refusal, "react", cost_icons(react.pay))
