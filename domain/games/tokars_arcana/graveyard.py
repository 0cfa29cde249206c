"""Back from the graveyard: the priest's blessing, his angel, the Necromancer's rites and trades."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement
from typing import Final

from domain.games.tokars_arcana.actions import AngelRevive, Revive, TradeDead, TradeModels
from domain.games.tokars_arcana.board import is_corner, plane
from domain.games.tokars_arcana.cards import CARDS, Class, class_of
from domain.games.tokars_arcana.names import one, seat_name, the_dead
from domain.games.tokars_arcana.state import UNITS, Model, Seat, Square, State, Unit
from domain.kernel.rulings import Refused

_HIGHEST_TRADED: Final = 2
_CLASS_NAMES: Final = ("soldiers", "sergeants or lieutenants", "captains", "chiefs")


def dead_of_class(state: State, seat: Seat, wanted: Class) -> list[Unit]:
    """The units of this class in a seat's graveyard, each once."""
    grave = state.graves[seat]
    return [unit for unit in UNITS if unit in grave and class_of(unit) == wanted]


# --- reviving ------------------------------------------------------------------------------------


def revivals(state: State, start: Square, model: Model) -> Iterator[Revive]:
    """Every soldier that the priest or Necromancer may bring back, on every square."""
    soldiers = dead_of_class(state, model.seat, 0)
    if not soldiers or (model.unit != "N" and not is_corner(state.options.rows, start)):
        return
    for unit in soldiers:
        for to in plane(state.options.rows).around[start]:
            if to not in state.board:
                yield Revive(start, unit, to)


def refuse_revival(state: State, order: Revive, model: Model) -> Refused | None:
    """Why this soldier cannot be brought back there."""
    rows, start = state.options.rows, order.start
    who = "necromancer" if model.unit == "N" else "priest"
    if who == "priest" and not is_corner(rows, start):
        return Refused(
            "ta.priest.revive.corner",
            f"{start} is no corner of the board: a priest revives from a1, h1, a{rows} or h{rows}",
        )
    if order.unit not in dead_of_class(state, model.seat, 0):
        return Refused(
            "ta.necromancer.revive.unit" if who == "necromancer" else "ta.priest.revive.unit",
            f"only a soldier of {seat_name(model.seat)}'s graveyard is revived, not"
            f" {one(order.unit)}",
            {"graveyard": the_dead(state.graves[model.seat]) or "empty"},
        )
    if order.to in state.board or order.to not in plane(rows).around[start]:
        return Refused(
            "ta.necromancer.revive.square" if who == "necromancer" else "ta.priest.revive.square",
            f"a revived soldier stands on a free square adjacent to {start}, which {order.to} is"
            " not",
        )
    return None


def angel_revivals(state: State) -> Iterator[AngelRevive]:
    """Every square where an angel may set a priest down."""
    return (AngelRevive(to) for to in plane(state.options.rows).squares if to not in state.board)


def refuse_angel(state: State, to: Square) -> Refused | None:
    """Why an angel cannot set the priest down here."""
    if to not in state.board:
        return None
    return Refused(
        "ta.priest.angel.square",
        f"{to} is occupied: the angel sets the priest on any free square of the board",
    )


# --- trading -------------------------------------------------------------------------------------


def trades(state: State, start: Square, seat: Seat) -> Iterator[TradeModels | TradeDead]:
    """Every trade of the Necromancer."""
    if state.options.trade == "board":
        yield from _trades_of_models(state, start, seat)
    else:
        yield from _trades_of_the_dead(state, start, seat)


def _trades_of_models(state: State, start: Square, seat: Seat) -> Iterator[TradeModels]:
    board, on = state.board, plane(state.options.rows)
    given: dict[Class, list[Square]] = {}
    for square in sorted(board, key=on.place.__getitem__):
        model = board[square]
        worth = class_of(model.unit) if model.seat == seat else None
        if worth is not None and worth <= _HIGHEST_TRADED:
            given.setdefault(worth, []).append(square)
    for worth, squares in given.items():
        units = dead_of_class(state, seat, worth + 1)
        if not units:
            continue
        for first, second in combinations(squares, 2):
            for to in on.around[start]:
                if to not in board or to in _freed(state, first, second):
                    for unit in units:
                        yield TradeModels(start, first, second, unit, to)


def _freed(state: State, *traded: Square) -> tuple[Square, ...]:
    """The squares of traded models that one may be set down on (TA-R27)."""
    return traded if state.options.trade_square == "freed" else ()


