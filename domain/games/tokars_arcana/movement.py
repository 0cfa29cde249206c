"""Moving: where a model's own movement leads, whom it kills by entering, and how it walks off."""

from collections.abc import Iterable, Iterator
from functools import cache

from domain.games.tokars_arcana.actions import Enter, Move, Off
from domain.games.tokars_arcana.alchemist import refuse_slide, slide_ends
from domain.games.tokars_arcana.board import Squares, far_row, jumps, offset, plane, row_of
from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.killing import may_enter, refuse_entering
from domain.games.tokars_arcana.state import Board, Model, Seat, Square, State, Unit
from domain.kernel.rulings import Refused


@cache
def leaps(rows: int, seat: Seat, unit: Unit) -> dict[Square, Squares]:
    """Where each leap of this unit on the board may end, from each square."""
    offsets = CARDS[unit].leaps
    return {start: jumps(rows, start, offsets, seat) for start in plane(rows).squares}


def ends(state: State, start: Square, model: Model) -> Squares | list[Square]:
    """The squares that the model's own movement leads to, whoever stands on the last."""
    return ends_on(state.board, state.options.rows, start, model.seat, model.unit)


def ends_on(
    board: Board, rows: int, start: Square, seat: Seat, unit: Unit
) -> Squares | list[Square]:
    """The same of a unit on a board. On an empty one it leads farthest."""
    match CARDS[unit].movement:
        case "leap":
            return leaps(rows, seat, unit)[start]
        case "walk":
            return _walks(board, rows, start)
        case "line":
            return _lines(board, rows, start)
        case "slide":
            return slide_ends(rows, start)
        case "never":
            return ()


def _walks(board: Board, rows: int, start: Square) -> list[Square]:
    steps = plane(rows).steps
    found = dict.fromkeys(steps[start])
    for first in steps[start]:
        if first not in board:
            found.update(dict.fromkeys(steps[first]))
    found.pop(start, None)
    return list(found)


def _lines(board: Board, rows: int, start: Square) -> list[Square]:
    found = []
    for ray in plane(rows).rays[start]:
        for end in ray:
            if end in board:
                break
            found.append(end)
    return found


def moves(state: State, start: Square, model: Model) -> Iterable[Move | Enter]:
    """Every move of the model without a strike."""
    card, board, found = CARDS[model.unit], state.board, ends(state, start, model)
    if card.movement == "slide":
        return [Move(start, end) for end in found]
    if "enter" in card.orders:
        return _entering(state, start, model, found)
    return [Move(start, end) for end in found if end not in board]


def _entering(
    state: State, start: Square, model: Model, found: Iterable[Square]
) -> Iterator[Move | Enter]:
    for end in found:
        victim = state.board.get(end)
        if victim is None:
            yield Move(start, end)
        elif may_enter(state.options, model, victim):
            yield Enter(start, end)


def free_ends(state: State, start: Square, model: Model) -> Iterator[Square]:
    """The free squares that the model's own movement leads to."""
    board = state.board
    return (end for end in ends(state, start, model) if end not in board)


def refuse_move(state: State, order: Move | Enter, model: Model) -> Refused | None:
    """Why the model cannot make this move, in the order of the reference."""
    start, end = order.start, order.end
    refusal = refuse_way(state, start, end, model)
    if refusal is not None or CARDS[model.unit].movement == "slide":
        return refusal
    victim = state.board.get(end)
    if isinstance(order, Enter):
        if victim is None:
            return Refused(
                "ta.notation.capture",
                f"{end} is free: a move there is written {start}-{end}, with - and not x",
            )
        return refuse_entering(state.options, order, model, victim)
    if victim is None:
        return None
    who = named(victim.seat, victim.unit)
    if "enter" in CARDS[model.unit].orders:
        right = "would be written with x, and this one it may not kill"
        if may_enter(state.options, model, victim):
            right = f"is written {start}x{end}"
        return Refused(
            "ta.notation.capture", f"{who} stands on {end}: to move there and kill it {right}"
        )
    return Refused(
        "ta.move.occupied",
        f"{who} stands on {end}: {_the(model)} moves to free squares only",
    )


