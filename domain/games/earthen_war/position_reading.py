"""Reading a position, and refusing what can be no position of the game.

A referee may set up anything from which the rules can go on, whether play would have come to it or
not. What contradicts itself is refused: two golems on a square, an eleventh die, a line of damage
without an end.
"""

import re
from typing import Final, NoReturn, assert_never

from domain.games.earthen_war.battlefield import FIELDS, plan_of, standable
from domain.games.earthen_war.damage import line_of
from domain.games.earthen_war.position import VERSION, write_board, write_result
from domain.games.earthen_war.state import (
    CELLS,
    CENTRE,
    COLOURS,
    DICE,
    EDGE,
    OTHER,
    SEATS,
    Cell,
    Colour,
    Die,
    Golem,
    Grid,
    GridSquare,
    Initiative,
    Locating,
    Offering,
    Options,
    Outcome,
    Phase,
    Placing,
    Rolling,
    Seat,
    Square,
    State,
    Turn,
    die_on,
    golem_of,
    on_grid,
    supply,
)
from domain.kernel.notation_error import NotationError, short_quote

_FIELDS: Final = (
    "version", "board", "turn", "phase", "golems", "White's grid", "Black's grid", "shells",
    "result",
)  # fmt: skip
_TURNS: Final[dict[str, Seat]] = {"w": "white", "b": "black"}
_PHASES: Final = (
    "init, init:2 to init:6, improve, roll:white or roll:black, place:W1 to place:B3, swap, use,"
    " hit: with a square of a grid, shell: with a square of the field, or - after the end"
)
_SQUARE: Final = re.compile(r"(?:\.|(W|B)([1-3])(u?))(x?)")
_COLOURS: Final[dict[str, Colour]] = {"W": "white", "B": "black"}
_RESULTS: Final[dict[str, Outcome]] = {
    "white": Outcome("white"),
    "black": Outcome("black"),
    "draw": Outcome(None),
}


def read_position(text: str, options: Options) -> State:
    """The state that a line shows, in a match with these options.

    Raises NotationError for a text that is no position, or is none under these options.
    """
    fields = text.split(" ")
    if len(fields) != len(_FIELDS):
        raise NotationError(
            f"a position has nine fields with one space between ({', '.join(_FIELDS)}), but"
            f" {short_quote(text)} has {len(fields)}"
        )
    return _Reading(fields, options).state()


