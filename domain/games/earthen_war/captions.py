"""What is asked of whom, in a sentence."""

from typing import Final, assert_never

from domain.games.earthen_war.damage import line_of
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.state import (
    FUSE,
    OTHER,
    SEATS,
    Cell,
    Die,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Placing,
    Rolling,
    Seat,
    State,
    Turn,
    golem_of,
)
from domain.games.earthen_war.uses import usable

_LISTED: Final = 4
"""Dice that a prompt names."""


def caption(state: State, viewer: str) -> str:
    """Who is to do what, the same for everybody."""
    del viewer
    match state.phase:
        case Initiative(None):
            return ENGLISH.say("ask init", seat=ENGLISH.say("white"))
        case Initiative(total):
            return ENGLISH.say("ask init second", seat=ENGLISH.say("black"), total=total)
        case Turn(seat, "use"):
            return _ask_use(state, seat)
        case Turn(seat, step):
            return ENGLISH.say(f"ask {step}", seat=ENGLISH.say(seat))
        case Rolling(seat, colour):
            name = ENGLISH.say(f"colour {colour}")
            return ENGLISH.say("ask roll", seat=ENGLISH.say(seat), colour=name)
        case Placing(seat, colour, dots):
            does = ENGLISH.say(f"does {colour}", n=dots)
            name = ENGLISH.say(f"colour {colour}")
            return ENGLISH.say(
                "ask place", seat=ENGLISH.say(seat), colour=name, dots=dots, does=does
            )
        case Locating(seat, cell):
            return ENGLISH.say(
                f"ask locate {state.options.dice_axes}",
                seat=ENGLISH.say(seat),
                victim=ENGLISH.say(OTHER[seat]),
                cell=ENGLISH.say(f"cell {cell}"),
            )
        case Offering(seat, square):
            return ENGLISH.say("ask shell", seat=ENGLISH.say(seat), square=square, n=FUSE)
        case Outcome(winner):
            key = "drawn" if winner is None else "won"
            return ENGLISH.say(key, seat=ENGLISH.say(winner or "white"), why=why_it_ended(state))
        case unreachable:
            assert_never(unreachable)


def _ask_use(state: State, seat: Seat) -> str:
    dice = [_brief(cell, die) for cell, die in usable(state, seat)]
    if not dice:
        return ENGLISH.say("ask end", seat=ENGLISH.say(seat))
    if len(dice) > _LISTED + 1:
        dice = [*dice[:_LISTED], ENGLISH.say("more", n=len(dice) - _LISTED)]
    return ENGLISH.say("ask use", seat=ENGLISH.say(seat), dice=ENGLISH.say("comma").join(dice))


def _brief(cell: Cell, die: Die) -> str:
    colour = ENGLISH.say(f"colour {die.colour}")
    return ENGLISH.say("brief", colour=colour, dots=die.dots, cell=ENGLISH.say(f"cell {cell}"))


def cells(names: tuple[Cell, ...] | list[Cell]) -> str:
    """Squares of a grid, as `front and left`."""
    return ENGLISH.listed([ENGLISH.say(f"cell {cell}") for cell in names])


def why_it_ended(state: State) -> str:
    """By which damage a battle ended."""
    lines = {seat: line for seat in SEATS if (line := line_of(golem_of(state, seat).grid))}
    if len(lines) != 1:
        return ENGLISH.say("why both")
    [(loser, line)] = lines.items()
    return ENGLISH.say("why line", line=cells(line), loser=ENGLISH.say(loser))
