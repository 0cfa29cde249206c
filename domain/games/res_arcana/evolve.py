"""Applying facts. Never refuses, never asks the rules: old matches replay for ever."""

from collections.abc import Callable, Iterable
from typing import Any, Final, assert_never, get_args

from msgspec.structs import replace

from domain.games.res_arcana.bundles import NOTHING, total, without
from domain.games.res_arcana.facts import (
    ArtifactDestroyed,
    ArtifactPlaced,
    CardClaimed,
    CardDealt,
    CardDiscarded,
    CardFact,
    CardPicked,
    CardsDrawn,
    CardsGathered,
    CardShuffled,
    CardsKept,
    CardsOrdered,
    CheckMovedOn,
    ComponentStraightened,
    ComponentTurned,
    CourseFact,
    EssenceFact,
    EssencesGained,
    EssencesLost,
    EssencesPaid,
    EssencesPut,
    EssencesReturned,
    EssencesTaken,
    Fact,
    GameEnded,
    ItemSwapped,
    ItemTaken,
    MageChosen,
    MageRevealed,
    MonumentRevealed,
    MonumentStacked,
    PacksPassed,
    PlaceShown,
    PointsAdded,
    QuestionAnswered,
    QuestionsAsked,
    RoundBegan,
    SeatPassed,
    SeatResigned,
    SetupFact,
    SetupSettled,
    StepDone,
    StepsQueued,
    TokenTaken,
    TurnBegan,
    TurnsEnded,
)
from domain.games.res_arcana.state import (
    SEATS,
    TILES,
    Acting,
    Area,
    Checking,
    Component,
    Over,
    Seat,
    State,
    area_of,
    component,
)


def evolve(state: State, fact: Fact) -> State:
    """The state after this fact."""
    return _APPLY[type(fact)](state, fact)


# --- small changes -------------------------------------------------------------------------------


def _at(state: State, seat: Seat, change: Callable[[Area], Area]) -> State:
    areas = tuple([change(area) if area.seat == seat else area for area in state.areas])
    return replace(state, areas=areas)


def _on(state: State, seat: Seat, card: str, change: Callable[[Component], Component]) -> State:
    def changed(area: Area) -> Area:
        return replace(
            area, table=tuple([change(each) if each.id == card else each for each in area.table])
        )

    return _at(state, seat, changed)


def _with(cards: Iterable[str], *more: str) -> tuple[str, ...]:
    return tuple(sorted((*cards, *more)))


