"""The facts that follow from a legal action, in the order in which they become true.

An order may raise questions; they are asked in this sequence (TA-R14): where vanquished models are
placed, whether the angels of killed priests answer, what the zombie raises; then the firebrew of
the seat on turn burns down, and the angels of those whom it killed answer; then the turn passes.
"""

from collections.abc import Callable, Iterable
from functools import reduce

from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    AngelRevive,
    AnyOrder,
    DrawAccept,
    DrawDecline,
    DrawOffer,
    Enter,
    First,
    Pass,
    Place,
    RaiseUnit,
    Ready,
    Resign,
    Skip,
    is_order,
)
from domain.games.tokars_arcana.board import plane
from domain.games.tokars_arcana.cards import rank_of
from domain.games.tokars_arcana.effects import effects
from domain.games.tokars_arcana.evolve import evolve
from domain.games.tokars_arcana.facts import (
    AngelsCalled,
    DeadRemoved,
    DrawDeclined,
    DrawOffered,
    Fact,
    FirebrewBurned,
    GameEnded,
    MarkLifted,
    ModelKilled,
    ModelPlaced,
    ModelReturned,
    ModelWithdrawn,
    PriestLost,
    PriestRevived,
    QuietCounted,
    RaiseAsked,
    ReadySaid,
    TossAsked,
    TurnBegan,
)
from domain.games.tokars_arcana.state import (
    GENERALS,
    OTHER,
    Angels,
    Briefing,
    Placing,
    Raise,
    Seat,
    State,
)
from domain.games.tokars_arcana.undead import can_raise

Facts = tuple[Fact, ...]
Follows = Callable[[State], Facts]


def consequences(state: State, action: Action) -> Facts:
    """What becomes true by an action that is legal in this state."""
    # By type first, since a `match` tries all that comes before, and nearly every action is one.
    if is_order(action):
        return _ordered(state, action)
    match action:
        case Resign(seat):
            return (GameEnded(OTHER[seat], "resign"),)
        case Ready(seat):
            return _ready(state, seat)
        case First(seat):
            return (TurnBegan(seat),)
        case DrawOffer():
            return (DrawOffered(_on_turn(state)),)
        case DrawAccept():
            return (GameEnded(None, "agreement"),)
        case DrawDecline():
            return (DrawDeclined(OTHER[_on_turn(state)]),)
        case Pass():
            return _then(state, _begun(state, ()), end_of_turn)
        case Place(to):
            return _placed(state, ModelPlaced(to))
        case AngelRevive() | AngelDecline():
            return _answered(state, action)
        case RaiseUnit(unit, to):
            raised = ModelReturned(_on_turn(state), unit, to)
            return _then(state, (raised, *_not_quiet(state)), end_of_turn)
        case Skip():
            return end_of_turn(state)
        case order:
            return _ordered(state, order)


def _on_turn(state: State) -> Seat:
    assert state.turn is not None, "only before the first turn nobody is on turn"
    return state.turn


def _then(state: State, facts: Facts, follows: Follows) -> Facts:
    """These facts, and what follows when they are true."""
    return (*facts, *follows(reduce(evolve, facts, state)))


def _ready(state: State, seat: Seat) -> Facts:
    assert isinstance(state.phase, Briefing)
    said = ReadySaid(seat)
    if len(state.phase.waiting) > 1:
        return (said,)
    return (said, TossAsked() if state.turn is None else TurnBegan(state.turn))


# --- an order ------------------------------------------------------------------------------------


def _ordered(state: State, order: AnyOrder) -> Facts:
    seat = _on_turn(state)
    facts = _begun(state, effects(state, seat, order))
    after = reduce(evolve, facts, state)
    if isinstance(after.phase, Placing):
        return facts
    killed = [fact for fact in facts if isinstance(fact, ModelKilled)]
    if not killed:
        return (*facts, *end_of_turn(after))
    if any(fact.unit in GENERALS for fact in killed):
        return (*facts, _general_dead(state, killed))
    raising = _raising(state, order, killed, after)
    priests = _priests(killed, seat)
    if priests:
        return (*facts, AngelsCalled(priests, raising))
    if raising is not None:
        return (*facts, RaiseAsked(raising.square, raising.rank))
    return (*facts, *end_of_turn(after))


