"""How the game looks: the scene, actions taken apart, facts as sentences.

All is open in A.G.O.G., so every viewer sees the same.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from domain.games.agog.actions import Action, Capture, Move, Resign
from domain.games.agog.board import AT, FILES, SANCTUM, SQUARES
from domain.games.agog.captures import longest_hunts, victims
from domain.games.agog.corruption import may_corrupt
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
from domain.games.agog.notation import write_action
from domain.games.agog.state import (
    FREE,
    GOLEMS,
    OTHER,
    OWNER,
    SEATS,
    STACKS,
    Outcome,
    Reason,
    Seat,
    State,
    name_of,
    supply_of,
)
from domain.kernel.game import Parts
from domain.kernel.scene import Piece, Scene, Space, Track

_ENDS: Final[dict[Reason, str]] = {
    "capture": "by capture",
    "sanctum": "by sanctum",
    "immobile": "by immobilization",
    "resign": "by resignation",
}


def look(state: State, viewer: str) -> Scene:
    """The board and both supplies, the same for everybody."""
    return Scene(
        caption(state, viewer),
        _SPACES,
        tuple(_piece(square, state.board[AT[square]]) for square in AT if _unit_on(state, square)),
        tracks=tuple(
            Track(
                f"supply-{seat}",
                f"{seat.title()}'s golems out of play",
                supply_of(state, seat),
                seat,
                GOLEMS,
            )
            for seat in SEATS
        ),
        attributes=_attributes(state),
    )


def _space(square: str) -> Space:
    x, y = FILES.index(square[0]), int(square[1]) - 1
    for seat in SEATS:
        if SANCTUM[seat] == AT[square]:
            return Space(square, x, y, "sanctum", square, {"owner": seat})
    return Space(square, x, y, "light" if (x + y) % 2 else "dark", square)


_SPACES: Final = tuple(_space(square) for square in sorted(AT, key=lambda s: (s[1], s[0])))


def _unit_on(state: State, square: str) -> bool:
    return state.board[AT[square]] != FREE


def piece_id(square: str) -> str:
    """The id of the piece on this square, as long as the scene does not change."""
    return f"unit-{square}"


def _piece(square: str, unit: str) -> Piece:
    white, black = STACKS[unit]
    stack = {"white_golems": str(white), "black_golems": str(black)}
    owner = OWNER[unit]
    return Piece(piece_id(square), name_of(unit), unit, square, owner, _whose(unit), stack)


def _whose(unit: str) -> str:
    return f"{OWNER[unit].title()}'s {name_of(unit)}"


def caption(state: State, viewer: str) -> str:
    """What is going on, in a sentence, the same for everybody."""
    del viewer
    if isinstance(state.turn, Outcome):
        return f"{state.turn.winner.title()} has won {_ENDS[state.turn.reason]}"
    return f"{state.turn.title()} to move"


def _attributes(state: State) -> dict[str, str]:
    """`compulsory_jumps` where captures are open: how many units must be jumped."""
    attributes = {"fresh_supply": "true"} if state.fresh_supply else {}
    if not isinstance(state.turn, Outcome):
        most, _ = longest_hunts(state.board, state.turn)
        if most:
            attributes["compulsory_jumps"] = str(most)
    return attributes


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
        f"{_whose(state.board[AT[action.start]])} {doing}{_leaving(action.leave)}",
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


def tell(fact: Fact) -> str:
    """A fact as a sentence."""
    match fact:
        case UnitMoved(unit, start, end):
            return f"{_whose(unit)} went from {start} to {end}."
        case UnitCaptured(unit, square, white, black):
            return f"{_whose(unit)} on {square} was captured{_supplied(white, black)}."
        case UnitCorrupted(unit, square, white, black):
            was = f"The unit on {square} was corrupted and is {_whose(unit)} now"
            return f"{was}{_supplied(white, black)}."
        case UnitPromoted(unit, sanctum, square, white, black):
            golem = f"{OWNER[unit].title()}'s golem on {square} became a hulk"
            return f"{golem} with the unit from {sanctum}{_supplied(white, black)}."
        case UnitTakenOut(unit, sanctum, white, black):
            return f"{_whose(unit)} on {sanctum} went out of play{_supplied(white, black)}."
        case TurnPassed(seat):
            return f"It was {seat.title()}'s turn."
        case GameEnded(winner, reason):
            return f"{winner.title()} won {_ENDS[reason]}: {OTHER[winner].title()} lost."
        case unreachable:
            assert_never(unreachable)


def _supplied(white: int, black: int) -> str:
    """How supplies changed, as ` (White's supply +1)`."""
    changes = [
        f"{seat.title()}'s supply {change:+d}"
        for seat, change in zip(SEATS, (white, black), strict=True)
        if change
    ]
    return f" ({', '.join(changes)})" if changes else ""
