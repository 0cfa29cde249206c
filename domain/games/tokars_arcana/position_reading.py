"""Reading positions, and refusing those that cannot be."""

import re
from typing import Final, cast, get_args

from domain.games.tokars_arcana.battle_mage import VANQUISHED
from domain.games.tokars_arcana.board import at
from domain.games.tokars_arcana.cards import CARDS, rank_of
from domain.games.tokars_arcana.position import write_model, write_phase, write_unit
from domain.games.tokars_arcana.state import (
    GENERALS,
    OTHER,
    SEATS,
    UNITS,
    Angels,
    Board,
    Briefing,
    DrawPending,
    Grave,
    Model,
    Options,
    Ordering,
    Over,
    Phase,
    Placing,
    Raise,
    Raising,
    Rank,
    Reason,
    Seat,
    State,
    Toss,
    Unit,
)
from domain.games.tokars_arcana.undead import can_raise
from domain.kernel.notation_error import NotationError, short_quote

_FIELDS: Final = ("board", "South's graveyard", "North's graveyard", "turn", "phase", "quiet turns")
_LONGEST: Final = 1000
"""Characters: no position comes near it."""

_MODEL: Final = re.compile(r"([A-Za-z])(!?)(\*{0,3})")
_CELL: Final = re.compile(rf"([1-8])|{_MODEL.pattern}")
_WHO: Final[dict[str, tuple[Seat, Unit]]] = {
    write_unit(seat, unit): (seat, unit) for seat in SEATS for unit in UNITS
}
_TURNS: Final[dict[str, Seat | None]] = {"south": "south", "north": "north", "-": None}
_BRIEFINGS: Final[dict[str, Phase]] = {
    "brief:sn": Briefing(SEATS),
    "brief:s": Briefing(("south",)),
    "brief:n": Briefing(("north",)),
}
_PLAIN: Final[dict[str, Phase]] = {
    **_BRIEFINGS,
    "toss": Toss(),
    "order": Ordering(),
    "order!": Ordering(declined=True),
    "draw": DrawPending(),
}
_RAISE: Final = re.compile(r"raise:([a-h][1-9][0-9]?):(soldier|sergeant|lieutenant|captain|chief)")
_ANGELS: Final = re.compile(r"(end)?revive:([Pp]+)(?:\+(raise:.*))?")
_ENDS: Final[dict[str, Over]] = {
    write_phase(over): over
    for over in (
        *(Over(seat, reason) for seat in SEATS for reason in get_args(Reason)[:2]),
        *(Over(None, reason) for reason in get_args(Reason)[2:]),
    )
}


def read_position(text: str, options: Options) -> State:
    """The state that a line shows, in a match with these options.

    Raises NotationError for a text that is no position of such a match.
    """
    fields = text.split(" ") if len(text) <= _LONGEST else []
    if len(fields) != len(_FIELDS):
        raise NotationError(
            f"a position has six fields with one space between ({', '.join(_FIELDS)}), which"
            f" {short_quote(text)} has not"
        )
    starts = [sum(len(field) + 1 for field in fields[:n]) for n in range(len(fields))]
    board, south, north, turn, phase, quiet = fields
    state = State(
        options,
        _read_board(board, options),
        {
            "south": _read_grave(south, "south", starts[1]),
            "north": _read_grave(north, "north", starts[2]),
        },
        _read_turn(turn, starts[3]),
        _read_phase(phase, starts[4]),
        _read_quiet(quiet, options, starts[5]),
    )
    _check_generals(state)
    _check_turn(state)
    _check_question(state)
    return state


def _read_board(text: str, options: Options) -> Board:
    rows = text.split("/")
    if len(rows) != options.rows:
        raise NotationError(
            f"this board has {options.rows} rows with / between, not {len(rows)}", 0
        )
    board: Board = {}
    begin = 0
    for number, row in zip(range(options.rows, 0, -1), rows, strict=True):
        _read_row(board, options.rows, number, row, begin)
        begin += len(row) + 1
    return board


def _read_row(board: Board, rows: int, number: int, row: str, begin: int) -> None:
    """Put the models of one row on the board."""
    column, here, after_gap = 0, 0, False
    while here < len(row):
        cell = _CELL.match(row, here)
        if cell is None:
            raise NotationError(
                f"{row[here]!r} in row {number} is neither a model nor a gap (1 to 8)", begin + here
            )
        if cell[1] and after_gap:
            raise NotationError(
                f"row {number} has two gaps side by side: write their sum", begin + here
            )
        if cell[1]:
            column += int(cell[1])
        else:
            square = at(rows, column, number)
            model = _read_model(cell[0], begin + here)
            if square is not None:
                board[square] = model
            column += 1
        here, after_gap = cell.end(), bool(cell[1])
    if column != 8:
        raise NotationError(f"row {number} ({short_quote(row)}) has {column} squares, not 8", begin)


def _read_model(text: str, begin: int) -> Model:
    found = _MODEL.fullmatch(text)
    who = None if found is None else _WHO.get(found[1])
    if found is None or who is None:
        raise NotationError(
            f"{text!r} is not a model: the units are {''.join(UNITS)}, small letters for North,"
            " with !"
            " on a moved Dark Priest and up to three *",
            begin,
        )
    seat, unit = who
    if found[2] and unit != "X":
        raise NotationError(f"only a Dark Priest (X or x) bears the mark !, not {found[1]}", begin)
    return Model(seat, unit, len(found[3]), bool(found[2]))