class _Reading:
    """The fields of one position, and where each begins, for errors that point at it."""

    def __init__(self, fields: list[str], options: Options) -> None:
        self.fields = fields
        self.options = options

    def fail(self, field: int, why: str) -> NoReturn:
        raise NotationError(why, sum(len(text) + 1 for text in self.fields[:field]))

    def state(self) -> State:
        if self.fields[0] != VERSION:
            self.fail(0, f"a position begins with {VERSION}, not {short_quote(self.fields[0])}")
        if self.fields[1] != write_board(self.options):
            self.fail(
                1,
                f"the board of a match with these options is {write_board(self.options)}, not"
                f" {short_quote(self.fields[1])}",
            )
        squares = self._golems()
        state = State(
            self.options,
            self._phase(),
            Golem(squares[0], self._grid(5)),
            Golem(squares[1], self._grid(6)),
            self._shells(),
        )
        self._check_shells(state)
        self._check_dice(state)
        self._check_phase(state)
        self._check_end(state)
        return state

    def _golems(self) -> list[Square]:
        squares = self.fields[4].split(",")
        if len(squares) != len(SEATS):
            self.fail(4, f"the golems are two squares, as c3,d4, not {short_quote(self.fields[4])}")
        for seat, square in zip(SEATS, squares, strict=True):
            if square not in standable(plan_of(self.options), seat):
                self.fail(
                    4,
                    f"{seat.title()}'s golem stands on a square of the battlefield or in its own"
                    f" trench, not on {short_quote(square)}",
                )
        if squares[0] == squares[1]:
            self.fail(4, f"both golems stand on {squares[0]}")
        return squares

    def _grid(self, field: int) -> Grid:
        text = self.fields[field]
        rows = [row.split(",") for row in text.split("/")]
        if [len(row) for row in rows] != [3, 3, 3]:
            self.fail(
                field,
                f"a grid is three rows of three, as .,W1,./.,.,./.,.,., not {short_quote(text)}",
            )
        grid: list[GridSquare] = []
        for cell, written in zip(CELLS, (text for row in rows for text in row), strict=True):
            square = _read_square(written)
            if square is None:
                self.fail(
                    field,
                    f"{cell} of {_FIELDS[field]} holds . or a die as W2 or B1u, then x if it is"
                    f" damaged, not {short_quote(written)}",
                )
            grid.append(square)
        if grid[CELLS.index(CENTRE)].die is not None:
            self.fail(field, f"the centre of {_FIELDS[field]} cannot hold a die")
        return tuple(grid)

    def _shells(self) -> dict[Square, int]:
        text = self.fields[7]
        if text == "-":
            return {}
        if not self.options.artillery:
            self.fail(7, f"there are no shells without artillery: write -, not {short_quote(text)}")
        items = text.split(",")
        found = {item[:2]: int(item[3]) for item in items if re.fullmatch("..=[123]", item)}
        if list(found) != sorted(found) or len(found) != len(items):
            self.fail(
                7,
                "shells are squares in order with 1 to 3 turns left, as a4=1,c2=3, each square"
                f" once, not {short_quote(text)}",
            )
        return found

    def _check_shells(self, state: State) -> None:
        for square in state.shells:
            if square not in FIELDS[self.options.board]:
                self.fail(
                    7, f"{short_quote(square)} is no square of the battlefield: no shell there"
                )
            if square in (state.white.square, state.black.square):
                self.fail(7, f"a golem stands on {square}: no shell can lie there")

    def _check_dice(self, state: State) -> None:
        for colour in COLOURS:
            surplus = -supply(state, colour)
            if surplus > 0:
                raise NotationError(
                    f"there are {DICE + surplus} {colour} dice on grids, in hand and as shells:"
                    f" more than {DICE}"
                )

    # --- the phase ---

    def _phase(self) -> Phase:
        turn, phase, result = self.fields[2], self.fields[3], self.fields[8]
        if result not in ("*", *_RESULTS):
            self.fail(8, f"the result is *, white, black or draw, not {short_quote(result)}")
        if not (turn == "-") == (phase == "-") == (result != "*"):
            self.fail(
                2,
                "turn and phase are - if and only if the game has a result: turn"
                f" {short_quote(turn)} and phase {short_quote(phase)} do not go with result"
                f" {result}",
            )
        if result in _RESULTS:
            return _RESULTS[result]
        if turn not in _TURNS:
            self.fail(2, f"the turn is w, b or -, not {short_quote(turn)}")
        found = self._open_phase(_TURNS[turn], *phase.partition(":"))
        if found is None:
            self.fail(3, f"the phase is {_PHASES}, not {short_quote(phase)} with turn {turn}")
        return found

    def _open_phase(self, seat: Seat, word: str, colon: str, about: str) -> Phase | None:
        match word, colon, about:
            case "init", "", "":
                return Initiative() if seat == "white" else None
            case "init", _, "2" | "3" | "4" | "5" | "6":
                return Initiative(int(about)) if seat == "black" else None
            case ("improve" | "swap" | "use") as step, "", "":
                return Turn(seat, step)
            case "roll", _, ("white" | "black") as colour:
                return Rolling(seat, colour)
            case "place", _, _:
                square = _read_square(about)
                if square is None or square.die is None or square.damaged or square.die.used:
                    return None
                return Placing(seat, square.die.colour, square.die.dots)
            case "hit", _, _:
                cell = _read_cell(about)
                return None if cell in (None, CENTRE) else Locating(seat, cell)
            case "shell", _, _ if about in FIELDS[self.options.board]:
                return Offering(seat, about)
            case _:
                return None

    def _check_phase(self, state: State) -> None:
        """Is there something for the open question to be about?"""
        match state.phase:
            case Rolling(seat) | Placing(seat):
                if all(die_on(golem_of(state, seat).grid, cell) for cell in EDGE):
                    self.fail(3, f"{seat.title()}'s grid is full: no new die can be placed")
            case Locating(seat, cell):
                if not on_grid(golem_of(state, OTHER[seat]).grid, cell).damaged:
                    self.fail(
                        3,
                        f"{OTHER[seat].title()}'s grid is not damaged on {cell}: a hit from there"
                        " asks for no dice",
                    )
            case Offering(_, square):
                if not self.options.artillery:
                    self.fail(3, "no shell is placed without artillery")
                if square in (state.white.square, state.black.square, *state.shells):
                    self.fail(3, f"{square} is not empty: no shell can be placed there")
                if supply(state, "black") < 1:
                    self.fail(3, "no black die is in the supply: no shell can be placed")
            case Initiative() | Turn() | Outcome():
                return
            case unreachable:
                assert_never(unreachable)

    def _check_end(self, state: State) -> None:
        destroyed = [seat for seat in SEATS if line_of(golem_of(state, seat).grid) is not None]
        match destroyed:
            case []:
                right = "*"
            case [loser]:
                right = OTHER[loser]
            case _:
                right = "draw" if self.options.artillery else "* and no line on one grid"
        if write_result(state.phase) != right:
            lines = " and ".join(f"{seat.title()}'s" for seat in destroyed) or "no"
            self.fail(
                8, f"{lines} grid has three damaged squares in a row: the result must be {right}"
            )


def _read_square(text: str) -> GridSquare | None:
    """The square of a grid in a text such as `W2ux`; None if there is none."""
    found = _SQUARE.fullmatch(text)
    if found is None:
        return None
    letter, dots, used, damaged = found.groups()
    die = None if letter is None else Die(_COLOURS[letter], int(dots), used=bool(used))
    return GridSquare(die, damaged=bool(damaged))


def _read_cell(text: str) -> Cell | None:
    """The square of a grid with this name, or None."""
    return next((cell for cell in CELLS if cell == text), None)
