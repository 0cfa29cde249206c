"""The scene: what a viewer sees, made from the viewer's view and nothing else."""

from collections.abc import Iterator

from domain.games.res_arcana.bundles import LETTERS, NAMES, NOTHING, counts, in_words
from domain.games.res_arcana.card_words import described, kind_of
from domain.games.res_arcana.legal import asked
from domain.games.res_arcana.sentences import want
from domain.games.res_arcana.state import (
    OMNISCIENT,
    Acting,
    Checking,
    Choosing,
    ChoosingItem,
    Collecting,
    Component,
    Over,
    State,
    Waiting,
)
from domain.games.res_arcana.victory import points_of
from domain.games.res_arcana.view import Pile, SeenArea, View, see
from domain.kernel.scene import Piece, Scene, Track, Zone

ITEMS, PLACES, ROW, MONUMENTS = "magic-items", "places-of-power", "monuments", "monument-deck"


def look(state: State, viewer: str) -> Scene:
    """What this viewer sees: a seat, `spectator`, `table` or `referee`."""
    view = see(state, viewer)
    return Scene(
        _caption(state, view),
        pieces=tuple(_pieces(view, viewer)),
        zones=tuple(_zones(view)),
        tracks=tuple(_tracks(state, view)),
        attributes=_attributes(state, view),
    )


def caption(state: State, viewer: str) -> str:
    """What is going on, in a sentence, as this viewer may know it."""
    return _caption(state, see(state, viewer))


def _caption(state: State, view: View) -> str:
    step = view.queue[0]
    if isinstance(step, Over):
        won = " and ".join(seat.title() for seat in step.winners)
        if sum(not area.gone for area in view.areas) == 1:
            return f"The game is over: {won} won, since all others gave up"
        points = next(
            n for area, n in zip(view.areas, step.points, strict=True) if area.seat in step.winners
        )
        return f"The game is over: {won} won with {points} points"
    seats = " and ".join(seat.title() for seat in asked(state))
    when = f"Round {view.round}" if view.round else "Set-up"
    return f"{when}. {_awaited(step, seats)}"


def _awaited(step: Waiting, seats: str) -> str:
    match step:
        case Acting():
            return f"{seats} to act"
        case Collecting():
            return f"{seats} to collect"
        case Checking():
            return f"{seats} may react to the check"
        case Choosing(what):
            return f"{seats} to {_CHOICES[what]}"
        case ChoosingItem():
            return f"{seats} to take a magic item"
        case _:
            words = want(step)
            return words[:1].upper() + words[1:]


_CHOICES = {"draft": "pick a card", "keep": "keep three cards", "mage": "choose a mage"}


def _attributes(state: State, view: View) -> dict[str, str]:
    attributes = {"round": str(view.round), "asked": ", ".join(asked(state))}
    if view.first is not None:
        attributes["first_player"] = view.first
    if view.turn is not None:
        attributes["turn"] = view.turn
    if len(view.queue) > 1:
        attributes["waiting"] = "; ".join(want(step) for step in view.queue[1:])
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
    yield Zone(ITEMS, "Magic items in the supply")
    yield Zone(PLACES, "Places of power")
    yield Zone(ROW, "Monuments face up")
    yield Zone(MONUMENTS, "Monument deck", attributes={"cards": str(view.monuments.size())})
    for area in view.areas:
        who = area.seat.title()
        passed = ", has given up" if area.gone else ", has passed" if area.out else ""
        first = ", first player" if view.first == area.seat else ""
        yield Zone(zone_of(area.seat, "table"), f"{who}'s table{first}{passed}", area.seat)
        for what, pile in _piles(area):
            if what in ("hand", "deck", "discard") or pile.size():
                name = f"{who}'s {_ZONE_NAMES[what]}"
                size = {"cards": str(pile.size())}
                yield Zone(zone_of(area.seat, what), name, area.seat, size)


_ZONE_NAMES = {
    "hand": "hand",
    "deck": "deck",
    "discard": "discard pile",
    "mages": "two mages to choose from",
    "pack": "pack",
}


def _piles(area: SeenArea) -> Iterator[tuple[str, Pile]]:
    yield "hand", area.hand
    yield "deck", area.deck
    yield "discard", area.discard
    yield "mages", area.mages
    yield "pack", area.pack


# --- pieces --------------------------------------------------------------------------------------


def _pieces(view: View, viewer: str) -> Iterator[Piece]:
    for zone, cards in ((ITEMS, view.items), (PLACES, view.places), (ROW, view.row)):
        yield from (_card(view, card, zone) for card in cards)
    yield from _in_pile(view, MONUMENTS, view.monuments, "", in_order=True)
    for area in view.areas:
        table = zone_of(area.seat, "table")
        yield from (_component(view, area.seat, own, table) for own in area.table)
        for what, pile in _piles(area):
            in_order = what == "deck" and (viewer in OMNISCIENT or pile.opened)
            zone = zone_of(area.seat, what)
            yield from _in_pile(view, zone, pile, area.seat, in_order=in_order, mage=area.mage)


def _card(
    view: View, card: str, where: str, owner: str = "", more: dict[str, str] | None = None
) -> Piece:
    known = view.cards.cards[card]
    attributes = {**(more or {}), **described(view.cards, card)}
    glyph = "".join(word[0] for word in known.name.split())[:3]
    return Piece(card, kind_of(known), glyph, where, owner, known.name, attributes)


def _component(view: View, seat: str, own: Component, where: str) -> Piece:
    state = {"turned": ""} if own.turned else {}
    if own.on != NOTHING:
        state["with"] = in_words(own.on)
    return _card(view, own.id, where, seat, state)


def _in_pile(
    view: View, zone: str, pile: Pile, seat: str, *, in_order: bool, mage: str | None = None
) -> Iterator[Piece]:
    for place, card in enumerate(pile.known, 1):
        more = {"from the top": str(place)} if in_order else {}
        if mage is not None and card == mage:
            more["chosen"] = ""
        yield _card(view, card, zone, seat, more)
    yield from (_card(view, card, zone, seat) for card in pile.loose)
    # Numbered from the top of the pile: what lies there is not told by the id.
    for place in range(len(pile.known) + 1, len(pile.known) + pile.unseen + 1):
        yield Piece(f"{zone}-{place}", "card-back", "?", zone, seat, "face-down card")


# --- tracks --------------------------------------------------------------------------------------


def _tracks(state: State, view: View) -> Iterator[Track]:
    for area, whole in zip(view.areas, state.areas, strict=True):
        who, seat = area.seat.title(), area.seat
        # Points count what lies open: the token and the table.
        yield Track(f"{seat}-points", f"{who}'s points", points_of(state, whole), seat)
        for letter, number in zip(LETTERS, counts(area.pool), strict=True):
            name = NAMES[letter]
            yield Track(f"{seat}-{name}", f"{who}'s {name}", number, seat)
