"""Phase 1: what components bring, essences taken or left, and upkeep."""

from collections.abc import Iterator
from itertools import chain
from typing import assert_never

from domain.games.res_arcana.actions import Collect, Leave, Pay, Take, Turn
from domain.games.res_arcana.bundles import (
    NOTHING,
    Bundle,
    counts,
    holds,
    in_words,
    mixes,
    number_of,
    only,
    size,
    spell,
    types_in_words,
)
from domain.games.res_arcana.facts import (
    ComponentTurned,
    EssencesGained,
    EssencesPaid,
    EssencesPut,
    EssencesTaken,
    QuestionAnswered,
    QuestionsAsked,
    RoundBegan,
    StepDone,
    StepsQueued,
    TurnBegan,
)
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    Area,
    Collecting,
    Question,
    Seat,
    State,
    area_of,
    clockwise_from,
    component,
    pack_of,
    playing,
)
from domain.games.res_arcana.vocabulary import Card, Stored
from domain.kernel.rulings import Refused

Answer = Collect | Take | Leave | Pay | Turn


def begin_round(course: Resolution) -> None:
    """Everybody in, all straight, everything gained that needs no choice; then the questions."""
    number = course.state.round + 1
    course.record(RoundBegan(number), "ra.round.next", round=number)
    cards = pack_of(course.state).cards
    for area in playing(course.state):
        for own in area.table:
            gain = cards[own.id].collect.gain
            if gain != NOTHING:
                gained = EssencesGained(area.seat, gain)
                course.record(gained, "ra.collect.gain", component=own.id, essences=gain)
    for area in playing(course.state):
        questions = tuple(_questions(course.state, area))
        if questions:
            course.record(QuestionsAsked(area.seat, questions), "ra.collect.order")
    course.record(StepsQueued((Collecting(),)))


def _questions(state: State, area: Area) -> Iterator[Question]:
    """What a seat is asked: mixes, then essences on components, then upkeep; each by id."""
    cards = pack_of(state).cards
    yield from (Question("+", own.id) for own in area.table if cards[own.id].collect.any)
    yield from (Question("?", own.id) for own in area.table if own.on != NOTHING)
    yield from (Question("!", own.id) for own in area.table if cards[own.id].upkeep)


def go_on(course: Resolution) -> bool:
    """Answer what has one answer only. Are all questions answered, and phase 1 over?"""
    for seat in [area.seat for area in course.state.areas]:
        while (area := area_of(course.state, seat)).todo:
            first = area.todo[0]
            only_answer = _only_answer(course.state, area)
            if only_answer is None:
                break
            answer(course, seat, only_answer)
            rules = ("ra.collect.cost", "ra.single") if first.sign == "!" else ("ra.single",)
            course.explain(*rules, component=first.card, pool=area.pool)
    if any(area.todo for area in course.state.areas):
        return False
    assert course.state.first is not None, "a round has a first player"
    order = clockwise_from(course.state, course.state.first)
    beginning = next(area.seat for area in order if not area.gone)
    course.record(StepDone())
    course.record(TurnBegan(beginning), "ra.turn.next", seat=beginning)
    return True


def _only_answer(state: State, area: Area) -> Answer | None:
    possible = chain.from_iterable(answers(state, area))
    first = next(possible, None)
    return first if next(possible, None) is None else None


# --- the answers of one seat ---------------------------------------------------------------------


def answers(state: State, area: Area) -> Iterator[Iterator[Answer]]:
    """Every answer to the question at the head of a seat's list, by what is done."""
    question = area.todo[0]
    card = pack_of(state).cards[question.card]
    match question.sign:
        case "+":
            yield (Collect(card.id, mix) for mix in mixes(card.collect.any or 0, card.collect.of))
        case "?":
            yield iter((Take(card.id),))
            mix_of = left_mix(state, area, card.id)
            if mix_of is None:
                yield iter((Leave(card.id),))
            else:
                yield (Leave(card.id, mix) for mix in mixes(mix_of.any or 0, mix_of.of))
        case "!":
            if holds(area.pool, _upkeep(card)):
                yield iter((Pay(card.id),))
            yield iter((Turn(card.id),))
        case _:
            assert_never(question.sign)


