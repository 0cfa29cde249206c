"""The scene: what a viewer sees, made from the viewer's view and nothing else.

A table is looked at far more often than it changes, so pieces, zones and tracks are made once for
each way in which they can lie, and shared by scenes.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.res_arcana.bundles import ICONS, LETTERS, NAMES, NOTHING, counts, in_words
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.legal import asked
from domain.games.res_arcana.legend import icon_of, legend
from domain.games.res_arcana.packs import Pack
from domain.games.res_arcana.prompts import caption, waiting, who
from domain.games.res_arcana.state import OMNISCIENT, Component, Seat, State, pack_of
from domain.games.res_arcana.victory import points_of
from domain.games.res_arcana.view import Pile, SeenArea, View, see
from domain.kernel import scene
from domain.kernel.scene import Arrangement, Piece, Scene, Track, Zone

_SAY: Final = ENGLISH.format
ITEMS, PLACES, ROW, MONUMENTS = "magic-items", "places-of-power", "monuments", "monument-deck"
FIRST: Final = "first-player-token"
"""The id of the starting player token."""


def game_scene(state: State, viewer: str) -> Scene:
    """What this viewer sees: a seat, `spectator`, `table` or `referee`."""
    view = see(state, viewer)
    pieces = tuple(_pieces(state, view, viewer))
    return Scene(
        caption(state, viewer),
        pieces=pieces,
        zones=tuple(_zones(view)),
        tracks=tuple(_tracks(state, view)),
        attributes=_attributes(state, view),
        legend=_legend(names_of(pack_of(state)), pieces),
    )


def _attributes(state: State, view: View) -> dict[str, str]:
    attributes = {"round": str(view.round), "asked": ", ".join(asked(state))}
    if view.first is not None:
        attributes["first_player"] = view.first
    if view.turn is not None:
        attributes["turn"] = view.turn
    if len(view.queue) > 1:
        names = names_of(pack_of(state))
        attributes["waiting"] = "; ".join([waiting(step, names) for step in view.queue[1:]])
    for area in view.areas:
        if area.gone:
            attributes[f"gone_{area.seat}"] = ""
        if area.todo:
            todo = ", ".join(question.sign + question.card for question in area.todo)
            attributes[f"todo_{area.seat}"] = todo
    return attributes


# --- zones ---------------------------------------------------------------------------------------


def zone_of(seat: str, what: str) -> str:
    """The id of a zone of a seat."""
    return f"{seat}-{what}"


def _zones(view: View) -> Iterator[Zone]:
    yield _supply(ITEMS, len(view.items))
    yield _supply(PLACES, len(view.places))
    yield _supply(ROW, len(view.row))
    yield _supply(MONUMENTS, view.monuments.size())
    for area in view.areas:
        yield _table(area.seat, view.first == area.seat, area.out, area.gone)
        for what, pile in _piles(area):
            size = pile.size()
            if size or what in ("hand", "deck", "discard"):
                yield _pile_zone(area.seat, what, size)


@lru_cache(maxsize=256)
def _supply(zone: str, size: int) -> Zone:
    name, deck = _SAY(f"zone.{zone}"), zone == MONUMENTS
    return Zone(
        zone,
        name,
        attributes={"cards": str(size)} if deck else {},
        place="supply",
        arrangement="pile" if deck else "row",
        description=_SAY("zone.told", zone=name, n=size),
    )


@lru_cache(maxsize=64)
def _table(seat: str, first: bool, passed: bool, gone: bool) -> Zone:
    name = _SAY("zone.table", who=who(seat))
    if first:
        name = _SAY("zone.table.first", zone=name)
    if passed or gone:
        name = _SAY("zone.table.gone" if gone else "zone.table.passed", zone=name)
    return Zone(
        zone_of(seat, "table"), name, seat, place="mat", arrangement="grid", description=name
    )


_ARRANGED: Final[dict[str, Arrangement]] = {
    "hand": "fan",
    "deck": "pile",
    "discard": "pile",
    "mages": "row",
    "pack": "row",
}


@lru_cache(maxsize=1024)
def _pile_zone(seat: str, what: str, size: int) -> Zone:
    name = _SAY(f"zone.{what}", who=who(seat))
    return Zone(
        zone_of(seat, what),
        name,
        seat,
        {"cards": str(size)},
        place="mat",
        arrangement=_ARRANGED[what],
        description=_SAY("zone.told", zone=name, n=size),
    )


def _piles(area: SeenArea) -> Iterator[tuple[str, Pile]]:
    yield "hand", area.hand
    yield "deck", area.deck
    yield "discard", area.discard
    yield "mages", area.mages
    yield "pack", area.pack


# --- pieces --------------------------------------------------------------------------------------


def _pieces(state: State, view: View, viewer: str) -> Iterator[Piece]:
    names, pack = names_of(pack_of(state)), pack_of(state)
    for zone, cards in ((ITEMS, view.items), (PLACES, view.places), (ROW, view.row)):
        for card in cards:
            yield _card(names, Component(card), zone)
    yield from _in_pile(names, MONUMENTS, view.monuments, "", in_order=True)
    for area in view.areas:
        table = zone_of(area.seat, "table")
        if view.first == area.seat:
            yield _token(area.seat, _token_points(view, pack))
        for own in area.table:
            yield _card(names, own, table, area.seat)
        for what, pile in _piles(area):
            in_order = what == "deck" and (viewer in OMNISCIENT or pile.opened)
            zone = zone_of(area.seat, what)
            yield from _in_pile(names, zone, pile, area.seat, in_order=in_order, mage=area.mage)


def _token_points(view: View, pack: Pack) -> int:
    return pack.token_points if view.token else 0


@lru_cache(maxsize=64)
def _token(seat: Seat, points: int) -> Piece:
    name = _SAY("token")
    told = _SAY("seen.points", told=name, n=points) if points else name
    return Piece(
        FIRST,
        "token",
        _SAY("glyph.token"),
        zone_of(seat, "table"),
        seat,
        name,
        {"points": str(points)},
        told,
        icon=icon_of("token"),
    )


@lru_cache(maxsize=16384)
def _card(
    names: CardNames,
    own: Component,
    where: str,
    owner: str = "",
    place: int = 0,
    chosen: bool = False,
) -> Piece:
    """A card that the viewer may read, as it lies; `place` counts from the top of a deck."""
    known = names.known[own.id]
    states: tuple[scene.State, ...] = ("turned",) if own.turned else ()
    more = {"turned": ""} if own.turned else {}
    told = _SAY("seen", name=known.name, kind=_SAY(f"kind.{known.kind}"))
    if own.turned:
        told = _SAY("seen.turned", told=told)
    if own.on != NOTHING:
        more["with"] = in_words(own.on)
        told = _SAY("seen.on", told=told, what=more["with"])
    if place:
        more["from the top"] = str(place)
    if chosen:
        more["chosen"], states = "", (*states, "marked")
        told = _SAY("seen.chosen", told=told)
    return Piece(
        own.id,
        known.kind,
        _SAY(f"glyph.{known.kind}"),
        where,
        owner,
        known.name,
        {**more, **known.attributes},
        told,
        states,
        icon_of(known.kind),
        _badges(own.on),
        known.face,
    )


def _badges(on: str) -> tuple[str, ...]:
    there = zip(counts(on), LETTERS, strict=True)
    return tuple([_SAY("count", n=n, what=ICONS[letter]) for n, letter in there if n])


@lru_cache(maxsize=1024)
def _back(zone: str, place: int, seat: str) -> Piece:
    # Numbered from the top of the pile: what lies there is not told by the id.
    name = _SAY("back")
    return Piece(
        f"{zone}-{place}",
        "card-back",
        _SAY("glyph.card-back"),
        zone,
        seat,
        name,
        description=name,
        states=("hidden",),
    )


def _in_pile(
    names: CardNames, zone: str, pile: Pile, seat: str, *, in_order: bool, mage: str | None = None
) -> Iterator[Piece]:
    for place, card in enumerate(pile.known, 1):
        yield _card(names, Component(card), zone, seat, place if in_order else 0, card == mage)
    for card in pile.loose:
        yield _card(names, Component(card), zone, seat)
    for place in range(len(pile.known) + 1, len(pile.known) + pile.unseen + 1):
        yield _back(zone, place, seat)


def _legend(names: CardNames, pieces: tuple[Piece, ...]) -> tuple[scene.LegendEntry, ...]:
    kinds = frozenset([piece.kind for piece in pieces])
    states = frozenset([state for piece in pieces if piece.states for state in piece.states])
    icons: set[str] = set()
    for piece in pieces:
        known = names.known.get(piece.id)
        if known is not None:
            icons |= known.icons
    return legend(kinds, states, frozenset(icons))


# --- tracks --------------------------------------------------------------------------------------


def _tracks(state: State, view: View) -> Iterator[Track]:
    for area, whole in zip(view.areas, state.areas, strict=True):
        # Points count what lies open: the token and the table.
        yield _track(area.seat, "points", points_of(state, whole))
        for letter, number in zip(LETTERS, counts(area.pool), strict=True):
            yield _track(area.seat, NAMES[letter], number)


@lru_cache(maxsize=2048)
def _track(seat: str, what: str, value: int) -> Track:
    key = "track.points" if what == "points" else "track.essence"
    name = _SAY(key, who=who(seat), what=_SAY(f"icon.{what}"))
    label = _SAY(f"label.{what}")
    return Track(zone_of(seat, what), name, value, seat, icon=what, label=label)
