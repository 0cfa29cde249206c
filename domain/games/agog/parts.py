"""Actions taken apart, for frontends that build them from taps, each with a sentence."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT, SQUARES
from domain.games.agog.captures import victims
from domain.games.agog.corruption import may_corrupt
from domain.games.agog.english import ENGLISH
from domain.games.agog.scene import piece_id
from domain.games.agog.sentences import path, the
from domain.games.agog.state import OTHER, OWNER, Seat, State
from domain.kernel.parts import Parts, Pick


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    match action:
        case Resign(seat):
            return Parts("resign", ENGLISH.format("resign", winner=ENGLISH.format(OTHER[seat])))
        case Move():
            return _move(state.board[AT[action.start]], action)
        case Capture():
            return _capture(state, action)
        case unreachable:
            assert_never(unreachable)


@lru_cache(maxsize=4096)
def _move(unit: str, move: Move) -> Parts:
    sentence = ENGLISH.format(
        "move",
        unit=ENGLISH.format(unit.lower()),
        start=move.start,
        end=move.end,
        leaving=_leaving(move.leave),
    )
    picks = (Pick(move.end, "to"), *_leaving_picks(move.leave))
    return _pointed("move", sentence, move, (), [move.end], picks=picks)


def _capture(state: State, capture: Capture) -> Parts:
    places = victims(state.board, capture)
    squares = [capture.start, *(jump.to for jump in capture.jumps)]
    sentence = ENGLISH.format(
        "jump",
        unit=ENGLISH.format(state.board[AT[capture.start]].lower()),
        path=path(squares),
        deeds=_deeds(state, capture, places),
        leaving=_leaving(capture.leave),
    )
    jumped = [SQUARES[place] for place in places]
    choices = tuple(_signs(state, capture, places))
    picks = tuple(_capture_picks(state, capture, places, choices))
    return _pointed("capture", sentence, capture, jumped, squares[1:], choices, picks)


def _capture_picks(
    state: State, capture: Capture, places: Sequence[int], signs: Sequence[str]
) -> Iterator[Pick]:
    """Yield the picks of a sequence: each jumped unit, the landing, and capture or corruption."""
    for jump, place in zip(capture.jumps, places, strict=True):
        square = SQUARES[place]
        yield Pick(piece_id(square), "hit")
        yield Pick(jump.to, "to")
        deed = "corrupt" if jump.corrupt else "capture"
        if f"{deed} {square}" in signs:
            unit = the(state.board[place], square)
            yield Pick(f"{deed}-{square}", "option", ENGLISH.format(f"option {deed}", unit=unit))
    yield from _leaving_picks(capture.leave)


def _leaving_picks(leave: str | None) -> tuple[Pick, ...]:
    """Return the pick for a unit that must leave the enemy sanctum, if it must."""
    if leave is None:
        return ()
    if leave == "out":
        return (Pick("out", "option", ENGLISH.format("option out")),)
    return (Pick(piece_id(leave), "target"),)


def _pointed(
    verb: str,
    sentence: str,
    action: Move | Capture,
    jumped: Sequence[str],
    landings: Sequence[str],
    choices: tuple[str, ...] = (),
    picks: tuple[Pick, ...] = (),
) -> Parts:
    """What is pointed at, in this order: the unit, what it jumps, the golem that it promotes."""
    golem = () if action.leave in (None, "out") else (action.leave,)
    return Parts(
        verb,
        sentence,
        tuple([piece_id(square) for square in (action.start, *jumped, *golem) if square]),
        tuple([square for square in (action.start, *landings, *golem) if square]),
        choices=(*choices, "out") if action.leave == "out" else choices,
        actor=piece_id(action.start),
        picks=picks,
    )


def _deeds(state: State, capture: Capture, places: Sequence[int]) -> str:
    """What becomes of what is jumped, as `capture the golem on c4`."""
    found: dict[str, list[str]] = {"capture": [], "corrupt": []}
    for jump, place in zip(capture.jumps, places, strict=True):
        key = "corrupt" if jump.corrupt else "capture"
        found[key].append(the(state.board[place], SQUARES[place]))
    done = ((key, ENGLISH.join_and(units)) for key, units in found.items() if units)
    return ENGLISH.join_and([ENGLISH.format(key, units=units) for key, units in done])


def _leaving(leave: str | None) -> str:
    if leave is None:
        return ""
    return (
        ENGLISH.format("and go out")
        if leave == "out"
        else ENGLISH.format("and promote", square=leave)
    )


def _signs(state: State, capture: Capture, places: Sequence[int]) -> Iterator[str]:
    """For each jump that could capture or corrupt, which it does and on which square."""
    unit = state.board[AT[capture.start]]
    seat: Seat = OWNER[unit]
    jumped: list[tuple[str, bool]] = []
    for jump, place in zip(capture.jumps, places, strict=True):
        victim = state.board[place]
        if may_corrupt(state, seat, unit, victim, jumped):
            yield f"{'corrupt' if jump.corrupt else 'capture'} {SQUARES[place]}"
        jumped.append((victim, jump.corrupt))
