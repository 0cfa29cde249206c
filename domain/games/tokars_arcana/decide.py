"""Judging an action: it is refused by the first rule against it, or accepted with its facts."""

from domain.games.tokars_arcana.actions import (
    Action,
    AngelDecline,
    AngelRevive,
    DrawAccept,
    DrawDecline,
    DrawOffer,
    First,
    Pass,
    Place,
    RaiseUnit,
    Ready,
    Resign,
    Skip,
    squares_in,
)
from domain.games.tokars_arcana.battle_mage import refuse_placement
from domain.games.tokars_arcana.board import row_of
from domain.games.tokars_arcana.consequences import consequences
from domain.games.tokars_arcana.facts import Fact
from domain.games.tokars_arcana.graveyard import refuse_angel
from domain.games.tokars_arcana.legal import may_offer_draw, may_pass, turn
from domain.games.tokars_arcana.orders import refuse_order
from domain.games.tokars_arcana.rulings import rulings
from domain.games.tokars_arcana.state import (
    SEATS,
    Angels,
    Briefing,
    DrawPending,
    Ordering,
    Over,
    Placing,
    Raising,
    Seat,
    State,
    Toss,
)
from domain.games.tokars_arcana.undead import refuse_raise
from domain.kernel.rulings import Accepted, Refused


def decide(state: State, seat: str, action: Action) -> Accepted[Fact] | Refused:
    """What follows when this seat takes this action, or why it may not."""
    refusal = refuse(state, seat, action)
    if refusal is not None:
        return refusal
    facts = consequences(state, action)
    return Accepted(facts, rulings(state, action, facts))


def refuse(state: State, seat: str, action: Action) -> Refused | None:
    """The first rule against this action, in the order of the reference (3.5), or None."""
    rows = state.options.rows
    for square in squares_in(action):
        if row_of(square) > rows:
            return Refused(
                "ta.board.square",
                f"there is no {square}: this board has rows 1 to {rows}",
                {"rows": rows},
            )
    if isinstance(state.phase, Over):
        return Refused("ta.end.over", "the game is over, and nothing can be done")
    if isinstance(action, Resign):
        return _refuse_resignation(seat, action.seat)
    for own in SEATS:
        if own == seat and any(prompt.seat == own for prompt in turn(state)):
            return _refuse_asked(state, own, action)
    return _refuse_seat(state, seat)


def _refuse_resignation(seat: str, resigning: Seat) -> Refused | None:
    if seat == resigning:
        return None
    return Refused(
        "ta.resign.own",
        f"{seat.title()} cannot resign for {resigning.title()}, only for {seat.title()}: resign"
        f" {seat}",
    )


def _refuse_seat(state: State, seat: str) -> Refused:
    asked = " and ".join(
        f"{prompt.seat.title()} ({prompt.expected_action})" for prompt in turn(state)
    )
    return Refused(
        "ta.turn.seat",
        f"{seat.title()} is not asked now, but {asked}: {seat.title()} can only resign",
        {"asked": asked},
    )


def _refuse_asked(state: State, seat: Seat, action: Action) -> Refused | None:
    """Why a seat that is asked cannot do this."""
    if not isinstance(state.phase, Ordering):
        return _refuse_answer(state, seat, action)
    match action:
        case DrawOffer():
            return _refuse_offer(state)
        case Pass():
            return _refuse_pass(state, seat)
        case (
            Ready() | First() | Place() | AngelRevive() | AngelDecline() | RaiseUnit() | Skip()
            | DrawAccept() | DrawDecline() | Resign()
        ):  # fmt: skip
            return Refused(
                "ta.turn.prompt",
                "this answers a question that is not asked: the seat on turn gives an order, passes"
                " or offers a draw",
            )
        case order:
            return refuse_order(state, seat, order)


def _refuse_offer(state: State) -> Refused | None:
    if may_offer_draw(state):
        return None
    if not state.options.draw_offers:
        why = "in this match players do not agree to draws"
    else:
        why = "the draw offer of this turn was declined: one offer in a turn"
    return Refused("ta.draw.offer", why)


def _refuse_pass(state: State, seat: Seat) -> Refused | None:
    if may_pass(state, seat):
        return None
    return Refused(
        "ta.turn.pass",
        "in this match a player passes only without any order to give, and there is one",
        {"pass": state.options.passing},
    )


def _refuse_answer(state: State, seat: Seat, action: Action) -> Refused | None:
    """Why this is no answer to the question that is asked, or no possible one."""
    match state.phase, action:
        case Briefing(), Ready(speaking):
            if speaking == seat:
                return None
            return Refused(
                "ta.turn.seat", f"{seat.title()} says ready for {seat.title()} only: ready {seat}"
            )
        case (
            (Toss(), First())
            | (DrawPending(), DrawAccept() | DrawDecline())
            | (Angels(), AngelDecline())
            | (Raising(), Skip())
        ):
            return None
        case Placing(), Place(to):
            return refuse_placement(state, to)
        case Angels(), AngelRevive(to):
            return refuse_angel(state, to)
        case Raising(offer), RaiseUnit():
            return refuse_raise(state, action, offer, seat)
        case phase, _:
            return Refused(
                "ta.turn.prompt", f"this does not answer what is asked: {_question(phase)}"
            )


def _question(phase: object) -> str:
    """What is asked, with the forms of an answer."""
    match phase:
        case Briefing():
            return "ready south or ready north ends the debriefing"
        case Toss():
            return "first south or first north enters the toss"
        case DrawPending():
            return "draw accept or draw decline answers the offer"
        case Placing():
            return "place SQUARE sets down the first model in the air"
        case Angels():
            return "revive SQUARE brings the priest back, decline leaves him dead"
        case _:
            return "raise UNIT SQUARE raises a unit beside the zombie, skip raises nobody"
