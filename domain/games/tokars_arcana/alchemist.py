"""The Alchemist: sliding along the row, and firebrew."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from domain.games.tokars_arcana.actions import Brew, BrewAndSlide, SlideAndBrew
from domain.games.tokars_arcana.board import COLUMNS, Squares, at, column_of, plane, row_of
from domain.games.tokars_arcana.cards import named
from domain.games.tokars_arcana.evolve import moved
from domain.games.tokars_arcana.facts import Shift
from domain.games.tokars_arcana.killing import refuse_nobody, refuse_own
from domain.games.tokars_arcana.state import Board, Options, Seat, Square, State
from domain.kernel.rulings import Refused

LONGEST_SLIDE: Final = 5


@cache
def slide_ends(rows: int, start: Square) -> Squares:
    """The other squares of the row that are near enough."""
    column, row = column_of(start), row_of(start)
    others = (at(rows, to, row) for to in range(column - LONGEST_SLIDE, column + LONGEST_SLIDE + 1))
    return tuple(end for end in others if end is not None and end != start)


@cache
def _passed(start: Square, end: Square) -> Squares:
    """The squares of a slide, without the first."""
    here, there, row = column_of(start), column_of(end), start[1:]
    way = 1 if there > here else -1
    return tuple(f"{COLUMNS[column]}{row}" for column in range(here + way, there + way, way))


@cache
def before_slide(start: Square, end: Square) -> dict[Square, Square]:
    """Where whoever stands on each square of the way after a slide stood before it.

    >>> before_slide("a1", "c1")
    {'a1': 'b1', 'b1': 'c1', 'c1': 'a1'}
    """
    passed = _passed(start, end)
    return dict(zip((start, *passed), (*passed, start), strict=True))


def swaps(board: Board, start: Square, end: Square) -> tuple[Shift, ...]:
    """The models on the way, each one square towards where the Alchemist came from."""
    found = []
    for square, before in before_slide(start, end).items():
        model = board.get(before)
        if model is not None and square != end:
            found.append(Shift(before, square, marked=model.unit == "X"))
    return tuple(found)


def after_slide(board: Board, start: Square, end: Square) -> Board:
    """The board after a slide."""
    return moved(board, (Shift(start, end), *swaps(board, start, end)))


def refuse_slide(rows: int, start: Square, end: Square) -> Refused | None:
    """Why an Alchemist cannot slide there."""
    if end in slide_ends(rows, start):
        return None
    figures: dict[str, int | str] = {}
    if row_of(start) == row_of(end):
        figures["columns"] = abs(column_of(end) - column_of(start))
    return Refused(
        "ta.alchemist.slide",
        f"from {start} an Alchemist slides 1 to {LONGEST_SLIDE} squares along his row, not to"
        f" {end}",
        figures,
    )


def brew_targets(options: Options, board: Board, stands: Square, seat: Seat) -> Iterator[Square]:
    """Where a firebrew may be thrown from here, on this board."""
    gestures, spares = options.gestures == "allowed", options.friendly_fire == "explicit"
    for target in plane(options.rows).near[stands]:
        model = board.get(target)
        if model is None:
            if gestures:
                yield target
        elif (gestures or not model.tokens) and not (spares and model.seat == seat):
            yield target


def brews(state: State, start: Square, seat: Seat) -> Iterator[Brew | SlideAndBrew | BrewAndSlide]:
    """Every order with a throw: alone, before a slide, after a slide (TA-R20)."""
    options, board = state.options, state.board
    slides = slide_ends(options.rows, start)
    for target in brew_targets(options, board, start, seat):
        yield Brew(start, target)
        for end in slides:
            yield BrewAndSlide(start, target, end)
    for end in slides:
        after = after_slide(board, start, end)
        for target in brew_targets(options, after, end, seat):
            yield SlideAndBrew(start, end, target)


def refuse_brew(
    state: State, order: Brew | SlideAndBrew | BrewAndSlide, seat: Seat
) -> Refused | None:
    """Why this throw, with its slide, is not possible; the parts from left to right."""
    rows, start = state.options.rows, order.start
    match order:
        case Brew():
            return _refuse_throw(state.options, state.board, start, order.target, seat)
        case SlideAndBrew(end=end):
            refusal = refuse_slide(rows, start, end)
            if refusal is not None:
                return refusal
            after = after_slide(state.board, start, end)
            return _refuse_throw(state.options, after, end, order.target, seat)
        case BrewAndSlide(end=end):
            return _refuse_throw(
                state.options, state.board, start, order.target, seat
            ) or refuse_slide(rows, start, end)


def _refuse_throw(
    options: Options, board: Board, stands: Square, target: Square, seat: Seat
) -> Refused | None:
    if target not in plane(options.rows).near[stands]:
        return Refused(
            "ta.alchemist.brew.range",
            f"{target} is out of range from {stands}: firebrew flies at most 2 columns and 2 rows,"
            " to another square",
            {
                "columns": abs(column_of(target) - column_of(stands)),
                "rows": abs(row_of(target) - row_of(stands)),
            },
        )
    return _refuse_target(options, board, target, seat)


def _refuse_target(options: Options, board: Board, target: Square, seat: Seat) -> Refused | None:
    """Why nothing is thrown at this square, which is in range."""
    model = board.get(target)
    if model is None:
        return refuse_nobody(options, target)
    if model.seat == seat and options.friendly_fire == "explicit":
        return refuse_own(options, target)
    if model.tokens and options.gestures == "refused":
        return Refused(
            "ta.alchemist.brew.already",
            f"{named(model.seat, model.unit)} on {target} burns already: a second firebrew has no"
            " effect",
            {"tokens": model.tokens},
        )
    return None
