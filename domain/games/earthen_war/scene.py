"""How the game looks. All is open in Earthen-War: only the prompt depends on the viewer.

The battlefield is the main board. Each control grid is a board of its own, as its owner sees it.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Final

from domain.games.earthen_war.actions import Action
from domain.games.earthen_war.artillery import chained
from domain.games.earthen_war.battlefield import (
    FIELDS,
    FILES,
    TRENCHES,
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
from domain.games.earthen_war.faces import face_key
from domain.games.earthen_war.facts import DiceSwapped, DiePlaced, Fact
from domain.games.earthen_war.legend import SHELL_GLYPHS, legend
from domain.games.earthen_war.position import write_die
from domain.games.earthen_war.prompts import phases, prompt, step_of
from domain.games.earthen_war.state import (
    CELL_NAMES,
    CELLS,
    CENTRE,
    COLOURS,
    DICE,
    FUSE,
    OTHER,
    SEATS,
    Cell,
    Die,
    Golem,
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
    golem_of,
    on_grid,
    supply,
)
from domain.games.earthen_war.uses import as_title, card, direction, effect, on_card
from domain.kernel.game import ResolvedAction
from domain.kernel.scene import (
    CardFace,
    Counter,
    Mark,
    Piece,
    Scene,
    Side,
    Space,
    Stat,
    Track,
    Zone,
)

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
    """Return the battlefield, both grids, the supply and the prompt."""
    pieces = tuple(_pieces(state))
    boards, phase = _boards(state.options.board), state.phase
    return Scene(
        caption(state, viewer),
        spaces(plan_of(state.options)),
        pieces,
        (*boards, _hand(phase)) if isinstance(phase, Rolling | Placing) else boards,
        tuple(_tracks(state)),
        _attributes(phase),
        tuple(_marks(state)),
        legend(frozenset([(piece.glyph, piece.icon, piece.states) for piece in pieces])),
        sides=tuple([_bar(seat, _damaged(golem_of(state, seat))) for seat in SEATS]),
        counters=tuple([_left(colour, supply(state, colour)) for colour in COLOURS]),
        phases=phases(phase),
        prompt=prompt(state, viewer),
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


def grid_id(seat: Seat) -> str:
    """Return the id of the zone that is this seat's grid. Drawings take it for a kind of space."""
    return f"{seat}-grid"


def cell_id(seat: Seat, cell: Cell) -> str:
    """The id of the space that is this square of a grid."""
    return f"{seat}-{cell}"


def die_id(seat: Seat, cell: Cell) -> str:
    """The id of the die on this square, as long as the scene does not change."""
    return f"die-{seat}-{cell}"


# --- spaces ---


@cache
def _boards(board: int) -> tuple[Zone, ...]:
    """Return the battlefield and both grids."""
    rows = ("", *(str(rank) for rank in range(1, board + 1)), "")
    return (
        Zone(
            "battlefield",
            ENGLISH.format("battlefield"),
            place="main",
            arrangement="board",
            columns=tuple(FILES[:board]),
            rows=rows,
        ),
        *(
            Zone(
                grid_id(seat),
                ENGLISH.format("grid", seat=ENGLISH.format(seat)),
                seat,
                place="side",
                arrangement="board",
            )
            for seat in SEATS
        ),
    )


@cache
def spaces(plan: Plan) -> tuple[Space, ...]:
    """Return the battlefield, the trenches, and the squares of both grids."""
    field = [
        Space(square, *place(square), label=square, description=square)
        for square in FIELDS[plan[0]]
    ]
    trenches = [_trench(TRENCHES[plan][seat], seat) for seat in SEATS]
    return (*field, *trenches, *(_cell(seat, cell) for seat in SEATS for cell in CELLS))


def _trench(square: Square, seat: Seat) -> Space:
    who = ENGLISH.format(seat)
    said = ENGLISH.format("trench", square=square, seat=who)
    note = ENGLISH.format("trench note", seat=who)
    return Space(
        square, *place(square), "trench", square, {"owner": seat}, said, owner=seat, note=note
    )