def refuse_way(state: State, start: Square, end: Square, model: Model) -> Refused | None:
    """Why the model's own movement does not lead there, whoever stands on the end."""
    if end in ends(state, start, model):
        return None
    card, seat = CARDS[model.unit], model.seat
    match card.movement:
        case "slide":
            return refuse_slide(state.options.rows, start, end)
        case "walk" if end in _walks({}, state.options.rows, start):
            return Refused(
                "ta.zombie.nohop",
                f"a model stands in the way from {start} to {end}: a Zombie walks over free"
                " squares, and around models",
            )
        case "line" if any(end in ray for ray in plane(state.options.rows).rays[start]):
            return _refuse_line(state, start, end)
        case _:
            east, ahead = offset(start, end, seat)
            figures: dict[str, int | str] = {"columns": east, "rows_ahead": ahead}
            return Refused(
                card.move_rule, f"{_the(model)} on {start} {_ways(model)}, not to {end}", figures
            )


def _refuse_line(state: State, start: Square, end: Square) -> Refused | None:
    """A Duelist may look at the first model on a line as an occupied end, not beyond it."""
    ray = next(ray for ray in plane(state.options.rows).rays[start] if end in ray)
    before = ray[: ray.index(end)]
    for square in before:
        if square in state.board:
            blocking = state.board[square]
            return Refused(
                "ta.duelist.obstructed",
                f"{named(blocking.seat, blocking.unit)} on {square} obstructs the Duelist's way"
                f" from {start} to {end}",
                {"obstructed_at": square},
            )
    return None


def _ways(model: Model) -> str:
    """How a unit moves, in words that go on from its name."""
    match CARDS[model.unit].movement:
        case "walk":
            return "takes one or two steps up, down or sideways"
        case "line":
            return "moves in a straight line any of eight ways"
        case _:
            return _LEAP_WORDS[CARDS[model.unit].move_rule]


_LEAP_WORDS = {
    "ta.warrior.move": "moves one square straight ahead",
    "ta.knight.move": "moves in an L, one square and two across",
    "ta.windmage.move": "teleports one or two squares diagonally",
    "ta.priest.move": "moves one square any way",
    "ta.battlemage.move": "moves one square any way",
    "ta.skeleton.move": "moves one square straight ahead",
    "ta.mummy.move": "moves one square up, down or sideways",
    "ta.tombkeeper.move": "moves one square any way",
    "ta.necromancer.move": "moves one square any way",
    "ta.darkpriest.immobile": "never moves by itself",
}


def _the(model: Model) -> str:
    return f"the {CARDS[model.unit].name}"


# --- off the board (Moving off-field) ------------------------------------------------------------


@cache
def _leaving(rows: int, seat: Seat, unit: Unit) -> frozenset[Square]:
    """The squares from which some leap of this unit ends outside the board (TA-R48)."""
    full = len(CARDS[unit].leaps)
    return frozenset(start for start, found in leaps(rows, seat, unit).items() if len(found) < full)


def leads_off(state: State, start: Square, model: Model) -> bool:
    """Does one of the model's own movements lead off the board from here?"""
    rows, board = state.options.rows, state.board
    match CARDS[model.unit].movement:
        case "leap":
            return start in _leaving(rows, model.seat, model.unit)
        case "walk":
            steps = plane(rows).steps
            firsts = (first for first in steps[start] if first not in board)
            return any(len(steps[square]) < 4 for square in (start, *firsts))
        case "line":
            return any(
                all(square not in board for square in ray) for ray in plane(rows).rays[start]
            )
        case "slide" | "never":
            return False


def offs(state: State, start: Square, model: Model) -> Iterator[Off]:
    """The order to walk off the board, if the model can."""
    if (
        state.options.offboard == "kill"
        and not CARDS[model.unit].kept
        and leads_off(state, start, model)
    ):
        yield Off(start)


def refuse_off(state: State, start: Square, model: Model) -> Refused | None:
    """Why the model cannot walk off the board."""
    card = CARDS[model.unit]
    if card.kept == "ta.skeleton.edge":
        return Refused(
            card.kept,
            "a Skeleton does not die over the edge: from the far row, row"
            f" {far_row(state.options.rows, model.seat)}, it may return to a free square beside its"
            f" general, written {start} return SQUARE",
        )
    if card.kept:
        return Refused(card.kept, "an Alchemist slides along his row and never leaves it")
    if state.options.offboard == "forbid":
        return Refused(
            "ta.offboard.forbidden",
            "in this match models may not walk off the board",
            {"offboard": "forbid"},
        )
    if not leads_off(state, start, model):
        return Refused(
            "ta.offboard.reach",
            f"no movement of {_the(model)} leads off the board from {start}: it {_ways(model)}",
            {"row": row_of(start)},
        )
    return None
