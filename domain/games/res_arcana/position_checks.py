"""Is a position one that a match with these options can have? Asked of every position read.

The rules trust a state: what they rely on is checked here, once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from domain.games.res_arcana import setup_checks
from domain.games.res_arcana.bundles import NOTHING
from domain.games.res_arcana.consequences import is_at_rest
from domain.games.res_arcana.state import (
    ROW,
    TO_WIN,
    YES,
    Acting,
    Area,
    Checking,
    Choosing,
    ChoosingItem,
    Collecting,
    Drawing,
    Dropping,
    Entering,
    Gaining,
    GainingSame,
    Looking,
    Losing,
    Options,
    Ordering,
    Over,
    Placing,
    Putting,
    Question,
    Revealing,
    Shuffling,
    State,
    Waiting,
    area_of,
    component,
    pack_of,
    playing,
)
from domain.games.res_arcana.victory import essences_of, winners_of
from domain.games.res_arcana.vocabulary import InflictLoss, PlaceArtifact
from domain.kernel.notation_error import NotationError


def check(state: State, options: Options) -> None:
    """Raises NotationError, with the first thing that is wrong."""
    for fault in _faults(state, options):
        raise NotationError(fault)


def _faults(state: State, options: Options) -> Iterator[str]:
    if state.token != (options.token == YES):
        yield f"the match has option token={options.token}: write t{options.token}"
    yield from _cards(state)
    yield from _seats(state)
    step = state.queue[0]
    if len(playing(state)) < 2 and not isinstance(step, Over):
        yield "all others are gone: the game is over"
    elif state.round == 0 and isinstance(step, Over):
        yield from _over(state, step)
    elif state.round == 0:
        yield from setup_checks.faults(state, options)
    else:
        yield from _in_a_round(state)
    if not is_at_rest(state):
        yield "nobody has to answer here: the rules would go on by themselves"


# --- cards ---------------------------------------------------------------------------------------


def _cards(state: State) -> Iterator[str]:
    """Every card is in the pack, of the right kind for where it lies, and there once."""
    pack = pack_of(state)
    yield from _of_kind("items", state.items, pack.items)
    yield from _of_kind("places", state.places, pack.places)
    yield from _of_kind("row", state.row, pack.monuments)
    yield from _of_kind("monument deck", state.monuments, pack.monuments)
    there: Counter[str] = Counter((*state.items, *state.places, *state.row, *state.monuments))
    for area in state.areas:
        table = [own.id for own in area.table]
        yield from _of_kind(f"{area.seat}'s table", table, pack.cards)
        yield from _of_kind(f"{area.seat}'s mages", area.mages, pack.mages)
        artifacts = (*area.hand, *area.deck, *area.discard, *area.pack)
        yield from _of_kind(f"{area.seat}'s cards", artifacts, pack.artifacts)
        there.update((*table, *area.mages, *artifacts))
    twice = [card for card, n in there.items() if n > 1]
    if twice:
        yield f"{twice[0]} is there {there[twice[0]]} times: every card exists once"
    tiles = Counter(pack.places[card].tile for card in there if card in pack.places)
    if tiles and max(tiles.values()) > 1:
        yield "two sides of one tile cannot both be in play"


def _of_kind(where: str, cards: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    for card in cards:
        if card not in known:
            yield f"{card} is no card that can be among {where}"


def _seats(state: State) -> Iterator[str]:
    """Every seat that is named plays."""
    seats = [area.seat for area in state.areas]
    for step in state.queue:
        seat = getattr(step, "seat", seats[0])
        if seat not in seats:
            yield f"{seat} has no part in this match"
    if len(state.row) > ROW:
        yield f"{len(state.row)} monuments lie in the row, at most {ROW} can"


# --- rounds --------------------------------------------------------------------------------------


def _in_a_round(state: State) -> Iterator[str]:
    if state.first is None:
        yield "in a round somebody has the starting player token"
    if state.draft or state.hand:
        yield "draft and hands are for the set-up, round 0"
    pack = pack_of(state)
    for area in state.areas:
        if area.mages or area.pack or area.chosen:
            yield f"{area.seat} has mages or a pack, which are for the set-up, round 0"
        for sort, kind in (("mage", pack.mages), ("magic item", pack.items)):
            number = sum(own.id in kind for own in area.table)
            if number != 1:
                yield f"{area.seat} has {number} cards on the table that are a {sort}, not one"
    step = state.queue[0]
    match step:
        case Collecting():
            yield from _collecting(state)
            return
        case Over():
            yield from _over(state, step)
        case Checking(kind="end"):
            if state.turn or not all(area.out for area in state.areas):
                yield "the check at the end of a round comes when all have passed"
            if len(state.queue) > 1:
                yield "nothing waits behind the check at the end of a round"
            yield from _check(state, step)
        case _:
            yield from _in_an_action(state)
    if any(area.todo for area in state.areas):
        yield "todo is for the collect phase"


def _collecting(state: State) -> Iterator[str]:
    if len(state.queue) > 1 or state.turn or any(area.out for area in playing(state)):
        yield "in the collect phase it is nobody's turn, all are in, and nothing else waits"
    for area in state.areas:
        order = ["+?!".index(question.sign) for question in area.todo]
        ids = [(n, question.card) for n, question in zip(order, area.todo, strict=True)]
        if ids != sorted(set(ids)):
            yield f"{area.seat}'s todo comes in the order + ? !, each by id, each once"
        for question in area.todo:
            if not _is_due(state, area, question):
                yield f"{area.seat} cannot be asked {question.sign}{question.card}"
    if not any(area.todo for area in state.areas):
        yield "in the collect phase somebody has todo"


def _is_due(state: State, area: Area, question: Question) -> bool:
    own = component(area, question.card)
    if own is None:
        return False
    card = pack_of(state).cards[own.id]
    match question.sign:
        case "+":
            return card.collect.any is not None
        case "?":
            return own.on != NOTHING
        case "!":
            return card.upkeep is not None


def _in_an_action(state: State) -> Iterator[str]:
    step, *waiting = state.queue
    if state.turn is None:
        yield "an action is somebody's: turn is missing"
    if isinstance(step, Acting):
        if state.turn is not None and area_of(state, state.turn).out:
            yield f"{state.turn} has passed, and acts no more"
        if waiting:
            yield "nothing waits behind an action that is still to be chosen"
        return
    if isinstance(step, Drawing | Looking | Revealing):
        yield "drawing, looking and revealing ask nobody, so they cannot stand first"
    yield from _step(state, step)
    gone = {area.seat for area in state.areas if area.gone}
    if any(getattr(each, "seat", None) in gone for each in state.queue):
        yield "of a seat that is gone nothing is asked"
    for each in waiting:
        if isinstance(each, Dropping | Ordering | Shuffling | Checking) and not _is_now(each):
            yield f"{type(each).__name__.lower()} cannot wait behind another step"
        yield from _step(state, each)


def _is_now(step: Waiting) -> bool:
    return isinstance(step, Checking) and step.kind == "now"


def _step(state: State, step: Waiting) -> Iterator[str]:
    """What is wrong with a step of an action."""
    match step:
        case Entering() | Choosing() | ChoosingItem() | Collecting() | Acting() | Over():
            yield "that step is no part of an action"
        case Gaining() | GainingSame() | Drawing() | Looking() | Revealing():
            pass
        case Putting(seat, card):
            if component(area_of(state, seat), card) is None:
                yield f"{card} is not on {seat}'s table"
        case Placing():
            yield from _power(state, step, PlaceArtifact)
        case Losing():
            yield from _power(state, step, InflictLoss)
            if step.seat == state.turn or area_of(state, step.seat).out:
                yield "a loss is for rivals that have not passed"
        case Shuffling(seat, pile):
            if pile != "discard" or not area_of(state, seat).discard:
                yield "in a round a discard pile is shuffled, if it has cards"
        case Dropping(seat, n):
            if n > len(area_of(state, seat).hand):
                yield f"{seat} has fewer than {n} cards to discard"
        case Ordering(seat, pile, n):
            there = state.monuments if pile == "monuments" else area_of(state, seat).deck
            if n > min(3, len(there)):
                yield f"{n} cards cannot be put back: three at most, and as many as there are"
        case Checking():
            yield from _check(state, step)


def _power(state: State, step: Placing | Losing, kind: type[object]) -> Iterator[str]:
    card = pack_of(state).cards.get(step.card)
    powers = card.power if card else ()
    if step.power > len(powers):
        yield f"{step.card} has no power {step.power}"
    elif not any(isinstance(effect, kind) for effect in powers[step.power - 1].do):
        yield f"power {step.power} of {step.card} does not ask that"


def _check(state: State, step: Checking) -> Iterator[str]:
    if step.asked >= len(state.areas):
        yield f"a check asks the seats 0 to {len(state.areas) - 1}, not {step.asked}"
    if len(step.added) != len(state.areas):
        yield "a check has points added for each seat"


def _over(state: State, step: Over) -> Iterator[str]:
    """Winners are those with most points; of them those with most essences."""
    if len(state.queue) > 1 or state.turn:
        yield "after the end it is nobody's turn and nothing waits"
    if not len(step.points) == len(step.essences) == len(state.areas):
        yield "the end tells points and essences of each seat"
        return
    if step.essences != tuple(essences_of(area) for area in state.areas):
        yield "the essences of the end are those in the pools, gold counted twice"
    still = playing(state)
    if not still:
        yield "somebody has not given up: the last one left wins"
        return
    most = max(n for a, n in zip(state.areas, step.points, strict=True) if not a.gone)
    if most < TO_WIN and len(still) > 1:
        yield f"nobody has {TO_WIN} points, so the game is not over"
    winners = winners_of(state.areas, step.points, step.essences)
    if step.winners != winners:
        yield f"by points and essences {'+'.join(winners)} won"
