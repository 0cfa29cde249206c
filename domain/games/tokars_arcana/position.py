"""Positions as one line of text each; reading them is in `position_reading`."""

import re
from typing import assert_never

from domain.games.tokars_arcana.board import at
from domain.games.tokars_arcana.state import (
    SEATS,
    Angels,
    Board,
    Briefing,
    DrawPending,
    Grave,
    Model,
    Ordering,
    Over,
    Phase,
    Placing,
    Raise,
    Raising,
    Seat,
    State,
    Toss,
    Unit,
)


def write_position(state: State) -> str:
    """The state as one line of six fields."""
    rows = range(state.options.rows, 0, -1)
    fields = (
        "/".join(_write_row(state.board, state.options.rows, row) for row in rows),
        *(_write_grave(seat, state.graves[seat]) for seat in SEATS),
        state.turn or "-",
        write_phase(state.phase),
        str(state.quiet) if state.options.quiet_limit else "-",
    )
    return " ".join(fields)


def _write_row(board: Board, rows: int, row: int) -> str:
    squares = (at(rows, column, row) for column in range(8))
    models = (board.get(square) for square in squares if square)
    written = "".join("." if model is None else write_model(model) for model in models)
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), written)


def write_unit(seat: Seat, unit: Unit) -> str:
    """The letter of a unit: a capital for South, a small letter for North."""
    return unit if seat == "south" else unit.lower()


def write_model(model: Model) -> str:
    """A model with what lies on it.

    >>> write_model(Model("north", "M", tokens=2))
    'm**'
    """
    return f"{write_unit(model.seat, model.unit)}{'!' * model.moved}{'*' * model.tokens}"


def _write_grave(seat: Seat, grave: Grave) -> str:
    written = grave if seat == "south" else grave.lower()
    return written or "-"


def write_phase(phase: Phase) -> str:
    """What is going on, as `order`, `revive:P+raise:e4:captain`, `end:south:general`."""
    match phase:
        case Briefing(waiting):
            return "brief:" + "".join(seat[0] for seat in waiting)
        case Toss():
            return "toss"
        case Ordering(declined):
            return "order!" if declined else "order"
        case DrawPending():
            return "draw"
        case Placing(models):
            return "vanquish:" + "".join(write_model(model) for model in models)
        case Angels(seats, raising, at_end):
            asked = "".join(write_unit(seat, "P") for seat in seats)
            then = "" if raising is None else f"+{_write_raise(raising)}"
            return f"{'endrevive' if at_end else 'revive'}:{asked}{then}"
        case Raising(offer):
            return _write_raise(offer)
        case Over(winner, reason):
            return f"end:{winner or 'draw'}:{reason}"
        case unreachable:
            assert_never(unreachable)


def _write_raise(offer: Raise) -> str:
    return f"raise:{offer.square}:{offer.rank}"
