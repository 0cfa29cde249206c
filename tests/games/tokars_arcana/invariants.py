"""What holds of every state and every step of a game, however it is played: for tests and soaks."""

from collections import Counter
from collections.abc import Iterator

from domain.games.tokars_arcana.board import plane
from domain.games.tokars_arcana.state import (
    GENERALS,
    SEATS,
    TOKENS,
    Angels,
    Model,
    Over,
    Placing,
    Seat,
    State,
    units_in,
)


def broken(before: State, after: State) -> Iterator[str]:
    """What does not hold after an action, in words; nothing if all is well.

    For the first state of a game, `before` is the same as `after`.
    """
    if before.options != after.options:
        yield "the options have changed"
    yield from _broken_figures(before, after)
    yield from _broken_board(after)


def _broken_figures(before: State, after: State) -> Iterator[str]:
    """Every figure is on the board, in the air, awaiting an angel or in a graveyard."""
    for seat in SEATS:
        had, has = _figures(before, seat), _figures(after, seat)
        if has - had:
            yield f"{seat} has gained {dict(has - had)}"
        lost = had - has
        # Two of the dead may leave the game in a trade, nothing else does.
        if lost and (after.options.trade == "board" or lost.total() > 2):
            yield f"{seat} has lost {dict(lost)}"


def _figures(state: State, seat: Seat) -> Counter[str]:
    """All figures of a seat; a priest is a priest, his angel spent or not."""
    units = [model.unit for model in _models(state) if model.seat == seat]
    return Counter("P" if unit == "Q" else unit for unit in (*units, *units_in(state.graves[seat])))


def _models(state: State) -> Iterator[Model]:
    yield from state.board.values()
    match state.phase:
        case Placing(models):
            yield from models
        case Angels(seats):
            yield from (Model(seat, "P") for seat in seats)
        case _:
            pass


def _broken_board(after: State) -> Iterator[str]:
    squares = plane(after.options.rows).place
    for square, model in after.board.items():
        if square not in squares:
            yield f"a model stands on {square}"
        if not 0 <= model.tokens <= TOKENS:
            yield f"{model.tokens} tokens lie on {square}"
        if model.moved and model.unit != "X":
            yield f"the model on {square} is marked and no Dark Priest"
    if not isinstance(after.phase, Over):
        for seat in SEATS:
            models = after.board.values()
            if sum(model.seat == seat and model.unit in GENERALS for model in models) != 1:
                yield f"{seat} has not one general, and the game goes on"
