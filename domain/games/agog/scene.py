"""How the game looks. All is open in A.G.O.G., so every viewer sees the same."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from domain.games.agog.actions import Action
from domain.games.agog.board import AT, FILES, SANCTUM, SQUARES
from domain.games.agog.captures import longest_hunts
from domain.games.agog.english import ENGLISH
from domain.games.agog.facts import Fact, UnitMoved, UnitPromoted, UnitTakenOut
from domain.games.agog.sentences import how_it_ended, shortened, the, whose
from domain.games.agog.state import (
    FREE,
    GOLEMS,
    OTHER,
    OWNER,
    SEATS,
    STACKS,
    Outcome,
    Seat,
    State,
    Unit,
    name_of,
    supply_of,
)
from domain.kernel.game import ResolvedAction
from domain.kernel.language import capitalized
from domain.kernel.scene import (
    Counter,
    LegendEntry,
    Piece,
    PromptText,
    Scene,
    Side,
    Space,
    Track,
    Zone,
)

_GOLEM: Final = "golem"
"""The icon of what the tracks count."""
_BOARD: Final = Zone(
    "board",
    "Board",
    place="main",
    arrangement="board",
    columns=tuple(FILES),
    rows=tuple("12345678"),
)
_GLYPHS: Final = "JGHCjghc"
"""Units in the order of the legend."""


def scene(state: State, viewer: str) -> Scene:
    """Return the board, both supplies and the prompt; only the prompt depends on the viewer."""
    board = state.board
    return Scene(
        caption(state, viewer),
        _SPACES,
        tuple([_piece(place, unit) for place, unit in enumerate(board) if unit not in _NO_UNIT]),
        zones=(_BOARD,),
        tracks=tuple([_track(seat, supply_of(state, seat)) for seat in SEATS]),
        attributes=_attributes(state),
        legend=_legend(frozenset(board)),
        sides=tuple([_side(seat, supply_of(state, OTHER[seat])) for seat in SEATS]),
        prompt=_prompt(state, viewer),
    )


@cache
def _side(seat: Seat, taken: int) -> Side:
    """Return a seat with the enemy golems that have been removed from play."""
    other = OTHER[seat]
    note = ENGLISH.format("taken", n=taken, seat=ENGLISH.format(other))
    counter = Counter(_GOLEM, taken, style="figures", owner=other, note=note)
    return Side(seat, symbol="journeyman", counters=(counter,))


def _prompt(state: State, viewer: str) -> PromptText:
    if isinstance(state.turn, Outcome):
        heading = ENGLISH.format("heading over", seat=ENGLISH.format(state.turn.winner))
        return PromptText(heading, capitalized(how_it_ended(state.turn)))
    most, hunts = longest_hunts(state.board, state.turn)
    if viewer == state.turn:
        heading = ENGLISH.format("heading own capture" if most else "heading own", n=most)
    else:
        heading = ENGLISH.format("heading other", seat=ENGLISH.format(state.turn))
    if not most:
        return PromptText(heading)
    units = ENGLISH.join_and(shortened([the(hunt.unit, SQUARES[hunt.start]) for hunt in hunts]))
    key = "why capture one" if len(hunts) == 1 else "why capture more"
    why = ENGLISH.format(key, units=units if len(hunts) == 1 else capitalized(units))
    return PromptText(heading, why, "agog.capture.maximal")


def piece_id_changes(happening: ResolvedAction[Action, Fact]) -> Mapping[str, str]:
    """The id that the unit has after its turn: units are called by the squares they stand on. A
    unit that does not stay on the enemy sanctum has none."""
    if any(isinstance(fact, UnitPromoted | UnitTakenOut) for fact in happening.facts):
        return {}
    return {
        piece_id(fact.start): piece_id(fact.end)
        for fact in happening.facts
        if isinstance(fact, UnitMoved)
    }


def _space(square: str) -> Space:
    x, y = FILES.index(square[0]), int(square[1]) - 1
    for seat in SEATS:
        if SANCTUM[seat] == AT[square]:
            said = ENGLISH.format("sanctum", square=square, seat=ENGLISH.format(seat))
            note = ENGLISH.format(
                "sanctum note", seat=ENGLISH.format(seat), other=ENGLISH.format(OTHER[seat])
            )
            return Space(
                square, x, y, "sanctum", square, {"owner": seat}, said, owner=seat, note=note
            )
    kind = "light" if (x + y) % 2 else "dark"
    return Space(square, x, y, kind, square, description=ENGLISH.format(kind, square=square))


_SPACES: Final = tuple(_space(square) for square in sorted(AT, key=lambda s: (s[1], s[0])))
_NO_UNIT: Final = FREE + "/"


def piece_id(square: str) -> str:
    """The id of the piece on this square, as long as the scene does not change."""
    return f"unit-{square}"


@cache
def _piece(place: int, unit: Unit) -> Piece:
    square, owner = SQUARES[place], OWNER[unit]
    white, black = STACKS[unit]
    return Piece(
        piece_id(square),
        name_of(unit),
        unit,
        square,
        owner,
        whose(unit),
        {"white_golems": str(white), "black_golems": str(black)},
        ENGLISH.format("on", unit=whose(unit), square=square) + _stack(unit),
        icon=name_of(unit).replace(" ", "-"),
    )


def _stack(unit: Unit) -> str:
    """What a unit is made of, where it is more than one golem."""
    owner = OWNER[unit]
    own, other = (ENGLISH.format(f"colour {seat}") for seat in (owner, OTHER[owner]))
    return ENGLISH.format(f"stack {unit.lower()}", own=own, other=other)


@cache
def _track(seat: str, value: int) -> Track:
    name = ENGLISH.format("supply", seat=ENGLISH.format(seat))
    label = ENGLISH.format("supply label")
    return Track(f"supply-{seat}", name, value, seat, GOLEMS, icon=_GOLEM, label=label)


@cache
def _legend(units: frozenset[str]) -> tuple[LegendEntry, ...]:
    """The signs of a board with these units."""
    kinds = ("sanctum", "dark", "light")
    return (
        *(LegendEntry("glyph", unit, whose(unit)) for unit in _GLYPHS if unit in units),
        *(LegendEntry("icon", name, meaning) for name, meaning in _icons(units).items()),
        *(LegendEntry("space", kind, ENGLISH.format(f"legend {kind}")) for kind in kinds),
    )


def _icons(units: frozenset[str]) -> dict[str, str]:
    names = [unit for unit in "jghc" if unit in units or unit.upper() in units or unit == "g"]
    return {name_of(unit).replace(" ", "-"): ENGLISH.format(unit) for unit in names}


def caption(state: State, viewer: str) -> str:
    """Who is to do what, in a sentence, the same for everybody."""
    del viewer
    if isinstance(state.turn, Outcome):
        return how_it_ended(state.turn)
    seat = ENGLISH.format(state.turn)
    most, hunts = longest_hunts(state.board, state.turn)
    if not most:
        return ENGLISH.format("to move", seat=seat)
    units = [the(hunt.unit, SQUARES[hunt.start]) for hunt in hunts]
    return ENGLISH.format("to capture", seat=seat, n=most, units=ENGLISH.join_or(shortened(units)))


def _attributes(state: State) -> dict[str, str]:
    """`compulsory_jumps` where captures are open: how many units must be jumped."""
    attributes = {"fresh_supply": "true"} if state.fresh_supply else {}
    if not isinstance(state.turn, Outcome):
        most, _ = longest_hunts(state.board, state.turn)
        if most:
            attributes["compulsory_jumps"] = str(most)
    return attributes