def _trades_of_the_dead(state: State, start: Square, seat: Seat) -> Iterator[TradeDead]:
    grave, around = state.graves[seat], plane(state.options.rows).around
    free = [to for to in around[start] if to not in state.board]
    for worth in range(_HIGHEST_TRADED + 1):
        given = dead_of_class(state, seat, worth)
        for first, second in combinations_with_replacement(given, 2):
            if first != second or grave.count(first) > 1:
                for unit in dead_of_class(state, seat, worth + 1):
                    for to in free:
                        yield TradeDead(start, first, second, unit, to)


def refuse_trade(state: State, order: TradeModels | TradeDead, seat: Seat) -> Refused | None:
    """Why this trade is not possible."""
    match order:
        case TradeModels():
            return _refuse_models(state, order, seat) or _refuse_bargain(
                state, order, seat, (order.first, order.second)
            )
        case TradeDead():
            return _refuse_dead(state, order, seat) or _refuse_bargain(state, order, seat, ())


def _refuse_models(state: State, order: TradeModels, seat: Seat) -> Refused | None:
    if state.options.trade != "board":
        return _refuse_source("two of the dead: name two units", "graveyard")
    first, second = order.first, order.second
    given = [state.board.get(square) for square in (first, second)]
    if first == second or any(model is None or model.seat != seat for model in given):
        return Refused(
            "ta.necromancer.trade.models",
            f"a trade takes two of {seat_name(seat)}'s models, and on {first} and {second} do not"
            " stand two",
        )
    place = plane(state.options.rows).place
    if place[first] > place[second]:
        return _refuse_spelling(f"{second} {first}")
    return None


def _refuse_dead(state: State, order: TradeDead, seat: Seat) -> Refused | None:
    if state.options.trade != "graveyard":
        return _refuse_source("two models of the board: name their squares", "board")
    first, second, grave = order.first, order.second, state.graves[seat]
    lying = grave.count(first) > 1 if first == second else first in grave and second in grave
    if not lying:
        return Refused(
            "ta.necromancer.trade.models",
            f"a trade takes two of the dead, and {one(first)} and {one(second)} do not both lie in"
            f" {seat_name(seat)}'s graveyard",
            {"graveyard": the_dead(grave) or "empty"},
        )
    if UNITS.index(first) > UNITS.index(second):
        return _refuse_spelling(f"{second} {first}")
    return None


def _refuse_source(right: str, option: str) -> Refused:
    return Refused(
        "ta.necromancer.trade.source",
        f"in this match a Necromancer gives {right}",
        {"trade": option},
    )


def _refuse_spelling(right: str) -> Refused:
    return Refused(
        "ta.notation.canonical",
        f"the two of a trade are written in order, squares from a1 up and units as in a graveyard:"
        f" {right}",
    )


def _refuse_bargain(
    state: State, order: TradeModels | TradeDead, seat: Seat, given: tuple[Square, ...]
) -> Refused | None:
    """Whether the two are worth what is asked for, and where it would stand."""
    units = [state.board[square].unit for square in given] or _dead_pair(order)
    worth = class_of(units[0])
    if worth is None or worth > _HIGHEST_TRADED or class_of(units[1]) != worth:
        names = " and ".join(CARDS[unit].name for unit in units)
        return Refused(
            "ta.necromancer.trade.class",
            f"{names} are not two soldiers, two sergeants or lieutenants, or two captains",
        )
    if order.unit not in dead_of_class(state, seat, worth + 1):
        return Refused(
            "ta.necromancer.trade.unit",
            f"two {_CLASS_NAMES[worth]} are traded for one of the {_CLASS_NAMES[worth + 1]} of"
            f" {seat_name(seat)}'s graveyard, not for {one(order.unit)}",
            {"graveyard": the_dead(state.graves[seat]) or "empty"},
        )
    taken = order.to in state.board and order.to not in _freed(state, *given)
    if taken or order.to not in plane(state.options.rows).around[order.start]:
        freed = " or freed by the trade" if state.options.trade_square == "freed" else ""
        return Refused(
            "ta.necromancer.trade.square",
            f"the new model stands on a square adjacent to {order.start} that is free{freed}, which"
            f" {order.to} is not",
            {} if freed else {"trade_square": "empty"},
        )
    return None


def _dead_pair(order: TradeModels | TradeDead) -> list[Unit]:
    assert isinstance(order, TradeDead)
    return [order.first, order.second]
