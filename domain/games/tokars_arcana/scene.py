"""How the game looks: the scene.

All is open in Tokar's Arcana. Only the prompt depends on the viewer.
"""

from collections import Counter as Multiset
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from domain.games.tokars_arcana.board import COLUMNS, column_of, home_row, is_corner, plane, row_of
from domain.games.tokars_arcana.captions import caption_in
from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.check import Threat, announced
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.faces import face_keys, faces
from domain.games.tokars_arcana.legend import Figure, legend
from domain.games.tokars_arcana.names import enumerated, seat_name, the_dead
from domain.games.tokars_arcana.piece_ids import AIR, ANGEL, dead_id, model_id, waiting_id
from domain.games.tokars_arcana.position import write_unit
from domain.games.tokars_arcana.prompts import prompt
from domain.games.tokars_arcana.state import (
    GENERALS,
    RANKS,
    SEATS,
    TOKENS,
    UNITS,
    Angels,
    Briefing,
    Model,
    Options,
    Placing,
    Raising,
    Seat,
    Square,
    State,
    Unit,
    general_square,
    units_in,
)
from domain.games.tokars_arcana.theme import ICONS_OF
from domain.games.tokars_arcana.undead import gassed, rank_words
from domain.kernel.scene import Counter, Mark, Piece, Scene, Side, Space, Track, Zone

_GRAVEYARDS: Final[dict[Seat, str]] = {seat: f"graveyard-{seat}" for seat in SEATS}
_WHERE: Final[dict[str, str]] = {
    **dict.fromkeys(_GRAVEYARDS.values(), ENGLISH.format("in-grave")),
    "air": ENGLISH.format("in-air"),
    "angels": ENGLISH.format("in-angels"),
}
"""Zones in words, where a square would be named."""


def scene(state: State, viewer: str) -> Scene:
    """The board, both graveyards, who waits in the air or for an angel, what is asked, the cards
    while they are studied."""
    danger = announced(state)
    models = (*_on_the_board(state, danger), *_beside_the_board(state))
    return Scene(
        caption=caption_in(state, danger),
        spaces=_spaces(state.options.rows),
        pieces=(*models, *_cards(state)),
        zones=tuple(_zones(state)),
        tracks=tuple(_tracks(state)),
        attributes=dict(_attributes(state, danger)),
        marks=_marks(state) if danger else (),
        legend=legend(frozenset([piece.glyph for piece in models]), bool(danger)),
        sides=_sides(state.options),
        counters=tuple(_counters(state)),
        prompt=prompt(state, viewer, danger),
    )


@lru_cache(maxsize=32)
def _sides(options: Options) -> tuple[Side, ...]:
    """Return the seats with their armies; the general is the portrait."""
    races = {"south": options.south, "north": options.north}
    return tuple([
        Side(seat, ENGLISH.format(f"side.{race}"), next(
            ICONS_OF[unit] for unit in GENERALS if CARDS[unit].race == race
        ))
        for seat, race in races.items()
    ])  # fmt: skip


# --- the board -----------------------------------------------------------------------------------


@lru_cache
def _spaces(rows: int) -> tuple[Space, ...]:
    return tuple(_space(square, rows) for square in plane(rows).squares)


def _space(square: Square, rows: int) -> Space:
    x, y = column_of(square), row_of(square) - 1
    kind = "light" if (x + y) % 2 else "dark"
    home = next((seat for seat in SEATS if home_row(rows, seat) == row_of(square)), None)
    if home is None:
        said = ENGLISH.format("space", square=square)
        return Space(square, x, y, kind, square, description=said)
    corner = is_corner(rows, square)
    key = "home-corner" if corner else "home"
    said = ENGLISH.format(key, square=square, seat=seat_name(home))
    note = ENGLISH.format("corner note") if corner else ""
    return Space(square, x, y, kind, square, description=said, note=note)


# --- the models ----------------------------------------------------------------------------------


def _on_the_board(state: State, danger: Sequence[Threat]) -> Iterator[Piece]:
    draw = _drawer(state.options)
    threatening = {threat.square for threat in danger}
    held = {seat: gassed(state, seat) for seat in SEATS}
    for square in plane(state.options.rows).squares:
        model = state.board.get(square)
        if model is not None:
            yield draw(square, model, square in held[model.seat], square in threatening)


def _beside_the_board(state: State) -> Iterator[Piece]:
    for seat in SEATS:
        if state.graves[seat]:
            yield from _dead(state.options, seat, state.graves[seat])
    match state.phase:
        case Placing(models):
            for n, model in enumerate(models, 1):
                identity = waiting_id(AIR, n, len(models))
                yield _piece(state.options, identity, "air", Figure(model))
        case Angels(seats):
            for n, seat in enumerate(seats, 1):
                identity = waiting_id(ANGEL, n, len(seats))
                yield _piece(state.options, identity, "angels", Figure(Model(seat, "P")))
        case _:
            pass


@lru_cache(maxsize=1024)
def _dead(options: Options, seat: Seat, grave: str) -> tuple[Piece, ...]:
    return tuple([
        _piece(options, dead_id(seat, unit, n), _GRAVEYARDS[seat], Figure(Model(seat, unit)))
        for unit, count in Multiset(units_in(grave)).items()
        for n in range(1, count + 1)
    ])  # fmt: skip


