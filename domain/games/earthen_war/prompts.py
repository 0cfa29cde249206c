"""Phases of the turn, and what is expected of whom, for people."""

from typing import Final, assert_never

from domain.games.earthen_war.captions import why_it_ended
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.state import (
    FUSE,
    OTHER,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Phase,
    Placing,
    Rolling,
    State,
    Step,
    Turn,
    acting,
)
from domain.games.earthen_war.uses import as_title, usable
from domain.kernel import scene

_STEPS: Final[tuple[Step, ...]] = ("improve", "swap", "use")


def step_of(phase: Phase) -> Step | None:
    """Return the step of the turn that a phase belongs to, or None outside of turns."""
    match phase:
        case Turn(_, step):
            return step
        case Rolling() | Placing():
            return "improve"
        case Locating() | Offering():
            return "use"
        case Initiative() | Outcome():
            return None
        case unreachable:
            assert_never(unreachable)


def _phases(now: int) -> tuple[scene.Phase, ...]:
    states: tuple[scene.PhaseState, ...] = ("done", "now", "next")
    return tuple(
        scene.Phase(ENGLISH.format(f"phase {step}"), states[(n >= now) + (n > now)])
        for n, step in enumerate(_STEPS)
    )


_PHASES: Final = {step: _phases(now) for now, step in enumerate(_STEPS)}


def phases(phase: Phase) -> tuple[scene.Phase, ...]:
    """Return the steps of a turn that players choose in, none outside of turns."""
    step = step_of(phase)
    return _PHASES[step] if step else ()


_RULES: Final = {
    "initiative": "ew.setup.initiative",
    "improve": "ew.improve.one",
    "swap": "ew.swap.adjacent",
    "use": "ew.grid.direction",
    "end": "ew.turn.end",
    "roll": "ew.improve.roll",
    "place": "ew.grid.direction",
    "locate": "ew.damage.coordinate",
    "shell": "ew.shell.place",
}
"""The rule that each reason rests on."""


def prompt(state: State, viewer: str) -> scene.PromptText:
    """Return what is expected of whom, from the viewer's side, and why."""
    phase = state.phase
    if isinstance(phase, Outcome):
        why = f"{as_title(why_it_ended(state))}."
        if phase.winner is None:
            return scene.PromptText(ENGLISH.format("heading drawn"), why, "ew.end.draw")
        heading = ENGLISH.format("heading won", seat=ENGLISH.format(phase.winner))
        return scene.PromptText(heading, why, "ew.end.line")
    key, reason, values = _asked(state, phase)
    seat = acting(phase)
    assert seat is not None, "the game is over"
    heading = f"heading own {key}" if viewer == seat else f"heading {key}"
    return scene.PromptText(
        ENGLISH.format(heading, seat=ENGLISH.format(seat), **values),
        ENGLISH.format(f"why {reason}", **values),
        _RULES[key],
    )


def _asked(
    state: State, phase: Initiative | Turn | Rolling | Placing | Locating | Offering
) -> tuple[str, str, dict[str, object]]:
    """Return the key of the heading, the key of the reason, and the values of both."""
    match phase:
        case Initiative():
            return "initiative", "initiative", {}
        case Turn(seat, step):
            key = "end" if step == "use" and not usable(state, seat) else step
            return key, key, {}
        case Rolling(_, colour):
            return "roll", "roll", {"colour": ENGLISH.format(f"colour {colour}")}
        case Placing(_, colour, dots):
            name = ENGLISH.format(f"colour {colour}")
            does = ENGLISH.format(f"does {colour}", n=dots)
            return "place", "place", {"colour": name, "dots": dots, "does": does}
        case Locating(seat, cell):
            victim = ENGLISH.format(OTHER[seat])
            values: dict[str, object] = {"victim": victim, "cell": ENGLISH.format(f"cell {cell}")}
            return "locate", f"locate {state.options.dice_axes}", values
        case Offering(_, square):
            return "shell", "shell", {"square": square, "n": FUSE}
        case unreachable:
            assert_never(unreachable)
