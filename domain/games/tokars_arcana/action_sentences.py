"""Actions as sentences that say what they do.

What an order does is told from its facts: from those that would follow where it is listed, from
those that did follow where it is history.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    AngelRevive,
    Answer,
    AnyOrder,
    Brew,
    BrewAndSlide,
    DrawAccept,
    DrawDecline,
    DrawOffer,
    Enter,
    Explode,
    First,
    Move,
    MoveAndStrike,
    MoveAndVanquish,
    Off,
    Pass,
    Place,
    Promote,
    RaiseUnit,
    Ready,
    Recall,
    Resign,
    Return,
    Revive,
    Skip,
    Slay,
    SlideAndBrew,
    Strike,
    TradeDead,
    TradeModels,
    Vanquish,
    Wind,
)
from domain.games.tokars_arcana.battle_mage import vanquished
from domain.games.tokars_arcana.cards import named
from domain.games.tokars_arcana.effects import effects
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.facts import (
    Fact,
    FirebrewBurned,
    FirebrewStruck,
    ModelKilled,
    RowSlid,
    Shift,
    WindBlew,
)
from domain.games.tokars_arcana.gestures import target_of
from domain.games.tokars_arcana.names import (
    LONGEST,
    enumerated,
    for_unit,
    highest_first,
    on,
    one,
    seat_name,
    standing,
)
from domain.games.tokars_arcana.state import (
    OTHER,
    Angels,
    Model,
    Placing,
    Raising,
    Seat,
    Square,
    State,
)

_Spoken = Answer | Pass | DrawOffer | Resign
"""What is no order to a model."""


def action_sentence(
    state: State, action: Action, facts: Sequence[Fact] | None = None, most: int = LONGEST
) -> str:
    """What an action does, in the state before it, without a full stop. Lists of models are cut
    after `most`; with less than usual, what is the least of it is left out."""
    if isinstance(action, _Spoken):
        return _answer(state, action)
    if facts is None:
        facts = effects(state, state.board[action.start].seat, action)
    return _order(state, action, own_facts(facts), most)


def own_facts(facts: Sequence[Fact]) -> Sequence[Fact]:
    """The facts of an action without those of the firebrew that burns at the end of its turn."""
    burning = (n for n, fact in enumerate(facts) if isinstance(fact, FirebrewBurned))
    return facts[: next(burning, len(facts))]


# --- answers -------------------------------------------------------------------------------------


def _answer(state: State, action: _Spoken) -> str:
    say = ENGLISH.format
    match action:
        case Ready(seat) | First(seat) | Resign(seat):
            return say(_verb(action), seat=seat_name(seat))
        case Pass() | DrawOffer():
            return say(_verb(action), seat=seat_name(_on_turn(state)))
        case DrawAccept() | DrawDecline():
            return say(_verb(action), seat=seat_name(OTHER[_on_turn(state)]))
        case Place(to):
            assert isinstance(state.phase, Placing)
            first = state.phase.models[0]
            model = named(first.seat, first.unit)
            return say("place", seat=seat_name(_on_turn(state)), model=model, end=to)
        case AngelRevive() | AngelDecline():
            return _angel(state, action)
        case RaiseUnit(unit, to):
            return say("raise", zombie=_zombie(state), unit=one(unit), end=to)
        case Skip():
            return say("skip", zombie=_zombie(state))
        case unreachable:
            assert_never(unreachable)


def _verb(action: Action) -> str:
    return str(type(action).__struct_config__.tag).partition(".")[2]


def _on_turn(state: State) -> Seat:
    assert state.turn is not None, "only before the first turn nobody is on turn"
    return state.turn


def _angel(state: State, action: AngelRevive | AngelDecline) -> str:
    assert isinstance(state.phase, Angels)
    seat = state.phase.seats[0]
    priest = named(seat, "P")
    if isinstance(action, AngelRevive):
        return ENGLISH.format("angel", priest=priest, end=action.to)
    return ENGLISH.format("no-angel", seat=seat_name(seat), priest=priest)


def _zombie(state: State) -> str:
    assert isinstance(state.phase, Raising)
    return on(state, state.phase.offer.square)


# --- orders --------------------------------------------------------------------------------------


def _order(state: State, order: AnyOrder, facts: Sequence[Fact], most: int) -> str:
    start = order.start
    model = state.board[start]
    who, name = on(state, start), named(model.seat, model.unit)
    match order:
        case Move() | SlideAndBrew() | BrewAndSlide():
            return _move(state, order, facts, name, most)
        case Enter(_, end):
            victim = state.board[end]
            deed = ENGLISH.format("kill", victim=named(victim.seat, victim.unit))
            return ENGLISH.format("move-and", name=name, start=start, end=end, deed=deed)
        case MoveAndStrike(_, end) | MoveAndVanquish(_, end):
            deed = _deed(state, order, facts, most)
            return ENGLISH.format("move-and", name=name, start=start, end=end, deed=deed)
        case Return(_, to):
            return ENGLISH.format("return", name=name, start=start, end=to)
        case _:
            return ENGLISH.format("does", who=who, deed=_deed(state, order, facts, most))


def _move(
    state: State,
    order: Move | SlideAndBrew | BrewAndSlide,
    facts: Sequence[Fact],
    name: str,
    most: int,
) -> str:
    slid = next((fact for fact in facts if isinstance(fact, RowSlid)), None)
    if slid is None:
        return ENGLISH.format("move", name=name, start=order.start, end=order.end)
    others = {
        "swapped": _swapped(state, slid.swapped, most), "marked": marked(state, slid.swapped),
    }  # fmt: skip
    match order:
        case Move(start, end):
            return ENGLISH.format("slide", name=name, start=start, end=end, **others)
        case SlideAndBrew(start, end):
            deed = _throw(state, order, facts)
            return ENGLISH.format("slide-and", name=name, start=start, end=end, deed=deed, **others)
        case BrewAndSlide(start, _, end):
            who, deed = on(state, start), _throw(state, order, facts)
            return ENGLISH.format("brew-and-slide", who=who, deed=deed, end=end, **others)
        case unreachable:
            assert_never(unreachable)


def _swapped(state: State, shifts: Sequence[Shift], most: int) -> str:
    """With whom an Alchemist changes places, to go on a sentence; empty for nobody."""
    if not shifts or most < LONGEST:
        return ""
    models = [_name(state, shift.start) for shift in shifts]
    return ENGLISH.format("swapped", models=enumerated(models, most))


def marked(state: State, shifts: Iterable[Shift]) -> str:
    """Which Dark Priests take no order for being moved, to go on a sentence; empty for none."""
    found = [(state.board[shift.start].seat, shift) for shift in shifts if shift.marked]
    return "".join(
        ENGLISH.format("marked", priest=named(seat, "X"), end=shift.end) for seat, shift in found
    )


def _name(state: State, square: Square) -> str:
    model = state.board[square]
    return named(model.seat, model.unit)


# --- what is done, to go on from who does it -----------------------------------------------------


def _deed(state: State, order: AnyOrder, facts: Sequence[Fact], most: int) -> str:
    say, model = ENGLISH.format, state.board[order.start]
    match order:
        case Strike() | MoveAndStrike():
            return _strike(order, facts, model)
        case Brew():
            return _throw(state, order, facts)
        case Off():
            return say("off")
        case Vanquish(stands) | MoveAndVanquish(_, stands):
            return _vanquish(state, stands, model.seat, most)
        case Promote(_, soldier, unit):
            return say("promote", soldier=on(state, soldier), unit=one(unit))
        case Recall(_, soldier, to):
            return say("recall", soldier=on(state, soldier), end=to)
        case Revive(_, unit, to):
            return say("revive", unit=one(unit), end=to)
        case TradeModels(_, first, second, unit, to):
            given = enumerated([on(state, first), on(state, second)])
            return say("trade", given=given, unit=one(unit), end=to)
        case TradeDead(_, dead, other, unit, to):
            return say(
                "trade-dead", given=enumerated([one(dead), one(other)]), unit=one(unit), end=to
            )
        case Wind() | Explode() | Slay():
            return _rite(state, order, facts, most)
        case _:
            raise AssertionError(f"{order} is told with its move")


def _strike(order: Strike | MoveAndStrike, facts: Sequence[Fact], model: Model) -> str:
    killed = next((fact for fact in facts if isinstance(fact, ModelKilled)), None)
    if killed is None:
        return ENGLISH.format("strike-nobody", target=order.target)
    victim = standing(killed.seat, killed.unit, killed.square)
    return ENGLISH.format(for_unit("kill", model.unit), victim=victim)


def _throw(state: State, order: Brew | SlideAndBrew | BrewAndSlide, facts: Sequence[Fact]) -> str:
    model = target_of(state, order)
    if model is None:
        return ENGLISH.format("brew-nobody", target=order.target)
    victim = standing(model.seat, model.unit, order.target)
    struck = next((fact for fact in facts if isinstance(fact, FirebrewStruck)), None)
    if struck is None:
        return ENGLISH.format("brew-burning", victim=victim, tokens=model.tokens)
    return ENGLISH.format("brew", victim=victim, tokens=struck.tokens)


def _vanquish(state: State, stands: Square, seat: Seat, most: int) -> str:
    squares = vanquished(state, stands, seat)
    if not squares:
        return ENGLISH.format("vanquish-nobody")
    models = enumerated([on(state, square) for square in squares], most)
    return ENGLISH.format("vanquish", models=models, seat=seat_name(seat))


def _rite(state: State, order: Wind | Explode | Slay, facts: Sequence[Fact], most: int) -> str:
    match order:
        case Wind(soldier=soldier):
            pushed = [shift for f in facts if isinstance(f, WindBlew) for shift in f.pushed]
            return ENGLISH.format("wind", soldier=on(state, soldier), **wind(state, pushed))
        case Explode(target=target):
            others = _dead(fact for fact in _killed(facts) if fact.square != target)
            key = "explode" if others else "explode-alone"
            return ENGLISH.format(key, model=on(state, target), others=enumerated(others, most))
        case Slay():
            models = _dead(_killed(facts))
            return ENGLISH.format(
                "slay" if models else "slay-nobody", models=enumerated(models, most)
            )
        case unreachable:
            assert_never(unreachable)


def wind(state: State, pushed: Sequence[Shift]) -> dict[str, object]:
    """The figures of a night wind of the seat on turn, by their names in sentences."""
    enemy = OTHER[_on_turn(state)]
    return {
        "pushed": len(pushed),
        "all": sum(model.seat == enemy for model in state.board.values()),
        "seat": seat_name(enemy),
        "marked": marked(state, pushed),
    }


def _killed(facts: Sequence[Fact]) -> list[ModelKilled]:
    return [fact for fact in facts if isinstance(fact, ModelKilled)]


def _dead(killed: Iterable[ModelKilled]) -> list[str]:
    return highest_first([(fact.square, Model(fact.seat, fact.unit)) for fact in killed])
