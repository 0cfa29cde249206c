"""How the game looks: the scene. All is open in Tokar's Arcana, so every viewer sees the same."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from domain.games.tokars_arcana.board import column_of, home_row, is_corner, plane, row_of
from domain.games.tokars_arcana.captions import caption_in
from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.check import Threat, announced
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.faces import faces
from domain.games.tokars_arcana.legend import Figure, legend
from domain.games.tokars_arcana.names import enumerated, seat_name, the_dead
from domain.games.tokars_arcana.piece_ids import AIR, ANGEL, dead_id, model_id, waiting_id
from domain.games.tokars_arcana.position import write_unit
from domain.games.tokars_arcana.state import (
    SEATS,
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
from domain.kernel.scene import Mark, Piece, Place, Scene, Space, Track, Zone

_SIDES: Final[dict[Seat, Place]] = {"south": "left", "north": "right"}
"""Where each graveyard lies: to the left of its player."""
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
    del viewer
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
    )


# --- the board -----------------------------------------------------------------------------------


@lru_cache
def _spaces(rows: int) -> tuple[Space, ...]:
    return tuple(_space(square, rows) for square in plane(rows).squares)


def _space(square: Square, rows: int) -> Space:
    x, y = column_of(square), row_of(square) - 1
    kind = "light" if (x + y) % 2 else "dark"
    return Space(square, x, y, kind, square, description=_described(square, rows))


def _described(square: Square, rows: int) -> str:
    home = next((seat for seat in SEATS if home_row(rows, seat) == row_of(square)), None)
    corner = is_corner(rows, square)
    if home is None:
        return ENGLISH.format("space", square=square)
    key = "home-corner" if corner else "home"
    return ENGLISH.format(key, square=square, seat=seat_name(home))


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
        for unit, count in Counter(units_in(grave)).items()
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
    unit = figure.model.unit
    return Piece(
        identity,
        CARDS[unit].name,
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
        face=None if where in _WHERE else faces(options)[unit],
    )


def _cards(state: State) -> Iterator[Piece]:
    """Each seat's Arcana cards, while both study the armies."""
    if not isinstance(state.phase, Briefing):
        return
    for seat in SEATS:
        for unit in _army(state, seat):
            yield Piece(
                f"card-{seat}-{unit}",
                "Arcana card",
                write_unit(seat, unit),
                f"cards-{seat}",
                seat,
                named(seat, unit),
                icon=ICONS_OF[unit],
                face=faces(state.options)[unit],
            )


def _army(state: State, seat: Seat) -> list[Unit]:
    """The units of a seat, each once."""
    there = {model.unit for model in state.board.values() if model.seat == seat}
    return [unit for unit in UNITS if unit in there]


# --- beside the board ----------------------------------------------------------------------------


def _zones(state: State) -> Iterator[Zone]:
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
                yield Zone(f"cards-{seat}", name, seat, place="mat", arrangement="grid")
        case _:
            pass


@lru_cache(maxsize=1024)
def _graveyard(seat: Seat, grave: str) -> Zone:
    name = ENGLISH.format("graveyard", seat=seat_name(seat))
    return Zone(
        _GRAVEYARDS[seat], name, seat, place=_SIDES[seat], arrangement="grid",
        description=_listing(name, the_dead(grave)),
    )  # fmt: skip


def _queue(zone: str, models: list[str]) -> Zone:
    name = ENGLISH.format(zone)
    return Zone(
        zone,
        name,
        place="above",
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
    return () if general is None else (Mark("threatened", piece=model_id(general)),)