def _less(cards: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    return tuple([card for card in cards if card not in gone])


def _laid(table: tuple[Component, ...], card: str) -> tuple[Component, ...]:
    return tuple(sorted((*table, Component(card)), key=lambda each: each.id))


def _lifted(table: tuple[Component, ...], card: str) -> tuple[Component, ...]:
    return tuple([each for each in table if each.id != card])


# --- set-up --------------------------------------------------------------------------------------


def _setup(state: State, fact: SetupFact) -> State:
    match fact:
        case PlaceShown(card):
            places = (*state.places, card)
            # In the order of tiles until all are told, so that one sees which comes next.
            return replace(state, places=places if len(places) < TILES else _with(places))
        case MonumentStacked(card):
            return replace(state, monuments=(*state.monuments, card))
        case MonumentRevealed(card):
            return replace(state, row=_with(state.row, card), monuments=state.monuments[1:])
        case PacksPassed():
            return _packs_passed(state)
        case SetupSettled(what):
            return replace(state, draft=False) if what == "draft" else replace(state, hand=None)
        case ItemTaken(seat, card):
            taken = replace(state, items=_less(state.items, card))
            return _at(taken, seat, lambda area: replace(area, table=_laid(area.table, card)))
        case _:
            return _at(state, fact.seat, lambda area: _own_setup(area, fact))


OwnSetupFact = (
    CardDealt | CardPicked | CardsKept | CardsGathered | CardShuffled | MageChosen | MageRevealed
)


def _own_setup(area: Area, fact: OwnSetupFact) -> Area:
    match fact:
        case CardDealt(card=card, to="mages"):
            return replace(area, mages=_with(area.mages, card))
        case CardDealt(card=card, to="hand"):
            return replace(area, hand=_with(area.hand, card))
        case CardDealt(card=card):
            return replace(area, pack=_with(area.pack, card))
        case CardPicked(card=card):
            return replace(area, hand=_with(area.hand, card), pack=_less(area.pack, card))
        case CardsKept(cards=cards):
            return replace(area, hand=_with(cards), pack=_less(area.hand, *cards))
        case CardsGathered():
            return replace(area, hand=(), pack=area.hand)
        case CardShuffled(pile="pack", card=card):
            return replace(area, deck=(*area.deck, card), pack=_less(area.pack, card))
        case CardShuffled(card=card):
            return replace(area, deck=(*area.deck, card), discard=_less(area.discard, card))
        case MageChosen(card=card):
            return replace(area, chosen=card)
        case MageRevealed(card=card):
            return replace(area, mages=(), chosen=None, table=_laid(area.table, card))
        case _:
            assert_never(fact)


def _packs_passed(state: State) -> State:
    packs = [area.pack for area in state.areas]
    passed = (packs[-1], *packs[:-1])
    areas = [replace(area, pack=p) for area, p in zip(state.areas, passed, strict=True)]
    return replace(state, areas=tuple(areas))


# --- essences ------------------------------------------------------------------------------------


def _essences(state: State, fact: EssenceFact) -> State:
    match fact:
        case EssencesGained(seat, essences):
            return _at(state, seat, lambda area: replace(area, pool=total(area.pool, essences)))
        case EssencesPaid(seat, essences) | EssencesLost(seat, essences):
            return _at(state, seat, lambda area: replace(area, pool=without(area.pool, essences)))
        case EssencesPut(seat, card, essences):
            return _on(state, seat, card, lambda own: replace(own, on=total(own.on, essences)))
        case EssencesReturned(seat, card, essences):
            return _on(state, seat, card, lambda own: replace(own, on=without(own.on, essences)))
        case EssencesTaken(seat, card):
            own = component(area_of(state, seat), card)
            essences = own.on if own else NOTHING
            emptied = _on(state, seat, card, lambda each: replace(each, on=NOTHING))
            return _at(emptied, seat, lambda area: replace(area, pool=total(area.pool, essences)))
        case _:
            assert_never(fact)


# --- cards ---------------------------------------------------------------------------------------


def _cards(state: State, fact: CardFact) -> State:
    match fact:
        case ComponentTurned(seat, card):
            return _on(state, seat, card, lambda own: replace(own, turned=True))
        case ComponentStraightened(seat, card):
            return _on(state, seat, card, lambda own: replace(own, turned=False))
        case ArtifactPlaced():
            return _placed(state, fact)
        case CardClaimed():
            return _claimed(state, fact)
        case CardsOrdered(seat, pile, cards):
            if pile == "monuments":
                return replace(state, monuments=(*cards, *state.monuments[len(cards) :]))
            return _at(
                state, seat, lambda area: replace(area, deck=(*cards, *area.deck[len(cards) :]))
            )
        case ItemSwapped(seat, gave, took):
            swapped = replace(state, items=_with(_less(state.items, took), gave))
            return _at(
                swapped,
                seat,
                lambda area: replace(area, table=_laid(_lifted(area.table, gave), took)),
            )
        case CardDiscarded() | ArtifactDestroyed() | CardsDrawn():
            return _at(state, fact.seat, lambda area: _own_cards(area, fact))
        case _:
            assert_never(fact)


def _own_cards(area: Area, fact: CardDiscarded | ArtifactDestroyed | CardsDrawn) -> Area:
    match fact:
        case CardDiscarded(card=card):
            return replace(area, hand=_less(area.hand, card), discard=_with(area.discard, card))
        case ArtifactDestroyed(card=card):
            table = _lifted(area.table, card)
            return replace(area, table=table, discard=_with(area.discard, card))
        case CardsDrawn(cards=cards):
            return replace(area, hand=_with(area.hand, *cards), deck=area.deck[len(cards) :])
        case _:
            assert_never(fact)


def _placed(state: State, fact: ArtifactPlaced) -> State:
    card, whose = fact.card, fact.discard_of
    if whose is None:
        state = _at(state, fact.seat, lambda area: replace(area, hand=_less(area.hand, card)))
    else:
        state = _at(state, whose, lambda area: replace(area, discard=_less(area.discard, card)))
    return _at(state, fact.seat, lambda area: replace(area, table=_laid(area.table, card)))


def _claimed(state: State, fact: CardClaimed) -> State:
    card = fact.card
    match fact.where:
        case "row":
            state = replace(state, row=_less(state.row, card))
        case "top":
            state = replace(state, monuments=state.monuments[1:])
        case "places":
            state = replace(state, places=_less(state.places, card))
    return _at(state, fact.seat, lambda area: replace(area, table=_laid(area.table, card)))


# --- the course of play --------------------------------------------------------------------------


def _course(state: State, fact: CourseFact) -> State:
    match fact:
        case StepsQueued(steps):
            return replace(state, queue=(*steps, *state.queue))
        case StepDone():
            return replace(state, queue=state.queue[1:])
        case TurnBegan(seat):
            return replace(state, turn=seat, queue=(Acting(), *state.queue))
        case TurnsEnded():
            return replace(state, turn=None)
        case QuestionsAsked(seat, questions):
            return _at(state, seat, lambda area: replace(area, todo=questions))
        case QuestionAnswered(seat):
            return _at(state, seat, lambda area: replace(area, todo=area.todo[1:]))
        case SeatPassed(seat):
            return _at(state, seat, lambda area: replace(area, out=True))
        case SeatResigned(seat):
            return _resigned(state, seat)
        case TokenTaken(seat):
            return replace(state, first=seat)
        case RoundBegan(number):
            areas = [_ready(area) for area in state.areas]
            return replace(state, round=number, areas=tuple(areas))
        case PointsAdded() | CheckMovedOn():
            return _check(state, fact)
        case GameEnded(winners, points, essences):
            asked_no_more = tuple([replace(area, todo=()) for area in state.areas])
            return replace(
                state, turn=None, queue=(Over(winners, points, essences),), areas=asked_no_more
            )
        case _:
            assert_never(fact)


def _ready(area: Area) -> Area:
    table = tuple([replace(each, turned=False) for each in area.table])
    return replace(area, out=area.gone, table=table)


def _resigned(state: State, seat: Seat) -> State:
    """The seat is out of the game, and so is what waited for it: but for the set-up, where the
    table deals to everybody."""
    state = _at(state, seat, lambda area: replace(area, gone=True, out=True, todo=()))
    if state.round == 0:
        return state
    own_turn = Acting() if state.turn == seat else None
    queue = [each for each in state.queue if getattr(each, "seat", None) != seat]
    return replace(state, queue=tuple(each for each in queue if each != own_turn))


def _check(state: State, fact: PointsAdded | CheckMovedOn) -> State:
    step = state.queue[0]
    assert isinstance(step, Checking), "only a check has points added"
    match fact:
        case PointsAdded(seat, points):
            at = SEATS.index(seat)
            added = (*step.added[:at], step.added[at] + points, *step.added[at + 1 :])
            step = replace(step, added=added)
        case CheckMovedOn():
            step = replace(step, asked=step.asked + 1)
        case _:
            assert_never(fact)
    return replace(state, queue=(step, *state.queue[1:]))


# By type, since a fact would be asked of each kind in turn whether it is one.
_APPLY: Final[dict[type, Callable[[State, Any], State]]] = {
    **dict.fromkeys(get_args(SetupFact), _setup),
    **dict.fromkeys(get_args(EssenceFact), _essences),
    **dict.fromkeys(get_args(CardFact), _cards),
    **dict.fromkeys(get_args(CourseFact), _course),
}
