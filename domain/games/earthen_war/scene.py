"""How the game looks. All is open in Earthen-War, so every viewer sees the same.

Both control grids lie beside the battlefield, each with its front towards the other: so a square
of a grid lies, seen from the centre, in the direction in which its die works.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final, assert_never

from domain.games.earthen_war.actions import Action
from domain.games.earthen_war.artillery import chained
from domain.games.earthen_war.battlefield import (
    FIELDS,
    TRENCHES,
    WAYS,
    Plan,
    around,
    compass,
    place,
    plan_of,
    towards,
)
from domain.games.earthen_war.captions import caption, cells
from domain.games.earthen_war.damage import line_of
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.facts import DiceSwapped, DiePlaced, Fact
from domain.games.earthen_war.legend import SHELL_GLYPHS, legend
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
    Options,
    Outcome,
    Phase,
    Placing,
    Rolling,
    Seat,
    Square,
    State,
    Turn,
    golem_of,
    on_grid,
    supply,
)
from domain.games.earthen_war.uses import as_title, card, direction, effect, on_card
from domain.kernel.game import ResolvedAction
from domain.kernel.scene import CardFace, Mark, Piece, Scene, Space, Stat, Track, Zone

NEW_DIE: Final = "die-new"
"""The id of the piece that is a die just taken from the supply."""
_HAND: Final = "new-die"
_GOLEMS: Final[dict[Seat, str]] = {"white": "G", "black": "g"}
_MOON, _SUN = "☾", "☼"
_ARROWS: Final = {
    "north": "↑", "north-east": "↗", "east": "→", "south-east": "↘",
    "south": "↓", "south-west": "↙", "west": "←", "north-west": "↖",
}  # fmt: skip


def scene(state: State, viewer: str) -> Scene:
    """The battlefield, both grids and the supply, the same for everybody."""
    pieces = tuple(_pieces(state))
    taking = isinstance(state.phase, Rolling | Placing)
    return Scene(
        caption(state, viewer),
        spaces(plan_of(state.options)),
        pieces,
        (_hand(state.phase),) if taking else (),
        tuple(_tracks(state)),
        _attributes(state.phase),
        tuple(_threatened(state)) if state.shells else (),
        legend(frozenset([(piece.glyph, piece.icon, piece.states) for piece in pieces])),
    )


def piece_id_changes(happening: ResolvedAction[Action, Fact]) -> Mapping[str, str]:
    """The ids that dice have on other squares: they are called by the squares they lie on."""
    ids: dict[str, str] = {}
    for fact in happening.facts:
        match fact:
            case DiceSwapped(seat, first, second):
                ids[die_id(seat, first)] = die_id(seat, second)
                ids[die_id(seat, second)] = die_id(seat, first)
            case DiePlaced(seat, cell):
                ids[NEW_DIE] = die_id(seat, cell)
            case _:
                pass
    return ids


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
    field = [
        Space(square, *place(square), label=square, description=square) for square in FIELDS[board]
    ]
    trenches = [_trench(TRENCHES[plan][seat], seat) for seat in SEATS]
    return (*field, *trenches, *(_cell(board, seat, cell) for seat in SEATS for cell in CELLS))


def _trench(square: Square, seat: Seat) -> Space:
    said = ENGLISH.format("trench", square=square, seat=ENGLISH.format(seat))
    return Space(square, *place(square), "trench", square, {"owner": seat}, said)


def _cell(board: int, seat: Seat, cell: Cell) -> Space:
    east, north = (0, 0) if cell == CENTRE else WAYS[seat][cell]
    middle = 1 if seat == "white" else board  # of a grid that ends level with its trench
    attributes = {"owner": seat, "grid_square": CELL_NAMES[cell]}
    who = ENGLISH.format(seat)
    said, label = ENGLISH.format("centre", seat=who), who
    if cell != CENTRE:
        attributes["direction"] = compass(seat, cell)
        label = f"{cell} {_ARROWS[compass(seat, cell)]}"
        name = ENGLISH.format(f"cell {cell}")
        said = ENGLISH.format("square", seat=who, cell=name, way=direction(seat, cell))
    return Space(
        cell_id(seat, cell),
        board + 2 + east,
        middle + north,
        ENGLISH.format("grid", seat=who),
        label,
        attributes,
        said,
    )


# --- pieces ---


def _pieces(state: State) -> Iterator[Piece]:
    options, phase = state.options, state.phase
    for seat in SEATS:
        golem, enemy = golem_of(state, seat), golem_of(state, OTHER[seat]).square
        hit = phase.cell if isinstance(phase, Locating) and phase.seat != seat else None
        yield from _side(options, seat, golem, enemy, hit)
    for square, turns in sorted(state.shells.items()):
        yield _shell(square, turns)
    if isinstance(phase, Rolling):
        kind = ENGLISH.format("die", colour=ENGLISH.format(f"colour {phase.colour}"))
        yield Piece(
            NEW_DIE, f"{phase.colour} die", f"{phase.colour[0].upper()}?", _HAND, "", kind,
            description=_hand(phase).description,
        )  # fmt: skip
    if isinstance(phase, Placing):
        die = Die(phase.colour, phase.dots)
        yield Piece(
            NEW_DIE, f"{die.colour} die", write_die(die), _HAND, "", _name(die),
            {"dots": str(die.dots)}, _hand(phase).description, icon=f"die-{die.dots}",
        )  # fmt: skip


@lru_cache(maxsize=1024)
def _side(
    options: Options, seat: Seat, golem: Golem, enemy: Square, hit: Cell | None
) -> tuple[Piece, ...]:
    """A golem with what lies on its grid; `hit`: the damaged square that was hit again."""
    pieces = [_golem(options, seat, golem, enemy)]
    for cell, square in zip(CELLS, golem.grid, strict=True):
        if square.die is not None:
            pieces.append(_die(options, seat, cell, square.die, golem.square, enemy))
        if square.damaged:
            name = ENGLISH.format("damage")
            said = ENGLISH.format(
                "damage said", seat=ENGLISH.format(seat), cell=ENGLISH.format(f"cell {cell}")
            )
            pieces.append(
                Piece(
                    f"damage-{seat}-{cell}", "damage", "x", cell_id(seat, cell), "", name,
                    description=said, icon="damage", states=("marked",) if cell == hit else (),
                )
            )  # fmt: skip
    return tuple(pieces)


def _golem(options: Options, seat: Seat, golem: Golem, enemy: Square) -> Piece:
    square, who = golem.square, ENGLISH.format(seat)
    damaged = [cell for cell in CELLS if on_grid(golem.grid, cell).damaged]
    destroyed = line_of(golem.grid) is not None
    key = "golem destroyed" if destroyed else "golem damaged" if damaged else "golem said"
    name = ENGLISH.format("golem", seat=who)
    lines = (
        ENGLISH.format(
            "golem line",
            cell=as_title(ENGLISH.format(f"cell {cell}")),
            does=on_card(options, seat, cell, die, square, enemy),
        )
        for cell in CELLS
        if (die := on_grid(golem.grid, cell).die) is not None
    )
    count = ENGLISH.format("stat damaged", n=len(damaged), most=len(CELLS))
    return Piece(
        golem_id(seat),
        "golem",
        _GOLEMS[seat],
        square,
        seat,
        name,
        {"destroyed": "true"} if destroyed else {},
        ENGLISH.format(key, seat=who, square=square, cells=cells(damaged)),
        ("out",) if destroyed else ("damaged",) if damaged else (),
        "golem",
        (ENGLISH.format("golem badge", n=len(damaged)),) if damaged else (),
        CardFace(
            name,
            ENGLISH.format("golem kind", square=square),
            stats=(Stat(ENGLISH.format("stat damage"), count),),
            lines=tuple(lines),
        ),
    )


@lru_cache(maxsize=8192)
def _die(options: Options, seat: Seat, cell: Cell, die: Die, here: Square, enemy: Square) -> Piece:
    # A die is nobody's piece, so that no drawing shows it in the colour of a seat.
    half = "used" if die.used else "available"
    said = ENGLISH.format(
        "die said",
        seat=ENGLISH.format(seat),
        colour=ENGLISH.format(f"colour {die.colour}"),
        dots=die.dots,
        cell=ENGLISH.format(f"cell {cell}"),
        half=ENGLISH.format(half),
        does=effect(options, seat, cell, die, here, enemy),
    )
    return Piece(
        die_id(seat, cell),
        f"{die.colour} die",
        write_die(Die(die.colour, die.dots)) + (_SUN if die.used else _MOON),
        cell_id(seat, cell),
        "",
        _name(die),
        {"dots": str(die.dots), "half": "sun" if die.used else "moon"},
        said,
        ("spent",) if die.used else (),
        f"die-{die.dots}",
        () if die.used else ("{moon}",),
        card(options, seat, cell, die, here, enemy),
    )


def _name(die: Die) -> str:
    return ENGLISH.format("die", colour=ENGLISH.format(f"colour {die.colour}"))


@cache
def _shell(square: Square, turns: int) -> Piece:
    return Piece(
        f"shell-{square}",
        "shell",
        SHELL_GLYPHS[turns],
        square,
        "",
        ENGLISH.format("shell"),
        {"turns": str(turns)},
        ENGLISH.format("shell said", square=square, n=turns),
        icon=f"die-{turns}" if turns else "",
        badges=("{shell}",),
    )


# --- the rest ---


def _hand(phase: Phase) -> Zone:
    """Where a new die lies before it is placed."""
    assert isinstance(phase, Rolling | Placing)
    key = "new die roll" if isinstance(phase, Rolling) else "new die place"
    said = ENGLISH.format(
        key,
        seat=ENGLISH.format(phase.seat),
        colour=ENGLISH.format(f"colour {phase.colour}"),
        dots=getattr(phase, "dots", ""),
    )
    name = ENGLISH.format("new die")
    return Zone(_HAND, name, phase.seat, place="mat", arrangement="row", description=said)


def _threatened(state: State) -> Iterator[Mark]:
    """The squares of both grids that shells damage as the next turn begins, if nothing moves."""
    due = sorted(square for square, turns in state.shells.items() if turns == 1)
    if not due or isinstance(state.phase, Outcome):
        return
    exploding = {*due, *chained(state, due)}
    for seat in SEATS:
        golem = golem_of(state, seat)
        near = around(plan_of(state.options), golem.square) & exploding
        for cell in sorted({towards(seat, golem.square, shell) for shell in near}):
            if not on_grid(golem.grid, cell).damaged:
                yield Mark("threatened", cell_id(seat, cell))


def _tracks(state: State) -> Iterator[Track]:
    for colour in COLOURS:
        yield _supply(colour, supply(state, colour))
    for seat in SEATS:
        yield _damage(seat, sum(square.damaged for square in golem_of(state, seat).grid))


@cache
def _supply(colour: str, left: int) -> Track:
    name = as_title(ENGLISH.format(f"colour {colour}"))
    words, label = (ENGLISH.format(key, colour=name) for key in ("supply", "supply label"))
    return Track(f"supply-{colour}", words, left, "", DICE, icon=f"{colour}-die", label=label)


@cache
def _damage(seat: str, damaged: int) -> Track:
    words, label = (
        ENGLISH.format("damaged squares", seat=ENGLISH.format(seat)),
        ENGLISH.format("damaged label"),
    )
    return Track(f"damage-{seat}", words, damaged, seat, len(CELLS), icon="damage", label=label)


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
