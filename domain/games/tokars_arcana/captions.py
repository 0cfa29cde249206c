"""What is going on and what is asked, in a sentence; and check, as it is called out."""

from collections.abc import Sequence

from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.check import Threat, announced
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.legal import may_offer_draw, may_pass
from domain.games.tokars_arcana.names import either, enumerated, on, one, seat_name
from domain.games.tokars_arcana.state import (
    OTHER,
    SEATS,
    Angels,
    Briefing,
    DrawPending,
    Ordering,
    Over,
    Placing,
    Raise,
    Raising,
    Seat,
    State,
    Toss,
    general_square,
)
from domain.games.tokars_arcana.undead import raisable
from domain.kernel.language import as_sentence


def caption(state: State, viewer: str) -> str:
    """What is going on, in a sentence, the same for everybody."""
    del viewer
    return caption_in(state, announced(state))


def caption_in(state: State, danger: Sequence[Threat]) -> str:
    """The same, where it is known what threatens the general of the seat on turn."""
    asked = _caption(state)
    if not danger:
        return asked
    return ENGLISH.format("in-check", caption=asked, check=check_in_words(state, danger))


def _caption(state: State) -> str:
    say = ENGLISH.format
    match state.phase:
        case Briefing(waiting):
            return say("ask-ready", seats=enumerated([seat_name(seat) for seat in waiting]))
        case Toss():
            return say("ask-first")
        case Over():
            return say("over", how=ended(state, state.phase))
        case Ordering():
            return say("ask-order", seat=seat_name(_on_turn(state)), others=_beside_orders(state))
        case DrawPending():
            seat = _on_turn(state)
            return say("ask-draw", seat=seat_name(OTHER[seat]), other=seat_name(seat))
        case Placing():
            return _placing(state, state.phase)
        case Angels(seats):
            return say("ask-angel", seat=seat_name(seats[0]), priest=named(seats[0], "P"))
        case Raising(offer):
            return _raising(state, offer)


def _on_turn(state: State) -> Seat:
    assert state.turn is not None, "only before the first turn nobody is on turn"
    return state.turn


def _beside_orders(state: State) -> str:
    """What the seat on turn may do instead of giving an order."""
    passes = state.options.passing == "always" or may_pass(state, _on_turn(state))
    key = {(True, True): "or-both", (True, False): "or-pass", (False, True): "or-offer"}.get(
        (passes, may_offer_draw(state))
    )
    return ENGLISH.format(key) if key else ""


def _placing(state: State, phase: Placing) -> str:
    first, *others = [named(model.seat, model.unit) for model in phase.models]
    then = ENGLISH.format("then-place", models=enumerated(others)) if others else ""
    return ENGLISH.format("ask-place", seat=seat_name(_on_turn(state)), model=first, then=then)


def _raising(state: State, offer: Raise) -> str:
    seat = _on_turn(state)
    units = either([one(unit) for unit in raisable(state, offer, seat)])
    zombie = on(state, offer.square)
    return ENGLISH.format("ask-raise", seat=seat_name(seat), zombie=zombie, units=units)


def ended(state: State, over: Over) -> str:
    """Return how the game ended, without a full stop."""
    say = ENGLISH.format
    if over.winner is None:
        return say(_DRAWN.get(over.reason, "over-drawn"))
    winner, loser = seat_name(over.winner), seat_name(OTHER[over.winner])
    if over.reason == "resign":
        return say("over-resigned", winner=winner, loser=loser)
    if all(general_square(state.board, seat) is None for seat in SEATS):
        return say("over-both", winner=winner)
    return say("over-general", winner=winner, loser=loser)


_DRAWN = {"agreement": "over-agreed", "quiet": "over-quiet"}


# --- check ---------------------------------------------------------------------------------------


def announcements(state: State) -> tuple[str, ...]:
    """What is called out to all at the table: check, with option `check`, and whence it comes."""
    sentence = check_sentence(state)
    return (as_sentence(sentence),) if sentence else ()


def check_sentence(state: State, *, briefly: bool = False) -> str:
    """Whose general is in danger, where, and from whom, without a full stop; empty if none is."""
    danger = announced(state)
    return check_in_words(state, danger, briefly=briefly) if danger else ""


def check_in_words(state: State, danger: Sequence[Threat], *, briefly: bool = False) -> str:
    """Return where the general of the seat on turn is in danger, and from whom."""
    if not briefly:
        threats = enumerated([_threat(state, threat) for threat in danger])
    elif len(danger) == 1:
        threats = on(state, danger[0].square)
    else:
        threats = ENGLISH.format("threats", n=len(danger))
    seat = _on_turn(state)
    square = general_square(state.board, seat)
    return ENGLISH.format("check", seat=seat_name(seat), square=square, threats=threats)


def _threat(state: State, threat: Threat) -> str:
    """As `South's Dark Priest on h1, exploding the Blue Knight on d9`."""
    who = on(state, threat.square)
    if not threat.explodes:
        return who
    return ENGLISH.format("exploding", model=who, others=either(_explodable(state, threat), 2))


def _explodable(state: State, threat: Threat) -> list[str]:
    return [
        ENGLISH.format("model-on", model=CARDS[state.board[at].unit].name, square=at)
        for at in threat.explodes
    ]
