"""Drawing, looking at the top of a deck, and reshuffling a discard pile beneath it."""

from collections.abc import Iterator
from itertools import combinations, permutations

from domain.games.res_arcana.actions import Drop, Next, Order
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.facts import (
    CardDiscarded,
    CardsDrawn,
    CardShuffled,
    CardsOrdered,
    SetupSettled,
    StepDone,
    StepsQueued,
)
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    HAND_SIZE,
    Area,
    Choosing,
    Drawing,
    Dropping,
    Looking,
    Ordering,
    Seat,
    Shuffling,
    State,
    area_of,
)
from domain.kernel.rulings import Refused


def shuffle_first(course: Resolution, seat: Seat, n: int) -> bool:
    """Has the discard pile to be shuffled beneath the deck, which holds fewer than n?"""
    area = area_of(course.state, seat)
    if len(area.deck) >= n or not area.discard:
        return False
    queued = StepsQueued((Shuffling(seat, "discard"),))
    figures = {"wanted": n, "in_deck": len(area.deck), "discarded": len(area.discard)}
    course.record(queued, "ra.shuffle.deck", **figures)
    return True


def draw(course: Resolution, step: Drawing) -> None:
    """Draw, unless the discard pile has to be shuffled first."""
    if shuffle_first(course, step.seat, step.n):
        return
    cards = area_of(course.state, step.seat).deck[: step.n]
    course.record(StepDone())
    if not cards:
        course.explain("ra.draw", wanted=step.n, drawn=0)
        return
    course.record(CardsDrawn(step.seat, cards), "ra.draw", wanted=step.n, drawn=len(cards))
    if step.then == "drop":
        course.record(StepsQueued((Dropping(step.seat, len(cards)),)), "ra.draw.drop")


# --- shuffles ------------------------------------------------------------------------------------


def pile_of(state: State, step: Shuffling) -> tuple[str, ...]:
    """The cards that are still to be shuffled."""
    area = area_of(state, step.seat)
    return area.pack if step.pile == "pack" else area.discard


def nexts(state: State, step: Shuffling) -> Iterator[Next]:
    """Every card that can come next, all equally likely."""
    return (Next(card) for card in pile_of(state, step))


def refuse_next(state: State, step: Shuffling, action: Next) -> Refused | None:
    """Why this card cannot come next."""
    if action.card in pile_of(state, step):
        return None
    whose, card = ENGLISH.format(f"seat.{step.seat}"), named(state, action.card)
    return refused("ra.shuffle.card", "shuffle", card=card, who=whose)


def shuffle_in(course: Resolution, step: Shuffling, action: Next) -> None:
    """The next card goes to the bottom; after the last a first hand is drawn if one is due."""
    shuffled = CardShuffled(step.seat, step.pile, action.card)
    course.record(shuffled, "ra.shuffle.card", seat=step.seat)
    if pile_of(course.state, step):
        return
    course.record(StepDone())
    if step.pile == "discard":
        return
    if course.state.hand == "draw":
        cards = area_of(course.state, step.seat).deck[:HAND_SIZE]
        course.record(CardsDrawn(step.seat, cards), "ra.setup.hand", drawn=HAND_SIZE)
    if isinstance(course.state.queue[0], Choosing):
        course.record(SetupSettled("hand"))


# --- discarding what was drawn -------------------------------------------------------------------


def drops(area: Area, step: Dropping) -> Iterator[Drop]:
    """Every choice of cards to discard."""
    return (Drop(cards) for cards in combinations(area.hand, step.n))


def refuse_drop(area: Area, step: Dropping, action: Drop) -> Refused | None:
    """Why these cannot be discarded."""
    named = set(action.cards)
    if len(action.cards) == len(named) == step.n and named <= set(area.hand):
        return None
    return refused("ra.draw.drop", "drop", n=step.n)


def drop(course: Resolution, step: Dropping, action: Drop) -> None:
    """Discard them."""
    course.record(StepDone())
    for card in action.cards:
        course.record(CardDiscarded(step.seat, card), "ra.draw.drop", cards=step.n)


# --- looking -------------------------------------------------------------------------------------


def look(course: Resolution, step: Looking) -> None:
    """Look at as many as there are, unless the discard pile has to be shuffled first."""
    if step.pile == "deck" and shuffle_first(course, step.seat, step.n):
        return
    n = min(step.n, len(_looked_at(course.state, step)))
    course.record(StepDone(), "ra.draw", wanted=step.n, seen=n)
    if n:
        course.record(StepsQueued((Ordering(step.seat, step.pile, n),)), "ra.look.order")


def _looked_at(state: State, step: Looking | Ordering) -> tuple[str, ...]:
    deck = area_of(state, step.seat).deck if step.pile == "deck" else state.monuments
    return deck[: step.n]


def orders(state: State, step: Ordering) -> Iterator[Order]:
    """Every order of the cards looked at."""
    return (Order(cards) for cards in permutations(_looked_at(state, step)))


def refuse_order(state: State, step: Ordering, action: Order) -> Refused | None:
    """Why they cannot be put back so."""
    if sorted(action.cards) == sorted(_looked_at(state, step)):
        return None
    return refused("ra.look.order", "order", n=step.n)


def order(course: Resolution, step: Ordering, action: Order) -> None:
    """Put them back."""
    course.record(StepDone())
    ordered = CardsOrdered(step.seat, step.pile, action.cards)
    course.record(ordered, "ra.look.order", cards=step.n)
