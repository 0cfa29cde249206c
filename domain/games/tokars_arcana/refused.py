"""Refused orders: why a model cannot give an order that is on its card, or not to this target.

The reason is the one that `decide` gives for an order of this kind, with the parts that come
nearest to a legal order.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from domain.games.tokars_arcana.actions import (
    AnyOrder,
    Brew,
    BrewAndSlide,
    Enter,
    Explode,
    Move,
    MoveAndVanquish,
    Promote,
    Recall,
    Return,
    Revive,
    Slay,
    SlideAndBrew,
    Strike,
    TradeDead,
    TradeModels,
    Vanquish,
    Wind,
)
from domain.games.tokars_arcana.alchemist import slide_ends
from domain.games.tokars_arcana.battle_mage import on_far_row, promotable
from domain.games.tokars_arcana.board import AHEAD, far_row, plane, row_of
from domain.games.tokars_arcana.cards import CARDS, Class, class_of, rank_of
from domain.games.tokars_arcana.decide import refuse
from domain.games.tokars_arcana.faces import ORDERS
from domain.games.tokars_arcana.graveyard import dead_of_class
from domain.games.tokars_arcana.killing import reach
from domain.games.tokars_arcana.movement import ends, free_ends
from domain.games.tokars_arcana.orders import orders_of
from domain.games.tokars_arcana.parts import outline
from domain.games.tokars_arcana.piece_ids import model_id
from domain.games.tokars_arcana.state import Model, Ordering, Square, State, Unit, units_in
from domain.kernel.hints import Aim, RefusedLine, RefusedTarget

T = TypeVar("T")

_OF_CLASS: Final[dict[str, tuple[Unit, ...]]] = {
    "human": ("I", "K", "P", "D"), "undead": ("S", "Z", "T", "X"),
}  # fmt: skip
"""A unit of each class, for a refusal that names one of which none lies in the graveyard."""


def refused_lines(state: State, seat: str, actor: str) -> tuple[RefusedLine, ...]:
    """Return the orders of a model's card with the reasons why it cannot give them now.

    Orders that it can give may be among them.
    """
    start = _commanded(state, seat, actor)
    if start is None:
        return ()
    model, found = state.board[start], []
    for verb in ORDERS[model.unit]:
        refusal = refuse(state, seat, _example(state, start, model, verb))
        if refusal is not None:
            found.append(RefusedLine(verb, refusal, verb))
    return tuple(found)


def aim(state: State, seat: str, actor: str, line: str) -> Aim:
    """Return the enemies within reach of a model that this order cannot hit, with the reasons."""
    start = _commanded(state, seat, actor)
    if start is None or line not in _AIMED:
        return Aim()
    kind, within = _AIMED[line]
    model = state.board[start]
    outlines = (outline(state, order) for order in orders_of(state, start, model))
    hit = {pick.id for each in outlines if each.line == line for pick in each.picks or ()}
    refused = []
    for square in within(state, start, model):
        other, piece = state.board.get(square), model_id(square)
        if other is not None and other.seat != model.seat and piece not in hit:
            refusal = refuse(state, seat, kind(start, square))
            if refusal is not None:
                refused.append(RefusedTarget(piece, refusal))
    return Aim(refused_targets=tuple(refused))


_AIMED: Final[dict[str, tuple[Any, Callable[[State, Square, Model], Sequence[Square]]]]] = {
    "move": (Enter, lambda state, start, model: ends(state, start, model)),
    "strike": (
        Strike,
        lambda state, start, model: reach(state.options.rows, model.seat, model.unit)[start],
    ),
    "brew": (Brew, lambda state, start, _: plane(state.options.rows).near[start]),
}
"""Orders that are aimed at a model, with the squares within reach."""


def _commanded(state: State, seat: str, actor: str) -> Square | None:
    """Return the square of a model if its seat is to give an order."""
    start = actor.removeprefix(model_id(""))
    model = state.board.get(start)
    if model is None or not (model.seat == seat == state.turn):
        return None
    return start if isinstance(state.phase, Ordering) else None


def _example(state: State, start: Square, model: Model, verb: str) -> AnyOrder:
    """Return an order with this verb, a legal one or the nearest to it."""
    rows = state.options.rows
    around, near = plane(rows).around, plane(rows).near
    match verb:
        case "move":
            return _move(state, start, model)
        case "strike":
            reached = reach(rows, model.seat, model.unit)[start]
            return Strike(start, _hittable(state, model, reached, start))
        case "brew":
            return Brew(start, _hittable(state, model, near[start], start))
        case "brew-and-slide":
            target = _hittable(state, model, near[start], start)
            return BrewAndSlide(start, target, slide_ends(rows, start)[0])
        case "slide-and-brew":
            end = slide_ends(rows, start)[0]
            return SlideAndBrew(start, end, near[end][0])
        case "vanquish":
            return Vanquish(start)
        case "move-and-vanquish":
            return MoveAndVanquish(start, next(free_ends(state, start, model), around[start][0]))
        case "promote":
            unit = next(iter(promotable(state.graves[model.seat])), _stand_in(model, 1))
            return Promote(start, _foremost(state, model), unit)
        case "recall":
            return Recall(start, _foremost(state, model), around[start][0])
        case "return":
            return Return(start, start)
        case "revive":
            dead = dead_of_class(state, model.seat, 0)
            return Revive(start, dead[0] if dead else _stand_in(model, 0), around[start][0])
        case "trade":
            return _trade(state, start, model)
        case "wind":
            return Wind(start, start)
        case "explode":
            return Explode(start, start)
        case _:
            return Slay(start)


def _stand_in(model: Model, wanted: Class) -> Unit:
    return _OF_CLASS[CARDS[model.unit].race][wanted]


def _move(state: State, start: Square, model: Model) -> Move | Enter:
    """Return a move to where the model's own movement leads, or ahead where it leads nowhere."""
    ahead = f"{start[0]}{row_of(start) + AHEAD[model.seat]}"
    nearest = (
        ahead
        if CARDS[model.unit].movement == "leap"
        else plane(state.options.rows).around[start][0]
    )
    end = next(iter(ends(state, start, model)), nearest)
    enters = end in state.board and "enter" in CARDS[model.unit].orders
    return Enter(start, end) if enters else Move(start, end)