def _upkeep(card: Card) -> Bundle:
    return card.upkeep.pay if card.upkeep else NOTHING


def left_mix(state: State, area: Area, card: str) -> Stored | None:
    """The mix that leaving essences on this component gives, if what is left fulfils it."""
    stored = pack_of(state).cards[card].stored
    own = component(area, card)
    if own is None or stored.has is None or not number_of(own.on, stored.has):
        return None
    return stored


def refuse(state: State, area: Area, action: Answer) -> Refused | None:
    """Why this is no answer to the question at the head of this seat's list."""
    question = area.todo[0]
    fits = {"+": Collect, "?": Take | Leave, "!": Pay | Turn}[question.sign]
    if action.card != question.card or not isinstance(action, fits):
        card = named(state, question.card)
        return refused("ra.collect.order", f"first.{question.sign}", card=card)
    match action:
        case Collect(essences=mix):
            collect = pack_of(state).cards[action.card].collect
            return refuse_mix(mix, collect.any or 0, collect.of)
        case Leave(essences=mix):
            return _refuse_leave(left_mix(state, area, action.card), mix)
        case Pay():
            upkeep = _upkeep(pack_of(state).cards[action.card])
            if not holds(area.pool, upkeep):
                return refused("ra.collect.cost", "upkeep", what=in_words(upkeep))
            return None
        case Take() | Turn():
            return None
        case _:
            assert_never(action)


def refuse_mix(mix: Bundle, n: int, of: str) -> Refused | None:
    """Why this is not a mix of n essences of these types."""
    if size(mix) != n:
        figures: dict[str, int | str] = {"wanted": n, "named": size(mix)}
        return refused("ra.gain.count", "count", figures, n=n, named=size(mix))
    if not only(mix, of):
        return refused("ra.gain.type", "type", types=types_in_words(of))
    return None


def _refuse_leave(stored: Stored | None, mix: Bundle | None) -> Refused | None:
    if stored is None:
        if mix is None:
            return None
        return refused("ra.collect.leave", "leave.none")
    if mix is None:
        return refused("ra.collect.leave", "leave.mix", n=stored.any)
    return refuse_mix(mix, stored.any or 0, stored.of)


def answer(course: Resolution, seat: Seat, action: Answer) -> None:
    """Let an answer become true."""
    area = area_of(course.state, seat)
    card = pack_of(course.state).cards[action.card]
    course.record(QuestionAnswered(seat))
    match action:
        case Collect(essences=mix):
            gained = EssencesGained(seat, mix)
            course.record(gained, "ra.collect.gain", component=card.id, essences=mix)
        case Take():
            own = component(area, card.id)
            on = own.on if own else NOTHING
            taken = EssencesTaken(seat, card.id)
            course.record(taken, "ra.collect.take", component=card.id, essences=on)
        case Leave():
            _leave(course, area, card, action.essences)
        case Pay():
            paid = EssencesPaid(seat, _upkeep(card))
            course.record(paid, "ra.collect.cost", component=card.id, cost=_upkeep(card))
        case Turn():
            turned = ComponentTurned(seat, card.id)
            course.record(turned, "ra.collect.cost", component=card.id, cost=_upkeep(card))
        case _:
            assert_never(action)


def _leave(course: Resolution, area: Area, card: Card, mix: Bundle | None) -> None:
    own = component(area, card.id)
    on = own.on if own else NOTHING
    if card.stored.add:
        more = [card.stored.add if n else 0 for n in counts(on)]
        growth = spell((more[0], more[1], more[2], more[3], more[4]))
        put = EssencesPut(area.seat, card.id, growth)
        course.record(put, "ra.collect.stored", "ra.put", component=card.id, left=on)
    if mix is not None:
        gained = EssencesGained(area.seat, mix)
        course.record(gained, "ra.collect.stored", component=card.id, left=on)
