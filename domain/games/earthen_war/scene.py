"""How the game looks. All is open in Earthen-War, so every viewer sees the same.

Both control grids lie beside the battlefield, each with its front towards the other: so a square
of a grid lies, seen from the centre, in the direction in which its die works.
"""

from collections.abc import Iterator
from functools import cache
from typing import Final, assert_never

from domain.games.earthen_war.battlefield import (
    FIELDS,
    TRENCHES,
    WAYS,
    Plan,
    compass,
    place,
    plan_of,
)
from domain.games.earthen_war.damage import line_of
from domain.games.earthen_war.position import write_die
from domain.games.earthen_war.state import (
    CELL_NAMES,
    CELLS,
    CENTRE,
    COLOURS,
    DICE,
    OTHER,
    SEATS,
    Cell,
    Die,
    Golem,
    Initiative,
    Locating,
    Offering,
    Outcome,
    Phase,
    Placing,
    Rolling,
    Seat,
    Square,
    State,
    Step,
    Turn,
    acting,
    golem_of,
    supply,
)
from domain.kernel.scene import Piece, Scene, Space, Track, Zone

NEW_DIE: Final = "die-new"
"""The id of the piece that is a die just taken from the supply."""
_HAND: Final = "new-die"
_GOLEMS: Final[dict[Seat, str]] = {"white": "G", "black": "g"}
_MOON, _SUN = "☾", "☼"
_WANTED: Final[dict[Step, str]] = {
    "improve": "to improve the grid by one die, or skip",
    "swap": "to swap two adjacent squares of the grid, or skip",
    "use": "to use dice, or end the turn",
}


def look(state: State, viewer: str) -> Scene:
    """The battlefield, both grids and the supply, the same for everybody."""
    taking = isinstance(state.phase, Rolling | Placing)
    return Scene(
        caption(state, viewer),
        spaces(plan_of(state.options)),
        tuple(_pieces(state)),
        (Zone(_HAND, "New die", acting(state.phase) or ""),) if taking else (),
        tuple(_tracks(state)),
        _attributes(state.phase),
    )


def golem_id(seat: Seat) -> str:
    """The id of the piece that is this seat's golem."""
    return f"golem-{seat}"


def cell_id(seat: Seat, cell: Cell) -> str:
    """The id of the space that is this square of a grid."""
    return f"{seat}-{cell}"


def die_id(seat: Seat, cell: Cell) -> str:
    """The id of the die on this square, as long as the scene does not change."""
    return f"die-{seat}-{cell}"


# --- spaces ---


@cache
def spaces(plan: Plan) -> tuple[Space, ...]:
    """The battlefield, the trenches, and both grids to the right of them."""
    board, _ = plan
    field = [_square(square, "") for square in FIELDS[board]]
    trenches = [_square(TRENCHES[plan][seat], "trench", seat) for seat in SEATS]
    cells = [_cell(board, seat, cell) for seat in SEATS for cell in CELLS]
    return (*field, *trenches, *cells)


def _square(square: Square, kind: str, owner: str = "") -> Space:
    return Space(square, *place(square), kind, square, {"owner": owner} if owner else {})


def _cell(board: int, seat: Seat, cell: Cell) -> Space:
    east, north = (0, 0) if cell == CENTRE else WAYS[seat][cell]
    middle = 1 if seat == "white" else board  # of a grid that ends level with its trench
    attributes = {"owner": seat, "grid_square": CELL_NAMES[cell]}
    if cell != CENTRE:
        attributes["direction"] = compass(seat, cell)
    return Space(
        cell_id(seat, cell),
        board + 2 + east,
        middle + north,
        f"{seat.title()}'s grid",
        cell,
        attributes,
    )


# --- pieces ---


def _pieces(state: State) -> Iterator[Piece]:
    for seat in SEATS:
        golem = golem_of(state, seat)
        fate = {} if line_of(golem.grid) is None else {"destroyed": "true"}
        yield Piece(
            golem_id(seat),
            "golem",
            _GOLEMS[seat],
            golem.square,
            seat,
            f"{seat.title()}'s golem",
            fate,
        )
        yield from _on_grid(seat, golem)
    for square, turns in sorted(state.shells.items()):
        yield Piece(
            f"shell-{square}", "shell", f"*{turns}", square, "", "shell", {"turns": str(turns)}
        )
    if isinstance(state.phase, Rolling):
        kind = f"{state.phase.colour} die"
        yield Piece(NEW_DIE, kind, f"{kind[0].upper()}?", _HAND, "", kind)
    if isinstance(state.phase, Placing):
        yield _die(NEW_DIE, Die(state.phase.colour, state.phase.dots), _HAND, "")


def _on_grid(seat: Seat, golem: Golem) -> Iterator[Piece]:
    for cell, square in zip(CELLS, golem.grid, strict=True):
        if square.die is not None:
            half = _SUN if square.die.used else _MOON
            yield _die(die_id(seat, cell), square.die, cell_id(seat, cell), half)
        if square.damaged:
            yield Piece(
                f"damage-{seat}-{cell}", "damage", "x", cell_id(seat, cell), "", "damage token"
            )


def _die(identity: str, die: Die, where: str, half: str) -> Piece:
    # A die is nobody's piece, so that no drawing shows it in the colour of a seat.
    attributes = {"dots": str(die.dots)}
    if half:
        attributes["half"] = "sun" if die.used else "moon"
    kind, glyph = f"{die.colour} die", write_die(Die(die.colour, die.dots)) + half
    return Piece(identity, kind, glyph, where, "", kind, attributes)


# --- the rest ---


def _tracks(state: State) -> Iterator[Track]:
    for colour in COLOURS:
        words = f"{colour.title()} dice in the supply"
        yield Track(f"supply-{colour}", words, supply(state, colour), "", DICE)
    for seat in SEATS:
        damaged = sum(square.damaged for square in golem_of(state, seat).grid)
        yield Track(
            f"damage-{seat}", f"{seat.title()}'s damaged squares", damaged, seat, len(CELLS)
        )


def _attributes(phase: Phase) -> dict[str, str]:
    match phase:
        case Turn(_, step):
            return {"phase": step}
        case Locating(_, cell):
            return {"phase": "use", "hit_from": cell}
        case Offering(_, square):
            return {"phase": "use", "shell_offered": square}
        case Rolling() | Placing():
            return {"phase": "improve"}
        case Initiative() | Outcome():
            return {}
        case unreachable:
            assert_never(unreachable)


def caption(state: State, viewer: str) -> str:
    """What is going on, in a sentence, the same for everybody."""
    del viewer
    phase = state.phase
    seat = (acting(phase) or "").title()
    match phase:
        case Initiative(None):
            return f"{seat} to roll two dice for the initiative"
        case Initiative(total):
            return f"{seat} to roll two dice for the initiative (White has {total})"
        case Turn(_, step):
            return f"{seat} {_WANTED[step]}"
        case Rolling(_, colour):
            return f"{seat} to roll the new {colour} die"
        case Placing(_, colour, dots):
            return f"{seat} to place the new {colour} {dots} on the grid"
        case Locating(own):
            return (
                f"{seat} to roll for the damage to {OTHER[own].title()}: a white die for the"
                " column, a black die for the row"
            )
        case Offering(_, square):
            return f"{seat} to place a shell on {square}, or not"
        case Outcome(winner):
            if winner is None:
                return "Drawn: both golems were destroyed at once"
            return f"{winner.title()} has won: {OTHER[winner].title()}'s golem is destroyed"
        case unreachable:
            assert_never(unreachable)
