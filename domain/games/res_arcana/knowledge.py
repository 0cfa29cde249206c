"""A state as a viewer may know it: made from the viewer's view, with stand-ins for unseen cards."""

from collections.abc import Iterator
from itertools import islice

from domain.games.res_arcana.state import OMNISCIENT, Area, State
from domain.games.res_arcana.view import Pile, SeenArea, View, see


def known(state: State, viewer: str) -> State:
    """A state that this viewer cannot tell from this one, and the same for all such states.

    Only the view goes into it. Where the view has backs, the first cards that it does not show
    stand in for them, in the order of the content pack.
    """
    if viewer in OMNISCIENT:
        return state
    view = see(state, viewer)
    pack = view.cards
    shown = set(_shown(view))
    artifacts = (card for card in pack.artifacts if card not in shown)
    mages = (card for card in pack.mages if card not in shown)
    monuments = (card for card in pack.monuments if card not in shown)
    return State(
        cards=view.cards,
        token=view.token,
        draft=view.draft,
        hand=view.hand,
        round=view.round,
        first=view.first,
        turn=view.turn,
        queue=view.queue,
        items=view.items,
        places=view.places,
        row=view.row,
        monuments=_cards(view.monuments, monuments),
        areas=tuple([_area(area, artifacts, mages) for area in view.areas]),
    )


def _shown(view: View) -> Iterator[str]:
    """Every card that the view names."""
    yield from view.row
    yield from view.monuments.known
    for area in view.areas:
        yield from (own.id for own in area.table)
        for pile in (area.hand, area.deck, area.discard, area.mages, area.pack):
            yield from pile.known
            yield from pile.loose


def _area(area: SeenArea, artifacts: Iterator[str], mages: Iterator[str]) -> Area:
    dealt = tuple(sorted(_cards(area.mages, mages)))
    return Area(
        seat=area.seat,
        out=area.out,
        gone=area.gone,
        pool=area.pool,
        table=area.table,
        hand=tuple(sorted(_cards(area.hand, artifacts))),
        deck=_cards(area.deck, artifacts),
        discard=tuple(sorted(_cards(area.discard, artifacts))),
        mages=dealt,
        chosen=area.mage or (dealt[0] if area.chosen else None),
        pack=tuple(sorted(_cards(area.pack, artifacts))),
        todo=area.todo,
    )


def _cards(pile: Pile, unseen: Iterator[str]) -> tuple[str, ...]:
    return (*pile.known, *pile.loose, *islice(unseen, pile.unseen))
