"""Actions taken apart, for frontends that build them from taps, each with a sentence."""

from collections.abc import Iterator
from typing import assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT, SQUARES
from domain.games.agog.captures import victims
from domain.games.agog.corruption import may_corrupt
from domain.games.agog.notation import write_action
from domain.games.agog.scene import piece_id
from domain.games.agog.sentences import whose
from domain.games.agog.state import OWNER, Seat, State
from domain.kernel.game import Parts


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    match action:
        case Resign(seat):
            return Parts("resign", f"{seat.title()} resigns")
        case Move():
            verb, jumped, landings = "move", [], [action.end]
            doing = f"moves from {action.start} to {action.end}"
        case Capture():
            verb, landings = "capture", [jump.to for jump in action.jumps]
            jumped = [SQUARES[place] for place in victims(state.board, action)]
            doing = _takes(action)
        case unreachable:
            assert_never(unreachable)
    golem = [] if action.leave in (None, "out") else [action.leave]
    choices = tuple(_signs(state, action)) if isinstance(action, Capture) else ()
    return Parts(
        verb,
        f"{whose(state.board[AT[action.start]])} {doing}{_leaving(action.leave)}",
        tuple(piece_id(square) for square in (action.start, *jumped, *golem) if square),
        tuple(square for square in (action.start, *landings, *golem) if square),
        choices=(*choices, "out") if action.leave == "out" else choices,
    )


def _takes(capture: Capture) -> str:
    """What a capture does, as `goes a1xa3+c3, 1 unit captured and 1 corrupted`."""
    path = write_action(capture).partition("=")[0]
    corrupted = sum(jump.corrupt for jump in capture.jumps)
    captured = len(capture.jumps) - corrupted
    done = [
        f"{count} unit{'' if count == 1 else 's'} {what}"
        for count, what in ((captured, "captured"), (corrupted, "corrupted"))
        if count
    ]
    return f"takes {path}, {' and '.join(done)}"


def _leaving(leave: str | None) -> str:
    if leave is None:
        return ""
    if leave == "out":
        return ", and goes out of play"
    return f", and makes a hulk of the golem on {leave}"


def _signs(state: State, capture: Capture) -> Iterator[str]:
    """For each jump that could capture or corrupt, which it does and on which square."""
    unit = state.board[AT[capture.start]]
    seat: Seat = OWNER[unit]
    jumped: list[tuple[str, bool]] = []
    for jump, place in zip(capture.jumps, victims(state.board, capture), strict=True):
        victim = state.board[place]
        if may_corrupt(state, seat, unit, victim, jumped):
            yield f"{'corrupt' if jump.corrupt else 'capture'} {SQUARES[place]}"
        jumped.append((victim, jump.corrupt))
