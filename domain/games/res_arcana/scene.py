"""The scene: what a viewer sees, made from the viewer's view and nothing else.

A table is looked at far more often than it changes, so pieces, zones and tracks are made once for
each way in which they can lie, and shared by scenes.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from domain.games.res_arcana.bundles import (
    ICONS,
    LETTERS,
    NAMES,
    NOTHING,
    by_name,
    counts,
    in_words,
)
from domain.games.res_arcana.card_faces import CardNames, names_of
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.legal import asked
from domain.games.res_arcana.legend import icon_of, legend
from domain.games.res_arcana.packs import Pack
from domain.games.res_arcana.prompts import caption, prompt, waiting, who
from domain.games.res_arcana.state import (
    OMNISCIENT,
    TO_WIN,
    Checking,
    Collecting,
    Component,
    Over,
    Placing,
    Seat,
    State,
    Waiting,
    pack_of,
)
from domain.games.res_arcana.victory import token_points, worths_of
from domain.games.res_arcana.view import Pile, SeenArea, View, see
from domain.kernel import scene
from domain.kernel.scene import (
    Arrangement,
    Counter,
    Mark,
    Phase,
    PhaseState,
    Piece,
    Place,
    Scene,
    Side,
    Track,
    Zone,
)

_SAY: Final = ENGLISH.format
ITEMS, PLACES, ROW, MONUMENTS = "magic-items", "places-of-power", "monuments", "monument-deck"
FIRST: Final = "first-player-token"
"""The id of the starting player token."""


def game_scene(state: State, viewer: str) -> Scene:
    """Return what this viewer sees: a seat, `spectator`, `table` or `referee`."""
    view = see(state, viewer)
    worths = [worths_of(state, area) for area in state.areas]
    points = [
        token_points(state, area) + sum(worth)
        for area, worth in zip(state.areas, worths, strict=True)
    ]
    pieces = tuple(_pieces(state, view, viewer, worths))
    return Scene(
        caption(state, viewer),
        pieces=pieces,
        zones=tuple(_zones(view, viewer)),
        tracks=tuple(_tracks(view, points)),
        attributes=_attributes(state, view),
        marks=tuple(_marks(view)),
        legend=_legend(names_of(pack_of(state)), pieces),
        sides=tuple(_sides(state, view, points)),
        counters=(_counter("round", view.round),) if view.round else (),
        phases=_phases(_phase(view)) if view.round else (),
        prompt=prompt(state, viewer),
    )


def _phase(view: View) -> str:
    """Return the phase of the round: `collect`, `act`, `check`, or `over`."""
    for step in view.queue:
        match step:
            case Collecting():
                return "collect"
            case Checking(kind="end"):
                return "check"
            case Over():
                return "over"
            case _:
                pass
    return "act"


_DONE: Final[tuple[PhaseState, ...]] = ("done", "done", "done")


@cache
def _phases(now: str) -> tuple[Phase, ...]:
    names = ("collect", "act", "check")
    at = names.index(now) if now in names else len(names)
    states: tuple[PhaseState, ...] = (*_DONE[:at], "now", "next", "next")
    return tuple(
        [Phase(_SAY(f"phase.{name}"), state) for name, state in zip(names, states, strict=False)]
    )


def _marks(view: View) -> Iterator[Mark]:
    """Yield a mark for the cards that are asked about."""
    step = view.queue[0]
    asking = getattr(step, "card", "")
    cards: tuple[str, ...] = (asking,) if asking else ()
    if isinstance(step, Collecting):
        cards = tuple([area.todo[0].card for area in view.areas if area.todo])
    if cards:
        yield Mark("asked", at=cards)


def _sides(state: State, view: View, points: list[int]) -> Iterator[Side]:
    names = names_of(pack_of(state))
    for area, each in zip(view.areas, points, strict=True):
        mage = next((own.id for own in area.table if names.known[own.id].kind == "mage"), "")
        note = "gone" if area.gone else "passed" if area.out else ""
        yield _side(names, area.seat, note, mage, each, area.pool, area.deck.loose)


@lru_cache(maxsize=4096)
def _side(
    names: CardNames,
    seat: str,
    note: str,
    mage: str,
    points: int,
    pool: str,
    deck: tuple[str, ...],
) -> Side:
    there = zip(NAMES.values(), counts(pool), strict=True)
    counters = [_counter("points", points, TO_WIN), *[_counter(name, n) for name, n in there]]
    if deck:
        # Its owner knows the cards of a deck, but not their order.
        cards = ENGLISH.join_and([names.known[card].name for card in deck])
        counters.append(Counter("deck", len(deck), note=_SAY("note.deck", cards=cards)))
    told = _SAY(f"note.{note}") if note else ""
    return Side(seat, told, names.known[mage].art if mage else "", tuple(counters))


@lru_cache(maxsize=4096)
def _counter(symbol: str, value: int, most: int | None = None) -> Counter:
    return Counter(symbol, value, most)


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


def _zones(view: View, viewer: str) -> Iterator[Zone]:
    yield _supply(ITEMS, len(view.items))
    yield _supply(PLACES, len(view.places))
    yield _supply(ROW, len(view.row))
    deck = view.monuments
    yield _supply(MONUMENTS, deck.size(), _under_the_top(deck), deck.opened)
    step = view.queue[0]
    for area in view.areas:
        yield _table(area.seat, view.first == area.seat, area.out, area.gone)
        if view.first == area.seat:
            yield _token_zone(area.seat)
        places = _places_of(viewer, area.seat)
        for what, pile in _piles(area):
            size = pile.size()
            if size or what in ("hand", "deck", "discard"):
                shown = pile.opened or (
                    what == "discard" and size > 0 and _offers_discards(step, viewer)
                )
                hidden = pile.unseen + len(pile.loose)
                yield _pile_zone(area.seat, what, size, hidden, "prompt" if shown else places[what])


def _under_the_top(deck: Pile) -> int:
    """Return how many monuments nobody can tell apart: the top one can be claimed."""
    return deck.unseen if deck.known else max(deck.unseen - 1, 0)


def _offers_discards(step: Waiting, viewer: str) -> bool:
    """Return whether the viewer may place an artifact from some discard pile."""
    return isinstance(step, Placing) and step.seat == viewer


@cache
def _places_of(viewer: str, seat: str) -> dict[str, Place]:
    """Return where the piles of a seat are for a viewer."""
    if viewer == seat:
        return {**dict.fromkeys(_ARRANGED, "hand"), "mages": "prompt", "pack": "prompt"}
    return dict.fromkeys(_ARRANGED, "table" if viewer in OMNISCIENT else "bar")


@lru_cache(maxsize=256)
def _supply(zone: str, size: int, hidden: int = 0, opened: bool = False) -> Zone:
    name, deck = _SAY(f"zone.{zone}"), zone == MONUMENTS
    return Zone(
        zone,
        name,
        attributes={"cards": str(size)} if deck else {},
        place="prompt" if opened else "supply",
        arrangement="pile" if deck and not opened else "grid" if zone == ITEMS else "row",
        description=_SAY("zone.told", zone=name, n=size),
        hidden=hidden,
    )


@lru_cache(maxsize=64)
def _table(seat: str, first: bool, passed: bool, gone: bool) -> Zone:
    name = _SAY("zone.table", who=who(seat))
    if first:
        name = _SAY("zone.table.first", zone=name)
    if passed or gone:
        name = _SAY("zone.table.gone" if gone else "zone.table.passed", zone=name)
    return Zone(
        zone_of(seat, "table"), name, seat, place="table", arrangement="grid", description=name
    )


@cache
def _token_zone(seat: str) -> Zone:
    name = _SAY("zone.token")
    return Zone(zone_of(seat, "token"), name, seat, place="bar", arrangement="row")


_ARRANGED: Final[dict[str, Arrangement]] = {
    "hand": "fan",
    "deck": "pile",
    "discard": "pile",
    "mages": "row",
    "pack": "row",
}


@lru_cache(maxsize=1024)
def _pile_zone(seat: str, what: str, size: int, hidden: int, place: Place) -> Zone:
    name = _SAY(f"zone.{what}", who=who(seat))
    return Zone(
        zone_of(seat, what),
        name,
        seat,
        {"cards": str(size)},
        place=place,
        arrangement="row" if place == "prompt" else _ARRANGED[what],
        description=_SAY("zone.told", zone=name, n=size),
        hidden=hidden,
    )


def _piles(area: SeenArea) -> Iterator[tuple[str, Pile]]:
    yield "hand", area.hand
    yield "deck", area.deck
    yield "discard", area.discard
    yield "mages", area.mages
    yield "pack", area.pack


# --- pieces --------------------------------------------------------------------------------------


def _pieces(state: State, view: View, viewer: str, worths: list[list[int]]) -> Iterator[Piece]:
    names, pack = names_of(pack_of(state)), pack_of(state)
    for zone, cards in ((ITEMS, view.items), (PLACES, view.places), (ROW, view.row)):
        for card in cards:
            yield _card(names, Component(card), zone)
    yield from _in_pile(names, MONUMENTS, view.monuments, "", in_order=True)
    if view.monuments.unseen and not view.monuments.known:
        yield _MONUMENT_BACK
    for area, worth in zip(view.areas, worths, strict=True):
        table = zone_of(area.seat, "table")
        if view.first == area.seat:
            yield _token(area.seat, _token_points(view, pack))
        for own, points in zip(area.table, worth, strict=True):
            yield _card(names, own, table, area.seat, worth=points)
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
        zone_of(seat, "token"),
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
    worth: int = 0,
) -> Piece:
    """Return a card that the viewer may read, as it lies.

    `place` counts from the top of a deck; `worth` is its points on the table now.
    """
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
        known.card.id,
        counters=tuple(_on_card(own.on, chosen, worth if worth != known.card.points else 0)),
    )


def _on_card(on: str, chosen: bool, worth: int) -> Iterator[Counter]:
    for name, n in by_name(on).items():
        yield _counter(name, n)
    if worth:
        yield _counter("points", worth)
    if chosen:
        yield Counter("chosen", 1, style="badge")


def _badges(on: str) -> tuple[str, ...]:
    there = zip(counts(on), LETTERS, strict=True)
    return tuple([_SAY("count", n=n, what=ICONS[letter]) for n, letter in there if n])


_MONUMENT_BACK: Final = Piece(
    f"{MONUMENTS}-1",
    "card-back",
    _SAY("glyph.card-back"),
    MONUMENTS,
    name=_SAY("back"),
    description=_SAY("back"),
    states=("hidden",),
)
"""The top of the monument deck, which can be claimed."""


def _in_pile(
    names: CardNames, zone: str, pile: Pile, seat: str, *, in_order: bool, mage: str | None = None
) -> Iterator[Piece]:
    for place, card in enumerate(pile.known, 1):
        yield _card(names, Component(card), zone, seat, place if in_order else 0, card == mage)


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


def _tracks(view: View, points: list[int]) -> Iterator[Track]:
    for area, each in zip(view.areas, points, strict=True):
        # Points count what lies open: the token and the table.
        yield _track(area.seat, "points", each)
        for letter, number in zip(LETTERS, counts(area.pool), strict=True):
            yield _track(area.seat, NAMES[letter], number)


@lru_cache(maxsize=2048)
def _track(seat: str, what: str, value: int) -> Track:
    key = "track.points" if what == "points" else "track.essence"
    name = _SAY(key, who=who(seat), what=_SAY(f"icon.{what}"))
    label = _SAY(f"label.{what}")
    return Track(zone_of(seat, what), name, value, seat, icon=what, label=label)