def _begun(state: State, did: Facts) -> Facts:
    """What an order or a pass did, with what comes of a turn being used at all."""
    seat = _on_turn(state)
    marks = (square for square, model in state.board.items() if model.moved and model.seat == seat)
    lifted = tuple(MarkLifted(square) for square in sorted(marks))
    if not state.options.quiet_limit:
        return (*lifted, *did)
    turns = 0 if any(isinstance(fact, _STIRRING) for fact in did) else state.quiet + 1
    return (*lifted, *did, QuietCounted(turns))


_STIRRING = (ModelKilled, ModelWithdrawn, ModelReturned, DeadRemoved)
"""Facts after which a turn has not been quiet."""


def _not_quiet(state: State) -> tuple[QuietCounted, ...]:
    """The count starts again, unless it stands at 0."""
    return (QuietCounted(0),) if state.quiet else ()


def _general_dead(state: State, killed: Iterable[ModelKilled]) -> GameEnded:
    losers = {fact.seat for fact in killed if fact.unit in GENERALS}
    seat = _on_turn(state)
    if len(losers) == 1:
        return GameEnded(OTHER[losers.pop()], "general")
    if state.options.both_generals == "draw":
        return GameEnded(None, "generals")
    return GameEnded(seat, "general")


def _priests(killed: Iterable[ModelKilled], first: Seat) -> tuple[Seat, ...]:
    """Whose priests with an angel are among the dead: of the seat on turn first."""
    seats = [fact.seat for fact in killed if fact.unit == "P"]
    return tuple(sorted(seats, key=lambda seat: seat != first))


def _raising(
    state: State, order: AnyOrder, killed: list[ModelKilled], after: State
) -> Raise | None:
    """What a zombie may raise for its victim, if it is possible."""
    if not isinstance(order, Enter) or state.board[order.start].unit != "Z":
        return None
    (victim,) = killed
    seat = _on_turn(state)
    offer = Raise(order.end, rank_of(victim.unit))
    return offer if victim.seat != seat and can_raise(after, offer, seat) else None


# --- answers -------------------------------------------------------------------------------------


def _placed(state: State, placed: ModelPlaced) -> Facts:
    assert isinstance(state.phase, Placing)
    if len(state.phase.models) > 1:
        return (placed,)
    return _then(state, (placed,), end_of_turn)


def _answered(state: State, action: AngelRevive | AngelDecline) -> Facts:
    phase = state.phase
    assert isinstance(phase, Angels)
    seat = phase.seats[0]
    facts: Facts
    if isinstance(action, AngelRevive):
        facts = (PriestRevived(seat, action.to), *_not_quiet(state))
    else:
        facts = (PriestLost(seat),)
    if len(phase.seats) > 1:
        return facts
    if phase.at_end:
        return _then(state, facts, _next_turn)
    after = reduce(evolve, facts, state)
    raising = phase.raising
    # The priest may have taken the last free square beside the zombie (TA-R14).
    if raising is not None and can_raise(after, raising, _on_turn(state)):
        return (*facts, RaiseAsked(raising.square, raising.rank))
    return (*facts, *end_of_turn(after))


# --- the end of the turn -------------------------------------------------------------------------


def end_of_turn(state: State) -> Facts:
    """What follows when nobody is asked any more: firebrew burns, and the turn passes."""
    seat = _on_turn(state)
    burning = [
        (square, model)
        for square, model in state.board.items()
        if model.tokens and model.seat == seat
    ]
    place = plane(state.options.rows).place
    burning.sort(key=lambda square_and_model: place[square_and_model[0]])
    if not burning:
        return _next_turn(state)
    burned = tuple(FirebrewBurned(square, model.tokens - 1) for square, model in burning)
    killed = tuple(
        ModelKilled(seat, model.unit, square) for square, model in burning if model.tokens == 1
    )
    if not killed:
        return _then(state, burned, _next_turn)
    facts: Facts = (*burned, *killed, *_not_quiet(state))
    if any(fact.unit in GENERALS for fact in killed):
        return (*facts, _general_dead(state, killed))
    priests = _priests(killed, seat)
    if priests:
        return (*facts, AngelsCalled(priests, at_end=True))
    return _then(state, facts, _next_turn)


def _next_turn(state: State) -> Facts:
    limit = state.options.quiet_limit
    if limit and state.quiet >= limit:
        return (GameEnded(None, "quiet"),)
    return (TurnBegan(OTHER[_on_turn(state)]),)
