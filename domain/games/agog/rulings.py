"""Why an accepted action did what it did: the rules behind each fact, with their figures."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT, BETWEEN, GOAL, SANCTUM, SQUARES, is_forward
from domain.games.agog.captures import Hunt, longest_hunts, victims
from domain.games.agog.corruption import freed, signings
from domain.games.agog.facts import (
    Fact,
    GameEnded,
    TurnPassed,
    UnitCaptured,
    UnitCorrupted,
    UnitMoved,
    UnitPromoted,
    UnitTakenOut,
)
from domain.games.agog.promotion import other_golems
from domain.games.agog.state import FLIERS, OWNER, Outcome, Reason, Seat, State, name_of
from domain.kernel.rulings import Figures, Ruling

_ENDS: Final[dict[Reason, str]] = {
    "capture": "agog.end.capture",
    "sanctum": "agog.end.sanctum",
    "immobile": "agog.end.immobile",
    "resign": "agog.end.resign",
}
SUPPLIED: Final = (UnitCaptured, UnitCorrupted, UnitPromoted, UnitTakenOut)
"""The facts that say how many golems each supply is given."""
_PROMOTIONS: Final = {
    "golem": "agog.promote.golem",
    "hulk": "agog.promote.hulk",
    "corrupted hulk": "agog.promote.corrupted",
}


def rulings(state: State, action: Action, facts: Sequence[Fact]) -> tuple[Ruling, ...]:
    """The rulings on an action accepted in this state, in the order of its facts."""
    found: list[Ruling] = []
    if isinstance(action, Capture):
        found.extend(_on_the_sequence(state, action))
    white, black = state.white_supply, state.black_supply
    for n, fact in enumerate(facts):
        supplies: Figures = {}
        if isinstance(fact, SUPPLIED):
            supplies = {
                "white_supply_before": white,
                "white_supply_after": white + fact.white,
                "black_supply_before": black,
                "black_supply_after": black + fact.black,
            }
            white, black = white + fact.white, black + fact.black
        found.extend(_on_a_fact(state, action, n, fact, supplies))
    return tuple(found)


def _on_a_fact(
    state: State, action: Action, n: int, fact: Fact, supplies: Figures
) -> Iterator[Ruling]:
    """`supplies` are those of both players before and after a fact that changes them."""
    about: Figures
    match fact:
        case UnitMoved():
            if isinstance(action, Move):
                yield _on_a_move(fact, n)
        case UnitCaptured(unit, square):
            about = {"unit": name_of(unit), "square": square}
            yield Ruling(("agog.capture.remove", "agog.supply.captured"), {**about, **supplies}, n)
        case UnitCorrupted(unit, square):
            jumped = state.board[AT[square]]
            how = "agog.corrupt.golem" if name_of(jumped) == "golem" else "agog.corrupt.hulk"
            about = {"unit": name_of(jumped), "square": square, "owner": OWNER[unit]}
            rules = (how, "agog.corrupt.owner", "agog.supply.spent")
            yield Ruling(rules, {**about, **supplies}, n)
        case UnitPromoted() | UnitTakenOut():
            yield _on_leaving(state, action, n, fact, supplies)
        case TurnPassed(seat):
            yield Ruling(("agog.turn.order", "agog.turn.one"), {"to_move": seat}, n)
        case GameEnded(winner, reason):
            yield Ruling((_ENDS[reason],), {"winner": winner}, n)
            if isinstance(action, Resign) and action.seat != state.turn:
                yield Ruling(("agog.resign.any_time",), {"to_move": _to_move(state)}, n)
        case unreachable:
            assert_never(unreachable)


def _to_move(state: State) -> Seat:
    assert not isinstance(state.turn, Outcome), "nothing is accepted after the end"
    return state.turn


def _on_a_move(fact: UnitMoved, n: int) -> Ruling:
    how = "agog.move.slide" if fact.unit in FLIERS else "agog.move.step"
    squares = len(BETWEEN[AT[fact.start], AT[fact.end]]) + 1
    figures: Figures = {"unit": name_of(fact.unit), "from": fact.start, "to": fact.end}
    return Ruling(("agog.move.forward", how), figures | {"squares": squares}, n)


def _on_leaving(
    state: State, action: Action, n: int, fact: UnitPromoted | UnitTakenOut, supplies: Figures
) -> Ruling:
    assert isinstance(action, Move | Capture)
    start = AT[action.start]
    unit = state.board[start]
    figures: Figures = {"unit": name_of(unit), "sanctum": fact.sanctum, **supplies}
    match fact:
        case UnitPromoted():
            left_play = ("agog.supply.promoted",) if fact.white or fact.black else ()
            rules = (_PROMOTIONS[name_of(unit)], *left_play)
            return Ruling(rules, figures | {"square": fact.square}, n)
        case UnitTakenOut():
            golems = len(other_golems(state.board, OWNER[unit], start))
            no_choice = () if golems else ("agog.promote.no_golem",)
            rules = ("agog.promote.out", "agog.supply.promoted", *no_choice)
            return Ruling(rules, figures | {"other_golems": golems}, n)
        case unreachable:
            assert_never(unreachable)


def _on_the_sequence(state: State, capture: Capture) -> Iterator[Ruling]:
    """The rulings on the way that a capture took; the first of its facts is that the unit moved."""
    start = AT[capture.start]
    unit = state.board[start]
    seat = OWNER[unit]
    landings = [AT[jump.to] for jump in capture.jumps]
    most, hunts = longest_hunts(state.board, seat)
    figures: Figures = {"jumps_made": len(landings), "longest_possible": most}
    yield Ruling(("agog.capture.mandatory", "agog.capture.maximal"), figures, 0)
    if len(list(islice(_choices(state, seat, hunts), 2))) > 1:
        yield Ruling(("agog.capture.ties",), {"longest_possible": most}, 0)
    if len(landings) > 1:
        yield Ruling(("agog.capture.stay",), {"jumped": len(landings)}, 0)
    yield from _on_jumps(state, capture, start, landings)
    if GOAL[seat] in landings[:-1]:
        yield Ruling(("agog.sanctum.pass",), {"sanctum": SQUARES[GOAL[seat]]}, 0)
    if landings[-1] == SANCTUM[seat]:
        yield Ruling(("agog.sanctum.own",), {"sanctum": SQUARES[SANCTUM[seat]]}, 0)


def _choices(state: State, seat: Seat, hunts: Sequence[Hunt]) -> Iterator[tuple[bool, ...]]:
    """The choices between the longest sequences, and between capturing and corrupting in them."""
    for hunt in hunts:
        for sequence in hunt.sequences(hunt.start):
            units = [state.board[over] for over, _ in sequence]
            yield from signings(state, seat, hunt.unit, units)


def _on_jumps(
    state: State, capture: Capture, start: int, landings: Sequence[int]
) -> Iterator[Ruling]:
    unit = state.board[start]
    seat = OWNER[unit]
    how = "agog.capture.fly" if unit in FLIERS else "agog.capture.adjacent"
    jumped: list[tuple[str, bool]] = []
    crossed = False
    here = start
    places = victims(state.board, capture)
    for n, (over, to) in enumerate(zip(places, landings, strict=True)):
        crossed = crossed or to == start or start in BETWEEN[here, to]
        way = "forward" if is_forward(seat, here, to) else "backward"
        leap: Figures = {"from": SQUARES[here], "over": SQUARES[over], "to": SQUARES[to]}
        yield Ruling(("agog.capture.ways", how), leap | {"way": way}, n + 1)
        corrupt = capture.jumps[n].corrupt
        if corrupt and freed(seat, jumped):
            option = "true" if state.fresh_supply else "false"
            figures: Figures = {"freed": freed(seat, jumped), "fresh_supply": option}
            yield Ruling(("agog.supply.fresh",), figures, n + 1)
        jumped.append((state.board[over], corrupt))
        here = to
    if crossed:
        yield Ruling(("agog.capture.start_free",), {"square": SQUARES[start]}, 0)
