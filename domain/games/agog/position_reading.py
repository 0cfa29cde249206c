"""Reading positions, and refusing those that cannot be."""

import re
from typing import Final, cast

from domain.games.agog.board import GOAL, SQUARES
from domain.games.agog.legal import SCORES, has_turn
from domain.games.agog.state import (
    FREE,
    GOLEMS,
    JOURNEYMAN,
    OTHER,
    OWNER,
    SEATS,
    STACKS,
    Options,
    Outcome,
    Reason,
    Seat,
    State,
    name_of,
    supply_of,
)
from domain.kernel.notation_error import NotationError, short_quote

_TURNS: Final[dict[str, Seat]] = {"w": "white", "b": "black"}
_WINNERS: Final[dict[str, Seat]] = {score: seat for seat, score in SCORES.items()}
_FIELDS: Final = ("board", "turn", "White's supply", "Black's supply", "flag", "result")
_SUPPLIES: Final = tuple(str(n) for n in range(GOLEMS + 1))

_RESULT: Final = re.compile(r"(1-0|0-1):(capture|sanctum|immobile|resign)")


def read_position(text: str, options: Options) -> State:
    """The state that a line shows, in a match with these options.

    Raises NotationError for a text that is no position, or whose flag is not that of the options.
    """
    fields = text.split(" ")
    if len(fields) != len(_FIELDS):
        raise NotationError(
            f"a position has six fields with one space between ({', '.join(_FIELDS)}), but"
            f" {short_quote(text)} has {len(fields)}"
        )
    starts = [sum(len(field) + 1 for field in fields[:n]) for n in range(len(fields))]
    board, turn, white, black, flag, result = fields
    state = State(
        _read_board(board),
        _read_turn(turn, result, starts),
        _read_supply(white, "White", starts[2]),
        _read_supply(black, "Black", starts[3]),
        _read_flag(flag, options, starts[4]),
    )
    _check_journeymen(state)
    _check_golems(state)
    _check_sanctums(state)
    _check_turn(state)
    return state


def _read_board(text: str) -> str:
    rows = text.split("/")
    if len(rows) != 8:
        raise NotationError(f"a board has 8 rows with / between, not {len(rows)}", 0)
    at = 0
    for rank, row in zip("87654321", rows, strict=True):
        odd = re.search(r"[^1-8GHCJghcj]", row)
        if odd:
            raise NotationError(
                f"{odd[0]!r} in row {rank} is neither a unit (GHCJ, ghcj) nor a gap (1 to 8)",
                at + odd.start(),
            )
        double = re.search(r"\d\d", row)
        if double:
            raise NotationError(
                f"row {rank} has two gaps side by side: write their sum", at + double.start()
            )
        squares = len(_spread(row))
        if squares != 8:
            raise NotationError(f"row {rank} ({row}) has {squares} squares, not 8", at)
        at += len(row) + 1
    return _spread(text)


def _spread(row: str) -> str:
    return re.sub(r"[1-8]", lambda gap: FREE * int(gap[0]), row)


def _read_turn(turn: str, result: str, starts: list[int]) -> Seat | Outcome:
    if turn not in ("w", "b", "-"):
        raise NotationError(f"the turn is w, b or -, not {short_quote(turn)}", starts[1])
    found = _RESULT.fullmatch(result)
    if result != "*" and found is None:
        raise NotationError(
            "the result is * or 1-0 or 0-1 with its reason, as 1-0:capture (or sanctum, immobile,"
            f" resign), not {short_quote(result)}",
            starts[5],
        )
    if (turn == "-") != (found is not None):
        raise NotationError(
            "the turn is - if and only if the game has a result: "
            f"turn {turn} does not go with result {result}",
            starts[1],
        )
    if found is None:
        return _TURNS[turn]
    return Outcome(_WINNERS[found[1]], cast(Reason, found[2]))


def _read_supply(text: str, player: str, at: int) -> int:
    if text not in _SUPPLIES:
        raise NotationError(
            f"{player}'s supply is a number from 0 to {GOLEMS}, not {short_quote(text)}", at
        )
    return int(text)


def _read_flag(text: str, options: Options, at: int) -> bool:
    if text not in ("-", "fresh"):
        raise NotationError(f"the flag is - or fresh, not {short_quote(text)}", at)
    if (text == "fresh") != options.fresh_supply:
        right = "fresh" if options.fresh_supply else "-"
        raise NotationError(
            f"the flag {text} does not fit the match, whose option fresh_supply is"
            f" {str(options.fresh_supply).lower()}: write {right}",
            at,
        )
    return text == "fresh"


def _check_journeymen(state: State) -> None:
    lost = state.turn if isinstance(state.turn, Outcome) else None
    for seat in SEATS:
        captured = lost is not None and lost.reason == "capture" and lost.winner != seat
        want, have = int(not captured), state.board.count(JOURNEYMAN[seat])
        if have != want:
            after = " after its capture" if captured else ""
            raise NotationError(
                f"{seat.title()} has {have} journeymen on the board, not {want}{after}"
            )


def _check_golems(state: State) -> None:
    for n, seat in enumerate(SEATS):
        on_board = sum(STACKS[unit][n] for unit in state.board if unit in STACKS)
        supply = supply_of(state, seat)
        if on_board + supply > GOLEMS:
            raise NotationError(
                f"{seat.title()} has {on_board} golems in play and {supply} removed from play: more"
                f" than {GOLEMS}"
            )


def _check_sanctums(state: State) -> None:
    over = state.turn if isinstance(state.turn, Outcome) else None
    for seat in SEATS:
        goal = GOAL[seat]
        unit = state.board[goal]
        intruder = unit != FREE and OWNER[unit] == seat
        won = over.reason if over is not None and over.winner == seat else None
        if won == "sanctum":
            if unit != JOURNEYMAN[seat]:
                raise NotationError(
                    f"{seat.title()} has won by sanctum, but the journeyman is not on"
                    f" {SQUARES[goal]}"
                )
        elif intruder and won != "capture":
            raise NotationError(
                f"{seat.title()}'s {name_of(unit)} cannot stand on the enemy sanctum"
                f" {SQUARES[goal]} between turns"
            )


def _check_turn(state: State) -> None:
    if not isinstance(state.turn, Outcome):
        if not has_turn(state.board, state.turn):
            raise NotationError(
                f"{state.turn.title()} is to move but has no turn: the game would be over"
            )
    elif state.turn.reason == "immobile":
        loser = OTHER[state.turn.winner]
        if has_turn(state.board, loser):
            raise NotationError(f"{loser.title()} has lost as immobile, but has a turn")