@lru_cache(maxsize=32)
def _drawer(options: Options) -> Callable[[Square, Model, bool, bool], Piece]:
    """Draws models on the boards of matches with these options. Each is drawn once: most of a
    scene is as it was."""

    @lru_cache(maxsize=4096)
    def draw(square: Square, model: Model, held: bool, threatens: bool) -> Piece:
        return _piece(options, model_id(square), square, Figure(model, held, threatens))

    return draw


def _piece(options: Options, identity: str, where: str, figure: Figure) -> Piece:
    unit, tokens = figure.model.unit, figure.model.tokens
    is_standing = where not in _WHERE
    return Piece(
        identity,
        ICONS_OF[unit],
        figure.glyph,
        where,
        figure.model.seat,
        CARDS[unit].name if where in _GRAVEYARDS.values() else figure.name,
        {} if where in _GRAVEYARDS.values() else dict(figure.attributes()),
        description=figure.description(_WHERE.get(where, where)),
        states=figure.states,
        icon=ICONS_OF[unit],
        badges=figure.badges,
        # Beside the board models are tokens, not cards to study.
        card=faces(options)[unit] if is_standing else None,
        face=face_keys(options)[unit] if is_standing else "",
        rank=RANKS.index(CARDS[unit].rank) + 1 if is_standing else 0,
        counters=(_FIREBREW[tokens],) if tokens else (),
    )


_FIREBREW: Final = tuple(
    Counter("firebrew", tokens, TOKENS, "badge", note=ENGLISH.format("firebrew note"))
    for tokens in range(TOKENS + 1)
)


def _cards(state: State) -> Iterator[Piece]:
    """Each seat's Arcana cards, while both study the armies."""
    if not isinstance(state.phase, Briefing):
        return
    for seat in SEATS:
        for unit in _army(state, seat):
            yield Piece(
                f"card-{seat}-{unit}",
                "arcana-card",
                write_unit(seat, unit),
                f"cards-{seat}",
                seat,
                named(seat, unit),
                icon=ICONS_OF[unit],
                card=faces(state.options)[unit],
                face=face_keys(state.options)[unit],
            )


def _army(state: State, seat: Seat) -> list[Unit]:
    """The units of a seat, each once."""
    there = {model.unit for model in state.board.values() if model.seat == seat}
    return [unit for unit in UNITS if unit in there]


# --- beside the board ----------------------------------------------------------------------------


@lru_cache
def _board(rows: int) -> Zone:
    name = ENGLISH.format("board")
    labels = tuple(str(row) for row in range(1, rows + 1))
    return Zone("board", name, place="main", arrangement="board", columns=(*COLUMNS,), rows=labels)


def _zones(state: State) -> Iterator[Zone]:
    yield _board(state.options.rows)
    for seat in SEATS:
        yield _graveyard(seat, state.graves[seat])
    match state.phase:
        case Placing(models):
            yield _queue("air", [named(model.seat, model.unit) for model in models])
        case Angels(seats):
            yield _queue("angels", [named(seat, "P") for seat in seats])
        case Briefing():
            for seat in SEATS:
                name = ENGLISH.format("cards", seat=seat_name(seat))
                yield Zone(f"cards-{seat}", name, seat, place="table", arrangement="grid")
        case _:
            pass


@lru_cache(maxsize=1024)
def _graveyard(seat: Seat, grave: str) -> Zone:
    name = ENGLISH.format("graveyard", seat=seat_name(seat))
    return Zone(
        _GRAVEYARDS[seat], name, seat, place="bar", arrangement="grid",
        description=_listing(name, the_dead(grave)),
    )  # fmt: skip


def _queue(zone: str, models: list[str]) -> Zone:
    name = ENGLISH.format(zone)
    return Zone(
        zone,
        name,
        place="prompt",
        arrangement="row",
        description=_listing(name, enumerated(models, len(UNITS))),
    )


def _listing(zone: str, models: str) -> str:
    if not models:
        return ENGLISH.format("zone-empty", zone=zone)
    return ENGLISH.format("zone", zone=zone, models=models)


def _tracks(state: State) -> Iterator[Track]:
    if state.options.quiet_limit:
        name = ENGLISH.format("quiet")
        yield Track("quiet", name, state.quiet, most=state.options.quiet_limit, label=name)


def _counters(state: State) -> Iterator[Counter]:
    limit = state.options.quiet_limit
    if limit:
        yield Counter("quiet", state.quiet, limit, note=ENGLISH.format("quiet note", limit=limit))


# --- what is going on ----------------------------------------------------------------------------


def _attributes(state: State, danger: Sequence[Threat]) -> Iterator[tuple[str, str]]:
    """`check`: whose general could be killed next; `raising`: where and of what rank."""
    if danger and state.turn is not None:
        yield "check", state.turn
    if isinstance(state.phase, Raising):
        offer = state.phase.offer
        yield "raising", f"{rank_words(state, offer)} beside {offer.square}"


def _marks(state: State) -> tuple[Mark, ...]:
    """The general that is in check."""
    assert state.turn is not None, "nobody is in check before the first turn"
    general = general_square(state.board, state.turn)
    if general is None:
        return ()
    piece = model_id(general)
    return (Mark("danger", piece=piece, at=(piece,), tone="bad"),)
