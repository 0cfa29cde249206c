"""The Dark Priest: the night wind, the explosion and the slaying."""

from collections.abc import Iterator

from domain.games.tokars_arcana.actions import Explode, Slay, Wind
from domain.games.tokars_arcana.board import AHEAD, COLUMNS, home_row, plane
from domain.games.tokars_arcana.cards import rank_of
from domain.games.tokars_arcana.facts import Shift
from domain.games.tokars_arcana.names import seat_name
from domain.games.tokars_arcana.state import OTHER, Seat, Square, State
from domain.kernel.rulings import Refused


def pushes(state: State, soldier: Square, seat: Seat) -> tuple[Shift, ...]:
    """Whom the wind of this seat pushes back once the soldier is gone, the rearmost row first."""
    enemy = OTHER[seat]
    rows, ahead = state.options.rows, AHEAD[enemy]
    home = home_row(rows, enemy)
    taken = {square for square in state.board if square != soldier}
    found = []
    for row in range(home + ahead, home + ahead * rows, ahead):  # from the home row none can go
        for column in COLUMNS:
            start, behind = f"{column}{row}", f"{column}{row - ahead}"
            model = state.board.get(start)
            if model is not None and model.seat == enemy and behind not in taken:
                taken.remove(start)
                taken.add(behind)
                found.append(Shift(start, behind, marked=model.unit == "X"))
    return tuple(found)


def exploded(state: State, target: Square) -> tuple[Square, ...]:
    """The squares of all who die when the model on this square explodes, in board order."""
    around = plane(state.options.rows)
    dying = {target, *around.around[target]} & state.board.keys()
    return tuple(sorted(dying, key=around.place.__getitem__))


def slain(state: State, start: Square, seat: Seat) -> tuple[Square, ...]:
    """The squares of all adjacent enemies, in board order."""
    board = state.board
    return tuple(
        square
        for square in plane(state.options.rows).around[start]
        if square in board and board[square].seat != seat
    )


def _may_slay(state: State, start: Square, seat: Seat) -> bool:
    return state.options.gestures == "allowed" or bool(slain(state, start, seat))


def may_explode(state: State, start: Square, target: Square, seat: Seat) -> bool:
    """May the Dark Priest of this seat explode what stands there?"""
    model = state.board.get(target)
    return (
        model is not None
        and model.seat == seat
        and target != start
        and rank_of(model.unit) != "soldier"
    )


def _is_soldier(state: State, square: Square, seat: Seat) -> bool:
    model = state.board.get(square)
    return model is not None and model.seat == seat and rank_of(model.unit) == "soldier"


def rites(state: State, start: Square, seat: Seat) -> Iterator[Wind | Explode | Slay]:
    """Every order of a Dark Priest."""
    board = state.board
    for square in plane(state.options.rows).squares:
        model = board.get(square)
        if model is None or model.seat != seat:
            continue
        if rank_of(model.unit) == "soldier":
            yield Wind(start, square)
        elif square != start:
            yield Explode(start, square)
    if _may_slay(state, start, seat):
        yield Slay(start)


def refuse_rite(state: State, order: Wind | Explode | Slay, seat: Seat) -> Refused | None:
    """Why a Dark Priest cannot do this."""
    match order:
        case Wind(soldier=soldier):
            if _is_soldier(state, soldier, seat):
                return None
            return Refused(
                "ta.darkpriest.wind.soldier",
                f"no soldier of {seat_name(seat)}'s stands on {soldier}: the night wind costs one",
            )
        case Explode(start, target):
            if may_explode(state, start, target, seat):
                return None
            return Refused(
                "ta.darkpriest.explode.unit",
                f"on {target} stands no other model of {seat_name(seat)}'s above soldier: only such"
                " a one explodes",
            )
        case Slay(start):
            if _may_slay(state, start, seat):
                return None
            return Refused(
                "ta.darkpriest.slay.nobody",
                f"no enemy is adjacent to {start}: there is nobody to slay",
            )