def _hittable(state: State, model: Model, reached: Sequence[Square], start: Square) -> Square:
    """Return a square within reach, if possible one with an enemy, else one with anybody."""
    board = state.board
    return max(
        reached,
        key=lambda at: 0 if at not in board else 1 if board[at].seat == model.seat else 2,
        default=start,
    )


def _foremost(state: State, model: Model) -> Square:
    """Return the square of the soldier of the model's side that is farthest ahead."""
    soldiers = [
        square
        for square, other in state.board.items()
        if other.seat == model.seat and rank_of(other.unit) == "soldier"
    ]
    at_end = next(on_far_row(state, model.seat), None)
    nobody = f"a{far_row(state.options.rows, model.seat)}"
    return at_end or max(
        soldiers,
        key=lambda square: (row_of(square) * AHEAD[model.seat], square),
        default=nobody,
    )


def _trade(state: State, start: Square, model: Model) -> TradeModels | TradeDead:
    """Return a trade of two of one class, if possible for a unit that lies in the graveyard."""
    to = plane(state.options.rows).around[start][0]
    if state.options.trade == "board":
        place = plane(state.options.rows).place
        own = sorted(
            (at for at, each in state.board.items() if each.seat == model.seat),
            key=place.__getitem__,
        )
        worth, first, second = _pair(state, model, own, [state.board[at].unit for at in own], start)
        return TradeModels(start, first, second, _wanted(state, model, worth), to)
    dead = units_in(state.graves[model.seat])
    worth, one, other = _pair(state, model, dead, dead, _stand_in(model, 0))
    return TradeDead(start, one, other, _wanted(state, model, worth), to)


def _pair(
    state: State, model: Model, given: Sequence[T], units: Sequence[Unit], nobody: T
) -> tuple[Class, T, T]:
    """Return two that are given in trade, with their class.

    Args:
        state: The state.
        model: The Necromancer.
        given: What can be given, in the order of the notation.
        units: Their units.
        nobody: What to name twice if no two are of one class.
    """
    found: list[tuple[bool, Class, T, T]] = []
    for worth in range(3):
        same = [each for each, unit in zip(given, units, strict=True) if class_of(unit) == worth]
        if len(same) > 1:
            is_had = bool(dead_of_class(state, model.seat, worth + 1))
            found.append((is_had, worth, same[0], same[1]))
    best = max(found, key=lambda each: each[0], default=(False, 0, nobody, nobody))
    return best[1:]


def _wanted(state: State, model: Model, worth: Class) -> Unit:
    dead = dead_of_class(state, model.seat, worth + 1)
    return dead[0] if dead else _stand_in(model, worth + 1)
