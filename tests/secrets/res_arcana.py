"""Hidden information of Res Arcana, listed independently: hands, decks, mages, monuments."""

from random import Random
from typing import Any

from msgspec.structs import replace

from domain.games.res_arcana.actions import ChooseMage, Deal, Keep, Next, Order, Pick
from domain.games.res_arcana.facts import CardsDrawn, MonumentRevealed
from domain.games.res_arcana.setup import receiver
from domain.games.res_arcana.state import (
    Area,
    Entering,
    Options,
    Ordering,
    Shuffling,
    State,
    pack_of,
)

STEPS = 250
SECRET = (Pick, Keep, ChooseMage, Order, Next, Deal)


def options() -> tuple[Options, ...]:
    """What to play."""
    return (
        Options(sides="a", first="random", chance="entered"),
        Options(players=3, draft="yes", sides="a", chance="entered"),
        Options(players=4, hand="choose", sides="b", chance="entered"),
    )


class InOrder(Random):
    """Leaves nothing to chance: what is shuffled is sorted, what is chosen is the first."""

    def shuffle(self, x: Any) -> None:
        x.sort()

    def choice(self, seq: Any) -> Any:
        return seq[0]


def open_part(state: State, viewer: str) -> Any:
    """All that the viewer may see, with the rest in order: it is equal for twins."""
    return twin(state, viewer, InOrder())


def open_facts(facts: tuple[Any, ...], viewer: str) -> list[Any]:
    """Events that the viewer sees and no later state shows: in which order monuments came up,
    and its own cards."""
    return [
        fact
        for fact in facts
        if isinstance(fact, MonumentRevealed)
        or (isinstance(fact, CardsDrawn) and fact.seat == viewer)
    ]


def secret(state: State, seat: str, action: Any, viewer: str) -> bool:
    """May the viewer not know which of several such actions this is?"""
    if isinstance(action, Deal):
        step = state.queue[0]
        assert isinstance(step, Entering)
        return receiver(state, step.what) != viewer
    return isinstance(action, SECRET) and seat != viewer


def livelier(state: State, random: Random) -> State:
    """Cards are drawn all the time: nothing needs to be done."""
    del random
    return state


def twin(state: State, viewer: str, random: Random) -> State:
    """A state that differs from this one only in what the viewer may not see."""
    return _monuments(_mages(_artifacts(state, viewer, random), viewer, random), viewer, random)


def _hidden(state: State, area: Area, viewer: str) -> tuple[tuple[str, ...], ...]:
    """What this viewer may not see of an area: hand, deck, discard, pack. What is seen is ()."""
    step = state.queue[0]
    mixed = isinstance(step, Shuffling) and step.seat == area.seat
    own = viewer == area.seat
    return (
        () if own else area.hand,
        () if own and not mixed else area.deck,
        area.discard if mixed else (),
        () if own and not mixed else area.pack,
    )


def _artifacts(state: State, viewer: str, random: Random) -> State:
    """The artifacts that the viewer cannot place are dealt anew to where they can be."""
    hidden = [_hidden(state, area, viewer) for area in state.areas]
    seen = {
        card
        for area, parts in zip(state.areas, hidden, strict=True)
        for pile, part in zip((area.hand, area.deck, area.discard, area.pack), parts, strict=True)
        if not part
        for card in pile
    } | {own.id for area in state.areas for own in area.table}
    loose = [card for card in pack_of(state).artifacts if card not in seen]
    random.shuffle(loose)
    areas = []
    for area, parts in zip(state.areas, hidden, strict=True):
        hand, deck, discard, pack = (
            tuple(loose.pop() for _ in part) if part else pile
            for pile, part in zip(
                (area.hand, area.deck, area.discard, area.pack), parts, strict=True
            )
        )
        if area.seat == viewer and not parts[1]:
            deck = _reordered(state, area, deck, random)
        areas.append(
            replace(
                area,
                hand=tuple(sorted(hand)),
                deck=deck,
                discard=tuple(sorted(discard)),
                pack=tuple(sorted(pack)),
            )
        )
    return replace(state, areas=tuple(areas))


def _reordered(state: State, area: Area, deck: tuple[str, ...], random: Random) -> tuple[str, ...]:
    """The own deck in another order, but for what is being looked at."""
    step = state.queue[0]
    own = isinstance(step, Ordering) and step.pile == "deck" and step.seat == area.seat
    looked = step.n if isinstance(step, Ordering) and own else 0
    rest = list(deck[looked:])
    random.shuffle(rest)
    return (*deck[:looked], *rest)


def _mages(state: State, viewer: str, random: Random) -> State:
    seen = {card for area in state.areas if area.seat == viewer for card in area.mages}
    seen |= {own.id for area in state.areas for own in area.table}
    loose = [card for card in pack_of(state).mages if card not in seen]
    random.shuffle(loose)
    areas = []
    for area in state.areas:
        if area.seat == viewer or not area.mages:
            areas.append(area)
            continue
        dealt = tuple(sorted(loose.pop() for _ in area.mages))
        chosen = None if area.chosen is None else random.choice(dealt)
        areas.append(replace(area, mages=dealt, chosen=chosen))
    return replace(state, areas=tuple(areas))


def _monuments(state: State, viewer: str, random: Random) -> State:
    step = state.queue[0]
    looks = isinstance(step, Ordering) and step.pile == "monuments" and step.seat == viewer
    looked = step.n if isinstance(step, Ordering) and looks else 0
    seen = {*state.row, *(own.id for area in state.areas for own in area.table)}
    loose = [
        card
        for card in pack_of(state).monuments
        if card not in seen and card not in state.monuments[:looked]
    ]
    random.shuffle(loose)
    hidden = len(state.monuments) - looked
    return replace(state, monuments=(*state.monuments[:looked], *loose[:hidden]))
