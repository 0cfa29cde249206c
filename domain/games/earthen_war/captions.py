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
            return ENGLISH.format("ask init", seat=ENGLISH.format("white"))
        case Initiative(total):
            return ENGLISH.format("ask init second", seat=ENGLISH.format("black"), total=total)
        case Turn(seat, "use"):
            return _ask_use(state, seat)
        case Turn(seat, step):
            return ENGLISH.format(f"ask {step}", seat=ENGLISH.format(seat))
        case Rolling(seat, colour):
            name = ENGLISH.format(f"colour {colour}")
            return ENGLISH.format("ask roll", seat=ENGLISH.format(seat), colour=name)
        case Placing(seat, colour, dots):
            does = ENGLISH.format(f"does {colour}", n=dots)
            name = ENGLISH.format(f"colour {colour}")
            return ENGLISH.format(
                "ask place", seat=ENGLISH.format(seat), colour=name, dots=dots, does=does
            )
        case Locating(seat, cell):
            return ENGLISH.format(
                f"ask locate {state.options.dice_axes}",
                seat=ENGLISH.format(seat),
                victim=ENGLISH.format(OTHER[seat]),
                cell=ENGLISH.format(f"cell {cell}"),
            )
        case Offering(seat, square):
            return ENGLISH.format("ask shell", seat=ENGLISH.format(seat), square=square, n=FUSE)
        case Outcome(winner):
            key = "drawn" if winner is None else "won"
            return ENGLISH.format(
                key, seat=ENGLISH.format(winner or "white"), why=why_it_ended(state)
            )
        case unreachable:
            assert_never(unreachable)


def _ask_use(state: State, seat: Seat) -> str:
    dice = [_brief(cell, die) for cell, die in usable(state, seat)]
    if not dice:
        return ENGLISH.format("ask end", seat=ENGLISH.format(seat))
    if len(dice) > _LISTED + 1:
        dice = [*dice[:_LISTED], ENGLISH.format("more", n=len(dice) - _LISTED)]
    return ENGLISH.format(
        "ask use", seat=ENGLISH.format(seat), dice=ENGLISH.format("comma").join(dice)
    )


def _brief(cell: Cell, die: Die) -> str:
    colour = ENGLISH.format(f"colour {die.colour}")
    return ENGLISH.format(
        "brief", colour=colour, dots=die.dots, cell=ENGLISH.format(f"cell {cell}")
    )


def cells(names: tuple[Cell, ...] | list[Cell]) -> str:
    """Squares of a grid, as `front and left`."""
    return ENGLISH.join_and([ENGLISH.format(f"cell {cell}") for cell in names])


def why_it_ended(state: State) -> str:
    """By which damage a battle ended."""
    lines = {seat: line for seat in SEATS if (line := line_of(golem_of(state, seat).grid))}
    if len(lines) != 1:
        return ENGLISH.format("why both")
    [(loser, line)] = lines.items()
    return ENGLISH.format("why line", line=cells(line), loser=ENGLISH.format(loser))