def _read_grave(text: str, seat: Seat, begin: int) -> Grave:
    letters = {write_unit(seat, unit): place for place, unit in enumerate(UNITS)}
    if text == "-":
        return ""
    if not text or any(letter not in letters for letter in text):
        raise NotationError(
            f"{seat.title()}'s graveyard is - or letters of {''.join(letters)}, without marks, not"
            f" {short_quote(text)}",
            begin,
        )
    if sorted(text, key=letters.__getitem__) != list(text):
        raise NotationError(
            f"{seat.title()}'s graveyard is written in the order {''.join(letters)}", begin
        )
    return text.upper()


def _read_turn(text: str, begin: int) -> Seat | None:
    if text not in _TURNS:
        raise NotationError(f"the turn is south, north or -, not {short_quote(text)}", begin)
    return _TURNS[text]


def _read_phase(text: str, begin: int) -> Phase:
    plain = _PLAIN.get(text) or _ENDS.get(text)
    if plain is not None:
        return plain
    if text.startswith("vanquish:"):
        return Placing(_read_air(text.removeprefix("vanquish:"), begin + len("vanquish:")))
    if (angels := _ANGELS.fullmatch(text)) is not None:
        seats = tuple(_WHO[letter][0] for letter in angels[2])
        then = None if angels[3] is None else _read_raise(angels[3])
        if (then is None) == (angels[3] is None) and not (angels[1] and then):
            return Angels(seats, then, bool(angels[1]))
    elif (offer := _read_raise(text)) is not None:
        return Raising(offer)
    raise NotationError(
        f"{short_quote(text)} is not a phase: write"
        " order, order!, draw, toss, brief:sn, vanquish:zm**,"
        " revive:P, revive:P+raise:e4:captain, raise:e4:captain, endrevive:P, or end: with a"
        " result, as end:south:general",
        begin,
    )


def _read_air(text: str, begin: int) -> tuple[Model, ...]:
    found = list(_MODEL.finditer(text))
    if not text or "".join(model[0] for model in found) != text:
        raise NotationError(f"{short_quote(text)} are not models in the air, as zm** are", begin)
    return tuple(_read_model(model[0], begin + model.start()) for model in found)


def _read_raise(text: str) -> Raise | None:
    found = _RAISE.fullmatch(text)
    return None if found is None else Raise(found[1], cast(Rank, found[2]))


def _read_quiet(text: str, options: Options, begin: int) -> int:
    if not options.quiet_limit:
        if text == "-":
            return 0
        raise NotationError(
            "option quiet_limit is 0, so quiet turns are not counted: write -", begin
        )
    if not re.fullmatch(r"0|[1-9][0-9]{0,8}", text):
        raise NotationError(
            f"option quiet_limit is {options.quiet_limit}, so quiet turns are counted: write a"
            f" number, not {short_quote(text)}",
            begin,
        )
    return int(text)


# --- what must hold besides ----------------------------------------------------------------------


def _check_generals(state: State) -> None:
    if isinstance(state.phase, Over):
        return
    for seat in SEATS:
        models = state.board.values()
        generals = sum(model.seat == seat and model.unit in GENERALS for model in models)
        if generals != 1:
            raise NotationError(
                f"{seat.title()} has {generals} generals on the board, not one, and the game is not"
                " over"
            )


def _check_turn(state: State) -> None:
    right: tuple[Seat | None, ...]
    match state.phase:
        case Over():
            return
        case Toss():
            right = (None,)
        case Briefing():
            first = state.options.first
            right = (None if first == "random" else first,)
        case _:
            right = SEATS
    if state.turn not in right:
        words = " or ".join(seat or "-" for seat in right)
        raise NotationError(f"in this phase the turn is {words}, not {state.turn or '-'}")


def _check_question(state: State) -> None:
    seat = state.turn
    if seat is None:
        return
    match state.phase:
        case Placing(models):
            _check_air(models, seat)
        case Angels(seats, raising, at_end):
            if list(seats) != sorted(seats, key=lambda priest: priest != seat):
                raise NotationError("the priests of the seat on turn are asked first: list them so")
            if at_end and OTHER[seat] in seats:
                raise NotationError("at the end of a turn only priests of the seat on turn burn")
            if raising is not None:
                _check_raise(state, raising, seat)
        case Raising(offer):
            _check_raise(state, offer, seat)
        case _:
            pass


def _check_air(models: tuple[Model, ...], seat: Seat) -> None:
    for model in models:
        if model.seat == seat or rank_of(model.unit) not in VANQUISHED:
            raise NotationError(
                f"{write_model(model)} cannot be in the air: vanquished are enemies of the seat on"
                " turn, soldiers to lieutenants"
            )


def _check_raise(state: State, offer: Raise, seat: Seat) -> None:
    model = state.board.get(offer.square)
    if model is None or model.seat != seat or model.unit != "Z":
        raise NotationError(f"no {CARDS['Z'].name} of {seat.title()} stands on {offer.square}")
    if not can_raise(state, offer, seat):
        raise NotationError(
            f"{seat.title()} cannot raise a unit for a {offer.rank} beside {offer.square}: the"
            " graveyard must hold one that may be raised, and an adjacent square be free"
        )