def _cell(seat: Seat, cell: Cell) -> Space:
    row, column = divmod(CELLS.index(cell), 3)
    attributes = {"owner": seat, "grid_square": CELL_NAMES[cell]}
    who = ENGLISH.format(seat)
    said, label, note = ENGLISH.format("centre", seat=who), who, ENGLISH.format("centre note")
    if cell != CENTRE:
        attributes["direction"] = compass(seat, cell)
        label = f"{cell} {_ARROWS[compass(seat, cell)]}"
        name, way = ENGLISH.format(f"cell {cell}"), direction(seat, cell)
        said = ENGLISH.format("square", seat=who, cell=name, way=way)
        note = ENGLISH.format("square note", way=way)
    return Space(
        cell_id(seat, cell),
        column,
        2 - row,
        CELL_NAMES[cell],
        label,
        attributes,
        said,
        zone=grid_id(seat),
        owner=seat,
        note=note,
    )


# --- pieces ---


def _pieces(state: State) -> Iterator[Piece]:
    options, phase = state.options, state.phase
    for seat in SEATS:
        golem, enemy = golem_of(state, seat), golem_of(state, OTHER[seat]).square
        yield from _side(options, seat, golem, enemy)
    for square, turns in sorted(state.shells.items()):
        yield _shell(square, turns)
    if isinstance(phase, Rolling):
        kind = ENGLISH.format("die", colour=ENGLISH.format(f"colour {phase.colour}"))
        yield Piece(
            NEW_DIE, f"{phase.colour} die", f"{phase.colour[0].upper()}?", _HAND, phase.seat, kind,
            description=_hand(phase).description, face=face_key(phase.colour),
        )  # fmt: skip
    if isinstance(phase, Placing):
        die = Die(phase.colour, phase.dots)
        yield Piece(
            NEW_DIE, f"{die.colour} die", write_die(die), _HAND, phase.seat, _name(die),
            {"dots": str(die.dots)}, _hand(phase).description, icon=f"die-{die.dots}",
            face=face_key(die.colour, die.dots), counters=_dots(die.dots),
        )  # fmt: skip


@lru_cache(maxsize=1024)
def _side(options: Options, seat: Seat, golem: Golem, enemy: Square) -> tuple[Piece, ...]:
    """Return a golem with what lies on its grid."""
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
                    description=said, icon="damage",
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
        seat,
        _name(die),
        {"dots": str(die.dots), "half": "sun" if die.used else "moon"},
        said,
        ("spent",) if die.used else (),
        f"die-{die.dots}",
        () if die.used else ("{moon}",),
        card(options, seat, cell, die, here, enemy),
        face_key(die.colour, die.dots),
        counters=_dots(die.dots),
    )


@cache
def _dots(dots: int) -> tuple[Counter, ...]:
    return (Counter("dots", dots, style="die"),)


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
        counters=(Counter("turns", turns, FUSE, "die"),),
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
    return Zone(_HAND, name, phase.seat, place="prompt", arrangement="row", description=said)


def _marks(state: State) -> Iterator[Mark]:
    """Yield a mark of what is in question, and marks of what shells threaten."""
    match state.phase:
        case Locating(seat, cell):
            yield Mark("asked", at=(cell_id(OTHER[seat], cell),))
        case Offering(_, square):
            yield Mark("asked", at=(square,))
        case _:
            pass
    if state.shells:
        yield from _dangers(state)


def _dangers(state: State) -> Iterator[Mark]:
    """Yield marks of the squares that shells damage as the next turn begins, if nothing moves."""
    due = sorted(square for square, turns in state.shells.items() if turns == 1)
    if not due or isinstance(state.phase, Outcome):
        return
    exploding = {*due, *chained(state, due)}
    for seat in SEATS:
        golem = golem_of(state, seat)
        near = around(plan_of(state.options), golem.square) & exploding
        for cell in sorted({towards(seat, golem.square, shell) for shell in near}):
            if not on_grid(golem.grid, cell).damaged:
                yield Mark("danger", at=(cell_id(seat, cell),))


def _damaged(golem: Golem) -> int:
    return sum(square.damaged for square in golem.grid)


@cache
def _bar(seat: str, damaged: int) -> Side:
    counter = Counter("damage", damaged, len(CELLS), "figures")
    return Side(seat, symbol="golem", counters=(counter,))


@cache
def _left(colour: str, left: int) -> Counter:
    return Counter(f"{colour}-die", left, DICE)


def _tracks(state: State) -> Iterator[Track]:
    for colour in COLOURS:
        yield _supply(colour, supply(state, colour))
    for seat in SEATS:
        yield _damage(seat, _damaged(golem_of(state, seat)))


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
    step = step_of(phase)
    attributes: dict[str, str] = {"phase": step} if step else {}
    match phase:
        case Locating(_, cell):
            attributes["hit_from"] = cell
        case Offering(_, square):
            attributes["shell_offered"] = square
        case _:
            pass
    return attributes
