"""A state as a viewer may know it: made from the viewer's view, with stand-ins for unseen cards;
and the states that the viewer holds possible, in which those cards are drawn."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from domain.games.res_arcana.state import OMNISCIENT, Area, State
from domain.games.res_arcana.view import Pile, SeenArea, View, see
from domain.kernel.chance import RandomBelow

Mix = Callable[[Iterable[str]], Iterator[str]]
"""Puts cards that nobody can tell apart into an order."""


def information_state(state: State, viewer: str) -> State:
    """A state that this viewer cannot tell from this one, and the same for all such states.

    Only the view goes into it. Where the view has backs, the first cards that it does not show
    stand in for them, in the order of the content pack.
    """
    return state if viewer in OMNISCIENT else _made(see(state, viewer), iter)


def sample_state(known: State, viewer: str, below: RandomBelow) -> State:
    """A state that the viewer holds possible, from the state as the viewer knows it: whatever the
    view does not show is shuffled."""

    def shuffled(cards: Iterable[str]) -> Iterator[str]:
        left = list(cards)
        while left:
            yield left.pop(below(len(left)))

    return known if viewer in OMNISCIENT else _made(see(known, viewer), shuffled)


def _made(view: View, mix: Mix) -> State:
    """The state of a view; where it has backs there are cards that it does not show, mixed."""
    pack = view.cards
    shown = set(_shown(view))
    artifacts = mix(card for card in pack.artifacts if card not in shown)
    mages = mix(card for card in pack.mages if card not in shown)
    monuments = mix(card for card in pack.monuments if card not in shown)
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
        monuments=_cards(view.monuments, monuments, mix),
        areas=tuple([_area(area, artifacts, mages, mix) for area in view.areas]),
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


def _area(area: SeenArea, artifacts: Iterator[str], mages: Iterator[str], mix: Mix) -> Area:
    dealt = _cards(area.mages, mages, mix)
    return Area(
        seat=area.seat,
        out=area.out,
        gone=area.gone,
        pool=area.pool,
        table=area.table,
        hand=tuple(sorted(_cards(area.hand, artifacts, mix))),
        deck=_cards(area.deck, artifacts, mix),
        discard=tuple(sorted(_cards(area.discard, artifacts, mix))),
        mages=tuple(sorted(dealt)),
        # The first that is mixed stands for the one it chose: which of the two, nobody else knows.
        chosen=area.mage or (dealt[0] if area.chosen else None),
        pack=tuple(sorted(_cards(area.pack, artifacts, mix))),
        todo=area.todo,
    )


def _cards(pile: Pile, unseen: Iterator[str], mix: Mix) -> tuple[str, ...]:
    return (*pile.known, *mix(pile.loose), *islice(unseen, pile.unseen))
