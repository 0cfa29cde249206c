"""What a viewer may see of a state. All that is shown of a state is made from a view.

A view holds no card that its viewer may not know, so nothing made from it can give one away.
"""

from typing import Literal

from msgspec import Struct

from domain.games.res_arcana.bundles import Bundle
from domain.games.res_arcana.packs import Pack
from domain.games.res_arcana.state import (
    OMNISCIENT,
    Area,
    Component,
    Ordering,
    Question,
    Seat,
    Shuffling,
    State,
    Waiting,
)


class Pile(Struct, frozen=True):
    """Cards as a viewer sees them: some in order, and then either some in no order or backs."""

    known: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    """Which they are, but not in what order; sorted."""
    unseen: int = 0
    opened: bool = False
    """Are the known ones the top of a deck, just looked at?"""

    def size(self) -> int:
        """How many cards there are."""
        return len(self.known) + len(self.loose) + self.unseen


class SeenArea(Struct, frozen=True):
    """A seat's area as a viewer sees it."""

    seat: Seat
    out: bool
    gone: bool
    pool: Bundle
    table: tuple[Component, ...]
    hand: Pile
    deck: Pile
    discard: Pile
    mages: Pile
    chosen: bool
    """Has it chosen a mage?"""
    mage: str | None
    """Which, if the viewer may know."""
    pack: Pile
    todo: tuple[Question, ...]


class View(Struct, frozen=True):
    """A state as a viewer sees it."""

    cards: Pack
    token: bool
    draft: bool
    hand: Literal["draw", "choose"] | None
    round: int
    first: Seat | None
    turn: Seat | None
    queue: tuple[Waiting, ...]
    items: tuple[str, ...]
    places: tuple[str, ...]
    row: tuple[str, ...]
    monuments: Pile
    areas: tuple[SeenArea, ...]


def see(state: State, viewer: str) -> View:
    """What this viewer sees: a seat, `spectator`, `table` or `referee`."""
    return View(
        cards=state.cards,
        token=state.token,
        draft=state.draft,
        hand=state.hand,
        round=state.round,
        first=state.first,
        turn=state.turn,
        queue=state.queue,
        items=state.items,
        places=state.places,
        row=state.row,
        monuments=_monuments(state, viewer),
        areas=tuple(_area(state, area, viewer) for area in state.areas),
    )


def _monuments(state: State, viewer: str) -> Pile:
    if viewer in OMNISCIENT:
        return Pile(state.monuments)
    step = state.queue[0]
    if isinstance(step, Ordering) and step.pile == "monuments" and step.seat == viewer:
        rest = len(state.monuments) - step.n
        return Pile(state.monuments[: step.n], unseen=rest, opened=True)
    return Pile(unseen=len(state.monuments))


def _area(state: State, area: Area, viewer: str) -> SeenArea:
    step = state.queue[0]
    knows = viewer in OMNISCIENT
    own = knows or viewer == area.seat
    # While a pile is shuffled card by card nobody is to see which have gone to the deck.
    mixed = isinstance(step, Shuffling) and step.seat == area.seat and not knows
    return SeenArea(
        seat=area.seat,
        out=area.out,
        gone=area.gone,
        pool=area.pool,
        table=area.table,
        hand=_pile(area.hand, shown=own),
        deck=Pile(area.deck) if knows else _deck(state, area, shown=own and not mixed),
        discard=_pile(area.discard, shown=not mixed),
        mages=_pile(area.mages, shown=own),
        chosen=area.chosen is not None,
        mage=area.chosen if own else None,
        pack=_pile(area.pack, shown=own and not mixed),
        todo=area.todo,
    )


def _pile(cards: tuple[str, ...], *, shown: bool) -> Pile:
    return Pile(cards) if shown else Pile(unseen=len(cards))


def _deck(state: State, area: Area, *, shown: bool) -> Pile:
    """A deck as its owner sees it: the cards, but not their order."""
    if not shown:
        return Pile(unseen=len(area.deck))
    step = state.queue[0]
    looked = 0
    if isinstance(step, Ordering) and step.pile == "deck" and step.seat == area.seat:
        looked = step.n
    return Pile(area.deck[:looked], tuple(sorted(area.deck[looked:])), opened=looked > 0)
